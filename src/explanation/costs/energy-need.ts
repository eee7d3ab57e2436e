/**
 * The Energy that an out-of-energy call would have needed: the transaction runs again in its place, first with the
 * maximum Energy, then with less.
 */

import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import { Transaction_Result_contractResult as ContractResult } from '../../protocol/generated/tron.js';

/** Runs the transaction with an Energy limit, and reverts it. */
export type TrialRun = (energyLimit: number) => AppliedTransaction;

/** The maximum Energy of all trial runs of the search: a fraction of a second. */
const SEARCH_ENERGY = 20_000_000;

export interface NeededEnergy {
  /** The run with enough Energy. */
  readonly run: AppliedTransaction;
  /** The smallest sufficient Energy; undefined if even the maximum is not enough. */
  readonly energy: bigint | undefined;
}

/** @param most the Energy that the network's highest feeLimit buys */
export function neededEnergy(most: number, run: TrialRun): NeededEnergy {
  const full = run(most);
  const used = Number(full.info.receipt?.energy_usage_total ?? 0n);
  const { contractRet } = full;
  // Other exceptions consume the whole limit, so their Energy is not the need.
  if (contractRet !== ContractResult.SUCCESS && contractRet !== ContractResult.REVERT) {
    return { run: full, energy: undefined };
  }
  const [output] = full.info.contractResult;
  const suffices = (limit: number): boolean => {
    const trial = run(limit);
    return trial.contractRet === contractRet && trial.info.contractResult[0] === output;
  };
  return { run: full, energy: BigInt(smallestSufficient(used, most, suffices)) };
}

/**
 * A call can need more Energy in between than it uses in the end, because the stipend of a call with value (2,300) is
 * returned. The search doubles the used Energy until it suffices, then bisects.
 */
function smallestSufficient(used: number, most: number, suffices: (limit: number) => boolean): number {
  if (suffices(used)) return used;
  let low = used;
  let high = most;
  let spent = used;
  for (let more = 2_300; low + more < most && spent < SEARCH_ENERGY; more *= 2) {
    spent += used;
    if (suffices(used + more)) {
      high = used + more;
      break;
    }
    low = used + more;
  }
  while (high - low > 1 && spent < SEARCH_ENERGY) {
    const middle = Math.floor((low + high) / 2);
    spent += used;
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}
