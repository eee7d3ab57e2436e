import { describe, expect, it } from 'vitest';
import { existingAccount, putAccount } from '../../../../src/ledger/accounts/coin.js';
import { activeWitnesses } from '../../../../src/ledger/schedule/schedule.js';
import { changeVotes } from '../../../../src/ledger/voting/votes.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { Witness } from '../../../../src/protocol/generated/tron.js';
import { address, EPOCH_MS, EpochLedger } from '../epoch-ledger.js';

function vote(
  test: EpochLedger,
  voter: Address,
  ...votes: readonly (readonly [witness: Address, count: bigint])[]
): void {
  const list = votes.map(([vote_address, vote_count]) => ({ vote_address, vote_count }));
  putAccount(test.ledger, changeVotes(test.ledger, existingAccount(test.ledger, voter), list));
}

const votesOf = (test: EpochLedger, witness: Address) => test.ledger.state.tables.witnesses.get(witness)?.voteCount;
const isJobs = (test: EpochLedger, n: number) => test.ledger.state.tables.witnesses.get(address(n))?.isJobs;

describe('maintenance time (protocol/epochs.md#when)', () => {
  const atM1 = () => {
    const test = new EpochLedger();
    test.blockAt(1_700_000_001_000n);
    return test;
  };

  it('M1: block 1 sets the time and the flag, and ends no cycle', () => {
    const { ledger } = atM1();
    expect(ledger.long('NEXT_MAINTENANCE_TIME')).toBe(1_700_006_400_000n);
    expect(ledger.long('CURRENT_CYCLE_NUMBER')).toBe(0n);
    expect(ledger.long('state_flag')).toBe(1n);
  });

  it('M2, M6: a block at the time is one, a block before it is not', () => {
    const test = atM1();
    expect(test.blockAt(1_700_006_397_000n).epochs).toBe(0);
    expect(test.ledger.long('state_flag')).toBe(0n);
    expect(test.blockAt(1_700_006_400_000n).epochs).toBe(1);
    expect(test.ledger.long('NEXT_MAINTENANCE_TIME')).toBe(1_700_028_000_000n);
    expect(test.ledger.long('CURRENT_CYCLE_NUMBER')).toBe(1n);
  });

  it('M3: a block behind several times ends one cycle', () => {
    const test = atM1();
    expect(test.blockAt(1_700_006_400_000n + 5n * EPOCH_MS + 3000n).epochs).toBe(6);
    expect(test.ledger.long('NEXT_MAINTENANCE_TIME')).toBe(1_700_136_000_000n);
    expect(test.ledger.long('CURRENT_CYCLE_NUMBER')).toBe(1n);
  });
});

describe('the tally', () => {
  const [voter, other] = [address(11), address(12)];

  it('counts the votes before the first change of the epoch against the last ones', () => {
    const test = new EpochLedger({ witnessVotes: [100n, 50n], accounts: [voter, other] });
    test.blockAt(3000n);
    vote(test, voter, [address(1), 10n]);
    vote(test, voter, [address(2), 7n], [address(2), 1n]);
    expect(votesOf(test, address(2))).toBe(50n);
    test.nextEpoch();
    expect([votesOf(test, address(1)), votesOf(test, address(2))]).toEqual([100n, 58n]);
    vote(test, voter, [address(1), 3n]);
    vote(test, other, [address(1), 2n]);
    test.nextEpoch();
    expect([votesOf(test, address(1)), votesOf(test, address(2))]).toEqual([105n, 50n]);
    expect(test.ledger.state.tables.votes.entries()).toHaveLength(0);
  });

  it('elects the first 27, and marks them only when others than before are elected', () => {
    const test = new EpochLedger({
      witnessVotes: Array.from({ length: 29 }, (_, i) => BigInt(100 - i)),
      accounts: [voter],
    });
    test.blockAt(3000n);
    expect(activeWitnesses(test.ledger)).toHaveLength(27);
    expect([isJobs(test, 28), isJobs(test, 29)]).toEqual([true, true]);

    vote(test, voter, [address(5), 1n]);
    test.nextEpoch();
    expect([isJobs(test, 28), isJobs(test, 29)]).toEqual([true, true]);

    vote(test, voter, [address(29), 1000n]);
    test.nextEpoch();
    expect(activeWitnesses(test.ledger)[0]).toBe(address(29));
    expect(activeWitnesses(test.ledger)).not.toContain(address(27));
    // 27 lost its place; 28 never had one, and keeps the mark that the genesis gave it.
    expect([isJobs(test, 27), isJobs(test, 28), isJobs(test, 29)]).toEqual([false, true, true]);
  });

  it('leaves the election as it is when nobody has voted', () => {
    const test = new EpochLedger({ witnessVotes: [1n] });
    test.blockAt(3000n);
    test.ledger.state.tables.witnesses.set(address(9), Witness.create({ address: address(9), voteCount: 1000n }));
    test.nextEpoch();
    expect(activeWitnesses(test.ledger)).toEqual([address(1)]);
  });
});

describe('before CHANGE_DELEGATION', () => {
  const options = {
    witnessVotes: [3n, 1n],
    accounts: [address(11)],
    parameters: { CHANGE_DELEGATION: 0n, WITNESS_PAY_PER_BLOCK: 1n, WITNESS_STANDBY_ALLOWANCE: 1_000n },
  };

  it('the standby allowance is paid by the new votes, at a maintenance that tallied some', () => {
    const test = new EpochLedger(options);
    test.blockAt(3000n);
    test.nextEpoch();
    const before = [1, 2].map((n) => test.account(address(n)).allowance);
    vote(test, address(11), [address(2), 3n]);
    test.ledger.setLong('WITNESS_PAY_PER_BLOCK', 0n);
    test.nextEpoch();
    const paid = [1, 2].map((n, i) => test.account(address(n)).allowance - (before[i] as bigint));
    expect(paid).toEqual([428n, 571n]);
    expect(test.ledger.long('CURRENT_CYCLE_NUMBER')).toBe(0n);
  });
});

describe('REMOVE_THE_POWER_OF_THE_GR', () => {
  it('takes the genesis votes back, once', () => {
    const test = new EpochLedger({ witnessVotes: [100n, 40n], accounts: [address(11)] });
    test.blockAt(3000n);
    vote(test, address(11), [address(2), 5n]);
    test.nextEpoch();
    test.ledger.setLong('REMOVE_THE_POWER_OF_THE_GR', 1n);
    test.nextEpoch();
    expect([votesOf(test, address(1)), votesOf(test, address(2))]).toEqual([0n, 5n]);
    expect(test.ledger.long('REMOVE_THE_POWER_OF_THE_GR')).toBe(-1n);
    test.nextEpoch();
    expect(votesOf(test, address(2))).toBe(5n);
    expect(test.ledger.state.tables.texts.get('standby_witnesses')).toBe(`${address(2)}:5`);
  });
});

describe('the cost of an epoch', () => {
  function rowsOfEpoch(voters: number): number {
    const accounts = Array.from({ length: voters }, (_, i) => address(1000 + i));
    const test = new EpochLedger({ witnessVotes: [5n, 4n, 3n], accounts });
    test.blockAt(3000n);
    for (const account of accounts) vote(test, account, [address(1), 2n], [address(2), 1n]);
    test.nextEpoch();
    test.nextEpoch();
    return test.rowsOfLastBlock;
  }

  it('does not depend on how many accounts have voted before', () => {
    expect(rowsOfEpoch(500)).toBe(rowsOfEpoch(1));
  });
});
