/**
 * What a call that ran out of Energy would have needed: the same transaction in the same place, run again with more
 * Energy than anybody may ask for, and then with less.
 */

import type { AppliedTransaction } from '../ledger/apply-transaction.js';
import type { EnergyBudget } from '../ledger/smart-contracts/energy.js';
import { Transaction_Result_contractResult as ContractResult } from '../protocol/generated/tron.js';
import { accountEnergyLimit, originShare } from '../resources/budget.js';

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

export interface CallerNeed {
  /** The caller's part of the Energy. */
  readonly callerEnergy: bigint;
  readonly feeLimitSun: bigint;
  /** What the balance lacked, 0 if nothing. */
  readonly missingBalanceSun: bigint;
}

/** How much of `energy` the caller must be able to pay for: the deployer's share grows with what the caller has (5.4). */
export function callerNeed(energy: bigint, { terms, origin }: EnergyBudget): CallerNeed {
  const total = (callerLimit: bigint) => callerLimit + (origin === undefined ? 0n : originShare(callerLimit, origin));
  let low = 0n;
  let high = energy;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (total(middle) >= energy) high = middle;
    else low = middle + 1n;
  }
  const { leftEnergy, priceSun, balanceSun, callValueSun } = terms;
  const free = balanceSun > callValueSun ? balanceSun - callValueSun : 0n;
  const toBuySun = high > leftEnergy ? (high - leftEnergy) * priceSun : 0n;
  const feeLimitSun = high * priceSun;
  const missingBalanceSun = toBuySun > free ? toBuySun - free : 0n;
  // The budget that was given, with these two repaired, is enough.
  if (accountEnergyLimit({ ...terms, feeLimitSun, balanceSun: balanceSun + missingBalanceSun }) < high) {
    throw new Error(`${high} Energy for the caller is more than a feeLimit of ${feeLimitSun} sun allows`);
  }
  return { callerEnergy: high, feeLimitSun, missingBalanceSun };
}
