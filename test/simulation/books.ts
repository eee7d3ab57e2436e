/**
 * The chain's books: where every coin is, what weighs what, who has lent to whom. Taken before and after whatever
 * happens, they must balance.
 */

import assert from 'node:assert/strict';
import type { AppliedTransaction } from '../../src/ledger/apply-transaction.js';
import { coinTotal } from '../../src/ledger/charging/charges.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { ownNumber } from '../../src/ledger/operations/own-numbers.js';
import { phantomStake } from '../../src/ledger/stake/phantom-stake.js';
import { acquiredV1, acquiredV2, delegatedV1, delegatedV2, stakesV1 } from '../../src/ledger/stake/stakes.js';
import { rewardsOf } from '../../src/ledger/voting/rewards.js';
import { queryReward } from '../../src/ledger/voting/voter-rewards.js';
import type { WeightProperty } from '../../src/parameters/network-stakes.js';
import { hexToUtf8 } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import type { TransferContract } from '../../src/protocol/generated/balance-contract.js';
import { type Account, Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { BANDWIDTH, ENERGY, TRON_POWER } from '../../src/resources/metered-account.js';
import { stakeWithDelegatedV2 } from '../../src/resources/staking.js';
import { expectLendingAgrees, expectVotesAgree } from './agreement.js';
import { COIN } from './simulated-chain.js';

const METERED = [BANDWIDTH, ENERGY] as const;
const COIN_ID = '5f';

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n);

/** Sun, by where it is. */
export interface Books {
  /** Balances, stakes, lent stakes, coins on their way out of a stake. */
  readonly held: bigint;
  /** What a withdrawal would pay to witnesses and voters. */
  readonly due: bigint;
  /** What voters share of the cycle that runs. */
  readonly pools: bigint;
  readonly exchanges: bigint;
  readonly orders: bigint;
  readonly feePool: bigint;
  readonly burned: bigint;
}

function heldBy(account: Account): bigint {
  return (
    account.balance +
    sum(METERED.map((resource) => delegatedV1(account, resource) + delegatedV2(account, resource))) +
    sum(
      [BANDWIDTH, ENERGY, TRON_POWER].flatMap((resource) =>
        stakesV1(account, resource).map(({ frozen_balance }) => frozen_balance),
      ),
    ) +
    sum(account.frozenV2.map(({ amount }) => amount)) +
    sum(account.unfrozenV2.map(({ unfreeze_amount }) => unfreeze_amount))
  );
}

function accountsAt(ledger: Ledger, addresses: readonly Address[]): Account[] {
  return addresses
    .map((address) => ledger.state.tables.accounts.get(address))
    .filter((account): account is Account => account !== undefined);
}

export function booksOf(ledger: Ledger, addresses: readonly Address[]): Books {
  const { tables } = ledger.state;
  const orders = addresses.flatMap((address) =>
    (tables.marketAccounts.get(address)?.orders ?? []).map((id) => tables.marketOrders.get(id)),
  );
  return {
    held: sum(accountsAt(ledger, addresses).map(heldBy)),
    due: sum(addresses.map((address) => queryReward(ledger, address))),
    pools: sum(tables.witnesses.entries().map(([witness]) => rewardsOf(ledger, witness as Address).poolSun)),
    exchanges: sum(
      tables.exchanges
        .entries()
        .flatMap(([, exchange]) => [
          exchange.first_token_id === COIN_ID ? exchange.first_token_balance : 0n,
          exchange.second_token_id === COIN_ID ? exchange.second_token_balance : 0n,
        ]),
    ),
    orders: sum(orders.map((order) => (order?.sell_token_id === COIN_ID ? order.sell_token_quantity_remain : 0n))),
    feePool: ledger.long('TRANSACTION_FEE_POOL'),
    burned: ledger.long('BURN_TRX_AMOUNT'),
  };
}

/** What each account owns, and would be paid. */
export function wealthOf(ledger: Ledger, addresses: readonly Address[]): ReadonlyMap<Address, bigint> {
  return new Map(
    accountsAt(ledger, addresses).map((account) => {
      const address = account.address as Address;
      return [address, heldBy(account) + queryReward(ledger, address)];
    }),
  );
}

