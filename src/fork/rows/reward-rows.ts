/**
 * Rows for a voter's unsettled reward at the start of a fork. Nodes serve the sum (`getReward`), not the accumulators
 * of past cycles. So it is written as the reward of one vote for an artificial witness of the voter, under an
 * impossible address, in the previous cycle. That is cycle -1 where the running one is assumed to be the first, although
 * epochs were ended by hand: no interface serves its number.
 */

import type { Address } from '../../primitives/ids.js';
import type { Vote } from '../../protocol/generated/tron.js';
import type { VoterSettlement } from '../../state/tables.js';
import type { NetworkTerms } from '../terms/network-terms.js';

/** Accumulators count in 10^-18 sun per vote (`resources/rewards.ts`). */
const SCALE = 10n ** 18n;

export interface RewardRows {
  readonly settlement: VoterSettlement | undefined;
  /** Rows of `rewardHistory`. */
  readonly history: readonly (readonly [key: string, value: bigint])[];
}

/**
 * @param votes the account's present votes, assumed to be those at the start of the cycle
 * @param dueSun for past cycles
 */
export function rewardRows(
  voter: Address,
  votes: readonly Vote[],
  dueSun: bigint,
  { cycle, accumulates }: Pick<NetworkTerms, 'cycle' | 'accumulates'>,
): RewardRows {
  if (dueSun <= 0n) {
    return votes.length === 0
      ? { settlement: undefined, history: [] }
      : { settlement: { beginCycle: cycle, endCycle: cycle + 1n, snapshot: { cycle, votes } }, history: [] };
  }
  const before = cycle - 1n;
  const owing = `ff${voter.slice(2)}` as Address;
  return {
    settlement: {
      beginCycle: before,
      endCycle: cycle,
      snapshot: { cycle: before, votes: [{ vote_address: owing, vote_count: 1n }] },
    },
    history: accumulates
      ? [[`vi:${before}:${owing}`, dueSun * SCALE]]
      : [
          [`pool:${before}:${owing}`, dueSun],
          [`votes:${before}:${owing}`, 1n],
        ],
  };
}
