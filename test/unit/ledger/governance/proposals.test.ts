import { describe, expect, it } from 'vitest';
import { proposalApproveContract } from '../../../../src/ledger/contracts/ProposalApproveContract.js';
import { proposalCreateContract } from '../../../../src/ledger/contracts/ProposalCreateContract.js';
import { proposalDeleteContract } from '../../../../src/ledger/contracts/ProposalDeleteContract.js';
import { proposalById } from '../../../../src/ledger/governance/proposals.js';
import { Proposal_State } from '../../../../src/protocol/generated/tron.js';
import { address, EPOCH_MS, EpochLedger, type EpochLedgerOptions } from '../epoch-ledger.js';

const W1 = address(1);
const { PENDING, DISAPPROVED, APPROVED, CANCELED } = Proposal_State;

function started(options: EpochLedgerOptions = {}): EpochLedger {
  const test = new EpochLedger(options);
  test.blockAt(3000n);
  return test;
}

/** @returns the id */
function propose(test: EpochLedger, ...parameters: readonly (readonly [id: bigint, value: bigint])[]): bigint {
  test.run(proposalCreateContract, { owner_address: W1, parameters: new Map(parameters) });
  return test.ledger.long('LATEST_PROPOSAL_NUM');
}

function approve(test: EpochLedger, proposal_id: bigint, ...witnesses: readonly number[]): void {
  for (const n of witnesses) {
    test.run(proposalApproveContract, { owner_address: address(n), proposal_id, is_add_approval: true });
  }
}

const stateOf = (test: EpochLedger, id: bigint) => proposalById(test.ledger, id)?.state;

/** Epochs until every proposal made now is decided. */
function epochs(test: EpochLedger, count: number): void {
  for (let i = 0; i < count; i++) test.nextEpoch();
}

const LIFETIME_EPOCHS = 13;

describe('expiration', () => {
  it('M4: the first maintenance time behind three days', () => {
    const test = new EpochLedger({ genesisTimestampMs: 0n });
    test.blockAt(1_700_000_100_000n);
    expect(test.ledger.long('NEXT_MAINTENANCE_TIME')).toBe(1_700_006_400_000n);
    const id = propose(test, [2n, 1n]);
    expect(proposalById(test.ledger, id)).toMatchObject({
      expiration_time: 1_700_265_600_000n,
      create_time: 1_700_000_100_000n,
      state: PENDING,
    });
  });

  it('is one interval behind the next maintenance time when that lies further away than the lifetime', () => {
    const test = started();
    const next = test.ledger.headTimeMs + 500_000_000n;
    test.ledger.setLong('MAINTENANCE_TIME_INTERVAL', 1_000_000_000n);
    test.ledger.setLong('NEXT_MAINTENANCE_TIME', next);
    const id = propose(test, [2n, 1n]);
    expect(proposalById(test.ledger, id)?.expiration_time).toBe(next + 1_000_000_000n);
  });
});

