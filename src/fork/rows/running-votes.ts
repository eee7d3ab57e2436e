/**
 * Changes of the witnesses' totals by the votes since the last maintenance, as one row of the `votes` table that the
 * first maintenance tallies. Nodes serve them from 4.8.1 on, as a sum over all voters.
 */

import type { Address } from '../../primitives/ids.js';
import { type Vote, Votes, type Witness } from '../../protocol/generated/tron.js';
import { RemoteError } from '../network/remote-error.js';
import type { RemoteWallet } from '../network/remote-wallet.js';
import { WALLET } from '../network/wallet-requests.js';

/** An impossible address: the sum of all voters. */
export const ALL_VOTERS = `ff${'0'.repeat(40)}` as Address;

const PAGE = 1000;

/** @returns undefined if the node does not serve them: an older release, or at a maintenance block */
export async function runningVotes(wallet: RemoteWallet, witnesses: readonly Witness[]): Promise<Votes | undefined> {
  const now = new Map<string, bigint>();
  for (let offset = 0; offset < witnesses.length; offset += PAGE) {
    const page = await pageOf(wallet, offset);
    if (page === undefined) return undefined;
    for (const { address, voteCount } of page) now.set(address, voteCount);
  }
  const changes = witnesses.map(
    ({ address, voteCount }) => [address, (now.get(address) ?? voteCount) - voteCount] as const,
  );
  const votes = (sign: bigint): Vote[] =>
    changes
      .filter(([, change]) => change * sign > 0n)
      .map(([vote_address, change]) => ({ vote_address, vote_count: change * sign }));
  return Votes.create({ address: ALL_VOTERS, old_votes: votes(-1n), new_votes: votes(1n) });
}

async function pageOf(wallet: RemoteWallet, offset: number): Promise<readonly Witness[] | undefined> {
  try {
    const what = 'the votes of the running epoch';
    return (await wallet.ask(WALLET.witnessesNow, { offset, limit: PAGE }, what)).witnesses;
  } catch (error) {
    if (error instanceof RemoteError) return undefined;
    throw error;
  }
}
