/**
 * What a run costs once and what it costs again each day: coin is added up apart for the warmup and for the time after it.
 * Activations, first writes and deployments fall into the warmup, and accounts begin it with all of their resources; only
 * the time after it is a measure of other days, and of years.
 */

import type { Sun } from '../../primitives/ids.js';
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
  readonly warmupSun: Sun;
  /** Taken in 24 hours after the warmup, on average. */
  readonly daySun: Sun;
  /** What the warmup cost more than as much time after it. */
  readonly onceSun: Sun;
}

export interface CostsByTime extends Pick<CostByTime, 'warmupSun' | 'daySun' | 'onceSun'> {
  /** From the first step on; 0: the run is too short to tell anything apart, and all of it counts as recurring. */
  readonly warmupMs: number;
  /** What costs most once comes first. */
  readonly costs: readonly CostByTime[];
}

/** What falls between two of the moments at which a warmup may end. */
type Sums = bigint[];

/** Staked units by payer and resource, and coin by type and reason, in the warmup and after it. */
export class RecurringCost {
  readonly #costs = new Map<string, { readonly type: string; readonly reason: string; readonly sums: Sums }>();
  readonly #staked = new Map<string, Sums>();
  /** When the warmup may end. How long a run is shows at its end. */
  readonly #ends: readonly number[];

  /**
   * @param warmupMs as the scenario says it; undefined: two days of a run of three or more, one day of one of two. Usage
   *   settles in that time: a stake that is almost too small runs out on the second day for the last time.
   */
  constructor(private readonly warmupMs: number | undefined) {
    this.#ends = warmupMs === undefined ? [DAY_MS, 2 * DAY_MS] : [warmupMs];
  }

  /** @param sinceBeginMs from the first step to the block of the transaction */
  add({ type, paid }: TransactionResult, sinceBeginMs: number): void {
    // A block at the very end of the warmup closes it.
    const when = this.#ends.filter((end) => sinceBeginMs > end).length;
    const none = () => [0n, ...this.#ends.map(() => 0n)];
    for (const { payer, resource, reason, source, units, sun } of paid) {
      if (sun !== 0n) {
        const key = `${type} ${reason}`;
        const cost = this.#costs.get(key) ?? { type, reason, sums: none() };
        this.#costs.set(key, cost);
        cost.sums[when] = (cost.sums[when] ?? 0n) + sun;
      } else if (source === 'staked' || source === 'origin') {
        const key = stakeKey(payer.replace(/\.\d+$/, '.*'), resource);
        const sums = this.#staked.get(key) ?? none();
        this.#staked.set(key, sums);
        sums[when] = (sums[when] ?? 0n) + units;
      }
    }
  }

  /** @throws VariationError where nothing comes after the warmup */
  #warmupOf(spanMs: number): number {
    // As much as a day stays to be measured.
    if (this.warmupMs === undefined) return this.#ends.findLast((end) => end + DAY_MS <= spanMs) ?? 0;
    if (this.warmupMs < spanMs) return this.warmupMs;
    const [warmup, span] = [this.warmupMs, spanMs].map((ms) => `${Math.round(ms / 36_000) / 100} h`);
    throw new VariationError(
      `warmup is ${warmup} and the scenario takes ${span}: a warmup ends before the scenario does, so that there is time to measure after it`,
    );
  }

  /** @param spanMs from the first step to the end */
  get(spanMs: number): CostsByTime {
    const warmupMs = this.#warmupOf(spanMs);
    const told = (sums: Sums) => this.#byTime(sums, warmupMs, spanMs);
    const costs = [...this.#costs.values()]
      .map(({ type, reason, sums }) => ({ type, reason, ...told(sums) }))
      .sort((a, b) => Number(b.onceSun - a.onceSun) || (a.type + a.reason < b.type + b.reason ? -1 : 1));
    const all = [...this.#costs.values()].reduce<Sums>(
      (sum, { sums }) => sums.map((one, at) => one + (sum[at] ?? 0n)),
      [],
    );
    return { warmupMs, ...told(all), costs };
  }

  /**
   * Units that a stake paid for in 24 hours after the warmup; undefined where the warmup is shorter than a day: until then
   * the stake gives besides what comes back what was there at the beginning.
   *
   * @param payer of a group: `customers.*`
   */
  stakedADay(payer: string, resource: 'energy' | 'bandwidth', spanMs: number): bigint | undefined {
    const warmupMs = this.#warmupOf(spanMs);
    if (warmupMs < DAY_MS) return undefined;
    const { later } = this.#split(this.#staked.get(stakeKey(payer, resource)) ?? [], warmupMs);
    return scaled(later, DAY_MS, spanMs - warmupMs);
  }

  #split(sums: Sums, warmupMs: number): { readonly warmup: bigint; readonly later: bigint } {
    const isLater = this.#ends.indexOf(warmupMs) + 1;
    const total = (some: Sums) => some.reduce((sum, one) => sum + one, 0n);
    return { warmup: total(sums.slice(0, isLater)), later: total(sums.slice(isLater)) };
  }

  #byTime(sums: Sums, warmupMs: number, spanMs: number) {
    const { warmup, later } = this.#split(sums, warmupMs);
    return {
      warmupSun: warmup,
      daySun: scaled(later, DAY_MS, spanMs - warmupMs),
      onceSun: warmup - scaled(later, warmupMs, spanMs - warmupMs),
    };
  }
}

function stakeKey(payer: string, resource: string): string {
  return `${payer} ${resource}`;
}

/** `amount` of `perMs`, for `forMs`: rounded to the nearest; of no time it is nothing. */
export function scaled(amount: bigint, forMs: number, perMs: number): bigint {
  if (perMs <= 0) return 0n;
  const per = BigInt(perMs);
  const doubled = 2n * amount * BigInt(forMs);
  return (doubled < 0n ? doubled - per : doubled + per) / (2n * per);
}
