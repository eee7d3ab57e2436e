/**
 * What voters earn: settlement of an account's share in the reward pools of the witnesses it votes for
 * (ledger.md 6.6, fees-and-resources.md 11.3 to 11.5). Mirrors MortgageService.withdrawReward and queryReward, and for
 * cycles before the accumulators RewardViCalService.
 *
 * Votes earn from the cycle after they were cast until the end of the cycle in which they change. Every vote, unfreeze
 * and withdrawal settles first, so at most the last settled cycle has other votes than the account has now. Settled
 * rewards go to `allowance`; only WithdrawBalance makes balance of them.
 */

import type { Address, Sun } from '../primitives/ids.js';
import { longFromDouble, wrapLong } from '../primitives/java-math.js';
import type { Vote } from '../protocol/messages/tron.js';
import type { VoterSettlement } from '../state/tables.js';
import type { Ledger } from './ledger.js';
import { accumulatedRewardPerVote, addToAllowance, rewardKey, VI_SCALE } from './rewards.js';

const NEVER_SETTLED: VoterSettlement = { beginCycle: 0n, endCycle: -1n, snapshot: undefined };

/** Pays what the account's votes have earned in the cycles that are over to its allowance. */
export function settleReward(ledger: Ledger, address: Address): void {
  const due = dueReward(ledger, address);
  if (due === undefined) return;
  const { rewardSun, settlement } = due;
  if (rewardSun !== 0n) addToAllowance(ledger, address, rewardSun);
  ledger.state.tables.voterSettlements.set(address, settlement);
}

/**
 * What a withdrawal now would pay: the allowance and what is not settled yet, in sun. 0 for an unknown account, and while
 * CHANGE_DELEGATION is off. Changes nothing.
 */
export function queryReward(ledger: Ledger, address: Address): Sun {
  if (!ledger.on('CHANGE_DELEGATION')) return 0n;
  const account = ledger.state.tables.accounts.get(address);
  if (account === undefined) return 0n;
  return account.allowance + (dueReward(ledger, address)?.rewardSun ?? 0n);
}

/** The reward since the last settlement and the settlement that paying it makes; undefined when nothing can be due. */
function dueReward(
  ledger: Ledger,
  address: Address,
): { readonly rewardSun: Sun; readonly settlement: VoterSettlement } | undefined {
  if (!ledger.on('CHANGE_DELEGATION')) return undefined;
  const account = ledger.state.tables.accounts.get(address);
  if (account === undefined) return undefined;
  const current = ledger.long('CURRENT_CYCLE_NUMBER');
  const settled = ledger.state.tables.voterSettlements.get(address) ?? NEVER_SETTLED;
  const { endCycle, snapshot } = settled;
  let { beginCycle } = settled;
  if (beginCycle > current) return undefined;
  if (beginCycle === current && snapshot?.cycle === current) return undefined;

  let rewardSun = 0n;
  if (beginCycle + 1n === endCycle && beginCycle < current) {
    if (snapshot?.cycle === beginCycle) rewardSun += rewardOf(ledger, beginCycle, endCycle, snapshot.votes);
    beginCycle += 1n;
  }
  if (account.votes.length === 0) return { rewardSun, settlement: { ...settled, beginCycle: current + 1n } };
  rewardSun += rewardOf(ledger, beginCycle, current, account.votes);
  return {
    rewardSun,
    settlement: {
      beginCycle: current,
      endCycle: current + 1n,
      snapshot: { cycle: current, votes: account.votes },
    },
  };
}

/** The reward of these votes over the cycles from `begin` up to but not including `end`. */
export function rewardOf(ledger: Ledger, begin: bigint, end: bigint, votes: readonly Vote[]): Sun {
  if (begin >= end) return 0n;
  const effective = ledger.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE');
  let rewardSun = 0n;
  let from = begin;
  if (begin < effective) {
    from = end < effective ? end : effective;
    rewardSun = ledger.on('ALLOW_OLD_REWARD_OPT')
      ? accumulatedOldReward(ledger, begin, from, votes)
      : oldReward(ledger, begin, from, votes);
  }
  if (from < end) {
    for (const { vote_address, vote_count } of votes) {
      const witness = vote_address as Address;
      const perVote =
        accumulatedRewardPerVote(ledger, end - 1n, witness) - accumulatedRewardPerVote(ledger, from - 1n, witness);
      rewardSun += shareOf(perVote, vote_count);
    }
  }
  return rewardSun;
}

function shareOf(scaledRewardPerVote: bigint, voteCount: bigint): Sun {
  return scaledRewardPerVote <= 0n ? 0n : wrapLong((scaledRewardPerVote * voteCount) / VI_SCALE);
}

/** Before the accumulators: cycle by cycle in doubles, cut to a long after every addition as Java's `+=` does. */
function oldReward(ledger: Ledger, begin: bigint, end: bigint, votes: readonly Vote[]): Sun {
  const { rewards } = ledger.state.tables;
  let total = 0n;
  for (let cycle = begin; cycle < end; cycle++) {
    let ofCycle = 0n;
    for (const { vote_address, vote_count } of votes) {
      const witness = vote_address as Address;
      const pool = rewards.get(rewardKey.pool(cycle, witness)) ?? 0n;
      if (pool <= 0n) continue;
      const witnessVotes = rewards.get(rewardKey.votes(cycle, witness));
      if (witnessVotes === undefined || witnessVotes === 0n) continue;
      const share = Number(vote_count) / Number(witnessVotes);
      ofCycle = longFromDouble(Number(ofCycle) + share * Number(pool));
    }
    total += ofCycle;
  }
  return total;
}

/**
 * ALLOW_OLD_REWARD_OPT: the same cycles by the formula of the accumulators, summed from cycle 1 on, out of the pools and
 * votes that were stored. A vote count that was never stored acts as -1, as in java-tron's code.
 */
function accumulatedOldReward(ledger: Ledger, begin: bigint, end: bigint, votes: readonly Vote[]): Sun {
  const { rewards } = ledger.state.tables;
  let total = 0n;
  for (const { vote_address, vote_count } of votes) {
    const witness = vote_address as Address;
    let perVote = 0n;
    for (let cycle = begin > 1n ? begin : 1n; cycle < end; cycle++) {
      const pool = rewards.get(rewardKey.pool(cycle, witness)) ?? 0n;
      const witnessVotes = rewards.get(rewardKey.votes(cycle, witness)) ?? -1n;
      if (pool !== 0n && witnessVotes !== 0n) perVote += (pool * VI_SCALE) / witnessVotes;
    }
    total += shareOf(perVote, vote_count);
  }
  return total;
}
