/**
 * Votes and rewards by opcodes 0xd8 and 0xd9 and by the precompiles 0x1000005–0x100000a
 * (protocol/opcodes.md#tron-opcodes, protocol/precompiles.md#table). Owns the opcodes' refusals and how they merge
 * votes; effects are in `votes.ts` and `voter-rewards.ts`. Mirrors the VoteWitness and WithdrawReward processors of
 * java-tron's `vm/nativecontract`.
 */

import { hexToBytes } from '../../primitives/hex.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { addExact, checkedAdd, checkedMultiply } from '../../primitives/java-math.js';
import type { Account, Vote as MessageVote } from '../../protocol/generated/tron.js';
import { javaByteStringHash, javaMapOrderOfHashes } from '../../protocol/json/java-map-order.js';
import { SUN_PER_TRX } from '../../resources/limits.js';
import { tronPower, votingPower } from '../../resources/tron-power.js';
import type { Vote } from '../../tvm/host.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { rulesOf } from '../stake/staking.js';
import { settleReward } from '../voting/voter-rewards.js';
import { changeVotes } from '../voting/votes.js';

const MAX_VOTES = 30;

/** Votes by witness without zeros, in the order of a Java HashMap; undefined if one of them is invalid. */
function mergedVotes(ledger: Ledger, votes: readonly Vote[]): readonly MessageVote[] | undefined {
  const merged = new Map<Address, bigint>();
  for (const { witness, count } of votes) {
    if (count < 0n || !ledger.state.tables.witnesses.has(witness)) return undefined;
    if (count > 0n) merged.set(witness, checkedAdd(merged.get(witness) ?? 0n, count));
  }
  const cast = Array.from(merged, ([vote_address, vote_count]) => ({ vote_address, vote_count }));
  const hashes = cast.map(({ vote_address }) => javaByteStringHash(hexToBytes(vote_address)));
  return javaMapOrderOfHashes(hashes).map((at) => cast[at] as MessageVote);
}

/** TRON_POWER stakes count only with Stake 2.0. */
function powerSun(ledger: Ledger, account: Account): Sun {
  return ledger.stakeV2On ? votingPower(account, rulesOf(ledger)) : tronPower(account);
}

/** Replaces the votes; none, or only zeros, clear them. */
export function voteWitness(ledger: Ledger, owner: Address, votes: readonly Vote[]): boolean {
  if (votes.length > MAX_VOTES || !ledger.state.tables.accounts.has(owner)) return false;
  const cast = mergedVotes(ledger, votes);
  if (cast === undefined) return false;
  settleReward(ledger, owner, { inContract: true });
  const account = existingAccount(ledger, owner);
  const total = cast.reduce((sum, { vote_count }) => checkedAdd(sum, vote_count), 0n);
  if (checkedMultiply(total, SUN_PER_TRX) > powerSun(ledger, account)) return false;
  putAccount(ledger, changeVotes(ledger, account, cast));
  return true;
}

/** Genesis witnesses may never withdraw. @returns sun moved into the balance */
export function withdrawReward(ledger: Ledger, owner: Address, blockTimeMs: bigint): Sun | undefined {
  if (ledger.config.genesisWitnesses.has(owner)) return undefined;
  settleReward(ledger, owner, { inContract: true });
  const account = existingAccount(ledger, owner);
  if (account.allowance <= 0n) return 0n;
  putAccount(ledger, {
    ...account,
    balance: addExact(account.balance, account.allowance),
    allowance: 0n,
    latest_withdraw_time: blockTimeMs,
  });
  return account.allowance;
}

export function votesFor(ledger: Ledger, voter: Address, witness: Address): bigint {
  return sumOfVotes(ledger, voter, (address) => address === witness);
}

export function votesCast(ledger: Ledger, voter: Address): bigint {
  return sumOfVotes(ledger, voter, () => true);
}

function sumOfVotes(ledger: Ledger, voter: Address, counts: (witness: string) => boolean): bigint {
  let sum = 0n;
  for (const { vote_address, vote_count } of ledger.state.tables.accounts.get(voter)?.votes ?? []) {
    if (counts(vote_address)) sum += vote_count;
  }
  return sum;
}

/** TRON Power in sun. */
export function tronPowerOf(ledger: Ledger, address: Address): Sun {
  const account = ledger.state.tables.accounts.get(address);
  return account === undefined ? 0n : powerSun(ledger, account);
}
