/** The root over a block's transactions (protocol/blocks.md#structure). Mirrors java-tron's MerkleTree. */

import type { Hex } from '../primitives/hex.js';
import { sha256OfHex } from './hashes.js';

/** The root of an empty block: 32 zero bytes, present in the header. */
export const EMPTY_MERKLE_ROOT: Hex = '00'.repeat(32);

/** The root over leaves in block order. Pairs are hashed level by level; an odd last node moves up unchanged. */
export function merkleRoot(leaves: readonly Hex[]): Hex {
  let level = leaves;
  while (level.length > 1) {
    const above: Hex[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i]!;
      const right = level[i + 1];
      above.push(right === undefined ? left : sha256OfHex(left + right));
    }
    level = above;
  }
  return level[0] ?? EMPTY_MERKLE_ROOT;
}
