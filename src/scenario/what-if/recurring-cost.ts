/**
 * One-off and daily costs of a run: TRX are summed separately for the warmup and for the time after it. Activations,
 * first writes and deployments happen in the warmup, and accounts start it with unused resources. Only the time after
 * it is representative of other days and years.
 */

import type { Sun } from '../../primitives/ids.js';
import type { TransactionResult } from '../results/result.js';
import { VariationError } from './variations.js';

const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;

/** TRX of one type of transaction and one kind of charge. */
export interface CostByTime {
  /** The contract's type as the protocol names it: `TransferContract`. */
  readonly type: string;
  /** `energy`, `bandwidth`, or a fixed fee. */
  readonly reason: string;
  /** Charged during the warmup. */
  readonly warmupSun: Sun;
  /** Charged in 24 hours after the warmup, on average. */
  readonly daySun: Sun;
  /** Cost of the warmup above that of an equal time after it. */
  readonly onceSun: Sun;
}

export interface CostsByTime extends Pick<CostByTime, 'warmupSun' | 'daySun' | 'onceSun'> {
  /** From the first step. 0: the run is too short to separate one-off costs, and all costs count as recurring. */
  readonly warmupMs: number;
  /** Highest one-off cost first. */
  readonly costs: readonly CostByTime[];
}

/** Costs between two possible ends of the warmup. */
type Sums = bigint[];

/** Staked units by payer and resource, and TRX by type and reason, in the warmup and after it. */
export class RecurringCost {
  readonly #costs = new Map<string, { readonly type: string; readonly reason: string; readonly sums: Sums }>();
  readonly #staked = new Map<string, Sums>();
  /** Possible ends of the warmup; the length of a run is known only at its end. */
  readonly #ends: readonly number[];

  /**
   * @param warmupMs as the scenario sets it; undefined: two days of a run of three or more, one day of one of two.
   * Usage settles in that time: a stake that is slightly too small runs out on the second day for the last time.
   */
  constructor(private readonly warmupMs: number | undefined) {
    this.#ends = warmupMs === undefined ? [DAY_MS, 2 * DAY_MS] : [warmupMs];
  }

  /** @param sinceBeginMs from the first step to the block of the transaction */
  add({ type, paid }: TransactionResult, sinceBeginMs: number): void {
    // A block exactly at the end of the warmup ends it.
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

  /** @throws VariationError if no time is left after the warmup */
  #warmupOf(spanMs: number): number {
    // At least a day must be left for the measurement.
    if (this.warmupMs === undefined) return this.#ends.findLast((end) => end + DAY_MS <= spanMs) ?? 0;
    if (this.warmupMs < spanMs) return this.warmupMs;
    const [warmup, span] = [this.warmupMs, spanMs].map((ms) => `${Math.round(ms / 36_000) / 100} h`);
    throw new VariationError(
      `warmup is ${warmup}, but the scenario takes only ${span}: set a shorter warmup, so that time is left to measure`,
    );
  }

  /** @param spanMs from the first step to the end */
  get(spanMs: number): CostsByTime {
    const warmupMs = this.#warmupOf(spanMs);
    const sumsByTime = (sums: Sums) => this.#byTime(sums, warmupMs, spanMs);
    const costs = [...this.#costs.values()]
      .map(({ type, reason, sums }) => ({ type, reason, ...sumsByTime(sums) }))
      .sort((a, b) => Number(b.onceSun - a.onceSun) || (a.type + a.reason < b.type + b.reason ? -1 : 1));
    const all = [...this.#costs.values()].reduce<Sums>(
      (sum, { sums }) => sums.map((one, at) => one + (sum[at] ?? 0n)),
      [],
    );
    return { warmupMs, ...sumsByTime(all), costs };
  }

  /**
   * Units that a stake paid for in 24 hours after the warmup. Undefined if the warmup is shorter than a day: until
   * then the stake also spends its initial capacity.
   *
   * @param payer for a group: `customers.*`
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

/** `amount` of `perMs`, scaled to `forMs` and rounded to the nearest; 0 if `perMs` is 0. */
export function scaled(amount: bigint, forMs: number, perMs: number): bigint {
  if (perMs <= 0) return 0n;
  const per = BigInt(perMs);
  const doubled = 2n * amount * BigInt(forMs);
  return (doubled < 0n ? doubled - per : doubled + per) / (2n * per);
}
