/**
 * 0x1000001–0x1000004, the contracts of shielded tokens. Sunup has no Sapling library: no proof verifies, and there is
 * no Pedersen hash.
 *
 * What java-tron answers to input that is wrong in form or in proof is answered the same (a zero word, or a failed
 * call); only a transaction with a valid proof differs, and it fails here as an invalid one.
 */

import { type Precompile, priced } from './precompile.js';

const noProof = (energy: number): Precompile => priced(energy, () => new Uint8Array(32));

export const shieldedContracts: [number, Precompile][] = [
  [0x1000001, noProof(150_000)],
  [0x1000002, noProof(200_000)],
  [0x1000003, noProof(150_000)],
  [0x1000004, priced(500, () => undefined)],
];
