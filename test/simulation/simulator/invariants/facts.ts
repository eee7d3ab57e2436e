/**
 * What the state says of accounts and of what they own, as named values: stakes, loans, votes, names, permissions, tokens,
 * exchanges, proposals, settings. Amounts of coin and tokens are in `statements.ts`, usages in `bills.ts`.
 */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type { AssetIssueContract } from '../../../../src/protocol/generated/asset-issue-contract.js';
import type {
  Account,
  DelegatedResource,
  Exchange,
  MarketOrder,
  Permission,
  Proposal,
} from '../../../../src/protocol/generated/tron.js';
import type { Sent } from '../../../../src/protocol/message-type.js';
import { numberKey } from '../../../../src/state/tables.js';

/** What a block may be about: only this is read. */
export interface Subjects {
  readonly accounts: Set<Address>;
  /** From whom, to whom, as two addresses after one another. */
  readonly pairs: Set<string>;
  readonly contracts: Set<Address>;
  /** Hex of the digits. */
  readonly assets: Set<string>;
  readonly exchanges: Set<bigint>;
  readonly proposals: Set<bigint>;
  readonly orders: Set<string>;
}

/** By name. What is missing is 0, or nothing. */
export type Facts = Map<string, unknown>;

export interface Unstaking {
  readonly type: number;
  readonly amount: bigint;
  readonly dueMs: bigint;
}

export function factsOf(ledger: Ledger, subjects: Subjects): Facts {
  const { tables } = ledger.state;
  const facts: Facts = new Map();
  for (const address of subjects.accounts) {
    const account = tables.accounts.get(address);
    if (account !== undefined) accountFacts(facts, account);
    const witness = tables.witnesses.get(address);
    if (witness !== undefined) facts.set(`${address} url`, witness.url);
    facts.set(`${address} next brokerage`, tables.witnessRewards.get(address)?.nextBrokerage);
  }
  for (const pair of subjects.pairs) {
    loanFacts(facts, `${pair} free`, tables.delegations.get(`01${pair}`));
    const locked = tables.delegations.get(`02${pair}`);
    loanFacts(facts, `${pair} locked`, locked);
    facts.set(`${pair} ends 0`, locked?.expire_time_for_bandwidth ?? 0n);
    facts.set(`${pair} ends 1`, locked?.expire_time_for_energy ?? 0n);
  }
  for (const address of subjects.contracts) {
    const contract = tables.contracts.get(address);
    if (contract === undefined) continue;
    facts.set(`${address} percent`, contract.consume_user_resource_percent);
    facts.set(`${address} limit`, contract.origin_energy_limit);
    facts.set(`${address} deployer`, contract.origin_address);
    facts.set(`${address} abi`, tables.abis.has(address));
  }
  for (const key of subjects.assets) facts.set(`asset ${key}`, assetFact(tables.assets.get(key)));
  for (const id of subjects.exchanges) facts.set(`exchange ${id}`, exchangeFact(tables.exchanges.get(numberKey(id))));
  for (const id of subjects.proposals) facts.set(`proposal ${id}`, proposalFact(tables.proposals.get(numberKey(id))));
  for (const id of subjects.orders) facts.set(`order ${id}`, orderFact(tables.marketOrders.get(id)));
  facts.set('proposals', ledger.long('LATEST_PROPOSAL_NUM'));
  facts.set('exchanges', ledger.long('LATEST_EXCHANGE_NUM'));
  return facts;
}

function accountFacts(facts: Facts, account: Account): void {
  const { address, account_resource: energy } = account;
  const say = (what: string, value: unknown) => facts.set(`${address} ${what}`, value);
  say('is there', true);
  for (const type of [0, 1, 2])
    say(
      `staked ${type}`,
      account.frozenV2.reduce((sum, one) => (one.type === type ? sum + one.amount : sum), 0n),
    );
  say('lent 0', account.delegated_frozenV2_balance_for_bandwidth);
  say('lent 1', energy?.delegated_frozenV2_balance_for_energy ?? 0n);
  say('borrowed 0', account.acquired_delegated_frozenV2_balance_for_bandwidth);
  say('borrowed 1', energy?.acquired_delegated_frozenV2_balance_for_energy ?? 0n);
  say('stake of old', stakeOfOld(account));
  say(
    'unstaking',
    account.unfrozenV2.map(
      ({ type, unfreeze_amount: amount, unfreeze_expire_time: dueMs }): Unstaking => ({ type, amount, dueMs }),
    ),
  );
  say('votes', votesFact(account.votes));
  say('frozen supply', supplyFact(account.frozen_supply));
  say('name', account.account_name);
  say('id', account.account_id);
  say('is a witness', account.is_witness);
  say('token', account.asset_issued_ID);
  say('last reward', account.latest_withdraw_time);
  say('owner permission', permissionFact(account.owner_permission));
  say('active permissions', account.active_permission.map(permissionFact));
}

