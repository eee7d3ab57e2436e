/**
 * Votes for witnesses with staked TRX; replaces all earlier votes (protocol/contract-types.md#votewitnesscontract-4).
 * Mirrors VoteWitnessActuator.
 */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import { checkedAdd, checkedMultiply } from '../../primitives/java-math.js';
import { Transaction_Contract_ContractType, type Vote } from '../../protocol/generated/tron.js';
import type { VoteWitnessContract as Message } from '../../protocol/generated/witness-contract.js';
import type { Sent } from '../../protocol/message-type.js';
import { SUN_PER_TRX } from '../../resources/limits.js';
import { votingPower } from '../../resources/tron-power.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { rulesOf, withOldTronPower } from '../stake/staking.js';
import { settleReward } from '../voting/voter-rewards.js';
import { changeVotes } from '../voting/votes.js';
import type { LedgerContract } from './contract.js';

const MAX_VOTES = 30;

/** @returns the sum of the votes */
function checkVotes(ledger: Ledger, votes: readonly Sent<Vote>[]): bigint {
  if (votes.length === 0) throw contractValidateException('VoteNumber must more than 0');
  if (votes.length > MAX_VOTES) throw contractValidateException(`VoteNumber more than maxVoteNumber ${MAX_VOTES}`);
  let total = 0n;
  for (const { vote_address: candidate, vote_count: count } of votes) {
    if (!isAddress(candidate)) throw contractValidateException('Invalid vote address!');
    if (count <= 0n) throw contractValidateException('vote count must be greater than 0');
    const { accounts, witnesses } = ledger.state.tables;
    if (!accounts.has(candidate)) throw contractValidateException(`Account[${candidate}] not exists`);
    if (!witnesses.has(candidate)) throw contractValidateException(`Witness[${candidate}] not exists`);
    total = checkedAdd(total, count);
  }
  return total;
}

export const voteWitnessContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.VoteWitnessContract,

  validate(ledger, { owner_address: owner, votes }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    refuseOverflow(() => {
      const total = checkVotes(ledger, votes);
      const account = ledger.state.tables.accounts.get(owner);
      if (account === undefined) throw contractValidateException(`Account[${owner}] not exists`);
      const neededSun = checkedMultiply(total, SUN_PER_TRX);
      const powerSun = votingPower(account, rulesOf(ledger));
      if (neededSun > powerSun) {
        throw contractValidateException(
          `The total number of votes[${neededSun}] is greater than the tronPower[${powerSun}]`,
        );
      }
    });
  },

  execute(ledger, { owner_address: owner, votes }) {
    settleReward(ledger, owner);
    const account = withOldTronPower(ledger, existingAccount(ledger, owner));
    putAccount(ledger, changeVotes(ledger, account, votes));
  },
};