/** Types that move coin between nobody: what changes is what they charge. */
const CHARGES_ONLY: ReadonlySet<number> = new Set([
  ContractType.AccountUpdateContract,
  ContractType.AccountPermissionUpdateContract,
  ContractType.FreezeBalanceV2Contract,
  ContractType.UnfreezeBalanceV2Contract,
  ContractType.WithdrawExpireUnfreezeContract,
  ContractType.CancelAllUnfreezeV2Contract,
  ContractType.DelegateResourceContract,
  ContractType.UnDelegateResourceContract,
  ContractType.VoteWitnessContract,
  ContractType.WitnessCreateContract,
  ContractType.UpdateBrokerageContract,
  ContractType.WithdrawBalanceContract,
  ContractType.AssetIssueContract,
  ContractType.TransferAssetContract,
  ContractType.ProposalCreateContract,
  ContractType.ProposalApproveContract,
  ContractType.UpdateSettingContract,
  ContractType.UpdateEnergyLimitContract,
]);

/** Who paid is who is said to have paid, and nobody else's wealth has changed. */
export function expectPaidBy(
  ledger: Ledger,
  { transaction, charges }: AppliedTransaction,
  before: ReadonlyMap<Address, bigint>,
  after: ReadonlyMap<Address, bigint>,
): void {
  const transfer = transaction.contractType === ContractType.TransferContract;
  if (!transfer && !CHARGES_ONLY.has(transaction.contractType)) return;
  const changes = new Map<string, bigint>();
  const add = (address: string, amount: bigint) => changes.set(address, (changes.get(address) ?? 0n) + amount);
  for (const { resource, source, payer, amount } of charges) {
    if (resource !== 'coin') continue;
    add(payer, -amount);
    if (source === 'blackhole') add(ledger.config.blackhole, amount);
  }
  if (transfer) {
    const { owner_address, to_address, amount } = transaction.contract as TransferContract;
    add(owner_address, -amount);
    add(to_address, amount);
  }
  for (const [address, wealth] of after) {
    assert.equal(wealth - (before.get(address) ?? 0n), changes.get(address) ?? 0n, address);
  }
}

export function totalOf(books: Books): bigint {
  return sum(Object.values(books));
}

/** A receipt says what its charges say, and the coin that was burned is the coin that was charged. */
export function expectFair(applied: AppliedTransaction, before: Books, after: Books): void {
  const { charges, info } = applied;
  const units = (resource: 'bandwidth' | 'energy', ...sources: string[]) =>
    sum(
      charges
        .filter((charge) => charge.resource === resource && sources.includes(charge.source))
        .map(({ amount }) => amount),
    );
  const coin = (...sources: string[]) =>
    sum(
      charges
        .filter(({ resource, source }) => resource === 'coin' && sources.includes(source))
        .map(({ amount }) => amount),
    );
  assert.equal(info.fee, coinTotal(charges));
  assert.equal(info.receipt?.net_usage, units('bandwidth', 'staked', 'free', 'issuer'));
  assert.equal(info.receipt?.energy_usage, units('energy', 'staked'));
  assert.equal(info.receipt?.origin_energy_usage, units('energy', 'origin'));
  assert.equal(info.receipt?.net_fee, coinTotal(charges, 'bandwidth', 'account-creation-bandwidth'));
  assert.equal(info.receipt?.energy_fee, coinTotal(charges, 'energy'));
  assert.deepEqual(
    charges.filter(({ amount }) => amount < 0n),
    [],
  );
  for (const { resource, units, unitPriceSun, amount } of charges) {
    if (resource === 'coin' && units !== undefined) assert.equal(amount, units * unitPriceSun!);
  }
  const boughtEnergy = sum(
    charges.filter(({ resource, reason }) => resource === 'coin' && reason === 'energy').map(({ units }) => units!),
  );
  assert.equal(info.receipt?.energy_usage_total, units('energy', 'staked', 'origin') + boughtEnergy);
  assert.equal(after.burned - before.burned, coin('burned'));
  assert.equal(after.feePool - before.feePool, coin('fee-pool'));
  assert.equal(totalOf(after), totalOf(before));
}

