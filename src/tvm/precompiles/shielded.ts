/**
 * 0x1000001–0x1000004, the contracts of shielded tokens. Sunup has no Sapling library: it verifies no proof and
 * computes no Pedersen hash.
 *
 * Input with an invalid form or proof gets java-tron's result (a zero word, or a failed call). Only a transaction with
 * a valid proof differs: here it fails as an invalid one.
 */

import { type Precompile, priced } from './precompile.js';

const noProof = (energy: number): Precompile => priced(energy, () => new Uint8Array(32));

export const shieldedContracts: [number, Precompile][] = [
  [0x1000001, noProof(150_000)],
  [0x1000002, noProof(200_000)],
  [0x1000003, noProof(150_000)],
  [0x1000004, priced(500, () => undefined)],
];
