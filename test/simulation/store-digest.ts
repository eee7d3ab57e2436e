/** One hash over every row of a store: two chains with the same digest are the same chain. */

import { createHash } from 'node:crypto';
import type { Store } from '../../src/state/store.js';

/** sha256 over all rows in order of keys, as hex. `prefix` narrows it to one table. */
export async function storeDigest(store: Store, prefix = ''): Promise<string> {
  const hash = createHash('sha256');
  for await (const { key, value } of store.rows(prefix)) {
    hash.update(`${key.length}:${key}${value.length}:`);
    hash.update(value);
  }
  return hash.digest('hex');
}
