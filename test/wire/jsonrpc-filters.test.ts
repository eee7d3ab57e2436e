/**
 * Filters and calls over time (protocol/json-rpc.md#filters): expiry, snapshots, many blocks made at once, rollback.
 */

import { describe, expect, test } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { compile, TRX, TronWebDevnet } from '../clients/tronweb-devnet.js';

/** A wall clock that only moves when a test sets it, so that no timer waits. */
class HandClock {
  #nowMs = 1_800_000_000_000n;
  nowMs = () => this.#nowMs;
  after = () => () => {};
  advanceMinutes(minutes: number): void {
    this.#nowMs += BigInt(minutes) * 60_000n;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any result, or the text of an error
async function askAt(url: string, method: string, ...params: unknown[]): Promise<any> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
  return error === undefined ? result : error.message;
}

const ask = (devnet: Devnet, method: string, ...params: unknown[]) => askAt(devnet.jsonrpc.url, method, ...params);

const NOT_FOUND = 'filter not found';

describe('an unused filter', () => {
  test('expires with the first block after five minutes', async () => {
    const clock = new HandClock();
    await using devnet = await createDevnet({ clock, mining: 'manual' });
    const blocks = await ask(devnet, 'eth_newBlockFilter');
    clock.advanceMinutes(6);
    expect(await ask(devnet, 'eth_getFilterChanges', blocks)).toEqual([]);
    clock.advanceMinutes(5);
    await devnet.mine(1);
    expect(await ask(devnet, 'eth_getFilterChanges', blocks)).toHaveLength(1);
    clock.advanceMinutes(6);
    await devnet.mine(1);
    expect(await ask(devnet, 'eth_getFilterChanges', blocks)).toBe(NOT_FOUND);
    expect(await ask(devnet, 'eth_uninstallFilter', blocks)).toBe(NOT_FOUND);
  });

  test("stays if only the chain's time moves", async () => {
    await using devnet = await createDevnet();
    const blocks = await ask(devnet, 'eth_newBlockFilter');
    await devnet.mine({ advanceMs: 86_400_000 });
    expect(await ask(devnet, 'eth_getFilterChanges', blocks)).toBeInstanceOf(Array);
  });
});

test('ids: equal in every run with virtual time, unpredictable with a clock', async () => {
  await using one = await createDevnet();
  await using other = await createDevnet();
  const first = await ask(one, 'eth_newFilter', {});
  expect(first).toMatch(/^0x[0-9a-f]{32}$/);
  expect(await ask(other, 'eth_newFilter', {})).toBe(first);
  await using wall = await createDevnet({ clock: new HandClock(), mining: 'manual' });
  await using wallToo = await createDevnet({ clock: new HandClock(), mining: 'manual' });
  expect(await ask(wall, 'eth_newFilter', {})).not.toBe(await ask(wallToo, 'eth_newFilter', {}));
});

test('blocks made at once are reported one by one, up to the limit', async () => {
  await using devnet = await createDevnet();
  const filter = await ask(devnet, 'eth_newBlockFilter');
  await devnet.mine(3_000);
  const ids = (await ask(devnet, 'eth_getFilterChanges', filter)) as string[];
  expect(ids).toHaveLength(3_000);
  for (const at of [0, 1, 1_022, 1_023, 1_024, 2_999]) {
    const number = Number.parseInt(ids[at]!.slice(2, 18), 16);
    expect((await ask(devnet, 'eth_getBlockByNumber', number, false)).hash).toBe(ids[at]);
  }
  expect(await ask(devnet, 'eth_getLogs', { fromBlock: '0x0' })).toEqual([]);
  await devnet.mine(10_001);
  expect(await ask(devnet, 'eth_getFilterChanges', filter)).toBe('query returned more than 10000 results');
  // Entries beyond the limit are not reported again.
  await devnet.mine(2);
  expect(await ask(devnet, 'eth_getFilterChanges', filter)).toHaveLength(2);
  expect(await ask(devnet, 'eth_getLogs', { fromBlock: '0x0' })).toBe('exceed max block range: 5000');
});

const COUNTER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counter {
  uint256 public count;
  event Counted(uint256 indexed count);
  function increment() external { emit Counted(++count); }
}`;

/** A contract that logs its counter, and a function that reads the counters in a filter's changes. */
async function countingChain(options: DevnetOptions = {}) {
  const chain = await TronWebDevnet.start(options);
  const { devnet } = chain;
  const { transactionBuilder } = chain.client(0);
  const deployment = { ...compile(COUNTER, 'Counter'), feeLimit: 1_000 * TRX };
  const { contract_address } = await chain.send(
    0,
    transactionBuilder.createSmartContract(deployment as never, chain.address(0)),
  );
  const increment = async () => {
    const { transaction } = await transactionBuilder.triggerSmartContract(contract_address!, 'increment()', {
      feeLimit: 1_000 * TRX,
    });
    await chain.send(0, transaction);
  };
  const call = { to: `0x${contract_address!.slice(2)}`, data: '0x06661abd' };
  const count = async () => BigInt(await ask(devnet, 'eth_call', call, 'latest'));
  /** Negative: removed. */
  const events = async (id: unknown, url = devnet.jsonrpc.url) => {
    const logs = await askAt(url, 'eth_getFilterChanges', id);
    return (logs as { topics: string[]; removed: boolean }[]).map(
      ({ topics, removed }) => Number(topics[1]) * (removed ? -1 : 1),
    );
  };
  return { chain, devnet, call, increment, count, events };
}

test('a revert to a snapshot rolls back filters, logs and calls', async () => {
  const { chain: started, devnet, call, increment, count, events } = await countingChain();
  await using _ = started;

  const filter = await ask(devnet, 'eth_newFilter', { address: call.to });
  await increment();
  expect(await count()).toBe(1n);
  const snapshot = devnet.snapshot();
  await increment();
  expect(await count()).toBe(2n);
  expect(await events(filter)).toEqual([1, 2]);
  const later = await ask(devnet, 'eth_newBlockFilter');

  await devnet.revert(snapshot);
  expect(await count()).toBe(1n);
  expect(await events(filter)).toEqual([1]);
  expect(await ask(devnet, 'eth_getFilterChanges', later)).toBe(NOT_FOUND);
  expect(await ask(devnet, 'eth_getLogs', { fromBlock: '0x0', address: call.to })).toHaveLength(1);
  // Another future: nothing of the rolled-back one is visible.
  await increment();
  await increment();
  expect(await count()).toBe(3n);
  expect(await events(filter)).toEqual([2, 3]);
});

test('logs that a filter has reported and that were rolled back are reported as removed', async () => {
  const { chain: started, devnet, call, increment, events } = await countingChain();
  await using _ = started;
  const filter = await ask(devnet, 'eth_newFilter', { address: call.to });
  const [other, blocks] = [
    await ask(devnet, 'eth_newFilter', { address: `0x${'11'.repeat(20)}` }),
    await ask(devnet, 'eth_newBlockFilter'),
  ];
  for (const _ of 'abc') await increment();
  expect(await events(filter)).toEqual([1, 2, 3]);
  await increment();

  await devnet.reorg(3, false);
  expect(await events(filter)).toEqual([-3, -2]);
  expect(await events(filter)).toEqual([]);
  expect(await events(other)).toEqual([]);
  await increment();
  await increment();
  expect(await events(filter)).toEqual([2, 3]);
  await devnet.rollback(1);
  await increment();
  // Rolled back and repeated, then rolled back again.
  await devnet.reorg(1);
  expect(await events(filter)).toEqual([-3, 3]);
  await devnet.reset();
  expect(await events(filter)).toEqual([-3, -2, -1]);
  expect(await ask(devnet, 'eth_getFilterChanges', blocks)).toBeInstanceOf(Array);

  // A snapshot contains the unreported entries of its time.
  const another = await ask(devnet, 'eth_newFilter', {});
  const snapshot = devnet.snapshot();
  await devnet.mine(1);
  await devnet.revert(snapshot);
  expect(await events(another)).toEqual([]);
});

describe('a filter of the solidity port', () => {
  test('takes logs back that leave its view, and reports them again when they come back', async () => {
    const { chain: started, devnet, call, increment, events } = await countingChain({ jsonrpcSolidityPort: 0 });
    await using _ = started;
    const { url } = devnet.jsonrpcSolidity!;
    const filter = await askAt(url, 'eth_newFilter', { address: call.to });
    for (const _ of 'abc') await increment();
    expect(await events(filter, url)).toEqual([1, 2, 3]);
    await devnet.setSolidityLag(2);
    expect(await events(filter, url)).toEqual([-3, -2]);
    expect(await events(filter, url)).toEqual([]);
    await devnet.mine(1);
    expect(await events(filter, url)).toEqual([2]);
    await devnet.setSolidityLag(0);
    expect(await events(filter, url)).toEqual([3]);
    // It left the view and came back between two questions.
    await devnet.setSolidityLag(2);
    await devnet.setSolidityLag(0);
    await devnet.rollback(1);
    expect(await events(filter, url)).toEqual([-3, 3]);
  });
});
