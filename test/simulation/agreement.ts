/** What is written in two places says the same in both: what is lent, and what is voted. */

import assert from 'node:assert/strict';
import type { Ledger } from '../../src/ledger/ledger.js';
import { type PartnerSide, partnersOf } from '../../src/ledger/stake/delegation-index.js';
import { delegatedAmount, delegationKey, recordAt } from '../../src/ledger/stake/delegation-records.js';
import { acquiredV2, delegatedV2 } from '../../src/ledger/stake/stakes.js';
import type { Address } from '../../src/primitives/ids.js';
import type { Account, Vote } from '../../src/protocol/generated/tron.js';
import { BANDWIDTH, ENERGY, type MeteredResource } from '../../src/resources/metered-account.js';

const METERED = [BANDWIDTH, ENERGY] as const;

/** What an account has lent or borrowed is what the records of the partners in its index add up to. */
export function expectLendingAgrees(ledger: Ledger, accounts: readonly Account[]): void {
  const recorded = (side: PartnerSide, account: Address, resource: MeteredResource) => {
    let sum = 0n;
    for (const { address } of partnersOf(ledger, 2, side, account)) {
      const [from, to] = side === 'to' ? [account, address] : [address, account];
      for (const key of [delegationKey.unlocked(from, to), delegationKey.locked(from, to)]) {
        sum += delegatedAmount(recordAt(ledger, key), resource);
      }
    }
    return sum;
  };
  for (const account of accounts) {
    for (const resource of METERED) {
      const said = [delegatedV2(account, resource), acquiredV2(account, resource)];
      const sums = [recorded('to', account.address, resource), recorded('from', account.address, resource)];
      assert.deepEqual(said, sums, `${account.address} ${resource}`);
    }
  }
}

/** A witness has the votes of the genesis and of the accounts, once what was voted in this epoch is counted. */
export function expectVotesAgree(ledger: Ledger, accounts: readonly Account[]): void {
  const { witnesses, votes } = ledger.state.tables;
  const counts = new Map<string, bigint>();
  const add = (cast: readonly Vote[], sign: bigint) => {
    for (const { vote_address, vote_count } of cast) {
      counts.set(vote_address, (counts.get(vote_address) ?? 0n) + sign * vote_count);
    }
  };
  for (const account of accounts) add(account.votes, -1n);
  for (const [, { old_votes, new_votes }] of votes.entries()) {
    add(old_votes, -1n);
    add(new_votes, 1n);
  }
  for (const [address, { voteCount }] of witnesses.entries()) {
    const genesis = ledger.config.genesisWitnesses.get(address as Address) ?? 0n;
    assert.equal(voteCount + (counts.get(address) ?? 0n), genesis, `votes of ${address}`);
  }
}
