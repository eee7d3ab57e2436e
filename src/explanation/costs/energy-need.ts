/**
 * What a call that ran out of Energy would have needed: the same transaction in the same place, run again with more
 * Energy than anybody may ask for, and then with less.
 */

import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import { Transaction_Result_contractResult as ContractResult } from '../../protocol/generated/tron.js';

/** Runs the transaction with an Energy limit and takes everything back. */
export type TrialRun = (energyLimit: number) => AppliedTransaction;

/** Energy that the search for the smallest sufficient limit may run through in all: a fraction of a second. */
const SEARCH_ENERGY = 20_000_000;

export interface NeededEnergy {
  /** How it ends with enough. */
  readonly run: AppliedTransaction;
  /** With which it ends so; undefined if not even the most is enough. */
  readonly energy: bigint | undefined;
}

/** @param most what the network's highest fee limit buys */
export function neededEnergy(most: number, run: TrialRun): NeededEnergy {
  const full = run(most);
  const used = Number(full.info.receipt?.energy_usage_total ?? 0n);
  const { contractRet } = full;
  // Other exceptions take whatever limit there is, so that what they used says nothing.
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
 * A call can need more on its way than it has used in the end, because Energy that goes along with value comes back
 * (2,300 for each such call). The search doubles up from what was used and then halves.
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
