import type { Ledger } from '../ledger.js';

/** The next block ends the epoch, whatever its time; the epochs after it end when they would have ended anyway. */
export function hastenMaintenance(ledger: Ledger, _given: Readonly<Record<string, never>>): void {
  const next = ledger.long('NEXT_MAINTENANCE_TIME');
  // The time after a maintenance is the first of its grid that is after the block: the same as now.
  if (next > ledger.headTimeMs)
    ledger.setLong('NEXT_MAINTENANCE_TIME', next - ledger.long('MAINTENANCE_TIME_INTERVAL'));
}
