/**
 * Folds results into totals: by step, by payer, by resource and source. Their size depends on the file, not on the
 * length of the run; totals of a recording go by type, because its file is as long as its run.
 */

import type { Sun } from '../../primitives/ids.js';
import { Assumptions, type AssumptionTotals } from './assumptions.js';
import { Failures, type FailureTotals } from './failures.js';
import { History, type HistoryTotals } from './history.js';
import type { Paid, Result, TransactionResult } from './result.js';

export interface StepTotals {
  /** Path in the file; for a recording the type, because each of its steps is one transaction or block. */
  readonly step: string;
  readonly label?: string;
  /** Type of the transactions, or the kind of result: `time`, `operation`. */
  readonly type: string;
  readonly count: number;
  /** Number of results by outcome: `{ SUCCESS: 9, REVERT: 1 }`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** In a block, but the contract failed. */
  readonly failed: number;
  /** No block contains it. */
  readonly refused: number;
  readonly feeSun: Sun;
  readonly bandwidth: bigint;
  readonly energy: bigint;
  readonly energyPenalty: bigint;
}

export interface PayerTotals {
  /** A name; members of a group are counted together: `customers.*`. */
  readonly payer: string;
  readonly transactions: number;
  /** All TRX charged, and the parts for bytes, Energy and fixed fees. */
  readonly sun: bigint;
  readonly bandwidthSun: Sun;
  readonly energySun: Sun;
  readonly feeSun: Sun;
  /** Bytes and Energy that were not paid in TRX: staked, free, granted. */
  readonly bandwidthUnits: bigint;
  readonly energyUnits: bigint;
}

export interface SourceTotals {
  readonly resource: Paid['resource'];
  readonly reason: Paid['reason'];
  readonly source: Paid['source'];
  readonly count: number;
  readonly units: bigint;
  readonly sun: bigint;
}

export interface RunTotals {
  readonly transactions: number;
  readonly failed: number;
  readonly refused: number;
  readonly feeSun: Sun;
  readonly bandwidth: bigint;
  readonly energy: bigint;
  readonly energyPenalty: bigint;
  readonly steps: readonly StepTotals[];
  /** Highest payer first. */
  readonly payers: readonly PayerTotals[];
  readonly sources: readonly SourceTotals[];
  /** Why transactions failed or were refused. */
  readonly failures: readonly FailureTotals[];
  /** What steps with `was` were on the live network, and are here. Absent: there are none. */
  readonly history?: HistoryTotals;
  /** On a fork: assumptions that may affect the result. */
  readonly assumptions: readonly AssumptionTotals[];
}

interface Sum {
  count: number;
  failed: number;
  refused: number;
  feeSun: Sun;
  bandwidth: bigint;
  energy: bigint;
  energyPenalty: bigint;
}

function nothing(): Sum {
  return { count: 0, failed: 0, refused: 0, feeSun: 0n, bandwidth: 0n, energy: 0n, energyPenalty: 0n };
}

interface StepSum extends Sum {
  readonly type: string;
  readonly label: string | undefined;
  readonly outcomes: Map<string, number>;
}

interface PayerSum {
  transactions: number;
  last: number;
  readonly coin: Record<Paid['resource'], bigint>;
  readonly units: Record<Paid['resource'], bigint>;
}

interface SourceSum {
  readonly of: Pick<Paid, 'resource' | 'reason' | 'source'>;
  count: number;
  units: bigint;
  sun: bigint;
}

export class Totals {
  readonly #all = nothing();
  readonly #steps = new Map<string, StepSum>();
  readonly #payers = new Map<string, PayerSum>();
  readonly #sources = new Map<string, SourceSum>();
  readonly #failures = new Failures();
  readonly #assumptions = new Assumptions();
  readonly #history = new History();
  #isRecorded = false;

  /** @param isRecording groups steps without a label by type */
  constructor(private readonly isRecording = false) {}

