/** The slots in which a network counts time. */

import { DEFAULT_WINDOW_SLOTS } from '../resources/recovery.js';

/** The value of every public network. */
export const SLOT_MS = 3_000;
/** 24 hours, not necessarily a whole number of slots: the longest recovery, and that of free bandwidth. */
const DAY_MS = Number(DEFAULT_WINDOW_SLOTS) * SLOT_MS;

/** Position and length of a network's slots. */
export interface Slots {
  /**
   * Timestamp of the genesis block, from which slots count. Default 0, as on the main network; correct for every
   * network whose genesis is at a multiple of a slot.
   */
  readonly genesisMs?: number | undefined;
  /** Length of a slot in milliseconds. Default 3,000; for a devnet with another `--slot-ms`, that value. */
  readonly slotMs?: number | undefined;
}

/** A day as the ledger counts it: its complete slots. */
export function daySlots(slotMs: number): number {
  return Math.floor(DAY_MS / slotMs);
}
