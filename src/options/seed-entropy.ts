/** TRE's conversion of a seed into the entropy of a phrase. A separate module, loaded only for a seed. */

import seedrandom from 'seedrandom';

/** 16 integers below 255 from the generator that TRE's predecessor took from ganache. */
export function entropyOf(seed: string): Uint8Array {
  const next = seedrandom(seed);
  return Uint8Array.from({ length: 16 }, () => next() * 255);
}
