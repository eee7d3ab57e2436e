import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockFinder,
  type LogEntry,
  logIndexOf,
  meeting,
  transactionsWithLogs,
} from '../../../../src/ledger/history/log-index.js';

const hex = (bytes: number, max = 255) =>
  fc
    .array(fc.integer({ min: 0, max }), { minLength: bytes, maxLength: bytes })
    .map((all) => Buffer.from(all).toString('hex'));
/** Few different values, so that criteria meet logs now and then. */
const address = hex(20, 1).map((value) => `${value.slice(0, 38)}00`);
const topic = fc.oneof(
  hex(32),
  hex(1, 3).map((value) => value.padStart(64, '0')),
);
const log: fc.Arbitrary<LogEntry> = fc.record({ address, topics: fc.array(topic, { maxLength: 4 }) });
const criteria = fc.record({
  addresses: fc.array(address, { maxLength: 3 }),
  topics: fc.array(fc.array(topic, { maxLength: 3 }), { maxLength: 4 }),
});

describe('the filter of a block', () => {
  it('never hides a log that meets the criteria', () => {
    fc.assert(
      fc.property(fc.array(log, { maxLength: 20 }), criteria, (logs, wanted) => {
        if (logs.some((one) => meeting(wanted)(one))) expect(blockFinder(wanted)(logIndexOf([logs]))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lets the criteria through that each of its logs gives', () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 300 }), (logs) => {
        const filter = logIndexOf([logs]);
        for (const { address: one, topics } of logs) {
          const wanted = { addresses: [one], topics: topics.map((value) => [value]) };
          expect(blockFinder(wanted)(filter)).toBe(true);
        }
      }),
    );
  });

  it('is empty without logs, and then nothing matches', () => {
    expect(logIndexOf([])).toHaveLength(0);
    expect(blockFinder({ addresses: [], topics: [] })(logIndexOf([]))).toBe(false);
  });

  it.each([1, 40, 300, 3_000])('of %i transfers lets fewer than one stranger in fifty through', (count) => {
    const numbered = (n: number) => (n * 7_919).toString(16).padStart(64, '0');
    const logs = Array.from({ length: count }, (_, n) => ({
      address: 'ab'.repeat(20),
      topics: ['dd'.repeat(32), numbered(n), numbered(n + count)],
    }));
    const filter = logIndexOf([logs]);
    expect(filter.length).toBeLessThanOrEqual(8_193);
    let through = 0;
    for (let n = 0; n < 5_000; n++) {
      if (blockFinder({ addresses: [], topics: [[numbered(n + 1_000_000)]] })(filter)) through++;
    }
    expect(through).toBeLessThan(100);
  });
});

describe('the transactions with logs', () => {
  const one = { address: 'ab'.repeat(20), topics: ['dd'.repeat(32)] };

  it('are those that have some, and the filter is the same beside them', () => {
    fc.assert(
      fc.property(fc.array(fc.array(log, { maxLength: 2 }), { maxLength: 600 }), criteria, (transactions, wanted) => {
        const index = logIndexOf(transactions);
        const places = [...transactions.keys()].filter((at) => transactions[at]!.length > 0);
        expect([places, undefined]).toContainEqual(transactionsWithLogs(index));
        const all = transactions.flat();
        if (all.some((one) => meeting(wanted)(one))) expect(blockFinder(wanted)(index)).toBe(true);
        for (const { address: some } of all) expect(blockFinder({ addresses: [some], topics: [] })(index)).toBe(true);
      }),
    );
  });

  it('may stand far apart', () => {
    for (const places of [[0], [127], [128], [9_999], [0, 129, 5_000, 9_999], [...Array(31).keys()]]) {
      const transactions = Array.from({ length: 10_000 }, (_, at) => (places.includes(at) ? [one] : []));
      expect(transactionsWithLogs(logIndexOf(transactions))).toEqual(places);
    }
  });

  it('are unknown if they are many with the same log, and in blocks of earlier versions', () => {
    expect(transactionsWithLogs(logIndexOf(Array.from({ length: 32 }, () => [one])))).toBeUndefined();
    expect(transactionsWithLogs(new Uint8Array(32))).toBeUndefined();
    expect(transactionsWithLogs(new Uint8Array())).toEqual([]);
  });
});

describe('criteria', () => {
  const one = { address: 'aa'.repeat(20), topics: ['01'.repeat(32), '02'.repeat(32)] };

  it.each([
    ['anything', { addresses: [], topics: [] }, true],
    ['one of the addresses', { addresses: ['bb'.repeat(20), one.address], topics: [] }, true],
    ['another address', { addresses: ['bb'.repeat(20)], topics: [] }, false],
    ['a topic at its place', { addresses: [], topics: [[], [one.topics[1]!]] }, true],
    ['a topic at another place', { addresses: [], topics: [[one.topics[1]!]] }, false],
    ['one topic or another', { addresses: [], topics: [['03'.repeat(32), one.topics[0]!]] }, true],
    ['more places than topics, although any will do', { addresses: [], topics: [[], [], []] }, false],
  ])('%s', (_, wanted, met) => {
    expect(meeting(wanted)(one)).toBe(met);
  });
});
