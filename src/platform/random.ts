/** Randomness, as it is handed in: filter ids. Nothing that blocks are made of ever comes from it. */

import { randomBytes } from 'node:crypto';

export interface Random {
  bytes(length: number): Uint8Array;
}

/** The machine's cryptographic source. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
