/**
 * What recorded steps cost when they really happened (`was`), beside what they cost in this run. The state of then is
 * rarely the state of a fork, so figures differ; a report says for how many steps and by how much.
 */

import type { Sun } from '../../primitives/ids.js';
import type { TransactionResult } from './result.js';

export interface HistoryTotals {
  /** Transactions with `was`. */
  readonly transactions: number;
  /** Same result, Energy and fee, as far as `was` has them. */
  readonly same: number;
  /** With another result. */
  readonly otherResult: number;
  /** With another Energy; some of them may have another result, too. */
  readonly differing: number;
  /** Same result and Energy, but another fee: another price, or another source paid. */
  readonly otherFee: number;
  readonly energyWas: bigint;
  readonly energy: bigint;
  readonly feeWasSun: Sun;
  readonly feeSun: Sun;
  /** The largest differences of Energy. */
  readonly largest: readonly {
    readonly step: string;
    readonly result: string;
    readonly resultWas?: string;
    readonly energyWas: bigint;
    readonly energy: bigint;
  }[];
}

const MAX_LARGEST = 10;

export class History {
  #same = 0;
  #otherResult = 0;
  #differing = 0;
  #otherFee = 0;
  #transactions = 0;
  readonly #then = { energy: 0n, feeSun: 0n };
  readonly #now = { energy: 0n, feeSun: 0n };
  #largest: HistoryTotals['largest'] = [];

  add({ was, outcome, energy, feeSun, step, label }: TransactionResult): void {
    if (was === undefined) return;
    const used = energy?.used ?? 0n;
    const energyWas = was.energy ?? used;
    const feeWasSun = was.feeSun ?? feeSun;
    this.#transactions++;
    this.#then.energy += energyWas;
    this.#then.feeSun += feeWasSun;
    this.#now.energy += used;
    this.#now.feeSun += feeSun;
    const otherResult = was.result !== undefined && was.result !== outcome;
    if (otherResult) this.#otherResult++;
    if (energyWas !== used) this.#differing++;
    if (!otherResult && energyWas === used) {
      if (feeWasSun === feeSun) this.#same++;
      else this.#otherFee++;
      return;
    }
    const difference = {
      step: label ?? step,
      result: outcome,
      ...(was.result !== undefined && { resultWas: was.result }),
      energyWas,
      energy: used,
    };
    this.#largest = [...this.#largest, difference].sort(bySize).slice(0, MAX_LARGEST);
  }

  /** Undefined: no step has `was`. */
  get(): HistoryTotals | undefined {
    if (this.#transactions === 0) return undefined;
    return {
      transactions: this.#transactions,
      same: this.#same,
      otherResult: this.#otherResult,
      differing: this.#differing,
      otherFee: this.#otherFee,
      energyWas: this.#then.energy,
      energy: this.#now.energy,
      feeWasSun: this.#then.feeSun,
      feeSun: this.#now.feeSun,
      largest: this.#largest,
    };
  }
}

type Difference = HistoryTotals['largest'][number];

function bySize(a: Difference, b: Difference): number {
  const [first, second] = [sizeOf(a), sizeOf(b)];
  return first > second ? -1 : first < second ? 1 : 0;
}

function sizeOf({ energyWas, energy }: Difference): bigint {
  return energy > energyWas ? energy - energyWas : energyWas - energy;
}
