/** The rows of a contract's storage, one after the other. */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { TABLES } from '../state/tables.js';
import { storageRowKey } from '../tvm/storage.js';
import type { WalletContext } from './context.js';

export interface StorageRange {
  /** By the key of the row: half a hash of the contract's address, and the last 16 bytes of the slot or of its hash. */
  readonly rows: readonly (readonly [row: Hex, value: bigint])[];
  /** Where the next range begins; undefined: there is none. */
  readonly next: Hex | undefined;
}

const PREFIX_DIGITS = 32;

/**
 * Rows that the newest block has, with the values that they have on the context's view. Slots themselves are not kept on
 * the chain, and rows that were emptied are gone.
 *
 * @param from the first row, as `next` gave it; empty: the first of all
 */
export async function storageRange(
  { ledger, node }: WalletContext,
  address: Address,
  from: Hex,
  limit: number,
): Promise<StorageRange> {
  const contract = ledger.state.tables.contracts.get(address);
  if (contract === undefined) return { rows: [], next: undefined };
  const { prefix } = TABLES.storage;
  const own = prefix + storageRowKey(address, contract, 0n).slice(0, PREFIX_DIGITS);
  const rows: (readonly [Hex, bigint])[] = [];
  for await (const { key } of node.chain.store.rows(own, { from: prefix + from })) {
    const row = key.slice(prefix.length);
    const value = ledger.state.tables.storage.get(row);
    if (value === undefined) continue;
    if (rows.length === limit) return { rows, next: row };
    rows.push([row, value]);
  }
  return { rows, next: undefined };
}
