import type { Refusal } from '../../explanation/outcome/refusal.js';

/** The reason for transactions that were pending when a recording ended, in the recording and in its replay. */
export const RECORDING_ENDED: Refusal = {
  code: 'RECORDING_ENDED',
  message: 'it waited for a block when the recording ended',
};
