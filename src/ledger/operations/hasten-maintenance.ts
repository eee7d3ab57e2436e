import type { Ledger } from '../ledger.js';

/** The next block ends the epoch, whatever its time; the epochs after it end when they would have ended anyway. */
export function hastenMaintenance(ledger: Ledger, _given: Readonly<Record<string, never>>): void {
  const next = ledger.long('NEXT_MAINTENANCE_TIME');
  const interval = ledger.long('MAINTENANCE_TIME_INTERVAL');
  // The time after a maintenance is the first of its grid that is after the block: the same as now. It may be several
  // intervals ahead where these were made shorter.
  const intervalsAhead = (next - ledger.headTimeMs + interval - 1n) / interval;
  if (next > ledger.headTimeMs) ledger.setLong('NEXT_MAINTENANCE_TIME', next - intervalsAhead * interval);
}
