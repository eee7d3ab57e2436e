/** What TRE makes a phrase of where it is given a seed only. A module of its own, loaded where there is a seed. */

import seedrandom from 'seedrandom';

/** 16 numbers below 255 of the generator that TRE's predecessor took from ganache, without their fractions. */
export function entropyOf(seed: string): Uint8Array {
  const next = seedrandom(seed);
  return Uint8Array.from({ length: 16 }, () => next() * 255);
}
