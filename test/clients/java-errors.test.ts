/**
 * A transaction that ends with a Java error keeps the logs of its top frame and of returned calls. All interfaces show
 * the same logs, also for a contract whose creation failed; `console.log` has the lines of all calls. The receipt omits
 * the penalties of unfinished calls, and the explanation says so.
 */

import { expect, test } from 'vitest';
import { toJson } from '../../src/primitives/amount-json.js';
import { compile, TRX, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
event Said(uint256 indexed value);
contract Child { constructor() { emit Said(3); } }
contract Callee {
  function work(uint256 value, bool ends) external {
    emit Said(value);
    (bool ok,) = address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(
      abi.encodeWithSignature("log(string,uint256)", "works", value));
    // MODEXP whose exponent claims a length of 2^31 - 1 bytes.
    if (ends) (ok,) = address(5).staticcall(abi.encodePacked(uint256(0), uint256(0x7fffffff), uint256(0), hex"01"));
    ok;
  }
}
contract Top {
  Callee public callee = new Callee();
  function run() external {
    emit Said(1);
    callee.work(2, false);
    new Child();
    callee.work(4, true);
  }
}`;

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
type Answer = any;

interface Frame {
  readonly calls?: readonly Frame[];
  readonly logs?: readonly { readonly topics: readonly string[] }[];
}

const allLogs = ({ calls = [], logs = [] }: Frame): readonly { readonly topics: readonly string[] }[] => [
  ...logs,
  ...calls.flatMap(allLogs),
];

test('logs that remain after a Java error are the same on every interface', async () => {
  await using chain = await TronWebDevnet.start();
  const { devnet } = chain;
  const { transactionBuilder } = chain.client(0);
  const lines: string[] = [];
  devnet.on('block', ({ transactions }) => lines.push(...transactions.flatMap(({ consoleLines }) => consoleLines)));
  const options = { ...compile(SOURCE, 'Top'), feeLimit: 1000 * TRX, name: 'Top' };
  const deployed = await chain.send(0, transactionBuilder.createSmartContract(options as never, chain.address(0)));
  const top = deployed.contract_address!;
  const { transaction } = await transactionBuilder.triggerSmartContract(top, 'run()', { feeLimit: 1000 * TRX }, []);
  const info = await chain.send(0, transaction);
  expect(info).toMatchObject({
    result: 'FAILED',
    resMessage: Buffer.from('Unknown Throwable').toString('hex'),
    receipt: { result: 'UNKNOWN' },
  });
  const values = info.log!.map(({ topics }) => Number(`0x${topics[1]}`));
  expect(values).toEqual([1, 2, 3]);
  const internals = info.internal_transactions as readonly { readonly note: string; readonly rejected: boolean }[];
  expect(internals.map(({ note, rejected }) => [Buffer.from(note, 'hex').toString(), rejected])).toEqual([
    ['call', true],
    ['call', true],
    ['create', true],
    ['call', true],
  ]);
  expect(lines).toEqual(['works 2', 'works 4']);

  const rpc = async (method: string, ...params: unknown[]): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return ((await (await fetch(`${devnet.http.url}/jsonrpc`, { method: 'POST', body })).json()) as Answer).result;
  };
  const topics = info.log!.map((log) => log.topics.map((topic) => `0x${topic}`));
  const topicsOf = (logs: readonly { readonly topics: readonly string[] }[]) => logs.map((log) => log.topics);
  const receipt = await rpc('eth_getTransactionReceipt', `0x${info.id}`);
  expect(receipt.status).toBe('0x0');
  expect(topicsOf(receipt.logs)).toEqual(topics);
  const blockHash = receipt.blockHash as string;
  expect(topicsOf(await rpc('eth_getLogs', { blockHash }))).toEqual(topics);
  const addresses = info.log!.map(({ address }) => `0x${address}`);
  expect(receipt.logs.map(({ address }: { address: string }) => address)).toEqual(addresses);
  expect(topicsOf(await rpc('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: addresses[2] }))).toEqual([
    topics[2],
  ]);
  const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } };
  const trace = (await rpc('debug_traceTransaction', `0x${info.id}`, tracer)) as Frame;
  expect(topicsOf(allLogs(trace))).toEqual(topics);

  const events = async (path: string): Promise<Answer[]> =>
    ((await (await fetch(`${devnet.http.url}${path}`)).json()) as { data: Answer[] }).data;
  const indices = ({ event_index }: Answer) => event_index;
  expect((await events(`/v1/transactions/${info.id}/events`)).map(indices)).toEqual([0, 1, 2]);
  expect((await events(`/v1/contracts/${top}/events`)).map(indices)).toEqual([0]);
  expect((await events(`/v1/contracts/41${info.log![2]!.address}/events`)).map(indices)).toEqual([2]);
});

test('penalties of unfinished calls are in the explanation, and not in the receipt', async () => {
  await using chain = await TronWebDevnet.start();
  const { devnet } = chain;
  const { transactionBuilder } = chain.client(0);
  const options = { ...compile(SOURCE, 'Top'), feeLimit: 1000 * TRX, name: 'Top' };
  const deployed = await chain.send(0, transactionBuilder.createSmartContract(options as never, chain.address(0)));
  const top = deployed.contract_address!;
  const callee = (deployed.internal_transactions as readonly { readonly transferTo_address: string }[])[0]!
    .transferTo_address;
  const run = async () => {
    const { transaction } = await transactionBuilder.triggerSmartContract(top, 'run()', { feeLimit: 1000 * TRX }, []);
    const { receipt, id } = await chain.send(0, transaction);
    const { energy, text } = await devnet.explain(id);
    const sum = energy!.contracts.reduce((total, { penalty }) => total + Number(penalty), 0);
    return { receipt, energy: energy!, text: text.join('\n'), sum };
  };

  // Only the contract of the top frame has a factor, and the receipt reports all of that frame's penalty.
  await devnet.setContractEnergy(top, { energyFactor: 10_000 });
  const ofTop = await run();
  expect(ofTop.receipt).toMatchObject({ result: 'UNKNOWN', energy_penalty_total: ofTop.sum });
  expect(ofTop.energy).not.toHaveProperty('unreportedPenalty');
  expect(ofTop.text).not.toContain('The receipt reports');

  // The first of two calls of the other contract has returned.
  await devnet.setContractEnergy(callee, { energyFactor: 20_000 });
  const ofBoth = await run();
  const reported = Number(ofBoth.receipt.energy_penalty_total);
  expect(toJson(ofBoth.energy)).toMatchObject({ penalty: reported, unreportedPenalty: ofBoth.sum - reported });
  expect(reported).toBeGreaterThan(ofTop.sum);
  expect(ofBoth.sum).toBeGreaterThan(reported);
  expect(ofBoth.text).toContain(
    `The receipt reports ${reported.toLocaleString('en')} of penalty, ${(ofBoth.sum - reported).toLocaleString('en')} less than these contracts paid`,
  );
});