/**
 * Weights are the stakes and the phantom beneath them, what is lent is borrowed and recorded, votes are counted, nothing
 * is less than nothing.
 *
 * @param destroyed how many contracts have left their stakes to others: the heir's fractions of a coin are then added up
 *   before they are cut, while the network's weight is not counted again
 */
export function expectSound(
  ledger: Ledger,
  addresses: readonly Address[],
  destroyed: number,
  tradesOwnOrders = false,
): void {
  const accounts = accountsAt(ledger, addresses);
  const staked = (total: WeightProperty) => ledger.long(total) - phantomStake(ledger, total);
  const weights = { [BANDWIDTH]: staked('TOTAL_NET_WEIGHT'), [ENERGY]: staked('TOTAL_ENERGY_WEIGHT') };
  for (const resource of METERED) {
    const stakes = sum(accounts.map((account) => stakeWithDelegatedV2(account, resource) / COIN));
    const off = stakes - weights[resource];
    assert(off >= 0n && off <= BigInt(destroyed), `weight ${weights[resource]} of stakes ${stakes}`);
    assert.equal(
      sum(accounts.map((account) => delegatedV2(account, resource))),
      sum(accounts.map((account) => acquiredV2(account, resource))),
    );
    assert.equal(sum(accounts.map((account) => delegatedV1(account, resource) + acquiredV1(account, resource))), 0n);
  }
  for (const account of accounts) {
    const amounts = [
      account.address === ledger.config.blackhole ? 0n : account.balance,
      account.allowance,
      account.net_usage,
      account.free_net_usage,
      account.account_resource?.energy_usage ?? 0n,
      ...METERED.flatMap((resource) => [delegatedV2(account, resource), acquiredV2(account, resource)]),
      ...account.frozenV2.map(({ amount }) => amount),
      ...account.unfrozenV2.map(({ unfreeze_amount }) => unfreeze_amount),
      ...account.votes.map(({ vote_count }) => vote_count),
      ...account.assetV2.values(),
    ];
    assert.deepEqual(
      amounts.filter((amount) => amount < 0n),
      [],
    );
  }
  expectLendingAgrees(ledger, accounts);
  expectVotesAgree(ledger, accounts);
  const tokens = new Map<string, bigint>();
  for (const account of accounts) {
    for (const [id, amount] of account.assetV2) tokens.set(id, (tokens.get(id) ?? 0n) + amount);
    for (const { frozen_balance } of account.frozen_supply) {
      const id = hexToUtf8(account.asset_issued_ID);
      tokens.set(id, (tokens.get(id) ?? 0n) + frozen_balance);
    }
  }
  for (const [, exchange] of ledger.state.tables.exchanges.entries()) {
    for (const [token, amount] of [
      [exchange.first_token_id, exchange.first_token_balance],
      [exchange.second_token_id, exchange.second_token_balance],
    ] as const) {
      const id = hexToUtf8(token);
      tokens.set(id, (tokens.get(id) ?? 0n) + amount);
    }
  }
  for (const address of addresses) {
    for (const id of ledger.state.tables.marketAccounts.get(address)?.orders ?? []) {
      const order = ledger.state.tables.marketOrders.get(id)!;
      const token = hexToUtf8(order.sell_token_id);
      tokens.set(token, (tokens.get(token) ?? 0n) + order.sell_token_quantity_remain);
    }
  }
  for (const [, asset] of ledger.state.tables.assets.entries()) {
    const lost = asset.total_supply - (tokens.get(asset.id) ?? 0n) + ownNumber(ledger, `grantedTokens:${asset.id}`);
    // On the market, who matches an own order loses what that order receives.
    if (tradesOwnOrders) assert(lost >= 0n, `${-lost} of token ${asset.id} came from nowhere`);
    else assert.equal(lost, 0n);
  }
}
