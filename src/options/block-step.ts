/** How far apart blocks are that are made at once, where nothing was said of it. */

import type { Settings } from './declarations.js';

/**
 * A second on a virtual clock: contracts see whole seconds, and their tests expect time to have passed from one
 * transaction to the next. A millisecond on the machine's clock, or a burst of transactions would run ahead of it.
 */
export function blockStepMsOf({ blockStepMs, clock }: Pick<Settings, 'blockStepMs' | 'clock'>): bigint {
  return BigInt(blockStepMs ?? (clock === 'virtual' ? 1_000 : 1));
}
