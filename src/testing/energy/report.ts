/** Energy of a test run by contract and method: plain data, the same however the run was spread over processes. */

import type { EnergyRecord } from './records.js';

/** Of transactions that succeeded; what failed is only counted. All but shares and averages are whole numbers. */
export interface EnergyRow {
  readonly contract: string;
  /** `transfer(address,uint256)`; undefined: its deployment. */
  readonly method?: string;
  readonly calls: number;
  readonly failed: number;
  readonly min: number;
  readonly average: number;
  readonly max: number;
  /** Of all Energy of the row what dynamic Energy added to it: 0 to 1. */
  readonly penaltyShare: number;
  /** What one cost in coin, on average, in sun. */
  readonly averageBurnedSun: number;
  /** Of deployments: of the code that stands on the chain, the longest. */
  readonly codeBytes?: number;
}

export interface EnergyReport {
  readonly transactions: number;
  readonly energy: number;
  readonly penalty: number;
  readonly burnedSun: number;
  /** Deployments before methods, by their names. */
  readonly rows: readonly EnergyRow[];
}

export function energyReport(records: readonly EnergyRecord[]): EnergyReport {
  const groups = new Map<string, EnergyRecord[]>();
  for (const record of records) {
    const key = keyOf(record);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(record);
  }
  return {
    transactions: records.length,
    energy: sum(records, ({ energy }) => energy),
    penalty: sum(records, ({ penalty }) => penalty),
    burnedSun: sum(records, ({ burnedSun }) => burnedSun),
    rows: [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => rowOf(group)),
  };
}

/** Sorts by contract, then the deployment, then methods. */
export function keyOf({ contract, method = '' }: EnergyRow | EnergyRecord): string {
  return `${contract}\n${method}`;
}

function rowOf(group: readonly EnergyRecord[]): EnergyRow {
  const [{ contract, method }] = group as [EnergyRecord];
  const done = group.filter(({ succeeded }) => succeeded);
  const energies = done.map(({ energy }) => energy).sort((a, b) => a - b);
  const total = sum(done, ({ energy }) => energy);
  const each = (value: number) => (done.length === 0 ? 0 : Math.round(value / done.length));
  return {
    contract,
    ...(method !== undefined && { method }),
    calls: done.length,
    failed: group.length - done.length,
    min: energies[0] ?? 0,
    average: each(total),
    max: energies.at(-1) ?? 0,
    penaltyShare: total === 0 ? 0 : sum(done, ({ penalty }) => penalty) / total,
    averageBurnedSun: each(sum(done, ({ burnedSun }) => burnedSun)),
    ...(method === undefined && { codeBytes: done.reduce((most, { codeBytes = 0 }) => Math.max(most, codeBytes), 0) }),
  };
}

function sum(records: readonly EnergyRecord[], value: (record: EnergyRecord) => number): number {
  return records.reduce((total, record) => total + value(record), 0);
}
