/** The default time between blocks that are made in immediate succession. */

import type { Settings } from './declarations.js';

/**
 * A second on a virtual clock: contracts see whole seconds, and their tests expect time to pass from one transaction to
 * the next. A millisecond on a running clock: otherwise a burst of transactions would get ahead of it.
 */
export function blockStepMsOf({ blockStepMs, clock }: Pick<Settings, 'blockStepMs' | 'clock'>): bigint {
  return BigInt(blockStepMs ?? (clock === 'virtual' ? 1_000 : 1));
}
