/** What holds for all rows of a fork, known from its start: how slots are counted, which rules, the running cycle. */

import type { ResourceRules } from '../resources/rules.js';

export interface NetworkTerms {
  readonly genesisTimestampMs: bigint;
  readonly slotMs: bigint;
  readonly rules: ResourceRules;
  /** The reward cycle in which the fork begins. */
  readonly cycle: bigint;
  /** CHANGE_DELEGATION: voters are paid. */
  readonly paysVoters: boolean;
  /** Whether rewards come from accumulators. */
  readonly accumulates: boolean;
  /** ALLOW_SAME_TOKEN_NAME: tokens go by id. */
  readonly tokensHaveIds: boolean;
  /** ALLOW_DELEGATE_OPTIMIZATION: partners of stake 1.0 are pairs, not lists. */
  readonly delegationPairs: boolean;
  /** Votes of each witness when the cycle began. */
  readonly votesOfWitness: ReadonlyMap<string, bigint>;
}

/** The slot of a time, as usages count. */
export function slotOf({ genesisTimestampMs, slotMs }: NetworkTerms, timestampMs: bigint): bigint {
  return (timestampMs - genesisTimestampMs) / slotMs;
}
