/**
 * Rows of random chains, printed by our own interfaces and read back by the fork over HTTP and over gRPC, are the rows that they were, but for what
 * the table of assumptions says.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRemote } from '../../src/fork/start/open-remote.js';
import { withRows } from '../../src/node/with-rows.js';
import { utf8ToHex } from '../../src/primitives/hex.js';
import {
  SmartContract,
  SmartContract_ABI,
  SmartContract_ABI_Entry,
} from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { getAssetIssueList } from '../../src/wallet/assets.js';
import { fullContext } from '../../src/wallet/context.js';
import {
  compared,
  expectSameRows,
  expectSameStanding,
  expectSameStart,
  expectSameStorage,
  expectSameUsages,
} from './fork-comparison.js';
import { openForkedNode } from './forked-node.js';
import { BEGINNING, EVENTFUL, history, type Operation, perform } from './operations.js';
import { STILL, serveChain, serveChainByGrpc } from './served-chain.js';
import { COMPARED } from './served-rows.js';
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
  await chain.node.chain.durable();
  return chain;
}

const chains: readonly [string, SimulationOptions][] = [
  ['of mainnet', { parameters: EVENTFUL, witnessVotes: [100, 60, 1], release: '4.8.2' }],
  ['on a busy network', { parameters: EVENTFUL, networkStake: 'mainnet', release: '4.8.2' }],
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

it('lists tokens in the order of the network, whose newest are not merged yet, at the beginning and when they are', async () => {
  const options = { parameters: EVENTFUL, witnessVotes: [100, 60, 1], release: '4.8.2', accounts: 8 } as const;
  const chain = await SimulatedChain.open(options);
  chain.node.mine(20);
  for (const owner of [3, 1, 4, 0, 5, 2, 7]) {
    perform(chain, { what: 'issueToken', owner, other: 0, amountSun: COIN, choice: owner % 3 });
    chain.node.mine(owner === 4 ? 30 : 1);
  }
  const server = await serveChain(chain.node);
  const fork = await openForkedNode({ url: server.url, genesis: chain.genesis, witnessKeys: chain.witnessKeys });
  const [network, here] = [fullContext(chain.node), fullContext(fork.node)];
  const idsOf = (context: typeof here) => getAssetIssueList(context, {}).assetIssue.map(({ id }) => id);
  const byId = [...idsOf(network)].sort();
  expect(idsOf(network)).not.toEqual(byId);
  expect(idsOf(here)).toEqual(idsOf(network));
  for (const node of [chain.node, fork.node]) await node.mining.mine({ blocks: 30 });
  expect(idsOf(network)).toEqual(byId);
  expect(idsOf(here)).toEqual(byId);
  // Issued on both, and in front of those that are merged.
  const issued = chain.transaction(ContractType.AssetIssueContract, {
    owner_address: chain.address(6),
    name: utf8ToHex('Late'),
    abbr: utf8ToHex('L'),
    total_supply: 5n,
    trx_num: 1,
    num: 1,
    start_time: chain.ledger.headTimeMs + 60_000n,
    end_time: chain.ledger.headTimeMs + 86_400_000n,
    description: utf8ToHex('late'),
    url: utf8ToHex('http://late'),
  });
  // The fork first: it reads the issuer from the chain.
  for (const node of [fork.node, chain.node]) await withRows(() => node.broadcast(issued));
  expect(idsOf(network)[0]).toBe('1000008');
  expect(idsOf(here)).toEqual(idsOf(network));
  await fork.close();
  await server.close();
  await chain.close();
});
