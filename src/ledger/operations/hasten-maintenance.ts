import type { Ledger } from '../ledger.js';

/** Makes the next block end the epoch, whatever its time; later epochs end at their usual times. */
export function hastenMaintenance(ledger: Ledger, _given: Readonly<Record<string, never>>): void {
  const next = ledger.long('NEXT_MAINTENANCE_TIME');
  const interval = ledger.long('MAINTENANCE_TIME_INTERVAL');
  // The time after a maintenance is the first one of its grid after the block: the same as now. It may be several
  // intervals ahead if these were made shorter.
  const intervalsAhead = (next - ledger.headTimeMs + interval - 1n) / interval;
  if (next > ledger.headTimeMs) ledger.setLong('NEXT_MAINTENANCE_TIME', next - intervalsAhead * interval);
}
