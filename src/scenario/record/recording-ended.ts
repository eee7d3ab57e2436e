import type { Refusal } from '../../explanation/outcome/refusal.js';

/** Why what waited for a block when a recording ended is in none: said by who ended it, or by who replays it. */
export const RECORDING_ENDED: Refusal = {
  code: 'RECORDING_ENDED',
  message: 'it waited for a block when the recording ended',
};
