import { describe, expect, it } from 'vitest';
import { javaConcurrentMapOrder, javaMapOrderOfHashes } from '../../../../src/protocol/json/java-map-order.js';

/** The hash codes that a Java program put into both kinds of map, with many collisions; wraps as an int does. */
function hashCodes(count: number): number[] {
  let x = count * 7919 + 1;
  return Array.from({ length: count }, (_, i) => {
    x = (Math.imul(x, 1_103_515_245) + 12_345) | 0;
    return ((x >>> 3) ^ (i % 3 === 0 ? x << 9 : 0)) & 0x00ff_70f7;
  });
}

/** What Java 17 printed: how many keys, their order in a ConcurrentHashMap, their order in a HashMap. */
const PRINTED = [
  [11, '0 8 3 4 5 2 10 6 7 1 9', '0 8 3 4 5 2 10 6 7 1 9'],
  [12, '0 10 6 4 5 9 1 3 2 11 7 8', '0 10 3 2 6 4 5 11 7 9 8 1'],
  [13, '7 2 8 11 10 1 4 12 3 0 9 6 5', '7 2 8 11 10 1 4 12 3 0 9 6 5'],
  [
    24,
    '12 7 16 23 11 6 21 8 14 10 18 13 15 19 3 0 4 17 2 1 20 9 22 5',
    '8 14 10 12 18 13 15 7 19 3 0 4 17 1 2 16 23 20 6 9 11 22 5 21',
  ],
  [
    40,
    '13 34 2 9 22 3 25 32 6 16 29 31 37 27 10 35 36 30 7 17 15 26 1 21 18 24 33 0 8 19 14 5 12 11 20 23 4 38 28 39',
    '13 34 2 9 22 3 25 32 6 16 29 31 37 27 10 35 36 30 7 17 15 26 1 21 18 24 33 0 8 19 14 5 12 11 20 23 4 38 28 39',
  ],
] as const;

describe('the order of Java maps', () => {
  it.each(PRINTED)('%i keys', (count, concurrent, plain) => {
    expect(javaConcurrentMapOrder(hashCodes(count)).join(' ')).toBe(concurrent);
    expect(javaMapOrderOfHashes(hashCodes(count)).join(' ')).toBe(plain);
  });
});
