/** Sums over what accounts paid. One transaction is added after another; none of them is kept, except the dearest. */

import { dayOf } from './cost-folder.js';
import { hasFailed, type PaidTransaction } from './paid-transaction.js';

export const HOUR_MS = 3_600_000;
const DEAREST = 10;
/** More methods are summed as `others`: the data of a call may be any bytes. */
const MAX_METHODS = 5_000;

/** Everything of one kind that was paid from one source. */
export interface SourceSum {
  /** `energy`, `bandwidth`, or a fixed fee. */
  readonly reason: string;
  /** `staked`, `origin` (the deployer), `free-or-staked`, `burned`, `fee-pool`, `blackhole`, `unexplained`. */
  readonly source: string;
  readonly resource: 'coin' | 'energy' | 'bandwidth';
  readonly transactions: number;
  /** Energy or bytes. */
  readonly units: bigint;
  readonly sun: bigint;
}

export interface Sum {
  readonly transactions: number;
  readonly failed: number;
  readonly feeSun: bigint;
  /** Fees of failed transactions, a part of `feeSun`. */
  readonly failedFeeSun: bigint;
  readonly energySun: bigint;
  readonly bandwidthSun: bigint;
  /** Fixed fees. */
  readonly otherSun: bigint;
  /** All Energy: of the caller's stake, of deployers, and bought. */
  readonly energy: bigint;
  readonly stakedEnergy: bigint;
  readonly deployersEnergy: bigint;
  readonly boughtEnergy: bigint;
  /** The part of `energy` that energy factors added. */
  readonly penalty: bigint;
  /** Free or staked bytes. */
  readonly bandwidth: bigint;
  readonly boughtBandwidth: bigint;
}

export interface MethodSum extends Sum {
  readonly type: string;
  readonly contract?: string;
  readonly selector?: string;
  /** Sun that was burned for the penalty: its share of the bought Energy, of each transaction. */
  readonly penaltySun: bigint;
}

export interface DaySum extends Sum {
  readonly day: string;
}

export interface HourSum extends Sum {
  readonly startMs: number;
}

export interface Dearest {
  readonly txid: string;
  readonly timestampMs: number;
  readonly type: string;
  readonly contract?: string;
  readonly selector?: string;
  readonly result: string;
  readonly feeSun: bigint;
  readonly energy: bigint;
}

export interface CostTotals extends Sum {
  readonly penaltySun: bigint;
  readonly averageFeeSun: bigint;
  readonly lowestFeeSun: bigint;
  readonly highestFeeSun: bigint;
  /** Transactions whose receipt the node does not have: their penalty is not known. */
  readonly withoutReceipt: number;
  readonly sources: readonly SourceSum[];
  readonly methods: readonly MethodSum[];
  readonly days: readonly DaySum[];
  readonly hours: readonly HourSum[];
  readonly dearest: readonly Dearest[];
  /** Failed transactions by result. */
  readonly failures: readonly { readonly result: string; readonly transactions: number; readonly feeSun: bigint }[];
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };
type Figures = Writable<Sum> & { penaltySun: bigint };

const none = (): Figures => ({
  transactions: 0,
  failed: 0,
  feeSun: 0n,
  failedFeeSun: 0n,
  energySun: 0n,
  bandwidthSun: 0n,
  otherSun: 0n,
  energy: 0n,
  stakedEnergy: 0n,
  deployersEnergy: 0n,
  boughtEnergy: 0n,
  penalty: 0n,
  bandwidth: 0n,
  boughtBandwidth: 0n,
  penaltySun: 0n,
});

/** What one transaction adds to each sum it belongs to. */
function figuresOf(paid: PaidTransaction): Figures {
  const figures = none();
  figures.transactions = 1;
  figures.feeSun = paid.feeSun;
  figures.energy = paid.energy;
  figures.penalty = paid.penalty ?? 0n;
  for (const { reason, resource, source, amount, units = 0n } of paid.charges) {
    if (resource === 'bandwidth') figures.bandwidth += amount;
    else if (resource === 'energy' && source === 'origin') figures.deployersEnergy += amount;
    else if (resource === 'energy') figures.stakedEnergy += amount;
    else if (reason === 'energy') {
      figures.energySun += amount;
      figures.boughtEnergy += units;
    } else if (reason === 'bandwidth' || reason === 'account-creation-bandwidth') {
      figures.bandwidthSun += amount;
      figures.boughtBandwidth += units;
    }
  }
  // What a receipt does not explain is a fixed fee, too.
  figures.otherSun = paid.feeSun - figures.energySun - figures.bandwidthSun;
  if (paid.energy > 0n) figures.penaltySun = (figures.energySun * figures.penalty) / paid.energy;
  if (hasFailed(paid)) {
    figures.failed = 1;
    figures.failedFeeSun = paid.feeSun;
  }
  return figures;
}

function addTo(sum: Figures, added: Figures): void {
  sum.transactions += added.transactions;
  sum.failed += added.failed;
  for (const name of AMOUNTS) sum[name] += added[name];
}