function stakeOfOld({ frozen, account_resource: energy, tron_power, ...account }: Account): bigint {
  const own = [...frozen, tron_power, energy?.frozen_balance_for_energy].map((one) => one?.frozen_balance ?? 0n);
  const lent = [account.delegated_frozen_balance_for_bandwidth, energy?.delegated_frozen_balance_for_energy ?? 0n];
  return [...own, ...lent].reduce((sum, one) => sum + one, 0n);
}

function loanFacts(facts: Facts, name: string, record: DelegatedResource | undefined): void {
  facts.set(`${name} 0`, record?.frozen_balance_for_bandwidth ?? 0n);
  facts.set(`${name} 1`, record?.frozen_balance_for_energy ?? 0n);
}

export const votesFact = (votes: Sent<Account>['votes']): readonly string[] =>
  votes.map(({ vote_address, vote_count }) => `${vote_address}:${vote_count}`);

export const supplyFact = (supply: Account['frozen_supply']): readonly (readonly [dueMs: bigint, amount: bigint])[] =>
  supply.map(({ expire_time, frozen_balance }) => [expire_time, frozen_balance]);

/** The ledger gives the number. */
export function permissionFact(permission: Sent<Permission> | undefined): unknown {
  if (permission === undefined) return undefined;
  const { type, permission_name, threshold, operations, keys } = permission;
  return [type, permission_name, threshold, operations, keys.map(({ address, weight }) => `${address}:${weight}`)];
}

type AssetTerms = Pick<
  Sent<AssetIssueContract>,
  'name' | 'total_supply' | 'trx_num' | 'num' | 'start_time' | 'end_time' | 'url' | 'description'
> &
  Pick<Sent<AssetIssueContract>, 'free_asset_net_limit' | 'public_free_asset_net_limit'>;

export type AssetFact = Readonly<Record<string, unknown>>;

export function assetFact(asset: AssetTerms | undefined): AssetFact | undefined {
  return (
    asset && {
      ...{ name: asset.name, supply: asset.total_supply, num: asset.num, forCoin: asset.trx_num },
      ...{ begins: asset.start_time, ends: asset.end_time, url: asset.url, description: asset.description },
      ...{ perHolder: asset.free_asset_net_limit, inAll: asset.public_free_asset_net_limit },
    }
  );
}

export interface ExchangeFact {
  readonly tokens: readonly [string, string];
  readonly reserves: readonly [bigint, bigint];
}

export function exchangeFact(exchange: Exchange | undefined): ExchangeFact | undefined {
  if (exchange === undefined) return undefined;
  return {
    tokens: [exchange.first_token_id, exchange.second_token_id],
    reserves: [exchange.first_token_balance, exchange.second_token_balance],
  };
}

export interface ProposalFact {
  readonly proposer: string;
  readonly state: number;
  readonly approvals: readonly string[];
  readonly parameters: readonly string[];
  readonly createdMs: bigint;
}

export function proposalFact(proposal: Proposal | undefined): ProposalFact | undefined {
  if (proposal === undefined) return undefined;
  return {
    ...{ proposer: proposal.proposer_address, state: proposal.state, approvals: proposal.approvals },
    ...{ parameters: parametersFact(proposal.parameters), createdMs: proposal.create_time },
  };
}

export const parametersFact = (parameters: ReadonlyMap<bigint, bigint>): readonly string[] =>
  [...parameters].map(([id, value]) => `${id}:${value}`).sort();

export interface OrderFact {
  readonly state: number;
  readonly left: bigint;
}

export function orderFact(order: MarketOrder | undefined): OrderFact | undefined {
  return order && { state: order.state, left: order.sell_token_quantity_remain };
}

export function factText(value: unknown): string {
  const text = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : inOrder(one)));
  return text === undefined || text === '"0n"' || text === '""' || text === 'false' ? 'nothing' : text;
}

/** Members by name. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
