import { describe, expect, it } from 'vitest';
import { freezeBalanceV2Contract } from '../../../../src/ledger/contracts/FreezeBalanceV2Contract.js';
import { updateBrokerageContract } from '../../../../src/ledger/contracts/UpdateBrokerageContract.js';
import { voteWitnessContract } from '../../../../src/ledger/contracts/VoteWitnessContract.js';
import { withdrawBalanceContract } from '../../../../src/ledger/contracts/WithdrawBalanceContract.js';
import { witnessCreateContract } from '../../../../src/ledger/contracts/WitnessCreateContract.js';
import { witnessUpdateContract } from '../../../../src/ledger/contracts/WitnessUpdateContract.js';
import { queryReward } from '../../../../src/ledger/voting/voter-rewards.js';
import { utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { MAX_LONG } from '../../../../src/primitives/java-math.js';
import { UpdateBrokerageContract } from '../../../../src/protocol/generated/storage-contract.js';
import { VoteWitnessContract } from '../../../../src/protocol/generated/witness-contract.js';
import { address, EpochLedger, type EpochLedgerOptions } from '../epoch-ledger.js';

const [A, B] = [address(11), address(12)];
const W1 = address(1);
const MISSING = address(99);
const DAY_MS = 86_400_000n;

const ballot = (owner: string, ...votes: readonly (readonly [to: string, count: bigint])[]) =>
  VoteWitnessContract.create({
    owner_address: owner,
    votes: votes.map(([vote_address, vote_count]) => ({ vote_address, vote_count })),
  });

function staked(amountSun: bigint, options: EpochLedgerOptions = {}): EpochLedger {
  const test = new EpochLedger({ accounts: [A, B], witnessVotes: [100n, 50n], ...options });
  test.blockAt(3000n);
  test.run(freezeBalanceV2Contract, { owner_address: A, frozen_balance: amountSun, resource: 0 });
  return test;
}

describe('VoteWitness', () => {
  it.each([
    ['Invalid address', ballot('41', [W1, 1n])],
    ['VoteNumber must more than 0', ballot(A)],
    ['VoteNumber more than maxVoteNumber 30', ballot(A, ...Array.from({ length: 31 }, () => [W1, 1n] as const))],
    ['Invalid vote address!', ballot(A, ['42', 1n])],
    ['vote count must be greater than 0', ballot(A, [W1, 0n])],
    [`Account[${MISSING}] not exists`, ballot(A, [MISSING, 1n])],
    [`Witness[${B}] not exists`, ballot(A, [B, 1n])],
    [`Account[${MISSING}] not exists`, ballot(MISSING, [W1, 1n])],
    ['The total number of votes[2000000] is greater than the tronPower[1500000]', ballot(A, [W1, 2n])],
    [`overflow: checkedAdd(${MAX_LONG}, 1)`, ballot(A, [W1, MAX_LONG], [W1, 1n])],
    [`overflow: checkedMultiply(${MAX_LONG}, 1000000)`, ballot(A, [W1, MAX_LONG])],
  ])('is refused: %s', (expected, message) => {
    expect(staked(1_500_000n).refusal(voteWitnessContract, message)).toBe(expected);
  });

  it('replaces all earlier votes; the same candidate may come twice; totals move at maintenance', () => {
    const test = staked(10_000_000n);
    test.run(voteWitnessContract, ballot(A, [W1, 10n]));
    test.run(voteWitnessContract, ballot(A, [address(2), 4n], [address(2), 6n]));
    expect(test.account(A).votes).toHaveLength(2);
    const votesOf = (n: number) => test.ledger.state.tables.witnesses.get(address(n))?.voteCount;
    expect([votesOf(1), votesOf(2)]).toEqual([100n, 50n]);
    test.nextEpoch();
    expect([votesOf(1), votesOf(2)]).toEqual([100n, 60n]);
  });

  it('measures TRON_POWER stakes under the new resource model, and fixes the old power at the first vote', () => {
    const test = new EpochLedger({ accounts: [A], parameters: { ALLOW_NEW_RESOURCE_MODEL: 1n } });
    test.edit(A, { frozenV2: [{ type: 0, amount: 5_000_000n }] });
    test.run(voteWitnessContract, ballot(A, [W1, 5n]));
    expect(test.account(A).old_tron_power).toBe(5_000_000n);
    expect(test.refusal(voteWitnessContract, ballot(A, [W1, 6n]))).toBe(
      'The total number of votes[6000000] is greater than the tronPower[5000000]',
    );
  });
});

describe('WithdrawBalance', () => {
  const withdraw = { owner_address: A };

  it('is refused to strangers and genesis witnesses, without reward, and twice a day', () => {
    const test = staked(10_000_000n);
    const refusal = (owner_address: string) => test.refusal(withdrawBalanceContract, { owner_address });
    expect(refusal('')).toBe('Invalid address');
    expect(refusal(MISSING)).toBe(`Account[${MISSING}] not exists`);
    expect(refusal(W1)).toBe(`Account[${W1}] is a guard representative and is not allowed to withdraw Balance`);
    const now = test.ledger.headTimeMs;
    test.edit(A, { latest_withdraw_time: now - DAY_MS + 1n });
    expect(refusal(A)).toBe(`The last withdraw time is ${now - DAY_MS + 1n}, less than 24 hours`);
    test.edit(A, { latest_withdraw_time: now - DAY_MS });
    expect(refusal(A)).toBe('witnessAccount does not have any reward');
    test.edit(A, { allowance: 1n, balance: MAX_LONG });
    expect(refusal(A)).toBe(`overflow: checkedAdd(${MAX_LONG}, 1)`);
  });

  it('pays allowance and what is not settled yet', () => {
    const test = staked(50_000_000n);
    test.edit(A, { allowance: 3n });
    test.run(voteWitnessContract, ballot(A, [W1, 50n]));
    for (let i = 0; i < 6; i++) test.nextEpoch();
    const due = queryReward(test.ledger, A);
    expect(due).toBeGreaterThan(3n);
    const { balance } = test.account(A);
    expect(test.run(withdrawBalanceContract, withdraw)).toEqual({ withdraw_amount: due });
    expect(test.account(A)).toMatchObject({
      balance: balance + due,
      allowance: 0n,
      latest_withdraw_time: test.ledger.headTimeMs,
    });
    expect(queryReward(test.ledger, A)).toBe(0n);
  });
});

describe('WitnessCreate and WitnessUpdate', () => {
  const url = utf8ToHex('http://a');

  it.each([
    ['Invalid address', { owner_address: '41', url }],
    ['Invalid url', { owner_address: A, url: '' }],
    ['Invalid url', { owner_address: A, url: '61'.repeat(257) }],
    [`account[${MISSING}] not exists`, { owner_address: MISSING, url }],
    [`Witness[${W1}] has existed`, { owner_address: W1, url }],
    ['balance < AccountUpgradeCost', { owner_address: A, url }],
  ])('is refused: %s', (expected, message) => {
    const test = new EpochLedger({ accounts: [A], balanceSun: 9_998_999_999n });
    expect(test.refusal(witnessCreateContract, message)).toBe(expected);
  });

  it('a new witness pays, has no votes, and gets a witness permission and the defaults it lacked', () => {
    const test = new EpochLedger({ accounts: [A] });
    test.run(witnessCreateContract, { owner_address: A, url });
    expect(test.ledger.state.tables.witnesses.get(A)).toMatchObject({ voteCount: 0n, url: 'http://a', isJobs: false });
    const { is_witness, owner_permission, witness_permission, active_permission } = test.account(A);
    expect([is_witness, owner_permission?.id, witness_permission?.id, active_permission[0]?.id]).toEqual([
      true,
      0,
      1,
      2,
    ]);
    expect(test.charges.map(({ amount, reason }) => [amount, reason])).toEqual([[9_999_000_000n, 'witness-creation']]);
    expect(test.ledger.long('TOTAL_CREATE_WITNESS_FEE')).toBe(9_999_000_000n);
  });

  it('has no permissions while multi-signature is off', () => {
    const test = new EpochLedger({ accounts: [A], parameters: { ALLOW_MULTI_SIGN: 0n } });
    test.run(witnessCreateContract, { owner_address: A, url });
    expect(test.account(A)).toMatchObject({ is_witness: true, witness_permission: undefined, active_permission: [] });
  });

  it('changes its URL', () => {
    const test = new EpochLedger({ accounts: [A] });
    const refusal = (owner_address: string, update_url: string) =>
      test.refusal(witnessUpdateContract, { owner_address, update_url });
    expect(refusal('41', url)).toBe('Invalid address');
    expect(refusal(MISSING, url)).toBe('account does not exist');
    expect(refusal(A, '')).toBe('Invalid url');
    expect(refusal(A, url)).toBe('Witness does not exist');
    test.run(witnessUpdateContract, { owner_address: W1, update_url: utf8ToHex('neu ü') });
    expect(test.ledger.state.tables.witnesses.get(W1)?.url).toBe('neu ü');
  });
});

describe('UpdateBrokerage', () => {
  const set = (owner_address: string, brokerage: number) =>
    UpdateBrokerageContract.create({ owner_address, brokerage });

  it.each([
    ['Invalid ownerAddress', set('41', 5)],
    ['Invalid brokerage', set(W1, 101)],
    ['Invalid brokerage', set(W1, -1)],
    [`Not existed witness:${A}`, set(A, 5)],
  ])('is refused: %s', (expected, message) => {
    expect(new EpochLedger({ accounts: [A] }).refusal(updateBrokerageContract, message)).toBe(expected);
  });

  it('is refused while CHANGE_DELEGATION is off', () => {
    const test = new EpochLedger({ parameters: { CHANGE_DELEGATION: 0n } });
    expect(test.refusal(updateBrokerageContract, set('41', 500))).toBe(
      'contract type error, unexpected type [UpdateBrokerageContract]',
    );
  });

  it('holds from the next cycle on: what the witness keeps of a block', () => {
    const test = new EpochLedger({ parameters: { WITNESS_127_PAY_PER_BLOCK: 0n, WITNESS_PAY_PER_BLOCK: 100n } });
    const kept = (step: () => unknown) => {
      const before = test.account(W1).allowance;
      step();
      return test.account(W1).allowance - before;
    };
    test.blockAt(3000n);
    test.run(updateBrokerageContract, set(W1, 0));
    expect(kept(() => test.blocks(1))).toBe(20n);
    expect(kept(() => test.nextEpoch())).toBe(20n);
    expect(kept(() => test.blocks(1))).toBe(0n);
  });
});

describe('a voter of genesis', () => {
  it('earns by what was voted before the change, for the whole cycle', () => {
    const test = staked(100_000_000n, { witnessVotes: [100n] });
    const vote = (owner: Address, count: bigint) => test.run(voteWitnessContract, ballot(owner, [W1, count]));
    vote(A, 100n);
    test.nextEpoch();
    vote(A, 1n);
    test.blocks(2);
    test.nextEpoch();
    // Three blocks of 108,800,000 for the voters, of whom A has half until the cycle ends.
    expect(queryReward(test.ledger, A)).toBe(163_200_000n);
  });
});
