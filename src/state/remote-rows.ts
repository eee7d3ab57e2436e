/**
 * Rows of the forked network's state, fetched on first read. Sources implement {@link RemoteRows}: the network, a
 * folder, or, in tests, another store.
 */

import type { Address } from '../primitives/ids.js';
import type { FetchedValue } from './table-spec.js';
import type { TABLES } from './tables.js';

/** A row of a table. */
export interface RowName {
  readonly table: keyof typeof TABLES;
  readonly key: string;
}

/** A wanted row. */
export interface WantedRow extends RowName {
  /** For a row of `storage`, whose key is a hash: its slot. */
  readonly slot?: Slot | undefined;
}

export interface Slot {
  readonly contract: Address;
  readonly slot: bigint;
}

/** A fetched row. */
export interface FetchedRow extends RowName, FetchedValue {}

export interface RemoteRows {
  /**
   * Fetches the wanted rows, and possibly related ones: for a contract its code. All of them or none.
   *
   * @throws Error with the remote, the row and advice
   */
  fetch(wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]>;
}
