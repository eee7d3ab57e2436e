/**
 * What a voter is owed at the beginning of a fork, as rows by which the ledger pays exactly that. Nodes tell the sum
 * (`getReward`), not the accumulators of past cycles that it was worked out by: so it is written as what one vote for a
 * witness of the voter's own, under an address that nobody can have, earned in the cycle before.
 */

import type { Address } from '../../primitives/ids.js';
import type { Vote } from '../../protocol/generated/tron.js';
import type { VoterSettlement } from '../../state/tables.js';
import type { NetworkTerms } from '../terms/network-terms.js';

/** Accumulators count in 10^-18 sun per vote (`resources/rewards.ts`). */
const SCALE = 10n ** 18n;

export interface SettledOutside {
  readonly settlement: VoterSettlement | undefined;
  /** Rows of `rewardHistory`. */
  readonly history: readonly (readonly [key: string, value: bigint])[];
}

/**
 * @param votes that the account has now, taken to have stood when the cycle began
 * @param dueSun of the cycles that are over
 */
export function settledOutside(
  voter: Address,
  votes: readonly Vote[],
  dueSun: bigint,
  { cycle, accumulates }: Pick<NetworkTerms, 'cycle' | 'accumulates'>,
): SettledOutside {
  if (dueSun <= 0n || cycle === 0n) {
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
