/** Slots of a contract's storage, where no program runs: what operations write and questions read. */

import type { Address } from '../../primitives/ids.js';
import { MissingRow } from '../../state/missing-row.js';
import type { ContractRecord } from '../../tvm/host.js';
import { storageRowKey } from '../../tvm/storage.js';
import type { Ledger } from '../ledger.js';

/** Salt of row keys that no contract has, for one of which nothing is stored: java-tron's is the id of a transaction. */
export const EMPTY_STORAGE = 'ff'.repeat(32);

const PLAIN: ContractRecord = { version: 0, trx_hash: '' };

/** @param record by default the contract's own; a plain one where there is no contract */
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
 * The word in a row. Keys of rows are hashes: where a fork has to ask for one, it is told here what it is of.
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
    // Of what record it is decides the key of its row.
    if (state.wasMissed({ table: 'contracts', key: contract })) return 0n;
    const missing = thrown.of({ contract, slot });
    if (state.goesOnWithout(missing)) return 0n;
    throw missing;
  }
}

/** Writes a word where {@link storedWord} has read one before. */
export function storeWord(ledger: Ledger, row: string, value: bigint): void {
  const { storage } = ledger.state.tables;
  try {
    if (value === 0n) storage.delete(row);
    else storage.set(row, value);
  } catch (thrown) {
    // Read before and missing all the same: a row of a storage that was replaced, of which there is nothing elsewhere, or
    // one that is gone on without.
    if (!(thrown instanceof MissingRow)) throw thrown;
    if (value !== 0n) storage.addUnread(row, value);
  }
}

function recordOf(ledger: Ledger, contract: Address): ContractRecord {
  return ledger.state.tables.contracts.get(contract) ?? PLAIN;
}