  add(result: Result): void {
    if (result.kind === 'group' || result.kind === 'digest') return;
    const type = result.kind === 'transaction' ? result.type : result.kind;
    // A recording has a step for each transaction.
    if (result.kind === 'transaction' && result.was !== undefined) this.#isRecorded = true;
    const byType = (this.isRecording || this.#isRecorded) && result.label === undefined;
    const method = result.kind === 'transaction' && result.was !== undefined ? result.method : undefined;
    const key = byType ? (method ?? type) : result.step;
    let step = this.#steps.get(key);
    if (step === undefined) {
      step = { ...nothing(), type, label: byType ? (method ?? 'recorded') : result.label, outcomes: new Map() };
      this.#steps.set(key, step);
    }
    if (result.kind !== 'transaction') {
      step.count++;
      return;
    }
    step.outcomes.set(result.outcome, (step.outcomes.get(result.outcome) ?? 0) + 1);
    for (const sum of [this.#all, step]) addTo(sum, result);
    const { label } = step;
    this.#failures.add({ step: key, ...(label !== undefined && { label }), type }, result);
    this.#assumptions.add(result);
    this.#history.add(result);
    for (const paid of result.paid) this.#addPaid(paid, result.n);
  }

  #addPaid({ payer, resource, reason, source, units, sun }: Paid, n: number): void {
    const who = payer.replace(/\.\d+$/, '.*');
    let sum = this.#payers.get(who);
    if (sum === undefined) {
      const none = () => ({ bandwidth: 0n, energy: 0n, fee: 0n });
      sum = { transactions: 0, last: -1, coin: none(), units: none() };
      this.#payers.set(who, sum);
    }
    if (sum.last !== n) sum.transactions++;
    sum.last = n;
    sum.coin[resource] += sun;
    if (sun === 0n) sum.units[resource] += units;
    const key = `${resource} ${reason} ${source}`;
    let from = this.#sources.get(key);
    if (from === undefined) {
      from = { of: { resource, reason, source }, count: 0, units: 0n, sun: 0n };
      this.#sources.set(key, from);
    }
    from.count++;
    from.units += units;
    from.sun += sun;
  }

  get(): RunTotals {
    const { count, failed, refused, ...sums } = this.#all;
    const history = this.#history.get();
    const payers = [...this.#payers].map(([payer, sum]) => payerTotals(payer, sum));
    return {
      transactions: count,
      failed,
      refused,
      ...amounts(sums),
      steps: [...this.#steps].map(
        ([step, { type, label, outcomes, count: times, failed: lost, refused: out, ...own }]) => ({
          step,
          ...(label !== undefined && { label }),
          type,
          count: times,
          outcomes: Object.fromEntries(outcomes),
          failed: lost,
          refused: out,
          ...amounts(own),
        }),
      ),
      payers: payers.sort((a, b) => Number(b.sun - a.sun) || (a.payer < b.payer ? -1 : 1)),
      sources: [...this.#sources.values()].map(({ of, count: times, units, sun }) => ({
        ...of,
        count: times,
        units: units,
        sun: sun,
      })),
      failures: this.#failures.get(),
      ...(history !== undefined && { history }),
      assumptions: this.#assumptions.get(),
    };
  }
}

function addTo(sum: Sum, { outcome, block, feeSun, bandwidth, energy }: TransactionResult): void {
  sum.count++;
  if (block === undefined) sum.refused++;
  else if (outcome !== 'SUCCESS') sum.failed++;
  sum.feeSun += feeSun;
  sum.bandwidth += bandwidth;
  sum.energy += energy?.used ?? 0n;
  sum.energyPenalty += energy?.penalty ?? 0n;
}

function amounts({
  feeSun,
  bandwidth,
  energy,
  energyPenalty,
}: Pick<Sum, 'feeSun' | 'bandwidth' | 'energy' | 'energyPenalty'>) {
  return {
    feeSun: feeSun,
    bandwidth: bandwidth,
    energy: energy,
    energyPenalty: energyPenalty,
  };
}

function payerTotals(payer: string, { transactions, coin, units }: PayerSum): PayerTotals {
  return {
    payer,
    transactions,
    sun: coin.bandwidth + coin.energy + coin.fee,
    bandwidthSun: coin.bandwidth,
    energySun: coin.energy,
    feeSun: coin.fee,
    bandwidthUnits: units.bandwidth,
    energyUnits: units.energy,
  };
}
