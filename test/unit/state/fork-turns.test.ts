/** Who waits for a fork's network: callers for each other, a block that is made for nobody. */

import { expect, test } from 'vitest';
import { ForkedStore } from '../../../src/state/fork/forked-store.js';
import { Turns } from '../../../src/state/fork/turns.js';
import { MemoryStore } from '../../../src/state/memory-store.js';
import { MissingRow } from '../../../src/state/missing-row.js';
import type { FetchedRow, WantedRow } from '../../../src/state/remote-rows.js';
import { TABLES } from '../../../src/state/tables.js';

const addressOf = (n: number) => `41${n.toString(16).padStart(40, '0')}`;

test('rows of a block are asked for while all turns of callers are taken, and callers have theirs afterwards', async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const fetch = (wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]> => {
    asked.push(...wanted.map(({ key }) => key));
    return new Promise((resolve) => {
      answers.push(() => resolve(wanted.map(({ table, key }) => ({ table, key, value: undefined, readAtBlock: 1 }))));
    });
  };
  const store = new ForkedStore(new MemoryStore(), { fetch });
  const missing = (n: number): MissingRow => {
    try {
      store.get(TABLES.accounts.prefix + addressOf(n));
    } catch (thrown) {
      if (thrown instanceof MissingRow) return thrown;
    }
    throw new Error('nothing is missing');
  };
  const callers = [0, 1, 2, 3, 4, 5, 6].map((n) => missing(n).obtain('caller'));
  await new Promise(setImmediate);
  expect(asked).toEqual([0, 1, 2, 3].map(addressOf));
  const block = missing(9).obtain('block');
  // Of a row that a caller still waits to ask for, too.
  const same = missing(6).obtain('block');
  await new Promise(setImmediate);
  expect(asked.slice(4)).toEqual([addressOf(9), addressOf(6)]);
  for (const answer of answers.splice(0)) answer();
  await Promise.all([block, same]);
  await new Promise(setImmediate);
  // What was read for the block is not asked for again.
  expect(asked.slice(6)).toEqual([addressOf(4), addressOf(5)]);
  for (const answer of answers.splice(0)) answer();
  await Promise.all(callers);
  expect(store.get(TABLES.accounts.prefix + addressOf(6))).toBeUndefined();
});

test('who comes after two thousand that wait is refused, and told why', async () => {
  const turns = new Turns();
  let release = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waiting = Array.from({ length: 2_004 }, () => turns.take('one', 1, () => open));
  await expect(turns.take('one', 1, () => open)).rejects.toThrow(
    'the fork already waits for 2004 rows of its network. Try again later',
  );
  const much = turns.take('much', 4_096, () => open);
  release();
  await Promise.all([...waiting, much]);
  await turns.take('one', 1, async () => {});
});
