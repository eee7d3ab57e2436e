/**
 * What a run costs once and what it costs again each day: coin is added up apart for the warmup and for the time after it.
 * Activations, first writes and deployments fall into the warmup, and accounts begin it with all of their resources; only
 * the time after it is a measure of other days, and of years.
 */

import { type Amount, amountOf } from '../../explanation/model/amount.js';
import type { TransactionResult } from '../results/result.js';
import { VariationError } from './variations.js';

const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;

/** Coin of one kind of transaction and one kind of charge. */
export interface CostByTime {
  /** The contract's type as the protocol names it: `TransferContract`. */
  readonly type: string;
  /** `energy`, `bandwidth`, or which fixed fee. */
  readonly reason: string;
  /** Taken during the warmup. */
  readonly warmupSun: Amount;
  /** Taken in 24 hours after the warmup, on average. */
  readonly daySun: Amount;
  /** What the warmup cost more than as much time after it. */
  readonly onceSun: Amount;
}

export interface CostsByTime extends Pick<CostByTime, 'warmupSun' | 'daySun' | 'onceSun'> {
  /** From the first step on; 0: the run is too short to tell anything apart, and all of it counts as recurring. */
  readonly warmupMs: number;
  /** What costs most once comes first. */
  readonly costs: readonly CostByTime[];
}

interface Sums {
  warmup: bigint;
  later: bigint;
}

/** Staked units by payer and resource, and coin by type and reason, in the warmup and after it. */
export class RecurringCost {
  readonly #costs = new Map<string, Sums & { readonly type: string; readonly reason: string }>();
  readonly #staked = new Map<string, { later: bigint }>();

  /** @param warmupMs as the scenario says it; undefined: the first day of a run of two days or more */
  constructor(private readonly warmupMs: number | undefined) {}

  /** @param sinceBeginMs from the first step to the block of the transaction */
  add({ type, paid }: TransactionResult, sinceBeginMs: number): void {
    // A block at the very end of the warmup closes it.
    const when = sinceBeginMs > (this.warmupMs ?? DAY_MS) ? 'later' : 'warmup';
    for (const { payer, resource, reason, source, units, sun } of paid) {
      if (sun !== 0) {
        const key = `${type} ${reason}`;
        const sums = this.#costs.get(key) ?? { type, reason, warmup: 0n, later: 0n };
        this.#costs.set(key, sums);
        sums[when] += BigInt(sun);
      } else if (source === 'staked' || source === 'origin') {
        const key = stakeKey(payer.replace(/\.\d+$/, '.*'), resource);
        const sum = this.#staked.get(key) ?? { later: 0n };
        this.#staked.set(key, sum);
        if (when === 'later') sum.later += BigInt(units);
      }
    }
  }

  /** @throws VariationError where nothing comes after the warmup */
  #warmupOf(spanMs: number): number {
    if (this.warmupMs === undefined) return spanMs >= 2 * DAY_MS ? DAY_MS : 0;
    if (this.warmupMs < spanMs) return this.warmupMs;
    const [warmup, span] = [this.warmupMs, spanMs].map((ms) => `${Math.round(ms / 36_000) / 100} h`);
    throw new VariationError(
      `warmup is ${warmup} and the scenario takes ${span}: a warmup ends before the scenario does, so that there is time to measure after it`,
    );
  }

  get(spanMs: number): CostsByTime {
    const warmupMs = this.#warmupOf(spanMs);
    const costs = [...this.#costs.values()]
      .map(({ type, reason, ...sums }) => ({ type, reason, ...byTime(sums, warmupMs, spanMs) }))
      .sort((a, b) => compare(b.onceSun, a.onceSun) || (a.type + a.reason < b.type + b.reason ? -1 : 1));
    const all = { warmup: 0n, later: 0n };
    for (const { warmup, later } of this.#costs.values()) {
      all.warmup += warmup;
      all.later += later;
    }
    return { warmupMs, ...byTime(all, warmupMs, spanMs), costs };
  }

  /**
   * Units that a stake paid for in 24 hours after the warmup; undefined where the warmup is shorter than a day: until then
   * the stake gives besides what comes back what was there at the beginning.
   *
   * @param payer of a group: `customers.*`
   */
  stakedADay(payer: string, resource: 'energy' | 'bandwidth', spanMs: number): Amount | undefined {
    const warmupMs = this.#warmupOf(spanMs);
    if (warmupMs < DAY_MS) return undefined;
    const { later } = this.#staked.get(stakeKey(payer, resource)) ?? { later: 0n };
    return amountOf(scaled(later, DAY_MS, spanMs - warmupMs));
  }
}

function stakeKey(payer: string, resource: string): string {
  return `${payer} ${resource}`;
}

function byTime({ warmup, later }: Sums, warmupMs: number, spanMs: number) {
  const [first, rest] = warmupMs === 0 ? [0n, warmup + later] : [warmup, later];
  return {
    warmupSun: amountOf(first),
    daySun: amountOf(scaled(rest, DAY_MS, spanMs - warmupMs)),
    onceSun: amountOf(first - scaled(rest, warmupMs, spanMs - warmupMs)),
  };
}

function compare(a: Amount, b: Amount): number {
  return Number(BigInt(a) - BigInt(b));
}

/** `amount` of `perMs`, for `forMs`: rounded to the nearest; of no time it is nothing. */
export function scaled(amount: bigint, forMs: number, perMs: number): bigint {
  if (perMs <= 0) return 0n;
  const per = BigInt(perMs);
  const doubled = 2n * amount * BigInt(forMs);
  return (doubled < 0n ? doubled - per : doubled + per) / (2n * per);
}
