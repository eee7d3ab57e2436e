/** What each type of transaction says about the facts of `facts.ts`. */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import { utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type {
  AccountPermissionUpdateContract,
  AccountUpdateContract,
  SetAccountIdContract,
} from '../../../../src/protocol/generated/account-contract.js';
import type {
  AssetIssueContract,
  UpdateAssetContract,
} from '../../../../src/protocol/generated/asset-issue-contract.js';
import type {
  DelegateResourceContract,
  FreezeBalanceV2Contract,
  UnDelegateResourceContract,
  UnfreezeBalanceV2Contract,
} from '../../../../src/protocol/generated/balance-contract.js';
import type {
  ExchangeCreateContract,
  ExchangeInjectContract,
  ExchangeTransactionContract,
} from '../../../../src/protocol/generated/exchange-contract.js';
import type { MarketCancelOrderContract } from '../../../../src/protocol/generated/market-contract.js';
import type {
  ProposalApproveContract,
  ProposalCreateContract,
  ProposalDeleteContract,
} from '../../../../src/protocol/generated/proposal-contract.js';
import type {
  ClearABIContract,
  UpdateEnergyLimitContract,
  UpdateSettingContract,
} from '../../../../src/protocol/generated/smart-contract.js';
import type { UpdateBrokerageContract } from '../../../../src/protocol/generated/storage-contract.js';
import {
  type Account,
  Transaction_Contract_ContractType as ContractType,
  MarketOrder_State,
  Proposal_State,
  type TransactionInfo,
} from '../../../../src/protocol/generated/tron.js';
import type {
  VoteWitnessContract,
  WitnessCreateContract,
  WitnessUpdateContract,
} from '../../../../src/protocol/generated/witness-contract.js';
import {
  type AssetFact,
  assetFact,
  type ExchangeFact,
  type Facts,
  type ProposalFact,
  parametersFact,
  permissionFact,
  supplyFact,
  type Unstaking,
  votesFact,
} from './facts.js';

const DAY_MS = 86_400_000n;
const SLOT_MS = 3_000n;
const THREE_DAYS_MS = 3n * DAY_MS;
const SUN_PER_TRX = 1_000_000n;

/** What a rule may know beside the facts. */
export interface Said {
  readonly facts: Facts;
  readonly owner: Address;
  readonly info: TransactionInfo;
  /** Of the block before. */
  readonly nowMs: bigint;
  readonly before: Ledger;
  readonly after: Ledger;
  /** Later in the block, its owner changes its votes. */
  readonly votesAgain: boolean;
}

/** @returns false: what it does is not known here; a text: what is wrong */
type Rule<Message> = (contract: Message, said: Said) => boolean | string;

const nothing: Rule<unknown> = () => true;

function add({ facts }: Said, name: string, amount: bigint): void {
  facts.set(name, ((facts.get(name) as bigint | undefined) ?? 0n) + amount);
}

const unstakings = ({ facts, owner }: Said) => (facts.get(`${owner} unstaking`) ?? []) as readonly Unstaking[];

/** What is due is paid, and is no unstaking any more. */
function payDue(said: Said): readonly Unstaking[] {
  const left = unstakings(said).filter(({ dueMs }) => dueMs > said.nowMs);
  said.facts.set(`${said.owner} unstaking`, left);
  return left;
}

/** What was locked until before now is free: both resources of the pair. */
function unlock(said: Said, pair: string): void {
  const { facts, nowMs } = said;
  for (const resource of [0, 1]) {
    if ((facts.get(`${pair} ends ${resource}`) as bigint) >= nowMs) continue;
    add(said, `${pair} free ${resource}`, facts.get(`${pair} locked ${resource}`) as bigint);
    facts.set(`${pair} locked ${resource}`, 0n);
    facts.set(`${pair} ends ${resource}`, 0n);
  }
}

const delegated: Rule<DelegateResourceContract> = (contract, said) => {
  const { receiver_address: to, balance, resource, lock, lock_period } = contract;
  const { facts, owner, nowMs } = said;
  const pair = owner + to;
  unlock(said, pair);
  add(said, `${owner} staked ${resource}`, -balance);
  add(said, `${owner} lent ${resource}`, balance);
  add(said, `${to} borrowed ${resource}`, balance);
  add(said, `${pair} ${lock ? 'locked' : 'free'} ${resource}`, balance);
  if (lock) facts.set(`${pair} ends ${resource}`, nowMs + (lock_period === 0n ? THREE_DAYS_MS : lock_period * SLOT_MS));
  return true;
};

const takenBack: Rule<UnDelegateResourceContract> = ({ receiver_address: to, balance, resource }, said) => {
  const { facts, owner } = said;
  const pair = owner + to;
  unlock(said, pair);
  add(said, `${owner} staked ${resource}`, balance);
  add(said, `${owner} lent ${resource}`, -balance);
  add(said, `${pair} free ${resource}`, -balance);
  const borrowed = facts.get(`${to} borrowed ${resource}`) as bigint | undefined;
  // An account that was destroyed, and is there again, has borrowed nothing.
  if (borrowed !== undefined) facts.set(`${to} borrowed ${resource}`, borrowed < balance ? 0n : borrowed - balance);
  return true;
};

const unstaked: Rule<UnfreezeBalanceV2Contract> = ({ unfreeze_balance: amount, resource }, said) => {
  const { facts, owner, nowMs, before } = said;
  // That model has powers of old, and clears votes once.
  if (before.on('ALLOW_NEW_RESOURCE_MODEL')) return false;
  const dueMs = nowMs + before.long('UNFREEZE_DELAY_DAYS') * DAY_MS;
  facts.set(`${owner} unstaking`, [...payDue(said), { type: resource, amount, dueMs }]);
  add(said, `${owner} staked ${resource}`, -amount);
  return votesFit(said);
};

/** Votes beyond the stake are cut in proportion, by doubles: one vote more or less is right. */
function votesFit({ facts, owner, after, votesAgain }: Said): boolean | string {
  const votes = (facts.get(`${owner} votes`) as readonly string[]).map((text) => text.split(':') as [string, string]);
  const total = votes.reduce((sum, [, count]) => sum + BigInt(count), 0n);
  const power = ['staked 0', 'staked 1', 'staked 2', 'lent 0', 'lent 1', 'stake of old']
    .map((what) => (facts.get(`${owner} ${what}`) as bigint | undefined) ?? 0n)
    .reduce((sum, one) => sum + one, 0n);
  if (power >= total * SUN_PER_TRX) return true;
  if (votesAgain) return false;
  const left = new Map(
    after.state.tables.accounts.get(owner)?.votes.map(({ vote_address, vote_count }) => [vote_address, vote_count]),
  );
  for (const [witness, count] of votes) {
    const [is, share] = [left.get(witness as Address) ?? 0n, (BigInt(count) * power) / (total * SUN_PER_TRX)];
    if (is < share - 1n || is > share + 1n)
      return `of ${count} votes for ${witness} ${is} are left, with ${power} sun behind ${total} votes`;
  }
  facts.set(
    `${owner} votes`,
    [...left].map(([witness, count]) => `${witness}:${count}`),
  );
  return true;
}

function changedReserves(said: Said, id: bigint, token: string, own: bigint, other: bigint): boolean {
  const exchange = said.facts.get(`exchange ${id}`) as ExchangeFact | undefined;
  if (exchange === undefined) return false;
  const { tokens, reserves } = exchange;
  const [first, second] = token === tokens[0] ? [own, other] : [other, own];
  said.facts.set(`exchange ${id}`, { tokens, reserves: [reserves[0] + first, reserves[1] + second] });
  return true;
}

type Exchanged = Pick<ExchangeInjectContract, 'exchange_id' | 'token_id' | 'quant'>;

/** Who buys from an exchange gets its share of the other reserve, but for the errors of doubles. */
export function tradeIsWrong(
  contract: Partial<ExchangeTransactionContract>,
  { facts, info }: Said,
): string | undefined {
  const { exchange_id, token_id, quant = 0n, expected } = contract;
  const exchange = facts.get(`exchange ${exchange_id}`) as ExchangeFact | undefined;
  if (exchange === undefined || expected === undefined) return undefined;
  const { tokens, reserves } = exchange;
  const [own, other] = token_id === tokens[0] ? reserves : [reserves[1], reserves[0]];
  const got = info.exchange_received_amount;
  const share = (other * quant) / (own + quant);
  const tolerated = 2n + other / 10n ** 10n;
  if (got >= expected && got <= share + tolerated && got >= share - tolerated) return undefined;
  return `for ${quant}, of reserves ${own} and ${other}, it gets ${got}; its share is ${share}, expected ${expected}`;
}

/** Each is filled at the price of the order that was there before. */
export function orderFillsAreWrong({ info, before, after }: Said): string | undefined {
  for (const { makerOrderId, fillSellQuantity: paid, fillBuyQuantity: got } of info.orderDetails) {
    const { marketOrders } = before.state.tables;
    const maker = marketOrders.get(makerOrderId) ?? after.state.tables.marketOrders.get(makerOrderId);
    if (maker === undefined) return `order ${makerOrderId} is not there`;
    const { sell_token_quantity: sells, buy_token_quantity: wants } = maker;
    const difference = got * wants - paid * sells;
    const most = wants > sells ? wants : sells;
    if (difference > most || difference < -most) return `${paid} buys ${got} of an order of ${sells} for ${wants}`;
  }
  return undefined;
}

function assetChanged({ facts, owner }: Said, change: AssetFact): boolean {
  const name = `asset ${facts.get(`${owner} token`)}`;
  facts.set(name, { ...(facts.get(name) as AssetFact), ...change });
  return true;
}

function proposalChanged({ facts }: Said, id: bigint, change: (was: ProposalFact) => Partial<ProposalFact>): boolean {
  const was = facts.get(`proposal ${id}`) as ProposalFact | undefined;
  if (was === undefined) return false;
  facts.set(`proposal ${id}`, { ...was, ...change(was) });
  return true;
}

/** A rule that sets one fact. */
function sets<Message>(
  fact: (contract: Message, said: Said) => readonly [name: string, value: unknown],
): Rule<Message> {
  return (contract, said) => {
    said.facts.set(...fact(contract, said));
    return true;
  };
}

export const RULES: Readonly<Record<number, Rule<never>>> = {
  [ContractType.TransferContract]: nothing,
  [ContractType.TransferAssetContract]: nothing,
  [ContractType.ParticipateAssetIssueContract]: nothing,
  [ContractType.AccountCreateContract]: nothing,
  [ContractType.CreateSmartContract]: nothing,
  [ContractType.TriggerSmartContract]: nothing,
  [ContractType.MarketSellAssetContract]: nothing,
  [ContractType.FreezeBalanceV2Contract]: ({ frozen_balance, resource }: FreezeBalanceV2Contract, said) => {
    add(said, `${said.owner} staked ${resource}`, frozen_balance);
    return true;
  },
  [ContractType.UnfreezeBalanceV2Contract]: unstaked,
  [ContractType.WithdrawExpireUnfreezeContract]: (_, said) => payDue(said) !== undefined,
  [ContractType.CancelAllUnfreezeV2Contract]: (_, said) => {
    for (const { type, amount } of payDue(said)) add(said, `${said.owner} staked ${type}`, amount);
    said.facts.set(`${said.owner} unstaking`, []);
    return true;
  },
  [ContractType.DelegateResourceContract]: delegated,
  [ContractType.UnDelegateResourceContract]: takenBack,
  [ContractType.VoteWitnessContract]: sets(({ votes }: VoteWitnessContract, { owner }) => [
    `${owner} votes`,
    votesFact(votes),
  ]),
  [ContractType.WithdrawBalanceContract]: sets((_, { owner, nowMs }) => [`${owner} last reward`, nowMs]),
  [ContractType.AccountUpdateContract]: sets(({ account_name }: AccountUpdateContract, { owner }) => [
    `${owner} name`,
    account_name,
  ]),
  [ContractType.SetAccountIdContract]: sets(({ account_id }: SetAccountIdContract, { owner }) => [
    `${owner} id`,
    account_id,
  ]),
  [ContractType.AccountPermissionUpdateContract]: (contract: AccountPermissionUpdateContract, { facts, owner }) => {
    facts.set(`${owner} owner permission`, permissionFact(contract.owner));
    facts.set(`${owner} active permissions`, contract.actives.map(permissionFact));
    return true;
  },
  [ContractType.WitnessCreateContract]: (_: WitnessCreateContract, { facts, owner, after }) => {
    facts.set(`${owner} is a witness`, true);
    // A new witness gets permissions that it did not have.
    const { owner_permission, active_permission } = after.state.tables.accounts.get(owner) as Account;
    facts.set(`${owner} owner permission`, permissionFact(owner_permission));
    facts.set(`${owner} active permissions`, active_permission.map(permissionFact));
    facts.set(`${owner} url`, after.state.tables.witnesses.get(owner)?.url);
    return true;
  },
  [ContractType.WitnessUpdateContract]: sets(({ update_url }: WitnessUpdateContract, { owner }) => [
    `${owner} url`,
    Buffer.from(update_url, 'hex').toString(),
  ]),
  [ContractType.UpdateBrokerageContract]: sets(({ brokerage }: UpdateBrokerageContract, { owner }) => [
    `${owner} next brokerage`,
    BigInt(brokerage),
  ]),
  [ContractType.AssetIssueContract]: (contract: AssetIssueContract, { facts, owner, info }) => {
    const key = utf8ToHex(info.assetIssueID);
    facts.set(`${owner} token`, key);
    facts.set(`asset ${key}`, assetFact(contract));
    const frozen = contract.frozen_supply.map(({ frozen_amount, frozen_days }) => ({
      frozen_balance: frozen_amount,
      expire_time: contract.start_time + frozen_days * DAY_MS,
    }));
    facts.set(`${owner} frozen supply`, supplyFact(frozen));
    return true;
  },
  [ContractType.UpdateAssetContract]: (contract: UpdateAssetContract, said) =>
    assetChanged(said, {
      ...{ url: contract.url, description: contract.description },
      ...{ perHolder: contract.new_limit, inAll: contract.new_public_limit },
    }),
  [ContractType.UnfreezeAssetContract]: sets((_, { facts, owner, nowMs }) => [
    `${owner} frozen supply`,
    (facts.get(`${owner} frozen supply`) as ReturnType<typeof supplyFact>).filter(([dueMs]) => dueMs > nowMs),
  ]),
  [ContractType.ExchangeCreateContract]: (contract: ExchangeCreateContract, said) => {
    add(said, 'exchanges', 1n);
    said.facts.set(`exchange ${said.facts.get('exchanges')}`, {
      tokens: [contract.first_token_id, contract.second_token_id],
      reserves: [contract.first_token_balance, contract.second_token_balance],
    });
    return true;
  },
  [ContractType.ExchangeInjectContract]: ({ exchange_id, token_id, quant }: Exchanged, said) =>
    changedReserves(said, exchange_id, token_id, quant, said.info.exchange_inject_another_amount),
  [ContractType.ExchangeWithdrawContract]: ({ exchange_id, token_id, quant }: Exchanged, said) =>
    changedReserves(said, exchange_id, token_id, -quant, -said.info.exchange_withdraw_another_amount),
  [ContractType.ExchangeTransactionContract]: ({ exchange_id, token_id, quant }: Exchanged, said) =>
    changedReserves(said, exchange_id, token_id, quant, -said.info.exchange_received_amount),
  [ContractType.MarketCancelOrderContract]: sets(({ order_id }: MarketCancelOrderContract) => [
    `order ${order_id}`,
    { state: MarketOrder_State.CANCELED, left: 0n },
  ]),
  [ContractType.ProposalCreateContract]: ({ parameters }: ProposalCreateContract, said) => {
    add(said, 'proposals', 1n);
    const made: ProposalFact = {
      ...{ proposer: said.owner, state: Proposal_State.PENDING, approvals: [], createdMs: said.nowMs },
      parameters: parametersFact(parameters),
    };
    said.facts.set(`proposal ${said.facts.get('proposals')}`, made);
    return true;
  },
  [ContractType.ProposalApproveContract]: ({ proposal_id, is_add_approval }: ProposalApproveContract, said) =>
    proposalChanged(said, proposal_id, ({ approvals }) => ({
      approvals: is_add_approval ? [...approvals, said.owner] : approvals.filter((one) => one !== said.owner),
    })),
  [ContractType.ProposalDeleteContract]: ({ proposal_id }: ProposalDeleteContract, said) =>
    proposalChanged(said, proposal_id, () => ({ state: Proposal_State.CANCELED })),
  [ContractType.UpdateSettingContract]: sets((contract: UpdateSettingContract) => [
    `${contract.contract_address} percent`,
    contract.consume_user_resource_percent,
  ]),
  [ContractType.UpdateEnergyLimitContract]: sets((contract: UpdateEnergyLimitContract) => [
    `${contract.contract_address} limit`,
    contract.origin_energy_limit,
  ]),
  [ContractType.ClearABIContract]: sets(({ contract_address }: ClearABIContract) => [`${contract_address} abi`, false]),
};
