/**
 * Assumptions of a run on a fork about data that no interface serves (docs/background/fork-assumptions.md), with
 * counts.
 */

import { throughBlockAtOnce } from '../../explanation/rerun/in-place.js';
import { networkDependence } from '../../explanation/rerun/network-rows.js';
import type { AppliedBlock } from '../../ledger/apply-block.js';
import type { Chain } from '../../node/chain/chain.js';
import type { TxId } from '../../primitives/ids.js';
import type { Parties } from '../parties.js';
import type { Assumed, TransactionResult } from './result.js';

/** Assumptions behind the transactions of a block; empty if the chain is no fork. @throws MissingRow */
export function assumedIn(chain: Chain, parties: Parties, block: AppliedBlock): ReadonlyMap<TxId, readonly Assumed[]> {
  const assumed = new Map<TxId, readonly Assumed[]>();
  if (chain.config.beginsAt === 0) return assumed;
  const named = (of: string) => parties.find(of)?.name ?? of;
  for (const [at, { assumptions }] of throughBlockAtOnce(chain, block.number, networkDependence).entries()) {
    const txId = block.transactions[at]?.transaction.txId;
    if (assumptions === undefined || txId === undefined) continue;
    const all = assumptions.map(({ name, effect, of }) => ({ name, effect, of: of.map(named) }));
    assumed.set(txId, all);
  }
  return assumed;
}

export interface AssumptionTotals {
  /** `usages`, `publicBandwidth`, … */
  readonly name: string;
  /** How the network's result may differ. */
  readonly effect: string;
  /** Number of transactions that may be affected. */
  readonly transactions: number;
  /** Owners of the assumed rows; members of a group are named together: `customers.*`. At most the first few. */
  readonly of: readonly string[];
}

const MAX_NAMED = 20;

export class Assumptions {
  readonly #all = new Map<string, { readonly effect: string; readonly of: Set<string>; transactions: number }>();

  add({ assumptions = [] }: TransactionResult): void {
    for (const { name, effect, of } of assumptions) {
      const known = this.#all.get(name) ?? { effect, of: new Set(), transactions: 0 };
      this.#all.set(name, known);
      known.transactions++;
      for (const one of of) if (known.of.size < MAX_NAMED) known.of.add(one.replace(/\.\d+$/, '.*'));
    }
  }

  get(): readonly AssumptionTotals[] {
    return [...this.#all].map(([name, { effect, of, transactions }]) => ({ name, effect, transactions, of: [...of] }));
  }
}
