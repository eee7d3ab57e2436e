/** Energy of a test run by contract and method: plain data, independent of how the run was split into processes. */

import type { Sun } from '../../primitives/ids.js';

/** One call or deployment. */
export interface EnergyRecord {
  /** Its name on the chain; empty for a contract that another contract created. */
  readonly contract: string;
  /** Signature or selector; undefined: the deployment. */
  readonly method: string | undefined;
  readonly succeeded: boolean;
  readonly energy: bigint;
  /** The part that is the penalty of dynamic Energy. */
  readonly penalty: bigint;
  /** Burned TRX, in sun. */
  readonly burnedSun: Sun;
  /** Of a successful deployment: length of the code on the chain. */
  readonly codeBytes: number | undefined;
}

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
  readonly min: bigint;
  readonly average: bigint;
  readonly max: bigint;
  /** Penalty as a share of the row's Energy: 0 to 1. */
  readonly penaltyShare: number;
  /** Average burned TRX of one call, in sun. */
  readonly averageBurnedSun: Sun;
  /** Of deployments: length of the longest code on the chain. */
  readonly codeBytes?: number;
}

export interface EnergyReport {
  readonly transactions: number;
  readonly energy: bigint;
  readonly penalty: bigint;
  readonly burnedSun: Sun;
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

/** Rounded to the nearest; 0 of nothing. */
export function averageOf(total: bigint, count: bigint): bigint {
  return count === 0n ? 0n : (2n * total + count) / (2n * count);
}

/** 0 to 1. @example shareOf(1n, 4n) // 0.25 */
export function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}

/** Sorted by contract: deployment first, then methods. */
export function keyOf({ contract, method = '' }: Pick<EnergyRow | EnergyRecord, 'contract' | 'method'>): string {
  return `${contract}\n${method}`;
}

function rowOf(group: readonly EnergyRecord[]): EnergyRow {
  const [{ contract, method }] = group as [EnergyRecord];
  const done = group.filter(({ succeeded }) => succeeded);
  const energies = done.map(({ energy }) => energy).sort((a, b) => (a < b ? -1 : 1));
  const total = sum(done, ({ energy }) => energy);
  const count = BigInt(done.length);
  const each = (value: bigint) => averageOf(value, count);
  return {
    contract,
    ...(method !== undefined && { method }),
    calls: done.length,
    failed: group.length - done.length,
    min: energies[0] ?? 0n,
    average: each(total),
    max: energies.at(-1) ?? 0n,
    penaltyShare: shareOf(
      sum(done, ({ penalty }) => penalty),
      total,
    ),
    averageBurnedSun: each(sum(done, ({ burnedSun }) => burnedSun)),
    ...(method === undefined && { codeBytes: done.reduce((most, { codeBytes = 0 }) => Math.max(most, codeBytes), 0) }),
  };
}

function sum(records: readonly EnergyRecord[], value: (record: EnergyRecord) => bigint): bigint {
  return records.reduce((total, record) => total + value(record), 0n);
}
