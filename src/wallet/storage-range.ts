/** Iterates the rows of a contract's storage. */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { TABLES } from '../state/tables.js';
import { storageRowKey } from '../tvm/storage.js';
import type { WalletContext } from './context.js';

export interface StorageRange {
  /** By the row's key: half a hash of the contract's address, and the last 16 bytes of the slot or of its hash. */
  readonly rows: readonly (readonly [row: Hex, value: bigint])[];
  /** Start of the next range; undefined: none. */
  readonly next: Hex | undefined;
}

const PREFIX_DIGITS = 32;

/**
 * Rows of the newest block, with their values in the context's view. Slot numbers are not stored, and cleared rows are
 * gone.
 *
 * @param from the first row, from `next`; empty: the first of all
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