describe('the decision', () => {
  it.each([
    [27, 18],
    [5, 3],
    [3, 2],
    [2, 1],
  ])('M5: of %i active witnesses %i must approve', (active, needed) => {
    const test = started({ witnessVotes: Array.from({ length: active }, () => 10n) });
    const enough = propose(test, [2n, 11n]);
    const short = propose(test, [4n, 12n]);
    approve(test, enough, ...Array.from({ length: needed }, (_, i) => i + 1));
    approve(test, short, ...Array.from({ length: needed - 1 }, (_, i) => i + 1));
    epochs(test, LIFETIME_EPOCHS - 1);
    expect(stateOf(test, enough)).toBe(PENDING);
    epochs(test, 1);
    expect([stateOf(test, enough), stateOf(test, short)]).toEqual([APPROVED, DISAPPROVED]);
    expect(test.ledger.long('CREATE_ACCOUNT_FEE')).toBe(11n);
    expect(test.ledger.long('ASSET_ISSUE_FEE')).toBe(1_024_000_000n);
  });

  it('M5: one active witness needs no approval, and only those of active witnesses count', () => {
    const alone = started();
    const id = propose(alone, [2n, 7n]);
    epochs(alone, LIFETIME_EPOCHS);
    expect(stateOf(alone, id)).toBe(APPROVED);

    const test = started({ witnessVotes: Array.from({ length: 30 }, (_, i) => BigInt(100 - i)) });
    const byCandidates = propose(test, [2n, 7n]);
    approve(test, byCandidates, ...Array.from({ length: 17 }, (_, i) => i + 1), 28, 29, 30);
    epochs(test, LIFETIME_EPOCHS);
    expect(stateOf(test, byCandidates)).toBe(DISAPPROVED);
  });

  it('applies the newest first, so that the oldest has the last word', () => {
    const test = started();
    propose(test, [2n, 1n]);
    propose(test, [2n, 2n]);
    epochs(test, LIFETIME_EPOCHS);
    expect(test.ledger.long('CREATE_ACCOUNT_FEE')).toBe(1n);
  });

  it('leaves cancelled ones alone and stops at the first that was decided before', () => {
    const test = started();
    const cancelled = propose(test, [2n, 1n]);
    test.run(proposalDeleteContract, { owner_address: W1, proposal_id: cancelled });
    const open = propose(test, [4n, 1n]);
    const last = propose(test, [4n, 2n]);
    const { proposals } = test.ledger.state.tables;
    const [, , [key, newest]] = proposals.entries() as never as [unknown, unknown, [string, never]];
    proposals.set(key, { ...(newest as object), state: APPROVED } as never);
    epochs(test, LIFETIME_EPOCHS + 1);
    expect([cancelled, open, last].map((id) => stateOf(test, id))).toEqual([CANCELED, PENDING, APPROVED]);
  });

  it('a jump over several maintenance times decides only what had ended at the first', () => {
    const test = started();
    const id = propose(test, [2n, 5n]);
    test.blockAt(test.ledger.long('NEXT_MAINTENANCE_TIME') + 20n * EPOCH_MS);
    expect(stateOf(test, id)).toBe(PENDING);
    test.nextEpoch();
    expect(stateOf(test, id)).toBe(APPROVED);
  });

  it('dates a price change with the expiration, and lets entries build on one another', () => {
    const test = started();
    const id = propose(test, [11n, 420n], [3n, 140n]);
    const end = proposalById(test.ledger, id)?.expiration_time;
    epochs(test, LIFETIME_EPOCHS);
    expect(test.ledger.text('ENERGY_PRICE_HISTORY')).toBe(`0:100,${end}:420`);
    expect(test.ledger.text('BANDWIDTH_PRICE_HISTORY')).toBe(`0:1000,${end}:140`);
  });

  it('a new maintenance interval holds from the block that decides it', () => {
    const test = started();
    propose(test, [0n, 81_000n]);
    epochs(test, LIFETIME_EPOCHS);
    expect(test.ledger.long('NEXT_MAINTENANCE_TIME') - test.ledger.headTimeMs).toBe(81_000n);
  });
});

describe('refusals', () => {
  const stranger = address(77);

  it('of making one', () => {
    const test = started({ accounts: [stranger] });
    const create = (owner_address: string, ...parameters: readonly (readonly [bigint, bigint])[]) =>
      test.refusal(proposalCreateContract, { owner_address, parameters: new Map(parameters) });
    expect(create('41', [0n, 1n])).toBe('Invalid address');
    expect(create(address(78), [0n, 1n])).toBe(`Account[${address(78)}] not exists`);
    expect(create(stranger, [0n, 1n])).toBe(`Witness[${stranger}] not exists`);
    expect(create(W1)).toBe('This proposal has no parameter.');
    expect(create(W1, [2n, 1n], [27n, 1n])).toBe('Does not support code : 27');
  });

  it('of approving and deleting', () => {
    const test = started({ accounts: [stranger], witnessVotes: [1n, 1n] });
    const id = propose(test, [2n, 1n]);
    const approval = (owner_address: string, proposal_id: bigint, is_add_approval: boolean) =>
      test.refusal(proposalApproveContract, { owner_address, proposal_id, is_add_approval });
    const deletion = (owner_address: string, proposal_id: bigint) =>
      test.refusal(proposalDeleteContract, { owner_address, proposal_id });

    expect(approval(stranger, id, true)).toBe(`Witness[${stranger}] not exists`);
    expect(approval(W1, 0n, true)).toBe('Proposal[0] not exists');
    expect(approval(W1, -1n, true)).toBe('Proposal[-1] not exists');
    expect(approval(W1, 2n, true)).toBe('Proposal[2] not exists');
    expect(approval(W1, id, false)).toBe(`Witness[${W1}]has not approved proposal[1] before`);
    approve(test, id, 1);
    expect(approval(W1, id, true)).toBe(`Witness[${W1}]has approved proposal[1] before`);
    expect(deletion(address(2), id)).toBe(`Proposal[1] is not proposed by ${address(2)}`);

    const end = proposalById(test.ledger, id)?.expiration_time as bigint;
    test.ledger.setLong('latest_block_header_timestamp', end);
    expect(approval(address(2), id, true)).toBe('Proposal[1] expired');
    expect(deletion(W1, id)).toBe('Proposal[1] expired');
    test.ledger.setLong('latest_block_header_timestamp', end - 1n);
    test.run(proposalDeleteContract, { owner_address: W1, proposal_id: id });
    expect(approval(address(2), id, true)).toBe('Proposal[1] canceled');
    expect(deletion(W1, id)).toBe('Proposal[1] canceled');
  });
});
