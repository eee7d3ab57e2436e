/** One hash over every row of a store: two chains with the same digest are the same chain. */

import { createHash } from 'node:crypto';
import type { Store } from '../../src/state/store.js';

/** sha256 over all rows in order of keys, as hex. `prefix` narrows it to one table, `bytesOf` is what counts of a row. */
export async function storeDigest(
  store: Store,
  prefix = '',
  bytesOf: (value: Uint8Array) => Uint8Array = (value) => value,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const { key, value: stored } of store.rows(prefix)) {
    const value = bytesOf(stored);
    hash.update(`${key.length}:${key}${value.length}:`);
    hash.update(value);
  }
  return hash.digest('hex');
}
