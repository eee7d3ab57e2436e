/** Randomness as an interface: ids of filters and subscriptions, phrases. Blocks never depend on it. */

import { randomBytes } from 'node:crypto';

export interface Random {
  bytes(length: number): Uint8Array;
}

/** The machine's cryptographic source. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
