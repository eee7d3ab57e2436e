/**
 * What nobody may do, whatever the chain's state: more than an account has, has staked, has lent or may vote; before its
 * time; twice; with what is another's. Rows of the state say who has what; the limits are of this file.
 */

import { utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import {
  type Account,
  Transaction_Contract_ContractType as ContractType,
  MarketOrder_State,
} from '../../../../src/protocol/generated/tron.js';
import { COIN, strangerAddress } from '../../simulated-chain.js';
import type { Choices } from '../../wild-messages.js';
import type { People } from './people.js';
import { lent, type Somebody } from './somebody.js';

const DAY_MS = 86_400_000n;
/** Times of the head and of pending work are apart by some slots at most. */
const SOON_MS = 60_000n;
/** Permission 2 of an account is the first active one, which may not change permissions unless somebody says so. */
const ACTIVE = 2;

/** A message that has to be refused. */
interface Forbidden {
  readonly type: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly permissionId?: number;
}

/** @returns undefined: the chain has nothing of the kind */
type Attempt = (at: Somebody) => Forbidden | undefined;

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

const stakeFor = ({ frozenV2 }: Account, resource: number) =>
  sum(frozenV2.filter(({ type }) => type === resource).map(({ amount }) => amount));

/** All that an account has ever staked and not unstaked: what a vote stands on, in any model, is at most this. */
function wholeStake({ frozen, frozenV2, account_resource: energy, tron_power, ...account }: Account): bigint {
  return sum([
    ...[...frozen, tron_power, energy?.frozen_balance_for_energy].map((one) => one?.frozen_balance ?? 0n),
    ...frozenV2.map(({ amount }) => amount),
    account.delegated_frozen_balance_for_bandwidth,
    account.delegated_frozenV2_balance_for_bandwidth,
    energy?.delegated_frozen_balance_for_energy ?? 0n,
    energy?.delegated_frozenV2_balance_for_energy ?? 0n,
  ]);
}

/** A lock that ends soon is none: it may be over in the block of what is sent. */
const lentFor = (at: Somebody, to: Address) => lent(at, to, (endsMs) => endsMs > at.nowMs + SOON_MS);

const tokenOf = ({ choices, account }: Somebody) =>
  account.assetV2.size === 0 ? undefined : choices.of([...account.assetV2.entries()]);

const foreignExchange = ({ tables, owner }: Somebody) =>
  tables.exchanges.entries().find(([, { creator_address }]) => creator_address !== owner)?.[1];

export const FORBIDDEN: Readonly<Record<string, Attempt>> = {
  'more coin than it has': ({ account, other }) => ({
    type: ContractType.TransferContract,
    fields: { to_address: other, amount: account.balance + 1n },
  }),
  'coin to itself': ({ owner }) => ({ type: ContractType.TransferContract, fields: { to_address: owner, amount: 1n } }),
  'a debt': ({ choices, other, resource }) => {
    const amount = -COIN;
    return choices.of([
      { type: ContractType.TransferContract, fields: { to_address: other, amount } },
      { type: ContractType.FreezeBalanceV2Contract, fields: { frozen_balance: amount, resource } },
      { type: ContractType.UnfreezeBalanceV2Contract, fields: { unfreeze_balance: amount, resource } },
      { type: ContractType.DelegateResourceContract, fields: { receiver_address: other, balance: amount, resource } },
      { type: ContractType.UnDelegateResourceContract, fields: { receiver_address: other, balance: amount, resource } },
    ]);
  },
  'more of a token than it has': (at) => {
    const [id, amount] = tokenOf(at) ?? [];
    if (id === undefined || amount === undefined) return undefined;
    const fields = { asset_name: utf8ToHex(id), to_address: at.other, amount: amount + 1n };
    return { type: ContractType.TransferAssetContract, fields };
  },
  'stakes more than it has': ({ account, resource }) => ({
    type: ContractType.FreezeBalanceV2Contract,
    fields: { frozen_balance: account.balance + 1n, resource },
  }),
  'unstakes more than is staked': ({ account, resource }) => ({
    type: ContractType.UnfreezeBalanceV2Contract,
    fields: { unfreeze_balance: stakeFor(account, resource) + 1n, resource },
  }),
  'lends more than is staked': ({ account, other, resource }) => ({
    type: ContractType.DelegateResourceContract,
    fields: { receiver_address: other, balance: stakeFor(account, resource) + COIN, resource },
  }),
  'takes back more than is lent': (at) => ({
    type: ContractType.UnDelegateResourceContract,
    fields: {
      ...{ receiver_address: at.other, resource: at.resource },
      balance: lentFor(at, at.other).free + lentFor(at, at.other).locked + 1n,
    },
  }),
  'takes back what is locked': (at) => {
    const borrower = at.people.addresses.find((to) => lentFor(at, to).locked > 0n);
    if (borrower === undefined) return undefined;
    const fields = { receiver_address: borrower, balance: lentFor(at, borrower).free + 1n, resource: at.resource };
    return { type: ContractType.UnDelegateResourceContract, fields };
  },
  'votes beyond its stake': ({ tables, account, choices }) => ({
    type: ContractType.VoteWitnessContract,
    fields: {
      votes: [
        {
          vote_address: choices.of(tables.witnesses.entries())[0],
          vote_count: wholeStake(account) / COIN + 1n,
        },
      ],
    },
  }),
  'a reward twice a day': ({ account, nowMs }) =>
    account.latest_withdraw_time > 0n && nowMs < account.latest_withdraw_time + DAY_MS - SOON_MS
      ? { type: ContractType.WithdrawBalanceContract, fields: {} }
      : undefined,
  'withdraws what is not due': ({ account, nowMs }) =>
    account.unfrozenV2.every(({ unfreeze_expire_time }) => unfreeze_expire_time > nowMs + SOON_MS)
      ? { type: ContractType.WithdrawExpireUnfreezeContract, fields: {} }
      : undefined,
  'a second token': ({ account, nowMs }) =>
    account.asset_issued_name === ''
      ? undefined
      : {
          type: ContractType.AssetIssueContract,
          fields: {
            ...{ name: utf8ToHex('Second'), abbr: utf8ToHex('S'), description: utf8ToHex('s'), url: utf8ToHex('u') },
            ...{ total_supply: 1_000n, trx_num: 1, num: 1 },
            ...{ start_time: nowMs + DAY_MS, end_time: nowMs + 2n * DAY_MS },
          },
        },
  'a witness twice': ({ account }) =>
    account.is_witness
      ? { type: ContractType.WitnessCreateContract, fields: { url: utf8ToHex('http://twice') } }
      : undefined,
  'a proposal of no witness': ({ account }) =>
    account.is_witness
      ? undefined
      : { type: ContractType.ProposalCreateContract, fields: { parameters: new Map([[0n, 700_000n]]) } },
  "another's exchange": (at) => {
    const exchange = foreignExchange(at);
    if (exchange === undefined) return undefined;
    const { exchange_id, first_token_id: token_id } = exchange;
    return {
      type: at.choices.of([ContractType.ExchangeWithdrawContract, ContractType.ExchangeInjectContract]),
      fields: { exchange_id, token_id, quant: 1_000_000n },
    };
  },
  "another's order": ({ people, tables, owner }) => {
    const orders = people.addresses.flatMap((address) => tables.marketAccounts.get(address)?.orders ?? []);
    const foreign = orders.find((id) => {
      const order = tables.marketOrders.get(id);
      return order?.state === MarketOrder_State.ACTIVE && order.owner_address !== owner;
    });
    return foreign === undefined
      ? undefined
      : { type: ContractType.MarketCancelOrderContract, fields: { order_id: foreign } };
  },
  "another's contract": ({ people, tables, owner, choices }) => {
    const foreign = people.programs.find((address) => {
      const contract = tables.contracts.get(address as Address);
      return contract !== undefined && contract.origin_address !== owner;
    });
    if (foreign === undefined) return undefined;
    return choices.of<Forbidden>([
      {
        type: ContractType.UpdateSettingContract,
        fields: { contract_address: foreign, consume_user_resource_percent: 50n },
      },
      {
        type: ContractType.UpdateEnergyLimitContract,
        fields: { contract_address: foreign, origin_energy_limit: 1_000n },
      },
      { type: ContractType.ClearABIContract, fields: { contract_address: foreign } },
    ]);
  },
  'by a permission that does not cover it': ({ account }) => {
    const active = account.active_permission.find(({ id }) => id === ACTIVE);
    const bit = ContractType.AccountPermissionUpdateContract;
    const covered = Number.parseInt(active?.operations.slice(2 * (bit >> 3), 2 * (bit >> 3) + 2) || 'ff', 16);
    if (active === undefined || ((covered >> (bit & 7)) & 1) === 1) return undefined;
    const { owner_permission, active_permission } = account;
    const fields = { owner: owner_permission, actives: active_permission };
    return { type: bit, fields, permissionId: ACTIVE };
  },
};

/** @returns undefined: somebody else is chosen another time */
export function forbidden(people: People, choices: Choices, what: string): Forbidden | undefined {
  const { ledger } = people;
  const { tables } = ledger.state;
  const owner = people.address(choices.below(6));
  const others = [...people.addresses.filter((address) => address !== owner), strangerAddress(0)];
  const account = tables.accounts.get(owner);
  if (account === undefined) return undefined;
  const [other, resource] = [choices.of(others), choices.below(2)];
  const at = { choices, people, tables, nowMs: ledger.headTimeMs, owner, account, other, resource };
  const attempt = (FORBIDDEN[what] as Attempt)(at);
  return attempt && { ...attempt, fields: { owner_address: owner, ...attempt.fields } };
}
