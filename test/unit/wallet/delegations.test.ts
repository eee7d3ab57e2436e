/**
 * Lent stakes and unfreezes as they are asked for (protocol/http-endpoints.md#stake-20-queries-and-builders), beside
 * what the chain does with them.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../../src/primitives/ids.js';
import { ResourceCode } from '../../../src/protocol/generated/resource-code.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../src/protocol/generated/tron.js';
import { fullContext, type WalletContext } from '../../../src/wallet/context.js';
import {
  getAvailableUnfreezeCount,
  getCanDelegatedMaxSize,
  getCanWithdrawUnfreezeAmount,
  getDelegatedResourceAccountIndexV2,
  getDelegatedResourceV2,
} from '../../../src/wallet/delegations.js';
import { COIN, SimulatedChain, strangerAddress } from '../../simulation/simulated-chain.js';

const { BANDWIDTH, ENERGY } = ResourceCode;
const DAY_MS = 86_400_000n;

let chain: SimulatedChain;
let wallet: WalletContext;
let owner: Address;

beforeEach(async () => {
  chain = await SimulatedChain.open();
  wallet = fullContext(chain.node);
  owner = chain.address(0);
  for (const resource of [BANDWIDTH, ENERGY]) {
    chain.send(ContractType.FreezeBalanceV2Contract, { owner_address: owner, frozen_balance: 1_000n * COIN, resource });
  }
  chain.node.mine(1);
});

function delegate(to: Address, resource: number, coins: bigint, lock = false): void {
  chain.send(ContractType.DelegateResourceContract, {
    owner_address: owner,
    receiver_address: to,
    resource,
    balance: coins * COIN,
    lock,
    lock_period: 0n,
  });
  chain.node.mine(1);
}

function undelegate(to: Address, resource: number, coins: bigint): void {
  chain.send(ContractType.UnDelegateResourceContract, {
    owner_address: owner,
    receiver_address: to,
    resource,
    balance: coins * COIN,
  });
  chain.node.mine(1);
}

const between = (from: Address, to: Address) =>
  getDelegatedResourceV2(wallet, { fromAddress: from, toAddress: to }).delegatedResource;

describe('what one account has lent another', () => {
  test('is one record, and one more for what is locked', () => {
    const to = chain.address(1);
    expect(between(owner, to)).toEqual([]);
    delegate(to, ENERGY, 20n);
    expect(between(owner, to)).toMatchObject([
      { from: owner, to, frozen_balance_for_energy: 20n * COIN, frozen_balance_for_bandwidth: 0n },
    ]);
    delegate(to, BANDWIDTH, 7n, true);
    const expiry = chain.ledger.headTimeMs + 3n * DAY_MS;
    const [free, locked] = between(owner, to);
    expect(free).toMatchObject({ frozen_balance_for_energy: 20n * COIN, expire_time_for_energy: 0n });
    expect(locked?.frozen_balance_for_bandwidth).toBe(7n * COIN);
    // The lock runs from the block before.
    expect(expiry - (locked?.expire_time_for_bandwidth ?? 0n)).toBe(3_000n);
    expect(between(to, owner)).toEqual([]);

    undelegate(to, ENERGY, 20n);
    expect(between(owner, to)).toMatchObject([{ frozen_balance_for_bandwidth: 7n * COIN }]);
  });

  test('a lock that has ended shows as one until the pair has to do with each other again', () => {
    const to = chain.address(1);
    delegate(to, ENERGY, 5n, true);
    chain.node.advance(4n * DAY_MS);
    expect(between(owner, to)).toMatchObject([{ frozen_balance_for_energy: 5n * COIN }]);
    expect(between(owner, to)[0]?.expire_time_for_energy).toBeGreaterThan(0n);
    delegate(to, ENERGY, 1n);
    expect(between(owner, to)).toMatchObject([{ frozen_balance_for_energy: 6n * COIN, expire_time_for_energy: 0n }]);
  });
});

describe('with whom an account has to do', () => {
  const index = (address: Address) => getDelegatedResourceAccountIndexV2(wallet, { value: address });

  test('is told by the time of the last delegation', () => {
    const [one, two, three] = [1, 2, 3].map((i) => chain.address(i)) as [Address, Address, Address];
    for (const to of [two, three, one]) delegate(to, ENERGY, 1n);
    expect(index(owner)).toMatchObject({ account: owner, fromAccounts: [], toAccounts: [two, three, one] });
    delegate(two, BANDWIDTH, 1n);
    expect(index(owner)?.toAccounts).toEqual([three, one, two]);
    expect(index(two)).toMatchObject({ account: two, fromAccounts: [owner], toAccounts: [] });
    undelegate(three, ENERGY, 1n);
    expect(index(owner)?.toAccounts).toEqual([one, two]);
    expect(index(three)).toMatchObject({ account: three, fromAccounts: [], toAccounts: [] });
  });

  test('is nobody for a stranger, and nothing for what is no address', () => {
    const stranger = strangerAddress(1);
    expect(index(stranger)).toMatchObject({ account: stranger, fromAccounts: [], toAccounts: [] });
    expect(index(stranger.slice(2) as Address)).toBeUndefined();
    expect(index('' as Address)).toBeUndefined();
  });
});

describe('what could be lent', () => {
  const lendable = (address: Address, type: number) =>
    getCanDelegatedMaxSize(wallet, { owner_address: address, type }).max_size;

  test('is the stake that is neither lent nor used, and can be lent to the coin', () => {
    const before = lendable(owner, ENERGY);
    expect(before).toBe(1_000n * COIN);
    delegate(chain.address(1), ENERGY, 400n);
    expect(lendable(owner, ENERGY)).toBe(600n * COIN);
    // The transactions until now have used bandwidth, and the one that delegates would.
    expect(lendable(owner, BANDWIDTH)).toBeLessThan(1_000n * COIN);
    delegate(chain.address(1), ENERGY, 600n);
    expect(lendable(owner, ENERGY)).toBe(0n);
  });

  test('is nothing of a resource that cannot be lent, of an account without stake, of a stranger', () => {
    expect(lendable(owner, ResourceCode.TRON_POWER)).toBe(0n);
    expect(lendable(owner, 17)).toBe(0n);
    expect(lendable(chain.address(1), ENERGY)).toBe(0n);
    expect(lendable(strangerAddress(1), ENERGY)).toBe(0n);
  });
});

describe('unfreezes', () => {
  const unfreeze = (coins: bigint) => {
    chain.send(ContractType.UnfreezeBalanceV2Contract, {
      owner_address: owner,
      unfreeze_balance: coins * COIN,
      resource: ENERGY,
    });
    chain.node.mine(1);
  };
  const count = (address: Address) => getAvailableUnfreezeCount(wallet, { owner_address: address }).count;
  const due = (timestamp: bigint) => getCanWithdrawUnfreezeAmount(wallet, { owner_address: owner, timestamp }).amount;

  test('can be 32 at a time, and can be withdrawn when their time has come', () => {
    expect(count(owner)).toBe(32n);
    expect(count(strangerAddress(1))).toBe(0n);
    unfreeze(3n);
    const first = chain.ledger.headTimeMs;
    chain.node.advance(DAY_MS);
    unfreeze(5n);
    expect(count(owner)).toBe(30n);
    expect(due(0n)).toBe(0n);
    expect(due(first + 13n * DAY_MS)).toBe(0n);
    expect(due(first + 14n * DAY_MS)).toBe(3n * COIN);
    expect(due(first + 16n * DAY_MS)).toBe(8n * COIN);
    expect(due(-1n)).toBe(0n);
    chain.node.advance(13n * DAY_MS);
    expect(due(0n)).toBe(3n * COIN);
    // What can be withdrawn does not count any more.
    expect(count(owner)).toBe(31n);
    chain.send(ContractType.WithdrawExpireUnfreezeContract, { owner_address: owner });
    expect(due(0n)).toBe(0n);
    expect(count(owner)).toBe(31n);
  });
});
