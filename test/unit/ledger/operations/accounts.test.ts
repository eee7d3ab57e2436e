/** Fields of accounts and tokens by decree: what a transaction could not have made is refused. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountPatch } from '../../../../src/ledger/operations/set-account.js';
import { utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { deployedContractAddress } from '../../../../src/protocol/address.js';
import { SmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import {
  AccountType,
  Transaction_Contract_ContractType as ContractType,
} from '../../../../src/protocol/generated/tron.js';
import {
  COIN,
  callData,
  fixtureBytecode,
  type SimulatedChain,
  strangerAddress,
  word,
} from '../../../simulation/simulated-chain.js';
import { closeSound, decreedChain } from './decreed-chain.js';

let chain: SimulatedChain;
let alice: Address;
let bob: Address;
beforeEach(async () => {
  ({ chain, alice, bob } = await decreedChain());
});
afterEach(() => closeSound(chain));

const account = (address: Address) => chain.ledger.state.tables.accounts.get(address)!;
const set = (address: Address, patch: AccountPatch) => chain.node.operations.apply('setAccount', { address, patch });

describe('an account', () => {
  it('has the fields that it was given, and no others change', () => {
    const before = account(alice);
    const patch = { create_time: 5n, latest_opration_time: 6n, latest_withdraw_time: 7n, allowance: 8n, balance: 9n };
    set(alice, patch);
    expect(account(alice)).toEqual({ ...before, ...patch });
    set(strangerAddress(1), { type: AccountType.AssetIssue });
    expect(account(strangerAddress(1))).toMatchObject({ type: AccountType.AssetIssue });
    expect(() => set(alice, { allowance: -1n })).toThrow('allowance must be 0 to');
    expect(() => set(alice, { balance: 2n ** 63n })).toThrow('balance can not be more than');
    expect(() => set(alice, { type: AccountType.Contract })).toThrow('type must be Normal or AssetIssue');
    expect(account(alice)).toEqual({ ...before, ...patch });
  });

  it('has names that the indexes know', () => {
    const { accountNames, accountIds } = chain.ledger.state.tables;
    const [name, id] = [utf8ToHex('alice'), utf8ToHex('Alice-0001')];
    set(alice, { account_name: name, account_id: id });
    expect([accountNames.get(name), accountIds.get(utf8ToHex('alice-0001'))]).toEqual([alice, alice]);
    expect(() => set(bob, { account_name: name })).toThrow('account_name already belongs to');
    expect(() => set(bob, { account_id: id.toLowerCase() })).toThrow('account_id already belongs to');
    expect(() => set(bob, { account_id: utf8ToHex('short') })).toThrow('8 to 32');
    set(alice, { account_name: null, account_id: null });
    expect([accountNames.has(name), accountIds.has(utf8ToHex('alice-0001'))]).toEqual([false, false]);
    set(bob, { account_name: name, account_id: id });
    expect(accountNames.get(name)).toBe(bob);
  });

  it('has the votes that its stake allows, and a witness gets them at the next maintenance', () => {
    const votes = [{ vote_address: chain.witness(0), vote_count: 7n }];
    expect(() => set(alice, { votes })).toThrow('is greater than the tronPower[0]');
    chain.node.operations.apply('setStake', { address: alice, stakes: { energy: 7n * COIN }, keepTotals: false });
    expect(() => set(alice, { votes: [{ vote_address: bob, vote_count: 1n }] })).toThrow('not exists');
    const voteCount = () => chain.ledger.state.tables.witnesses.get(chain.witness(0))!.voteCount;
    const before = voteCount();
    set(alice, { votes });
    chain.node.advance(21_600_000n);
    expect(voteCount()).toBe(before + 7n);
    set(alice, { votes: null });
    chain.node.advance(21_600_000n);
    expect([voteCount(), account(alice).votes]).toEqual([before, []]);
  });

  it('is signed for by its permissions, of which each can be reached', () => {
    const keys = (...addresses: Address[]) => addresses.map((address) => ({ address, weight: 1n }));
    const pay = (key: Address, permissionId = 0) =>
      chain.send(
        ContractType.TransferContract,
        { owner_address: alice, to_address: bob, amount: 1n },
        { keys: [chain.keyOf(key)], permissionId },
      );
    set(alice, { owner_permission: { threshold: 1n, keys: keys(bob) } });
    pay(bob);
    expect(() => pay(alice)).toThrow();
    const operations = `${'02'.padEnd(64, '0')}`;
    set(alice, { active_permission: [{ threshold: 1n, keys: keys(chain.address(2)), operations }] });
    pay(chain.address(2), 2);
    expect(account(alice).active_permission).toMatchObject([{ id: 2, type: 2, permission_name: 'active' }]);
    const unreachable = { threshold: 3n, keys: keys(bob, alice) };
    expect(() => set(alice, { owner_permission: unreachable })).toThrow('sum of all key');
    expect(() => set(alice, { owner_permission: { threshold: 1n, keys: [] } })).toThrow("key's count");
    expect(() => set(alice, { active_permission: [{ threshold: 1n, keys: keys(bob) }] })).toThrow('operations size');
    expect(() => set(alice, { witness_permission: { threshold: 1n, keys: keys(bob) } })).toThrow('is not a witness');
    set(alice, { owner_permission: null, active_permission: null });
    pay(alice);
  });

  it('has coins on their way out of a stake, and gets them', () => {
    const entry = { type: 1, unfreeze_amount: 5n * COIN, unfreeze_expire_time: chain.ledger.headTimeMs + 60_000n };
    set(alice, { unfrozenV2: [entry, { ...entry, unfreeze_expire_time: 2n ** 60n }] });
    chain.node.advance(120_000n);
    const { balance } = account(alice);
    chain.send(ContractType.WithdrawExpireUnfreezeContract, { owner_address: alice });
    expect(account(alice).balance).toBe(balance + 5n * COIN);
    expect(account(alice).unfrozenV2).toHaveLength(1);
    expect(() => set(alice, { unfrozenV2: Array(33).fill(entry) })).toThrow('at most 32');
  });
});

describe('coin beyond all that there is', () => {
  it('is refused where it would not fit, and the chain goes on', () => {
    const most = 2n ** 63n - 1n;
    const due = { type: 1, unfreeze_amount: most, unfreeze_expire_time: chain.ledger.headTimeMs };
    set(alice, { balance: most, unfrozenV2: [due] });
    expect(() => chain.send(ContractType.WithdrawExpireUnfreezeContract, { owner_address: alice })).toThrow('overflow');
    chain.node.operations.apply('setStake', { address: alice, stakes: { energy: most }, keepTotals: false });
    const freeze = { owner_address: alice, frozen_balance: COIN, resource: 1 };
    expect(() => chain.send(ContractType.FreezeBalanceV2Contract, freeze)).toThrow('overflow');
    expect(() => set(chain.witness(0), { allowance: most })).toThrow('allowance must be 0 to');
    set(chain.witness(0), { allowance: 100_000_000_000_000_000n, balance: most });
    chain.node.mine(3);
    expect(() => chain.transfer(1, alice, 1n)).toThrow('overflow');
  });
});

describe('a TRC-10 token', () => {
  beforeEach(() => {
    chain.send(ContractType.AssetIssueContract, {
      owner_address: alice,
      name: utf8ToHex('Token'),
      abbr: utf8ToHex('T'),
      total_supply: 1_000n,
      trx_num: 1,
      num: 1,
      start_time: chain.ledger.headTimeMs + 60_000n,
      end_time: chain.ledger.headTimeMs + 86_400_000n,
      url: utf8ToHex('http://token'),
    });
    chain.node.mine(1);
  });
  const give = (address: Address, amount: bigint, tokenId = '1000001', force = false) =>
    chain.node.operations.apply('setTokenBalance', { address, tokenId, amount, force });

  it('is held in the amount that was set, and can be sent', () => {
    give(bob, 7n);
    chain.send(ContractType.TransferAssetContract, {
      owner_address: bob,
      to_address: chain.address(2),
      asset_name: utf8ToHex('1000001'),
      amount: 7n,
    });
    give(alice, 0n);
    give(strangerAddress(2), 2n ** 63n - 1n);
    expect(account(chain.address(2)).assetV2.get('1000001')).toBe(7n);
    expect(() => give(bob, -1n)).toThrow('the amount must be');
    expect(() => give(bob, 1n, '1000002')).toThrow('no token has the id 1000002');
    give(bob, 1n, '1000002', true);
    set(bob, { assetV2: { amounts: { 1000001: 4n }, isAll: true } });
    expect([...account(bob).assetV2]).toEqual([['1000001', 4n]]);
    set(bob, { assetV2: { amounts: { 1000001: null }, isAll: false } });
    expect([...account(bob).assetV2]).toEqual([]);
  });
});

describe('a TRC-20 token', () => {
  const deal = (token: Address, holder: Address, amount: bigint) =>
    chain.node.operations.apply('dealToken', { account: holder, token, amount });

  function deployed(name: string, bytecode: string): Address {
    const { transaction } = chain.send(
      ContractType.CreateSmartContract,
      {
        owner_address: alice,
        new_contract: SmartContract.create({ origin_address: alice, name, bytecode, origin_energy_limit: 10_000_000n }),
      },
      { feeLimitSun: 5_000n * COIN },
    );
    chain.node.mine(1);
    return deployedContractAddress(transaction.txId, alice);
  }

  it('is held in the amount that was dealt, and can be sent', () => {
    const token = deployed('Token', fixtureBytecode('Token') + word(1_000_000n));
    deal(token, bob, 2n ** 200n);
    deal(token, bob, 5_000n);
    const send = (amount: bigint) =>
      chain.send(
        ContractType.TriggerSmartContract,
        {
          owner_address: bob,
          contract_address: token,
          data: callData('transfer(address,uint256)', strangerAddress(1), amount),
        },
        { feeLimitSun: 100n * COIN },
      );
    expect(send(5_000n).info.result).toBe(0);
    expect(send(1n).info.result).toBe(1);
  });

  it('is dealt through a proxy into the storage of the proxy', () => {
    const implementation = deployed('Token', fixtureBytecode('Token') + word(1_000_000n));
    const proxy = strangerAddress(8);
    // Hands every call to the contract whose address is in slot 2^255.
    chain.node.operations.apply('setStorage', {
      address: proxy,
      slot: 1n << 255n,
      value: BigInt(`0x${implementation.slice(2)}`),
    });
    chain.node.operations.apply('setCode', {
      address: proxy,
      code: '36600060003760006000366000600160ff1b545af43d600060003e3d6000f3',
    });
    deal(proxy, bob, 77n);
    const run = chain.node.calls.run(
      chain.ledger,
      {
        owner_address: bob,
        contract_address: proxy,
        data: callData('balanceOf(address)', bob),
        call_value: 0n,
        call_token_value: 0n,
        token_id: 0n,
      },
      { txId: '0'.repeat(64) as never },
    );
    expect(BigInt(`0x${Buffer.from(run.output).toString('hex')}`)).toBe(77n);
  });

  it('that keeps no balance of one account is left as it is', () => {
    const code = (hex: string) => {
      chain.node.operations.apply('setCode', { address: strangerAddress(9), code: hex });
      return strangerAddress(9);
    };
    // A constant, a balance that all share (slot 0), and one that is computed (twice slot keccak(account ‖ 0)).
    expect(() => deal(code('602a60005260206000f3'), bob, 1n)).toThrow('in no storage word');
    expect(() => deal(code('60005460005260206000f3'), bob, 1n)).toThrow('in no storage word');
    expect(() => deal(code('60043560005260406000205460020260005260206000f3'), bob, 1n)).toThrow('in no storage word');
    expect(() => deal(code('00'), bob, 1n)).toThrow('returns no value: is it a token?');
    expect(() => deal(bob, bob, 1n)).toThrow('returns no value: is it a token?');
  });
});
