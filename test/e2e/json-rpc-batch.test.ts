/** A batch whose answers exceed the heap many times: the process refuses it and continues. */

import { TronWeb } from 'tronweb';
import { expect, test } from 'vitest';
import { RunningCommand } from './command.js';

/** Returns as many zeros as its argument says. */
const ZEROS = '60068060093d393df36000356000f3';
const HEAP_MB = 120;
const ANSWER_BYTES = 200_000;

test('a batch of 150 kB cannot crash a process with a small heap', async () => {
  const { NODE_OPTIONS } = process.env;
  process.env.NODE_OPTIONS = `--max-old-space-size=${HEAP_MB}`;
  await using command = await RunningCommand.start(['--json', '--instant']);
  if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = NODE_OPTIONS;
  const { http, accounts } = await command.ready();

  const tronWeb = new TronWeb({ fullHost: http.url, privateKey: accounts[0]!.privateKey });
  const built = await tronWeb.transactionBuilder.createSmartContract(
    { abi: [], bytecode: ZEROS, feeLimit: 1_000_000_000 } as never,
    accounts[0]!.address,
  );
  expect((await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built))).result).toBe(true);
  const to = `0x${(built as { contract_address?: string }).contract_address!.slice(2)}`;

  const data = `0x${ANSWER_BYTES.toString(16).padStart(64, '0')}`;
  const call = (id: number) => ({ id, method: 'eth_call', params: [{ to, data }, 'latest'] });
  const batch = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => call(id)));
  expect(batch.length).toBeLessThan(250_000);
  const post = async (body: string) => (await fetch(`${http.url}/jsonrpc`, { method: 'POST', body })).json();
  for (let round = 0; round < 2; round++) {
    const answers = (await post(batch)) as { id: number; result?: string; error?: { code: number } }[];
    const fit = answers.filter(({ result }) => result !== undefined);
    expect(fit.length).toBe(Math.floor(26_214_400 / (2 * ANSWER_BYTES)));
    expect(fit.every(({ result }) => result?.length === 2 + 2 * ANSWER_BYTES)).toBe(true);
    expect(answers.slice(fit.length).every(({ error }) => error?.code === -32_003)).toBe(true);
    expect(answers.map(({ id }) => id)).toEqual(answers.map((_, id) => id));
  }
  expect(await post('{"id":1,"method":"eth_blockNumber"}')).toMatchObject({ id: 1, result: expect.any(String) });
  const { code, errors } = await command.end('SIGINT');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});
