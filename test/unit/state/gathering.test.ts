/** Work that goes on without rows that are missing, so that all of them are asked for together, and leaves nothing. */

import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/primitives/ids.js';
import { Account } from '../../../src/protocol/generated/tron.js';
import { MissingRow } from '../../../src/state/missing-row.js';
import type { WantedRow } from '../../../src/state/remote-rows.js';
import { State } from '../../../src/state/state.js';
import type { RowSource, TableSpec } from '../../../src/state/table-spec.js';
import type { TABLES } from '../../../src/state/tables.js';

const addressOf = (n: number): Address => `41${n.toString(16).padStart(40, '0')}` as Address;
const NOBODY = addressOf(0);

/** Knows nothing but what was obtained. */
function far(): { state: State; known: Map<string, Account>; rounds: WantedRow[][] } {
  const known = new Map<string, Account>();
  const rounds: WantedRow[][] = [];
  const source: RowSource = {
    elsewhere: new Set(['a:']),
    read: <Value>({ name }: TableSpec<Value>, key: string): Value | undefined => {
      if (known.has(key)) return known.get(key) as Value;
      throw new MissingRow([{ table: name as keyof typeof TABLES, key }], async (wanted) => {
        rounds.push([...wanted]);
        for (const { key: got } of wanted) known.set(got, Account.create({ address: got as Address, balance: 7n }));
      });
    },
    scan: () => [],
  };
  return { state: new State(source), known, rounds };
}

function missedBy(work: () => unknown): MissingRow {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof MissingRow) return thrown;
    throw thrown;
  }
  throw new Error('nothing was missed');
}

const keysOf = ({ wanted }: MissingRow): string[] => wanted.map(({ key }) => key);

describe('work that gathers', () => {
  it('asks at once for all that it missed, also where it failed for want of it', () => {
    const { state } = far();
    const { accounts } = state.tables;
    const work = () => {
      for (const n of [1, 2, 3]) expect(accounts.get(addressOf(n))).toBeUndefined();
      throw new Error('account 4 is not there');
    };
    expect(keysOf(missedBy(() => state.gathering(work)))).toEqual([1, 2, 3].map(addressOf));
  });

  it('leaves nothing of what it did without its rows: they are as unknown as before', async () => {
    const { state, rounds } = far();
    const { accounts } = state.tables;
    const work = () => {
      const before = accounts.get(addressOf(1));
      accounts.set(addressOf(1), Account.create({ address: addressOf(1), balance: (before?.balance ?? 0n) + 1n }));
      accounts.delete(addressOf(1));
      accounts.set(addressOf(1), Account.create({ address: addressOf(1), balance: (before?.balance ?? 0n) + 1n }));
      accounts.delete(addressOf(2));
      return accounts.get(addressOf(1))?.balance;
    };
    const { version } = state.journal;
    const missing = missedBy(() => state.gathering(work));
    expect([...state.journal.changedKeys(accounts as never)]).toEqual([]);
    expect(state.mark()).toBe(0);
    expect(state.journal.version).not.toBe(version);
    expect(keysOf(missedBy(() => accounts.get(addressOf(1))))).toEqual([addressOf(1)]);
    await missing.obtain();
    expect(state.gathering(work)).toBe(8n);
    expect(rounds.length).toBe(1);
    expect(accounts.get(addressOf(2))).toBeUndefined();
  });

  it('is one with work in it that gathers as well', () => {
    const { state } = far();
    const { accounts } = state.tables;
    const work = () => {
      state.gathering(() => accounts.get(addressOf(1)));
      return accounts.get(addressOf(2));
    };
    expect(keysOf(missedBy(() => state.gathering(work)))).toEqual([1, 2].map(addressOf));
  });

  it('does not ask for who is called because a word is not known, unless nothing else is missing', () => {
    const { state } = far();
    const { accounts } = state.tables;
    const both = () => [accounts.get(addressOf(1)), accounts.get(NOBODY)];
    expect(keysOf(missedBy(() => state.gathering(both)))).toEqual([addressOf(1)]);
    expect(keysOf(missedBy(() => state.gathering(() => accounts.get(NOBODY))))).toEqual([NOBODY]);
  });

  it('comes to an end, and is told of each row so that it can end earlier', () => {
    const { state } = far();
    const { accounts } = state.tables;
    let told = 0;
    const endless = () => {
      for (let n = 1; ; n++) accounts.get(addressOf(n));
    };
    const missing = missedBy(() => state.gathering(() => state.gathering(endless, () => told++)));
    expect(keysOf(missing).length).toBe(4_096);
    expect(told).toBe(4_095);
    // Work that begins where something is missing already is told so at once.
    told = 0;
    const later = () => {
      accounts.get(addressOf(1));
      state.gathering(
        () => {},
        () => told++,
      );
    };
    missedBy(() => state.gathering(later));
    expect(told).toBe(1);
  });
});
