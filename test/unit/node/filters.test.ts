import { describe, expect, test } from 'vitest';
import {
  Filters,
  type LogSubscription,
  MAX_BLOCK_FILTERS,
  MAX_LOG_FILTERS,
  repeatableFilters,
  TooManyFiltersError,
} from '../../../src/node/chain/filters.js';

const logs = (addresses: number): LogSubscription => ({
  criteria: { addresses: Array.from({ length: addresses }, () => 'ab'.repeat(20)), topics: [[], ['cd'.repeat(32)]] },
  from: 0n,
  to: undefined,
});

describe('a node keeps so many filters', () => {
  test('of logs and of blocks', () => {
    const filters = new Filters(repeatableFilters());
    const few = logs(1);
    const ids = Array.from({ length: MAX_LOG_FILTERS }, () => filters.add(few, 0));
    expect(() => filters.add(few, 0)).toThrow(TooManyFiltersError);
    for (let left = MAX_BLOCK_FILTERS; left > 0; left--) filters.add(undefined, 0);
    expect(() => filters.add(undefined, 0)).toThrow(TooManyFiltersError);
    expect(filters.remove(ids[7]!)).toBe(true);
    filters.add(few, 0);
    expect(() => filters.add(few, 0)).toThrow(TooManyFiltersError);
  });

  test('with so many addresses and topics together', () => {
    const filters = new Filters(repeatableFilters());
    const many = logs(999);
    const ids = Array.from({ length: 500 }, () => filters.add(many, 0));
    expect(() => filters.add(logs(0), 0)).toThrow(TooManyFiltersError);
    filters.add(undefined, 0);
    for (const id of ids) filters.remove(id);
    for (const id of ids) expect(filters.remove(id)).toBe(false);
    for (let left = 500; left > 0; left--) filters.add(many, 0);
    expect(() => filters.add(logs(0), 0)).toThrow(TooManyFiltersError);
  });

  test('which a snapshot takes back', () => {
    const filters = new Filters(repeatableFilters());
    const many = logs(999);
    filters.add(many, 0);
    const saved = filters.save();
    for (let left = 499; left > 0; left--) filters.add(many, 0);
    filters.restore(saved);
    for (let left = 499; left > 0; left--) filters.add(many, 0);
    expect(() => filters.add(many, 0)).toThrow(TooManyFiltersError);
  });

  test('but none that nobody asks any more', () => {
    let nowMs = 0n;
    const filters = new Filters({ ...repeatableFilters(), nowMs: () => nowMs });
    const many = logs(999);
    const ids = Array.from({ length: 500 }, () => filters.add(many, 0));
    nowMs = 300_001n;
    filters.markReported(ids[3]!, 0);
    // An idle chain forgets them only now, when room is needed.
    expect(filters.get(ids[2]!)).toBeDefined();
    filters.add(many, 0);
    expect(ids.filter((id) => filters.get(id) !== undefined)).toEqual([ids[3]]);
  });
});
