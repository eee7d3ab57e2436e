/**
 * Votes of the current epoch: changes since the last maintenance (protocol/contract-types.md#votes-witnesses-rewards,
 * protocol/epochs.md#steps-of-a-maintenance). Mirrors java-tron's VotesStore and its use by VoteWitness and the
 * unfreeze actuators. A witness's total changes only when maintenance tallies this table. Rewards of votes are in
 * `voter-rewards.ts`.
 */

import type { Address } from '../../primitives/ids.js';
import { type Account, type Vote, Votes } from '../../protocol/generated/tron.js';
import type { Ledger } from '../ledger.js';

/**
 * Replaces an account's votes and records the change for the next tally. The caller stores the returned account.
 * Settle its reward before (`settleReward`), and load it afterwards.
 */
export function changeVotes(ledger: Ledger, account: Account, votes: readonly Vote[]): Account {
  const voter = account.address;
  const booked = ledger.state.tables.votes.get(voter);
  // Only the votes from before the first change of the epoch are in the witnesses' totals.
  const old_votes = booked?.old_votes ?? account.votes;
  ledger.state.tables.votes.set(voter, Votes.create({ address: voter, old_votes, new_votes: votes }));
  return { ...account, votes };
}

/**
 * Changes of each witness's total by the votes since the last maintenance; empties the table for the next epoch. A
 * witness whose changes cancel out is in the map with 0: any vote makes an election take place.
 */
export function tallyVotes(ledger: Ledger): ReadonlyMap<Address, bigint> {
  const { votes } = ledger.state.tables;
  const deltas = uncountedVotes(ledger);
  for (const [voter] of votes.entries()) votes.delete(voter);
  return deltas;
}

/** Future changes of each witness's total by the votes since the last maintenance. */
export function uncountedVotes(ledger: Ledger): ReadonlyMap<Address, bigint> {
  const deltas = new Map<Address, bigint>();
  const add = (witness: Address, count: bigint) => deltas.set(witness, (deltas.get(witness) ?? 0n) + count);
  for (const [, { old_votes, new_votes }] of ledger.state.tables.votes.entries()) {
    for (const { vote_address, vote_count } of old_votes) add(vote_address, -vote_count);
    for (const { vote_address, vote_count } of new_votes) add(vote_address, vote_count);
  }
  return deltas;
}