const AMOUNTS = (Object.keys(none()) as (keyof Figures)[]).filter(
  (name): name is Exclude<keyof Figures, 'transactions' | 'failed'> => name !== 'transactions' && name !== 'failed',
);

export class CostSums {
  readonly #all = none();
  readonly #sources = new Map<string, Writable<SourceSum>>();
  readonly #methods = new Map<string, Figures & Pick<MethodSum, 'type' | 'contract' | 'selector'>>();
  readonly #days = new Map<string, Figures>();
  readonly #hours = new Map<number, Figures>();
  readonly #failures = new Map<string, { result: string; transactions: number; feeSun: bigint }>();
  #dearest: readonly Dearest[] = [];
  #withoutReceipt = 0;
  #lowest: bigint | undefined;

  add(paid: PaidTransaction): void {
    const figures = figuresOf(paid);
    const { timestampMs, feeSun, type, contract, selector } = paid;
    if (paid.penalty === undefined) this.#withoutReceipt++;
    if (this.#lowest === undefined || feeSun < this.#lowest) this.#lowest = feeSun;
    addTo(this.#all, figures);
    addTo(foundOr(this.#days, dayOf(timestampMs), none), figures);
    addTo(foundOr(this.#hours, timestampMs - (timestampMs % HOUR_MS), none), figures);
    const method = { type, ...(contract !== undefined && { contract, selector: selector ?? '' }) };
    const key = `${type} ${contract} ${selector}`;
    const isFull = this.#methods.size >= MAX_METHODS && !this.#methods.has(key);
    const sum = foundOr(this.#methods, isFull ? '' : key, () => ({ ...none(), ...(isFull ? OTHERS : method) }));
    addTo(sum, figures);
    this.#addSources(paid);
    if (figures.failed > 0) this.#addFailure(paid);
    this.#addDearest(paid);
  }

  #addSources({ charges, feeSun }: PaidTransaction): void {
    let unexplained = feeSun;
    for (const { reason, source, resource, amount, units = 0n } of charges) {
      const isCoin = resource === 'coin';
      if (isCoin) unexplained -= amount;
      this.#addSource(reason, source, resource, isCoin ? units : amount, isCoin ? amount : 0n);
    }
    if (unexplained !== 0n) this.#addSource('fee', 'unexplained', 'coin', 0n, unexplained);
  }

  #addSource(reason: string, source: string, resource: SourceSum['resource'], units: bigint, sun: bigint): void {
    const sum = foundOr(this.#sources, `${reason} ${source} ${resource}`, () => ({
      reason,
      source,
      resource,
      transactions: 0,
      units: 0n,
      sun: 0n,
    }));
    sum.transactions++;
    sum.units += units;
    sum.sun += sun;
  }

  #addFailure({ result, feeSun }: PaidTransaction): void {
    const failure = foundOr(this.#failures, result, () => ({ result, transactions: 0, feeSun: 0n }));
    failure.transactions++;
    failure.feeSun += feeSun;
  }

  #addDearest({ txid, timestampMs, type, contract, selector, result, feeSun, energy }: PaidTransaction): void {
    if (feeSun === 0n || (this.#dearest.length === DEAREST && feeSun <= (this.#dearest.at(-1)?.feeSun ?? 0n))) return;
    const call = contract !== undefined && { contract, selector: selector ?? '' };
    const one = { txid, timestampMs, type, ...call, result, feeSun, energy };
    this.#dearest = [...this.#dearest, one].sort((a, b) => descending(a.feeSun, b.feeSun)).slice(0, DEAREST);
  }

  get(): CostTotals {
    const { transactions, feeSun } = this.#all;
    const hours = [...this.#hours].map(([startMs, { penaltySun: _, ...sum }]) => ({ startMs, ...sum }));
    const days = [...this.#days].map(([day, { penaltySun: _, ...sum }]) => ({ day, ...sum }));
    return {
      ...this.#all,
      averageFeeSun: transactions === 0 ? 0n : feeSun / BigInt(transactions),
      lowestFeeSun: this.#lowest ?? 0n,
      highestFeeSun: this.#dearest[0]?.feeSun ?? 0n,
      withoutReceipt: this.#withoutReceipt,
      sources: [...this.#sources.values()].sort((a, b) => descending(a.sun, b.sun) || descending(a.units, b.units)),
      methods: [...this.#methods.values()].sort(
        (a, b) => descending(a.feeSun, b.feeSun) || descending(a.energy, b.energy),
      ),
      days: days.sort((a, b) => (a.day < b.day ? -1 : 1)),
      hours: hours.sort((a, b) => a.startMs - b.startMs),
      dearest: this.#dearest,
      failures: [...this.#failures.values()].sort((a, b) => descending(a.feeSun, b.feeSun)),
    };
  }
}

const OTHERS = { type: 'others' };

export function foundOr<Key, Value>(map: Map<Key, Value>, key: Key, made: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = made();
    map.set(key, value);
  }
  return value;
}

function descending(a: bigint, b: bigint): number {
  return a > b ? -1 : a < b ? 1 : 0;
}
