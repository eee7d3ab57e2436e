/**
 * Orders on a fork of a chain where orders were placed, matched and cancelled before: an order of the fork never has the id
 * of another one, and only those that it is matched with change.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.js';
import { ordersOf } from '../../src/ledger/trade/market.js';
import { withRows } from '../../src/node/with-rows.js';
import type { MarketOrder } from '../../src/protocol/generated/tron.js';
import { openForkedNode } from './forked-node.js';
import { BEGINNING, EVENTFUL, marketHistory, type Operation, perform } from './operations.js';
import { serveChain } from './served-chain.js';
import { COIN, SimulatedChain } from './simulated-chain.js';

const sell = (owner: number, choice: number, coins = 2_000n): Operation => ({
  what: 'sell',
  owner,
  other: 0,
  amountSun: coins * COIN,
  choice,
});
const cancel = (owner: number, choice = 0): Operation => ({
  what: 'cancelOrder',
  owner,
  other: 0,
  amountSun: 0n,
  choice,
});

/** A fork of a chain on which that was done; the fork's people are the chain's. */
async function forkedAfter(operations: readonly Operation[]) {
  const chain = await SimulatedChain.open({ parameters: EVENTFUL, witnessVotes: [100, 50], release: '4.8.2' });
  for (const one of [...BEGINNING, ...operations]) perform(chain, one);
  chain.node.mine(1);
  await chain.node.chain.durable();
  const server = await serveChain(chain.node);
  const fork = await openForkedNode({ url: server.url, genesis: chain.genesis, witnessKeys: chain.witnessKeys });
  await fork.node.mining.mine({ blocks: 3 });
  return {
    chain,
    fork: chain.on(fork.node),
    close: async () => {
      await fork.close();
      await server.close();
      await chain.close();
    },
  };
}

/** Without their places in the queues. */
function openOrders({ state }: Ledger, owners: readonly string[]): Map<string, MarketOrder> {
  const ids = owners.flatMap((owner) => state.tables.marketAccounts.get(owner as never)?.orders ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  return new Map(ids.map((id) => [id, { ...(state.tables.marketOrders.get(id) as MarketOrder), prev: '', next: '' }]));
}

let placed = 0;

it('never takes the id of another order', { timeout: 0 }, async () => {
  await fc.assert(
    fc.asyncProperty(marketHistory(10, 60), marketHistory(5, 30), async (before, after) => {
      const { chain, fork, close } = await forkedAfter(before);
      const owners = [0, 1, 2].map((owner) => chain.address(owner));
      for (const operation of after) {
        if (operation.what === 'mine') {
          await fork.node.mining.mine({ blocks: operation.blocks });
          continue;
        }
        const were = await withRows(() => openOrders(fork.ledger, owners));
        const applied = await withRows(() => perform(fork, operation));
        if (applied === undefined || operation.what === 'issueToken') continue;
        const { orderId, orderDetails } = applied.info;
        expect(were.has(orderId)).toBe(false);
        const makers = new Set(orderDetails.map(({ makerOrderId }) => makerOrderId));
        const are = await withRows(() => openOrders(fork.ledger, owners));
        for (const [id, order] of were) {
          if (makers.has(id)) continue;
          // What is left of one that was cancelled, or was too small to be matched, went back to its owner.
          const ended = { state: expect.any(Number), sell_token_quantity_remain: 0n };
          const returned = { ...order, ...ended, sell_token_quantity_return: expect.any(BigInt) };
          const is = are.get(id) ?? fork.ledger.state.tables.marketOrders.get(id);
          expect(is).toEqual(are.has(id) ? order : returned);
        }
        for (const owner of owners) {
          const { orders, count } = ordersOf(fork.ledger, owner);
          expect(count).toBe(BigInt(orders.length));
        }
        if (operation.what === 'sell') placed++;
      }
      await close();
    }),
    { numRuns: Number(process.env.SUNUP_FORK_RUNS ?? 10), endOnFailure: true },
  );
  expect(placed).toBeGreaterThan(20);
});

it.each<[string, readonly Operation[]]>([
  ['one of two was cancelled', [sell(0, 1), sell(0, 1), cancel(0, 0)]],
  ['the newer one was cancelled', [sell(0, 1), sell(0, 1), cancel(0, 1)]],
  ['all were cancelled', [sell(0, 1), sell(0, 1), cancel(0), cancel(0)]],
  ['an order of another pair was cancelled, too', [sell(0, 1), sell(0, 10, 1n), sell(0, 1), cancel(0), cancel(0)]],
  ['many were', Array.from({ length: 40 }, () => [sell(0, 1), cancel(0)]).flat()],
])('gives the next order the id that the network gives it, where %s', async (_, before) => {
  const { chain, fork, close } = await forkedAfter(before);
  const owner = chain.address(0);
  const next = sell(0, 1);
  const onFork = await withRows(() => perform(fork, next));
  // What the network does after the fork is no part of it, also where the fork reads it only then.
  const onChain = perform(chain, next);
  expect(onFork?.info.orderId).toBe(onChain?.info.orderId);
  chain.node.mine(1);
  const again = await withRows(() => perform(fork, next));
  expect(again?.info.orderId).toBe(perform(chain, next)?.info.orderId);
  expect(await withRows(() => ordersOf(fork.ledger, owner))).toEqual(ordersOf(chain.ledger, owner));
  await close();
});

it('does not see what the network has placed since', async () => {
  const { chain, fork, close } = await forkedAfter([sell(0, 1), sell(0, 1), cancel(0)]);
  perform(chain, cancel(0));
  const onChain = perform(chain, sell(0, 1));
  chain.node.mine(1);
  expect((await withRows(() => ordersOf(fork.ledger, chain.address(0)))).orders).toHaveLength(1);
  const onFork = await withRows(() => perform(fork, sell(0, 1)));
  expect(onFork?.info.orderId).toBe(onChain?.info.orderId);
  await close();
});
