import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockFinder, type LogEntry, logFilterOf, meeting } from '../../../../src/ledger/history/log-index.js';

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
        if (logs.some((one) => meeting(wanted)(one))) expect(blockFinder(wanted)(logFilterOf(logs))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lets the criteria through that each of its logs gives', () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 300 }), (logs) => {
        const filter = logFilterOf(logs);
        for (const { address: one, topics } of logs) {
          const wanted = { addresses: [one], topics: topics.map((value) => [value]) };
          expect(blockFinder(wanted)(filter)).toBe(true);
        }
      }),
    );
  });

  it('is empty without logs, and then nothing matches', () => {
    expect(logFilterOf([])).toHaveLength(0);
    expect(blockFinder({ addresses: [], topics: [] })(logFilterOf([]))).toBe(false);
  });

  it.each([1, 40, 300, 3_000])('of %i transfers lets fewer than one stranger in fifty through', (count) => {
    const numbered = (n: number) => (n * 7_919).toString(16).padStart(64, '0');
    const logs = Array.from({ length: count }, (_, n) => ({
      address: 'ab'.repeat(20),
      topics: ['dd'.repeat(32), numbered(n), numbered(n + count)],
    }));
    const filter = logFilterOf(logs);
    expect(filter.length).toBeLessThanOrEqual(8_192);
    let through = 0;
    for (let n = 0; n < 5_000; n++) {
      if (blockFinder({ addresses: [], topics: [[numbered(n + 1_000_000)]] })(filter)) through++;
    }
    expect(through).toBeLessThan(100);
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
