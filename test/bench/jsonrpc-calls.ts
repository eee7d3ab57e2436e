/**
 * eth_call as a page sends it: one request a call, over connections that are kept. Against anvil, with the same token
 * and the same questions in the same run. Asked twice: the same balance again and again, as pages poll it, which Sunup
 * remembers while nothing changes; and each time another holder's, which has to be run.
 */

import type { Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { deployedContractAddress } from '../../src/protocol/address.js';
import { deployOnAnvil, startAnvil } from './anvil.js';
import { type Bench, median } from './bench.js';
import { runLoadElsewhere } from './load.js';
import { transactionHex } from './signed-transactions.js';
import { type Command, startCommand } from './sunup-command.js';
import { balanceOfData, signedDeployment, tokenInitCode } from './token.js';
import { headOf } from './transfers-over-http.js';

const CALLS = 20_000;
const ROUNDS = 3;

interface Server {
  readonly port: number;
  readonly path: string;
  /** 20 bytes with 0x. */
  readonly token: string;
}

export const bench: Bench = {
  about: 'eth_call per second over HTTP, with 1 and with 8 connections',

  async *measure(progress) {
    const command = await startCommand(['--instant', '--accounts', '2', '--quiet']);
    const sunup = { port: command.port, path: '/jsonrpc', token: await deploy(command) };
    const anvil = await startAnvil();
    const peer = anvil && {
      port: anvil.port,
      path: '/',
      token: (await deployOnAnvil(anvil, tokenInitCode())).contract,
    };
    for (const connections of [1, 8]) {
      for (const [kind, questions] of Object.entries({ 'the same call': sameHolder, 'other holders': otherHolders })) {
        progress(`eth_call, ${kind}, ${connections} connections`);
        const ours: number[] = [];
        const theirs: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          ours.push(await callsPerSecond(sunup, questions, connections));
          if (peer !== undefined) theirs.push(await callsPerSecond(peer, questions, connections));
        }
        yield {
          name: `eth_call, ${kind}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
          value: median(ours),
          unit: '/s',
          ...(peer && { reference: { name: 'anvil', value: median(theirs) } }),
          aim: { of: 'ratio', atLeast: 1 },
        };
      }
    }
    await anvil?.stop();
    await command.stop();
  },
};

async function deploy(command: Command): Promise<string> {
  const [{ privateKey, addressHex }] = command.accounts as [Command['accounts'][number]];
  const transaction = signedDeployment(privateKey, { reference: await headOf(command), nonce: 1 });
  const answer = await command.post('/wallet/broadcasthex', { transaction: transactionHex(transaction) });
  if (answer.result !== true) throw new Error(`the token is not deployed: ${JSON.stringify(answer)}`);
  return `0x${deployedContractAddress(transaction.txId, addressHex).slice(2)}`;
}

const sameHolder = (): Hex => balanceOfData('41'.padEnd(42, '1') as Address);
const otherHolders = (index: number): Hex =>
  balanceOfData(`41${(index + 1).toString(16).padStart(40, '0')}` as Address);

async function callsPerSecond(server: Server, question: (index: number) => Hex, connections: number): Promise<number> {
  const bodies = Array.from({ length: CALLS }, (_, index) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: index,
      method: 'eth_call',
      params: [{ to: server.token, data: `0x${question(index)}` }, 'latest'],
    }),
  );
  const { port, path } = server;
  await runLoadElsewhere({ port, path, bodies: bodies.slice(0, CALLS / 4), connections });
  const { seconds, lastBody } = await runLoadElsewhere({ port, path, bodies, connections });
  if (!lastBody.includes('"result":"0x00')) throw new Error(`not an answer to a call: ${lastBody}`);
  return CALLS / seconds;
}
