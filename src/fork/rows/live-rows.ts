/** Rows as a network serves them: storage rows name their slot, because their keys are hashes. */

import type { FetchedRow, RemoteRows, Slot, WantedRow } from '../../state/remote-rows.js';

export interface LiveRow extends FetchedRow {
  /** Of `storage`. */
  readonly slot?: Slot | undefined;
}

export interface LiveRows extends RemoteRows {
  fetch(wanted: readonly WantedRow[]): Promise<readonly LiveRow[]>;
}
