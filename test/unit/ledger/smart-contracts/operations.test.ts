/**
 * What opcodes do to the ledger where no recording shows it: stake 1.0
 * (protocol/calls.md#selfdestruct, protocol/opcodes.md#tron-opcodes,
 * protocol/staking.md#weights), the compatible EVM, several witnesses, and contracts that vanish before the bill is
 * paid.
 */

import { describe, expect, it } from 'vitest';
import { clearABIContract } from '../../../../src/ledger/contracts/ClearABIContract.js';
import { updateEnergyLimitContract } from '../../../../src/ledger/contracts/UpdateEnergyLimitContract.js';
import { updateSettingContract } from '../../../../src/ledger/contracts/UpdateSettingContract.js';
import { ConstantCalls } from '../../../../src/ledger/smart-contracts/constant-call.js';
import { LedgerHost } from '../../../../src/ledger/smart-contracts/host.js';
import { delegationKey, recordAt } from '../../../../src/ledger/stake/delegation-records.js';
import { type Hex, hexToBytes } from '../../../../src/primitives/hex.js';
import type { Address, TxId } from '../../../../src/primitives/ids.js';
import { SmartContract_ABI, TriggerSmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import type { Account, InternalTransaction } from '../../../../src/protocol/generated/tron.js';
import { Transaction_Result_contractResult as Result } from '../../../../src/protocol/generated/tron.js';
import { keccak256 } from '../../../../src/protocol/hashes.js';
import { BANDWIDTH, ENERGY } from '../../../../src/resources/metered-account.js';
import { type Called, ContractChain, initCodeOf } from '../contract-chain.js';
import { address } from '../epoch-ledger.js';
import { addressOf, advance, COIN, refusal, run } from '../small-ledger.js';

const DAY_MS = 86_400_000n;
const OWNER = addressOf(0);
const STAKE_V1 = { ALLOW_TVM_FREEZE: 1n, UNFREEZE_DELAY_DAYS: 0n };

function contractChain(longs: Readonly<Record<string, bigint>> = {}): ContractChain {
  const chain = new ContractChain();
  for (const [name, value] of Object.entries(longs)) chain.ledger.setLong(name as 'ALLOW_TVM_FREEZE', value);
  return chain;
}

const push = (value: bigint | Address): Hex =>
  `7f${typeof value === 'bigint' ? BigInt.asUintN(256, value).toString(16).padStart(64, '0') : value.slice(2).padStart(64, '0')}`;

/** Pushes the operands, the first one on top, runs the opcode and returns what it pushed. */
const operation = (opcode: string, ...operands: (bigint | Address)[]): Hex =>
  `${[...operands].reverse().map(push).join('')}${opcode}5f5260205ff3`;

interface Answer {
  readonly word: bigint;
  readonly called: Called;
  readonly trace: readonly { readonly note: string; readonly value: bigint; readonly rejected: boolean }[];
}

/** A contract that does whatever it is given to do. */
class Hand {
  readonly #chain: ContractChain;
  readonly contract: Address;

  constructor(chain: ContractChain, balance: bigint) {
    this.#chain = chain;
    this.contract = chain.place('00', { origin: OWNER });
    chain.chain.edit(this.contract, { balance });
  }

  get account(): Account {
    return this.#chain.chain.account(this.contract);
  }

  run(code: Hex): Answer {
    new LedgerHost(this.#chain.ledger, { timestampMs: 0n }).setCode(this.contract, hexToBytes(code));
    const called = this.#chain.call(this.contract);
    const trace = called.internalTransactions.map((each: InternalTransaction) => ({
      note: Buffer.from(each.note, 'hex').toString(),
      value: each.callValueInfo[0]?.callValue ?? 0n,
      rejected: each.rejected,
    }));
    return { word: called.returnData === '' ? 0n : BigInt(`0x${called.returnData}`), called, trace };
  }

  do(opcode: string, ...operands: (bigint | Address)[]): Answer {
    return this.run(operation(opcode, ...operands));
  }
}

describe('stake 1.0 in contracts', () => {
  it('counts the whole coins of each operation, below 0 too', () => {
    const chain = contractChain(STAKE_V1);
    const hand = new Hand(chain, 1_000n * COIN);
    const weights = [200_500_000n, 1_900_000n, COIN, COIN].map((sun) => {
      expect(hand.do('d5', 1n, sun, hand.contract).word).toBe(1n);
      return chain.ledger.long('TOTAL_ENERGY_WEIGHT');
    });
    expect(weights).toEqual([200n, 201n, 202n, 203n]);
    advance(chain.ledger, 3n * DAY_MS);
    const { word, trace } = hand.do('d6', 1n, hand.contract);
    expect(word).toBe(1n);
    expect(trace).toEqual([{ note: 'unfreezeForEnergy', value: 204_400_000n, rejected: false }]);
    expect(chain.ledger.long('TOTAL_ENERGY_WEIGHT')).toBe(-1n);
    expect(hand.account.balance).toBe(1_000n * COIN);
  });

  it('lends to an account that it makes, and takes back; the record stays', () => {
    const chain = contractChain(STAKE_V1);
    const hand = new Hand(chain, 100n * COIN);
    const receiver = addressOf(9);
    const key = delegationKey.v1(hand.contract, receiver);
    const frozen = hand.do('d5', 0n, 10n * COIN, receiver);
    expect(frozen.word).toBe(1n);
    // Three words pushed, the opcode with a missing receiver, the answer stored and returned.
    expect(frozen.called.energyUsageTotal).toBe(9n + 45_000n + 2n + 4n + 3n + 2n);
    expect(chain.account(9)).toMatchObject({ acquired_delegated_frozen_balance_for_bandwidth: 10n * COIN, type: 0 });
    expect(chain.account(9).owner_permission).toBeDefined();
    const expiryMs = chain.ledger.headTimeMs + 3n * DAY_MS;
    expect(hand.do('d7', 0n, receiver).word).toBe(expiryMs / 1000n);
    expect(hand.do('d7', 1n, receiver).word).toBe(0n);

    const early = hand.do('d6', 0n, receiver);
    expect(early.word).toBe(0n);
    expect(early.trace[0]?.rejected).toBe(true);
    advance(chain.ledger, 3n * DAY_MS);
    expect(hand.do('d6', 0n, receiver).word).toBe(1n);
    expect(hand.account).toMatchObject({ balance: 100n * COIN, delegated_frozen_balance_for_bandwidth: 0n });
    expect(chain.account(9).acquired_delegated_frozen_balance_for_bandwidth).toBe(0n);
    expect(recordAt(chain.ledger, key)).toMatchObject({ frozen_balance_for_bandwidth: 0n, from: hand.contract });
  });

  it.each([
    ['less than a coin', 1n, COIN - 1n, 'self'],
    ['more than it has', 1n, 101n * COIN, 'self'],
    ['tron power', 2n, COIN, 'self'],
    ['an amount that is no long', 1n, 2n ** 64n, 'self'],
    ['another contract as receiver', 1n, COIN, 'contract'],
  ])('refuses %s', (_, resource, sun, to) => {
    const chain = contractChain(STAKE_V1);
    const hand = new Hand(chain, 100n * COIN);
    const receiver = to === 'self' ? hand.contract : chain.place('00', { origin: OWNER });
    const { word, trace } = hand.do('d5', resource, sun, receiver);
    expect(word).toBe(0n);
    expect(trace[0]).toMatchObject({ rejected: true, value: BigInt.asIntN(64, sun) });
    expect(hand.account.balance).toBe(100n * COIN);
  });

  it('does nothing under stake 2.0', () => {
    const chain = contractChain({ ALLOW_TVM_FREEZE: 1n });
    const hand = new Hand(chain, 100n * COIN);
    const { word, trace, called } = hand.do('d5', 1n, COIN, addressOf(9));
    expect([word, trace.length]).toEqual([0n, 0]);
    expect(called.energyUsageTotal).toBe(9n + 45_000n + 2n + 4n + 3n + 2n);
  });

  it.each([
    ['survive a rest that covers them', 3_000n, 3_000n * COIN, 3_000n],
    ['go all when it does not', 330n, 290_500_000n, 0n],
  ])('votes %s', (_, votes, restSun, left) => {
    const chain = contractChain(STAKE_V1);
    const hand = new Hand(chain, 10_000n * COIN);
    hand.do('d5', 1n, restSun, hand.contract);
    hand.do('d5', 0n, 100n * COIN, hand.contract);
    chain.chain.edit(hand.contract, { votes: [{ vote_address: address(1), vote_count: votes }] });
    advance(chain.ledger, 3n * DAY_MS);
    expect(hand.do('d6', 0n, hand.contract).word).toBe(1n);
    expect(hand.account.votes.reduce((sum, { vote_count }) => sum + vote_count, 0n)).toBe(left);
    expect(chain.ledger.state.tables.votes.has(hand.contract)).toBe(left === 0n);
  });

  it('pays the stakes of the destroyed to the heir', () => {
    const chain = contractChain(STAKE_V1);
    const hand = new Hand(chain, 100n * COIN);
    hand.do('d5', 0n, 30_500_000n, hand.contract);
    hand.do('d5', 1n, 20_700_000n, hand.contract);
    const before = chain.account(3).balance;
    const weights = () => [chain.ledger.long('TOTAL_NET_WEIGHT'), chain.ledger.long('TOTAL_ENERGY_WEIGHT')];
    const weighed = weights();
    const { trace } = hand.run(`${push(addressOf(3))}ff`);
    expect(trace).toEqual([{ note: 'suicide', value: 48_800_000n, rejected: false }]);
    expect(chain.account(3).balance - before).toBe(100n * COIN);
    expect(weights()).toEqual(weighed.map((weight, i) => weight - [30n, 20n][i]!));
    expect(chain.ledger.state.tables.accounts.has(hand.contract)).toBe(false);
  });

  it('may not die with stake lent out', () => {
    const chain = contractChain(STAKE_V1);
    const hand = new Hand(chain, 100n * COIN);
    hand.do('d5', 1n, COIN, addressOf(1));
    expect(hand.run(`${push(addressOf(3))}ff`).called.contractResult).toBe(Result.REVERT);
  });
});

describe('stake 2.0 in contracts', () => {
  it('lets the network weight fall below 0', () => {
    const chain = contractChain();
    const hand = new Hand(chain, 0n);
    chain.chain.edit(hand.contract, { frozenV2: [{ type: ENERGY, amount: 5n * COIN }] });
    expect(chain.ledger.long('TOTAL_ENERGY_WEIGHT')).toBe(0n);
    expect(hand.do('db', 1n, 2n * COIN).word).toBe(1n);
    expect(chain.ledger.long('TOTAL_ENERGY_WEIGHT')).toBe(-2n);
  });

  it('hands stake and usage over to the heir', () => {
    const chain = contractChain({ TOTAL_ENERGY_WEIGHT: 1_000n });
    const hand = new Hand(chain, 7n * COIN);
    chain.chain.edit(hand.contract, {
      frozenV2: [{ type: BANDWIDTH, amount: 3n * COIN }],
      net_usage: 500n,
      unfrozenV2: [{ type: ENERGY, unfreeze_amount: 2n * COIN, unfreeze_expire_time: chain.ledger.headTimeMs }],
    });
    const before = chain.account(3);
    const { trace } = hand.run(`${push(addressOf(3))}ff`);
    expect(trace).toEqual([
      { note: 'suicide', value: 9n * COIN, rejected: false },
      { note: 'withdrawExpireUnfreezeWhileSuiciding', value: 2n * COIN, rejected: false },
    ]);
    const heir = chain.account(3);
    expect(heir.balance - before.balance).toBe(9n * COIN);
    expect(heir.frozenV2).toEqual([{ type: BANDWIDTH, amount: 3n * COIN }]);
    expect(heir.net_usage).toBe(500n);
  });
});

describe('votes in contracts', () => {
  /** VOTEWITNESS over two arrays in memory. */
  function vote(hand: Hand, votes: readonly (readonly [Address, bigint])[]): Answer {
    const words: (bigint | Address)[] = [
      BigInt(votes.length),
      ...votes.map(([witness]) => witness),
      BigInt(votes.length),
      ...votes.map(([, count]) => count),
    ];
    const stored = words.map((word, i) => `${push(word)}61${(32 * i).toString(16).padStart(4, '0')}52`).join('');
    const amountsAt = BigInt(32 * (votes.length + 1));
    const length = BigInt(votes.length);
    return hand.run(stored + operation('d8', length, amountsAt, length, 0n));
  }

  function voters(): { chain: ContractChain; hand: Hand; witnesses: readonly Address[] } {
    const chain = contractChain();
    const witnesses = [address(1), addressOf(0), addressOf(1), addressOf(2)];
    const [first, ...others] = witnesses;
    const record = chain.ledger.state.tables.witnesses.get(first as Address)!;
    for (const each of others) chain.ledger.state.tables.witnesses.set(each, { ...record, address: each });
    const hand = new Hand(chain, 0n);
    chain.chain.edit(hand.contract, { frozenV2: [{ type: ENERGY, amount: 100n * COIN }] });
    return { chain, hand, witnesses };
  }

  it('merges what is for one witness and leaves out zeros', () => {
    const { chain, hand, witnesses } = voters();
    const [a, b, c] = witnesses as [Address, Address, Address];
    expect(vote(hand, [[a, 10n], [b, 0n], [c, 30n], [a, 5n]]).word).toBe(1n); // biome-ignore format: one line
    const cast = new Map(hand.account.votes.map(({ vote_address, vote_count }) => [vote_address, vote_count]));
    expect(cast).toEqual(new Map([[a, 15n], [c, 30n]])); // biome-ignore format: one line
    expect(chain.ledger.state.tables.votes.get(hand.contract)?.new_votes).toEqual(hand.account.votes);
  });

  it('keeps the order of a HashMap over ByteStrings', () => {
    const { hand, witnesses } = voters();
    expect(
      vote(
        hand,
        witnesses.map((each) => [each, 1n] as const),
      ).word,
    ).toBe(1n);
    // Addresses that differ in their last byte alone have hash codes that differ by as much: buckets follow each other.
    const buckets = hand.account.votes.map(({ vote_address }) => bucketOf(vote_address));
    expect(buckets).toEqual([...buckets].sort((x, y) => x - y));
    expect(new Set(buckets).size).toBeGreaterThan(1);
  });

  /** `ByteString.hashCode` spread over 16 buckets, in exact integers. */
  function bucketOf(of: string): number {
    const hash = [...hexToBytes(of)].reduce((sum, byte) => 31n * sum + BigInt((byte << 24) >> 24), 21n);
    const bits = BigInt.asUintN(32, hash);
    return Number((bits ^ (bits >> 16n)) & 15n);
  }

  it.each([
    ['more than its power', 101n],
    ['a negative count', -1n],
  ])('refuses %s and leaves everything as it was', (_, count) => {
    const { chain, hand, witnesses } = voters();
    const first = witnesses[0] as Address;
    vote(hand, [[first, 7n]]);
    const { votes, voterSettlements } = chain.ledger.state.tables;
    const before = [hand.account.votes, votes.get(hand.contract), voterSettlements.get(hand.contract)];
    const { word, trace } = vote(hand, [[first, count]]);
    expect([word, trace[0]?.rejected]).toEqual([0n, true]);
    expect([hand.account.votes, votes.get(hand.contract), voterSettlements.get(hand.contract)]).toEqual(before);
  });

  it('tron power stakes count only under stake 2.0', () => {
    const { chain, hand, witnesses } = voters();
    chain.ledger.setLong('ALLOW_NEW_RESOURCE_MODEL', 1n);
    chain.chain.edit(hand.contract, { frozenV2: [{ type: 2, amount: 5n * COIN }], old_tron_power: -1n });
    expect(vote(hand, [[witnesses[0] as Address, 5n]]).word).toBe(1n);
    chain.ledger.setLong('UNFREEZE_DELAY_DAYS', 0n);
    expect(vote(hand, [[witnesses[0] as Address, 5n]]).word).toBe(0n);
  });
});

describe('the compatible EVM', () => {
  const COMPATIBLE = { ALLOW_TVM_COMPATIBLE_EVM: 1n };

  it('deploys contracts of version 1, whose slots lie under hashed keys and which know the price', () => {
    const chain = contractChain(COMPATIBLE);
    // GASPRICE into slot 5, then returned.
    const { contractAddress } = chain.deploy(initCodeOf('3a8060055500'));
    expect(chain.ledger.state.tables.contracts.get(contractAddress)?.version).toBe(1);
    expect(chain.call(contractAddress as Address).contractResult).toBe(Result.SUCCESS);
    const prefix = keccak256(hexToBytes(contractAddress)).slice(0, 32);
    const hashed = keccak256(hexToBytes('05'.padStart(64, '0')));
    expect(chain.ledger.state.tables.storage.get(prefix + hashed.slice(32))).toBe(100n);
  });

  it('leaves contracts of version 0 as they were', () => {
    const chain = contractChain(COMPATIBLE);
    const contract = chain.place('3a8060055500', { origin: OWNER });
    chain.call(contract);
    const prefix = keccak256(hexToBytes(contract)).slice(0, 32);
    expect(chain.ledger.state.tables.storage.get(`${prefix}${'05'.padStart(32, '0')}`)).toBeUndefined();
    // A price of 0 is no row.
    expect(chain.ledger.state.tables.storage.get(`${prefix}${'00'.repeat(16)}`)).toBeUndefined();
  });

  it('keeps a 64th back from every call and creation, and passes the version on', () => {
    const chain = contractChain(COMPATIBLE);
    const invalid = chain.place('fe', { origin: OWNER });
    const { contractAddress: caller } = chain.deploy(initCodeOf(`5f5f5f5f5f${push(invalid)}5af100`));
    const feeLimitSun = 100_000n * 100n;
    const { energyUsageTotal, contractResult } = chain.call(caller as Address, { feeLimitSun });
    expect(contractResult).toBe(Result.SUCCESS);
    const left = 100_000n - (5n * 2n + 3n + 2n + 40n);
    expect(100_000n - energyUsageTotal).toBe(left / 64n);

    const { contractAddress: maker } = chain.deploy(initCodeOf('5f5f5ff05f5260205ff3'));
    const made = chain.call(maker as Address);
    const child = `41${made.returnData.slice(24)}`;
    expect(chain.ledger.state.tables.contracts.get(child)?.version).toBe(1);
  });

  it('answers RIPEMD-160 at 0x20003', () => {
    const chain = contractChain(COMPATIBLE);
    const hand = new Hand(chain, 0n);
    const ripemd = hand.run(`60205f5f5f${push(0x20003n)}5afa60205ff3`);
    expect(ripemd.word).toBe(0x9c1185a5c5e9fc54612808977ee8f548b2258d31n);
  });
});

describe('contracts that vanish', () => {
  it.each([0n, 1n])('leave all tokens by id, also those they hold 0 of (ALLOW_SAME_TOKEN_NAME %d)', (mode) => {
    const chain = contractChain({ ALLOW_SAME_TOKEN_NAME: mode });
    const contract = chain.place(`${push(addressOf(1))}ff`, { origin: OWNER });
    const held: [string, bigint][] = [
      ['1000001', 0n],
      ['1000002', 5n],
    ];
    chain.chain.edit(contract, { assetV2: new Map(held) });
    chain.edit(1, { assetV2: new Map([['1000002', 2n]]) });
    expect(chain.call(contract).contractResult).toBe(Result.SUCCESS);
    expect(Object.fromEntries(chain.account(1).assetV2)).toEqual({ '1000001': 0n, '1000002': 7n });
    expect(chain.account(1).asset.size).toBe(0);
  });

  it('the deployer of the called contract may destroy itself in the call', () => {
    const chain = contractChain();
    const maker = chain.place('33ff', { origin: OWNER });
    const called = chain.place(`5f5f5f5f5f${push(maker)}5af100`, { origin: maker });
    const { contractResult, receipt } = chain.call(called);
    expect(contractResult).toBe(Result.SUCCESS);
    expect(receipt.origin_energy_usage).toBe(0n);
    expect(chain.ledger.state.tables.accounts.has(maker)).toBe(false);
    expect(chain.ledger.state.tables.contracts.has(maker)).toBe(false);
  });

  it('a failed call destroys nobody', () => {
    const chain = contractChain();
    const mortal = chain.place('33ff', { origin: OWNER });
    const called = chain.place(`5f5f5f5f5f${push(mortal)}5af1fe`, { origin: OWNER });
    expect(chain.call(called).contractResult).toBe(Result.ILLEGAL_OPERATION);
    expect(chain.ledger.state.tables.accounts.has(mortal)).toBe(true);
  });
});

describe('contract administration (protocol/contract-types.md#contract-administration)', () => {
  const MISSING = address(0xdead);

  it('belongs to the deployer', () => {
    const chain = contractChain();
    const contract = chain.place('00', { origin: OWNER });
    const other = addressOf(1);
    const setting = (owner: Address, of: Address, percent: bigint) =>
      refusal(() =>
        run(chain.chain, updateSettingContract, {
          owner_address: owner,
          contract_address: of,
          consume_user_resource_percent: percent,
        }),
      );
    const limit = (owner: Address, of: Address, energy: bigint) =>
      refusal(() =>
        run(chain.chain, updateEnergyLimitContract, {
          owner_address: owner,
          contract_address: of,
          origin_energy_limit: energy,
        }),
      );
    const clear = (owner: Address, of: Address) =>
      refusal(() => run(chain.chain, clearABIContract, { owner_address: owner, contract_address: of }));
    const notOwner = `Account[${other}] is not the owner of the contract`;

    expect(setting(OWNER, contract, 101n)).toBe('percent not in [0, 100]');
    expect(setting(OWNER, MISSING, 1n)).toBe('Contract does not exist');
    expect(setting(MISSING, contract, 1n)).toBe(`Account[${MISSING}] does not exist`);
    expect(setting(other, contract, 1n)).toBe(notOwner);
    expect(setting(OWNER, contract, 30n)).toBeUndefined();
    expect(limit(OWNER, contract, 0n)).toBe('origin energy limit must be > 0');
    expect(limit(OWNER, MISSING, 1n)).toBe('Contract does not exist');
    expect(limit(other, contract, 1n)).toBe(notOwner);
    expect(limit(OWNER, contract, 777n)).toBeUndefined();
    expect(chain.ledger.state.tables.contracts.get(contract)).toMatchObject({
      consume_user_resource_percent: 30n,
      origin_energy_limit: 777n,
    });

    chain.ledger.state.tables.abis.set(contract, SmartContract_ABI.empty);
    expect(clear(MISSING, contract)).toBe(`Account[${MISSING}] not exists`);
    expect(clear(OWNER, MISSING)).toBe('Contract not exists');
    expect(clear(other, contract)).toBe(notOwner);
    expect(clear(OWNER, contract)).toBeUndefined();
    expect(chain.ledger.state.tables.abis.has(contract)).toBe(false);
    chain.ledger.setLong('ALLOW_TVM_CONSTANTINOPLE', 0n);
    expect(clear(OWNER, contract)).toBe('contract type error,unexpected type [ClearABIContract]');
  });
});

describe('refusals before the code runs (protocol/contract-runs.md#checks-before-the-code-runs)', () => {
  it('come in order, and leave nothing behind', () => {
    const chain = contractChain();
    const contract = chain.place('00', { origin: OWNER });
    const empty = chain.place('', { origin: OWNER });
    const call = (options: Parameters<ContractChain['call']>[1], to: Address = contract) =>
      refusal(() => chain.call(to, options));
    expect(call({}, address(0xdead))).toBe('No contract or not a smart contract');
    expect(call({ callValueSun: -1n, feeLimitSun: -1n })).toBe('callValue must be >= 0');
    expect(call({ feeLimitSun: -1n })).toBe('feeLimit must be >= 0 and <= 15000000000');
    expect(call({ callValueSun: 1_001n * COIN })).toBe('Validate InternalTransfer error, balance is not sufficient.');
    expect(call({}, empty)).toBe('null');
    const deploy = (change: Parameters<ContractChain['deploy']>[1], options?: Parameters<ContractChain['deploy']>[2]) =>
      refusal(() => chain.deploy('00', change, options));
    expect(deploy({ origin_address: addressOf(1) })).toBe('OwnerAddress is not equals OriginAddress');
    expect(deploy({ name: 'x'.repeat(33), consume_user_resource_percent: 101n })).toBe(
      "contractName's length cannot be greater than 32",
    );
    expect(deploy({ consume_user_resource_percent: 101n })).toBe('percent must be >= 0 and <= 100');
    expect(deploy({ origin_energy_limit: 0n })).toBe('The originEnergyLimit must be > 0');
    expect(deploy({ call_value: 1_001n * COIN })).toBe('Validate InternalTransfer error, balance is not sufficient.');
    expect(chain.account(0).account_resource).toBeUndefined();
  });
});

describe('constant calls', () => {
  it('look at tokens only where calls carry them', () => {
    const chain = contractChain();
    const contract = chain.place('00', { origin: OWNER });
    const message = TriggerSmartContract.create({
      owner_address: OWNER,
      contract_address: contract,
      token_id: 7n,
      call_token_value: -1n,
    });
    const call = () => new ConstantCalls().run(chain.ledger, message, { txId: '00'.repeat(32) as TxId });
    expect(refusal(call)).toBe('tokenValue must be >= 0');
    chain.ledger.setLong('ALLOW_TVM_TRANSFER_TRC10', 0n);
    expect(call().runtimeError).toBeUndefined();
  });
});

describe('deployments before Constantinople', () => {
  const BEFORE = { ALLOW_TVM_CONSTANTINOPLE: 0n, ALLOW_TVM_SOLIDITY_059: 0n, ALLOW_TVM_ISTANBUL: 0n };

  it('store what stands behind RETURN STOP in the init code, and pay for what is returned', () => {
    const chain = contractChain(BEFORE);
    // Returns one byte; a RETURN STOP that is data of a PUSH2 does not count.
    const { contractAddress, energyUsageTotal } = chain.deploy('61f3005060016000f300602a5f52');
    const { codes, contracts } = chain.ledger.state.tables;
    expect(Buffer.from(codes.get(contractAddress) ?? []).toString('hex')).toBe('602a5f52');
    expect(contracts.get(contractAddress)?.code_hash).toBe('');
    expect(energyUsageTotal).toBe(3n + 2n + 3n + 3n + 3n + 200n);
  });

  it('get the hash of their code when EXTCODEHASH first asks for it', () => {
    const chain = contractChain(BEFORE);
    const { contractAddress } = chain.deploy('00f300602a5f52');
    const { contracts } = chain.ledger.state.tables;
    expect(contracts.get(contractAddress)?.code_hash).toBe('');
    chain.ledger.setLong('ALLOW_TVM_CONSTANTINOPLE', 1n);
    const hash = keccak256(hexToBytes('602a5f52'));
    expect(new Hand(chain, 0n).do('3f', contractAddress as Address).word).toBe(BigInt(`0x${hash}`));
    expect(contracts.get(contractAddress)?.code_hash).toBe(hash);
  });

  it('store a word of zeros when there is none', () => {
    const chain = contractChain(BEFORE);
    const { contractAddress } = chain.deploy('6001600052');
    expect(chain.ledger.state.tables.codes.get(contractAddress)).toEqual(new Uint8Array(32));
  });
});
