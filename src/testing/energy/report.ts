/** Energy of a test run by contract and method: plain data, independent of how the run was split into processes. */

import type { EnergyRecord } from './records.js';

/**
 * Sums of successful transactions; failed ones are only counted. Everything except shares and averages is a whole
 * number.
 */
export interface EnergyRow {
  readonly contract: string;
  /** `transfer(address,uint256)`; undefined: its deployment. */
  readonly method?: string;
  readonly calls: number;
  readonly failed: number;
  readonly min: number;
  readonly average: number;
  readonly max: number;
  /** Penalty as a share of the row's Energy: 0 to 1. */
  readonly penaltyShare: number;
  /** Average burned TRX of one call, in sun. */
  readonly averageBurnedSun: number;
  /** Of deployments: length of the longest code on the chain. */
  readonly codeBytes?: number;
}

export interface EnergyReport {
  readonly transactions: number;
  readonly energy: number;
  readonly penalty: number;
  readonly burnedSun: number;
  /** Deployments before methods, then by name. */
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

/** Sorted by contract: deployment first, then methods. */
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
