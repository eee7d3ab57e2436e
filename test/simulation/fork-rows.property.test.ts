/**
 * Rows of random chains, printed by our own interfaces and read back by the fork over HTTP and over gRPC, are the rows that they were, but for what
 * the table of assumptions says.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRemote } from '../../src/fork/open-remote.js';
import {
  SmartContract,
  SmartContract_ABI,
  SmartContract_ABI_Entry,
} from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import {
  COMPARED,
  compared,
  expectSameRows,
  expectSameStanding,
  expectSameStart,
  expectSameStorage,
  expectSameUsages,
} from './fork-comparison.js';
import { BEGINNING, EVENTFUL, history, type Operation, perform } from './operations.js';
import { STILL, serveChain, serveChainByGrpc } from './served-chain.js';
import { COIN, fixtureBytecode, SimulatedChain, type SimulationOptions } from './simulated-chain.js';

/** So that no table is empty: an order, and something used in the last block. */
const ENDING: readonly Operation[] = [
  { what: 'sell', owner: 0, other: 0, amountSun: 1_000n * COIN, choice: 0 },
  { what: 'mine', blocks: 1 },
  { what: 'vote', owner: 1, other: 0, amountSun: 700n * COIN, choice: 0 },
  { what: 'transfer', owner: 4, other: 3, amountSun: 5n, choice: 0 },
];

async function played(options: SimulationOptions, operations: readonly Operation[]): Promise<SimulatedChain> {
  const chain = await SimulatedChain.open(options);
  for (const one of [{ what: 'mine', blocks: 2 } as const, ...BEGINNING, ...operations, ...ENDING]) perform(chain, one);
  chain.send(
    ContractType.CreateSmartContract,
    {
      owner_address: chain.address(5),
      new_contract: SmartContract.create({
        origin_address: chain.address(5),
        name: 'WithInterface',
        origin_energy_limit: 1_000_000n,
        bytecode: fixtureBytecode('Meter'),
        abi: SmartContract_ABI.create({
          entrys: [SmartContract_ABI_Entry.create({ name: 'f', type: 2, stateMutability: 3 })],
        }),
      }),
    },
    { feeLimitSun: 1_000n * COIN },
  );
  chain.node.mine(1);
  await chain.node.chain.untilDurable();
  return chain;
}

const chains: readonly [string, SimulationOptions][] = [
  ['of mainnet', { parameters: EVENTFUL, witnessVotes: [100, 60, 1], release: '4.8.2' }],
  ['on a busy network', { parameters: EVENTFUL, networkLoad: 'mainnet', release: '4.8.2' }],
  ['before windows had fractions', { parameters: { ...EVENTFUL, ALLOW_CANCEL_ALL_UNFREEZE_V2: 0 }, release: '4.8.1' }],
];

describe('a network that is read', () => {
  it.each(chains)('has the rows %s that it was printed from', async (_, options) => {
    await fc.assert(
      fc.asyncProperty(history(20, 50), async (operations) => {
        const chain = await played(options, operations);
        const server = await serveChain(chain.node);
        const grpc = await serveChainByGrpc(chain.node);
        const overHttp: string[] = [];
        const watched = (url: string, init: RequestInit) => {
          overHttp.push(new URL(url).pathname);
          return fetch(url, init);
        };
        const overGrpc = await openRemote({ url: server.url, grpc: grpc.url }, { ...STILL, fetch: watched });
        try {
          const asked = await openRemote({ url: server.url }, STILL);
          for (const remote of [asked, overGrpc]) {
            expectSameStart(chain.node, remote);
            await expectSameRows(chain.node, remote);
            await expectSameUsages(chain.node, remote);
            await expectSameStorage(chain.node, remote);
            await expectSameStanding(chain.node, remote);
          }
          expect(new Set(overHttp)).toEqual(new Set(['/jsonrpc']));
          expect(overGrpc.requests()).toBeGreaterThan(overHttp.length + 30);
          expect(overGrpc.start).toEqual(asked.start);
          expect(overGrpc.requests()).toBe(asked.requests());
        } finally {
          await overGrpc.close();
          await grpc.close();
          await server.close();
          await chain.close();
        }
      }),
      { numRuns: 2, seed: 11, endOnFailure: true },
    );
    // Chains without such rows would prove nothing.
    for (const name of [
      ...Object.keys(COMPARED),
      'usages',
      'recent usages',
      'rewards',
      'start: votes',
      'start: marketPrices',
      'storage',
      'contractStates',
    ]) {
      expect(compared.get(name) ?? 0, name).toBeGreaterThan(0);
    }
  });
});
