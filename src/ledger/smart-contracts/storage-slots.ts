/** Storage slots of a contract outside of execution: for operations and queries. */

import type { Address } from '../../primitives/ids.js';
import { MissingRow } from '../../state/missing-row.js';
import type { ContractRecord } from '../../tvm/host.js';
import { storageRowKey } from '../../tvm/storage.js';
import type { Ledger } from '../ledger.js';

/** Salt that no contract has, so that the storage is empty: java-tron's salt is the id of a transaction. */
export const EMPTY_STORAGE = 'ff'.repeat(32);

const PLAIN: ContractRecord = { version: 0, trx_hash: '' };

/** @param record default: the contract's own; a plain one if there is no contract */
export function slotValue(
  ledger: Ledger,
  contract: Address,
  slot: bigint,
  record: ContractRecord = recordOf(ledger, contract),
): bigint {
  return storedWord(ledger, storageRowKey(contract, record, slot), contract, slot);
}

/** Zero deletes the row. */
export function setSlot(
  ledger: Ledger,
  contract: Address,
  slot: bigint,
  value: bigint,
  record: ContractRecord = recordOf(ledger, contract),
): void {
  const row = storageRowKey(contract, record, slot);
  storedWord(ledger, row, contract, slot);
  storeWord(ledger, row, value);
}

/**
 * The word in a row. Keys of rows are hashes: for a fork's request, the slot is passed along.
 *
 * @throws MissingRow
 */
export function storedWord(ledger: Ledger, row: string, contract: Address, slot: bigint): bigint {
  try {
    return ledger.state.tables.storage.get(row) ?? 0n;
  } catch (thrown) {
    if (!(thrown instanceof MissingRow)) throw thrown;
    if (recordOf(ledger, contract).trx_hash === EMPTY_STORAGE) return 0n;
    const { state } = ledger;
    // The record decides the key of the row.
    if (state.wasMissed({ table: 'contracts', key: contract })) return 0n;
    const missing = thrown.of({ contract, slot });
    if (state.goesOnWithout(missing)) return 0n;
    throw missing;
  }
}

/** Writes a word after {@link storedWord} has read it. */
export function storeWord(ledger: Ledger, row: string, value: bigint): void {
  const { storage } = ledger.state.tables;
  try {
    if (value === 0n) storage.delete(row);
    else storage.set(row, value);
  } catch (thrown) {
    // Read before and still missing: a row of replaced storage, which exists nowhere else, or
    // a row that this work continues without.
    if (!(thrown instanceof MissingRow)) throw thrown;
    if (value !== 0n) storage.addUnread(row, value);
  }
}

function recordOf(ledger: Ledger, contract: Address): ContractRecord {
  return ledger.state.tables.contracts.get(contract) ?? PLAIN;
}
