/**
 * Rewards of voters: settlement of an account's share in the reward pools of its witnesses
 * (protocol/rewards.md#settling-a-voter, #accumulators-at-maintenance-new-algorithm, #reward-of-a-span-of-cycles).
 * Mirrors MortgageService.withdrawReward and queryReward, and for cycles before the accumulators RewardViCalService;
 * for contracts VoteRewardUtil. Votes earn from the cycle after they were cast until the end of the cycle in which
 * they change. With CHANGE_DELEGATION, every vote, unstaking and withdrawal settles first, so at most the last settled
 * cycle has other votes than the account has now. Settled rewards go to `allowance`; a withdrawal, by transaction or
 * by opcode, moves them to the balance, and so does a contract's self-destruction.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import type { Vote } from '../../protocol/generated/tron.js';
import { accumulated, accumulatedReward, settlement, withOldCycleReward } from '../../resources/rewards.js';
import type { VoterSettlement } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';
import { addToAllowance, oldCycleOf, rewardPerVote } from './rewards.js';

const NEVER_SETTLED: VoterSettlement = { beginCycle: 0n, endCycle: -1n, snapshot: undefined };

/** Who settles: a transaction of the account itself, or an opcode or precompiled contract for a contract. */
export interface RewardOrigin {
  /**
   * For the virtual machine, java-tron has a copy of the rules (VoteRewardUtil): they apply with ALLOW_TVM_VOTE,
   * whatever the value of CHANGE_DELEGATION, and use the accumulators only.
   */
  readonly inContract?: boolean;
}

function settles(ledger: Ledger, { inContract }: RewardOrigin): boolean {
  return ledger.on(inContract ? 'ALLOW_TVM_VOTE' : 'CHANGE_DELEGATION');
}

/** Pays the rewards of past cycles to the account's allowance. */
export function settleReward(ledger: Ledger, address: Address, origin: RewardOrigin = {}): void {
  const due = dueReward(ledger, address, origin);
  if (due === undefined) return;
  const { rewardSun, settlement } = due;
  if (rewardSun !== 0n) addToAllowance(ledger, address, rewardSun);
  ledger.state.tables.voterSettlements.set(address, settlement);
}

/**
 * The amount of a withdrawal now: the allowance and unsettled rewards, in sun. 0 for an unknown account, and while
 * nothing is settled. Changes nothing.
 */
export function queryReward(ledger: Ledger, address: Address, origin: RewardOrigin = {}): Sun {
  if (!settles(ledger, origin)) return 0n;
  const account = ledger.state.tables.accounts.get(address);
  if (account === undefined) return 0n;
  return account.allowance + (dueReward(ledger, address, origin)?.rewardSun ?? 0n);
}

interface Due {
  readonly rewardSun: Sun;
  /** The state after the payment. */
  readonly settlement: VoterSettlement;
}

/** The reward since the last settlement; undefined if nothing can be due. */
function dueReward(ledger: Ledger, address: Address, origin: RewardOrigin): Due | undefined {
  if (!settles(ledger, origin)) return undefined;
  const account = ledger.state.tables.accounts.get(address);
  if (account === undefined) return undefined;
  const { votes } = account;
  const cycle = ledger.long('CURRENT_CYCLE_NUMBER');
  const settled = ledger.state.tables.voterSettlements.get(address) ?? NEVER_SETTLED;
  const { snapshot } = settled;
  const due = settlement(
    { begin: settled.beginCycle, end: settled.endCycle, cycle, hasVotes: votes.length > 0 },
    (asked) => snapshot?.cycle === asked,
  );
  if (due === undefined) return undefined;
  let rewardSun = 0n;
  for (const { from, to, by } of due.pays) {
    rewardSun += rewardOf(ledger, from, to, by === 'snapshot' ? (snapshot?.votes ?? []) : votes, origin);
  }
  const { begin, end } = due;
  return {
    rewardSun,
    settlement:
      end === undefined
        ? { ...settled, beginCycle: begin }
        : { beginCycle: begin, endCycle: end, snapshot: { cycle: begin, votes } },
  };
}

/** The reward of these votes over the cycles from `begin` to before `end`. */
function rewardOf(
  ledger: Ledger,
  begin: bigint,
  end: bigint,
  votes: readonly Vote[],
  { inContract }: RewardOrigin,
): Sun {
  const effective = inContract ? begin : ledger.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE');
  let rewardSun = 0n;
  let from = begin;
  if (begin < effective) {
    from = end < effective ? end : effective;
    rewardSun = ledger.on('ALLOW_OLD_REWARD_OPT')
      ? accumulatedOldReward(ledger, begin, from, votes)
      : oldReward(ledger, begin, from, votes);
  }
  if (from >= end) return rewardSun;
  for (const { vote_address: witness, vote_count } of votes) {
    const before = rewardPerVote(ledger, from - 1n, witness);
    rewardSun += accumulatedReward(before, rewardPerVote(ledger, end - 1n, witness), vote_count);
  }
  return rewardSun;
}

/** Before the accumulators: each cycle in doubles. */
function oldReward(ledger: Ledger, begin: bigint, end: bigint, votes: readonly Vote[]): Sun {
  let rewardSun = 0n;
  for (let cycle = begin; cycle < end; cycle++) {
    let ofCycle = 0n;
    for (const { vote_address, vote_count } of votes) {
      const old = oldCycleOf(ledger, cycle, vote_address);
      ofCycle = withOldCycleReward(ofCycle, vote_count, old.votes, old.poolSun);
    }
    rewardSun += ofCycle;
  }
  return rewardSun;
}

/**
 * ALLOW_OLD_REWARD_OPT: the same cycles by the formula of the accumulators, which start with cycle 1, from the stored
 * pools and votes. A missing vote count acts as -1, as in java-tron's code.
 */
function accumulatedOldReward(ledger: Ledger, begin: bigint, end: bigint, votes: readonly Vote[]): Sun {
  let rewardSun = 0n;
  for (const { vote_address, vote_count } of votes) {
    let perVote = 0n;
    for (let cycle = begin > 1n ? begin : 1n; cycle < end; cycle++) {
      const old = oldCycleOf(ledger, cycle, vote_address);
      perVote = accumulated(perVote, old.poolSun, old.votes ?? -1n);
    }
    rewardSun += accumulatedReward(0n, perVote, vote_count);
  }
  return rewardSun;
}
