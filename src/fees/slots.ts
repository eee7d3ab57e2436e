/** The slots that a network counts time in. */

import { DEFAULT_WINDOW_SLOTS } from '../resources/recovery.js';

/** Of every network that people use. */
export const SLOT_MS = 3_000;
/** 24 hours, which need not be a whole number of slots: the longest that a usage takes, and that of free bandwidth. */
const DAY_MS = Number(DEFAULT_WINDOW_SLOTS) * SLOT_MS;

/** When a network's slots are. */
export interface Slots {
  /**
   * Timestamp of the genesis block, from which the network counts its slots. Default 0, which is that of the main
   * network and will do for every network whose genesis is at a whole multiple of a slot.
   */
  readonly genesisMs?: number | undefined;
  /** How long a slot is, in milliseconds. Default 3,000; a devnet of another `--slot-ms` has that. */
  readonly slotMs?: number | undefined;
}

/** As the ledger counts a day: the slots that are over in it. */
export function daySlots(slotMs: number): number {
  return Math.floor(DAY_MS / slotMs);
}
