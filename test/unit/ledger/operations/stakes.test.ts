/** Stakes out of nothing and lending by decree: every total, record and vote goes along, or nothing happens. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { partnersOf } from '../../../../src/ledger/stake/delegation-index.js';
import { delegatedV2 } from '../../../../src/ledger/stake/stakes.js';
import type { Address } from '../../../../src/primitives/ids.js';
import {
  Account,
  AccountType,
  Transaction_Contract_ContractType as ContractType,
} from '../../../../src/protocol/generated/tron.js';
import { ENERGY } from '../../../../src/resources/metered-account.js';
import { fullContext } from '../../../../src/wallet/context.js';
import { getDelegatedResourceV2 } from '../../../../src/wallet/delegations.js';
import { getAccountResource } from '../../../../src/wallet/resources.js';
import { COIN, type SimulatedChain, strangerAddress } from '../../../simulation/simulated-chain.js';
import { closeSound, decreedChain } from './decreed-chain.js';

let chain: SimulatedChain;
let alice: Address;
let bob: Address;
beforeEach(async () => {
  ({ chain, alice, bob } = await decreedChain({ networkStake: 'mainnet' }));
});
afterEach(() => closeSound(chain));

const account = (address: Address) => chain.ledger.state.tables.accounts.get(address)!;
const setStake = (address: Address, stakes: object, keepTotals = false) =>
  chain.node.operations.apply('setStake', { address, stakes, keepTotals });
const setDelegation = (lent: object, lockUntilMs?: bigint, to = bob) =>
  chain.node.operations.apply('setDelegation', { from: alice, to, lent, lockUntilMs });
const resources = (address: Address) => getAccountResource(fullContext(chain.node), Account.create({ address }))!;
const recordsTo = (to: Address) =>
  getDelegatedResourceV2(fullContext(chain.node), { fromAddress: alice, toAddress: to }).delegatedResource;

describe('a stake', () => {
  it('is so much, and counts in the total', () => {
    const { balance } = account(alice);
    const total = chain.ledger.long('TOTAL_ENERGY_WEIGHT');
    expect(setStake(alice, { energy: 5_500_000n, bandwidth: 3n * COIN })).toEqual({
      energy: 5_500_000n,
      bandwidth: 3n * COIN,
      tronPower: 0n,
    });
    expect(chain.ledger.long('TOTAL_ENERGY_WEIGHT')).toBe(total + 5n);
    setStake(alice, { energy: 1n });
    expect(chain.ledger.long('TOTAL_ENERGY_WEIGHT')).toBe(total);
    expect(account(alice)).toMatchObject({
      balance,
      frozenV2: [
        { type: 0, amount: 3n * COIN },
        { type: 1, amount: 1n },
      ],
    });
    expect(resources(alice).NetLimit).toBeGreaterThan(0n);
  });

  it('leaves the totals where it is asked to, and others the less', () => {
    const total = chain.ledger.long('TOTAL_ENERGY_WEIGHT');
    setStake(strangerAddress(1), { energy: 1_000_000n * COIN }, true);
    expect(chain.ledger.long('TOTAL_ENERGY_WEIGHT')).toBe(total);
    expect(() => setStake(alice, { energy: total * COIN }, true)).toThrow('the stakes of accounts');
  });

  it('that is less than the votes need cuts them', () => {
    setStake(alice, { energy: 100n * COIN });
    chain.send(ContractType.VoteWitnessContract, {
      owner_address: alice,
      votes: [{ vote_address: chain.witness(0), vote_count: 100n }],
    });
    chain.node.mine(1);
    setStake(alice, { energy: 40n * COIN });
    expect(account(alice).votes).toEqual([{ vote_address: chain.witness(0), vote_count: 40n }]);
    setStake(alice, { energy: 0n });
    expect(account(alice).votes).toEqual([]);
  });

  it('cannot be less than what is lent of it, nor what no stake is', () => {
    setStake(alice, { energy: 100n * COIN });
    setDelegation({ energy: 60n * COIN });
    expect(() => setStake(alice, { energy: 60n * COIN - 1n })).toThrow('has delegated to others');
    setStake(alice, { energy: 60n * COIN });
    expect(() => setStake(alice, { energy: -1n })).toThrow('energy must be 0 to');
    expect(() => setStake(alice, { energy: 2n ** 63n })).toThrow('energy must be 0 to');
    expect(() => setStake(alice, { tronPower: 1n })).toThrow('getAllowNewResourceModel');
  });
});

describe('a delegation', () => {
  beforeEach(() => {
    setStake(alice, { energy: 100n * COIN, bandwidth: 10n * COIN });
  });

  it('is so much, in both accounts, the records and the index', () => {
    setDelegation({ energy: 60n * COIN, bandwidth: 1n });
    expect(recordsTo(bob)).toMatchObject([{ frozen_balance_for_energy: 60n * COIN, frozen_balance_for_bandwidth: 1n }]);
    setDelegation({ energy: 20n * COIN });
    expect(delegatedV2(account(alice), ENERGY)).toBe(20n * COIN);
    expect(account(alice).frozenV2).toContainEqual({ type: 1, amount: 80n * COIN });
    setDelegation({ energy: 0n });
    expect(partnersOf(chain.ledger, 2, 'to', alice)).toHaveLength(1);
    setDelegation({ bandwidth: 0n });
    expect(partnersOf(chain.ledger, 2, 'to', alice)).toEqual([]);
    expect(recordsTo(bob)).toEqual([]);
  });

  it('is locked until the moment that is said, and the transaction that takes it back says so', () => {
    const lockUntil = chain.ledger.headTimeMs + 600_000n;
    const takeBack = () =>
      chain.send(ContractType.UnDelegateResourceContract, {
        owner_address: alice,
        receiver_address: bob,
        balance: 5n * COIN,
        resource: 1,
      });
    setDelegation({ energy: 30n * COIN }, lockUntil);
    expect(recordsTo(bob)).toMatchObject([
      { frozen_balance_for_energy: 30n * COIN, expire_time_for_energy: lockUntil },
    ]);
    expect(takeBack).toThrow();
    setDelegation({ energy: 10n * COIN }, lockUntil);
    expect(takeBack).toThrow();
    chain.node.advance(700_000n);
    takeBack();
    chain.node.mine(1);
    expect(delegatedV2(account(alice), ENERGY)).toBe(5n * COIN);
    setDelegation({ energy: 5n * COIN }, chain.ledger.headTimeMs + 1n);
    setDelegation({ energy: 5n * COIN });
    expect(recordsTo(bob)).toMatchObject([{ frozen_balance_for_energy: 5n * COIN, expire_time_for_energy: 0n }]);
  });

  it('creates the receiver, and is refused for contracts', () => {
    const stranger = strangerAddress(3);
    setDelegation({ energy: 10n * COIN }, undefined, stranger);
    expect(resources(stranger).EnergyLimit).toBeGreaterThan(0n);
    expect(() => setDelegation({ energy: 91n * COIN })).toThrow('is more than the stake');
    expect(() => setDelegation({ energy: -1n })).toThrow('0 sun or more');
    expect(() => setDelegation({ energy: 1n }, 5n)).toThrow("after the head's time");
    expect(() => setDelegation({ energy: 1n }, undefined, alice)).toThrow('must differ');
    chain.node.operations.apply('setCode', { address: strangerAddress(4), code: '00' });
    expect(account(strangerAddress(4)).type).toBe(AccountType.Contract);
    expect(() => setDelegation({ energy: 1n }, undefined, strangerAddress(4))).toThrow('is a contract');
  });

  it('brings usage back with it', () => {
    setDelegation({ energy: 100n * COIN });
    const limit = resources(bob).EnergyLimit;
    setUsed(bob, { energyUsage: limit });
    setDelegation({ energy: 0n });
    expect(resources(bob).EnergyUsed).toBe(0n);
    expect(resources(alice).EnergyUsed).toBeGreaterThan(limit / 2n);
  });
});

const setUsed = (address: Address, used: object, atMs?: bigint) =>
  chain.node.operations.apply('setAccountResources', { address, used, atMs });

describe('what is used', () => {
  beforeEach(() => {
    setStake(alice, { energy: 1_000_000n * COIN, bandwidth: 1_000_000n * COIN });
  });

  it('is so much now, and comes back', () => {
    setUsed(alice, { energyUsage: 28_800n, netUsage: 100n, freeNetUsage: 300n });
    expect(resources(alice)).toMatchObject({ EnergyUsed: 28_800n, NetUsed: 100n, freeNetUsed: 300n });
    chain.node.advance(43_200_000n);
    expect(resources(alice)).toMatchObject({ EnergyUsed: 14_400n, freeNetUsed: 150n });
    setUsed(alice, { energyUsage: 0n, netUsage: 0n, freeNetUsage: 0n });
    expect(resources(alice)).toMatchObject({ EnergyUsed: 0n, NetUsed: 0n, freeNetUsed: 0n });
  });

  it('was used at a moment, and comes back within the window that is said', () => {
    chain.node.advance(43_200_000n);
    setUsed(alice, { energyUsage: 28_800n }, chain.ledger.headTimeMs - 21_600_000n);
    expect(resources(alice).EnergyUsed).toBe(21_600n);
    setUsed(alice, { energyUsage: 10_000n, energyWindow: 100n });
    chain.node.advance(150_000n);
    expect(resources(alice).EnergyUsed).toBe(5_000n);
  });

  it('cannot be in the future, negative, or beyond all measure', () => {
    expect(() => setUsed(alice, { energyUsage: 1n }, chain.ledger.headTimeMs + 1n)).toThrow('the head (');
    expect(() => setUsed(alice, { energyUsage: 1n }, 0n)).toThrow('the genesis (');
    expect(() => setUsed(alice, { netUsage: -1n })).toThrow('netUsage must be 0 to');
    expect(() => setUsed(alice, { freeNetUsage: 2n ** 40n })).toThrow('freeNetUsage must be 0 to');
    expect(() => setUsed(alice, { energyUsage: 1n, energyWindow: 28_801n })).toThrow('1 to 28800 slots');
    expect(() => setUsed(alice, { energyWindow: 5n })).toThrow('needs energyUsage');
    setUsed(alice, { energyUsage: 160_127_986_743n, netUsage: 160_127_986_743n });
    chain.transfer(0, bob, 1n);
  });
});
