/**
 * Rows of another chain's state, which a fork asks for when it first reads them. What asks the
 * network, reads a directory or, in tests, another store, implements {@link RemoteRows}.
 */

import type { Address } from '../primitives/ids.js';
import type { FetchedValue } from './table-spec.js';
import type { TABLES } from './tables.js';

/** A row of a table. */
export interface RowName {
  readonly table: keyof typeof TABLES;
  readonly key: string;
}

/** A row that is wanted and not known. */
export interface WantedRow extends RowName {
  /** Of a row of `storage`, whose key is a hash: what it is of. */
  readonly slot?: Slot | undefined;
}

export interface Slot {
  readonly contract: Address;
  readonly slot: bigint;
}

/** What a remote said. */
export interface FetchedRow extends RowName, FetchedValue {}

export interface RemoteRows {
  /**
   * Gets the rows that are wanted, and perhaps others that are known to follow: of a contract its code. All of them or
   * none.
   *
   * @throws Error that names the remote, the row and what to do
   */
  fetch(wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]>;
}
