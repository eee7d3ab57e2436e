/** What a run on a fork rests on that no node tells (docs/fork-assumptions.md), with counts. */

import type { TransactionResult } from './result.js';

export interface AssumptionTotals {
  /** `usages`, `publicBandwidth`, … */
  readonly name: string;
  /** What may come out differently on the network. */
  readonly effect: string;
  /** To how many transactions it may have mattered. */
  readonly transactions: number;
  /** By whose rows; members of a group are named together: `customers.*`. Of many the first. */
  readonly of: readonly string[];
}

const MOST_NAMED = 20;

export class Assumptions {
  readonly #all = new Map<string, { readonly effect: string; readonly of: Set<string>; transactions: number }>();

  add({ assumptions = [] }: TransactionResult): void {
    for (const { name, effect, of } of assumptions) {
      const known = this.#all.get(name) ?? { effect, of: new Set(), transactions: 0 };
      this.#all.set(name, known);
      known.transactions++;
      for (const one of of) if (known.of.size < MOST_NAMED) known.of.add(one.replace(/\.\d+$/, '.*'));
    }
  }

  get(): readonly AssumptionTotals[] {
    return [...this.#all].map(([name, { effect, of, transactions }]) => ({ name, effect, transactions, of: [...of] }));
  }
}
