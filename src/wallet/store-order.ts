/**
 * The order in which a scan of one of java-tron's stores gives its rows (http-api.md 5.19): first the rows written by
 * blocks that are not merged yet and by pending transactions, as a Java map walks their keys, then the others by key.
 * Lists that the network answers unsorted come in this order, and sorted ones where the sort leaves a tie.
 */

import { type Hex, hexToBytes } from '../primitives/hex.js';
import { javaBytesHash, javaMapCapacity, javaMapOrderOfHashes } from '../protocol/json/java-map-order.js';
import type { TABLES } from '../state/tables.js';
import type { WalletContext } from './context.js';

/**
 * @param rows of a resident table, ascending
 * @param storeKey java-tron's key of a row, from ours
 */
export function inStoreOrder<Value>(
  { node, solid }: WalletContext,
  table: keyof typeof TABLES,
  rows: readonly (readonly [key: string, value: Value])[],
  storeKey: (key: string) => Hex = (key) => key,
): readonly Value[] {
  const unmerged = solid ? undefined : node.chain.keysWrittenSince(node.chain.mergedHeight, table);
  if (unmerged === undefined || unmerged.size === 0) return rows.map(([, value]) => value);
  const first = rows.filter(([key]) => unmerged.has(key));
  const rest = rows.filter(([key]) => !unmerged.has(key));
  // Rows that were deleted above the merged height are in the map too when it grows, and leave it afterwards.
  const capacity = javaMapCapacity(unmerged.size);
  const order = javaMapOrderOfHashes(
    first.map(([key]) => javaBytesHash(hexToBytes(storeKey(key)))),
    capacity,
  );
  return [...order.map((at) => first[at] as readonly [string, Value]), ...rest].map(([, value]) => value);
}
