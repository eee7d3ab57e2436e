/**
 * What anybody may do, whatever the chain's state: all that is due, free, one's own, or allowed again. Each has to be
 * accepted. Where nothing is due yet, time passes up to the first moment at which it is. `forbidden.ts` has the opposite.
 */

import { utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import {
  Transaction_Contract_ContractType as ContractType,
  MarketOrder_State,
  Proposal_State,
} from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import { newestBlockAgrees } from '../invariants/statements.js';
import { Violation } from '../run/violation.js';
import { isAlone } from './promises.js';
import { lent, type Somebody } from './somebody.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const NAME = 'what may be done is accepted';
const DAY_MS = 86_400_000n;
const SLOT_MS = 3_000n;
const MOST_UNSTAKINGS = 32;
const MOST_TRIES = 6;
/** Enough for any fee. */
const RICH_SUN = 3_000n * COIN;

interface Case extends Somebody {
  readonly isGuard: boolean;
  /** A preset of a network closes it, and is not reverted where the process ends before. */
  readonly isMarketOpen: boolean;
}

interface Permitted {
  readonly type: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** It may be done from then on. */
  readonly fromMs?: bigint;
}

/** @returns undefined: the account has nothing of the kind */
type Right = (at: Case) => Permitted | undefined;

const earliest = (times: readonly bigint[]): bigint | undefined =>
  times.reduce<bigint | undefined>((first, one) => (first === undefined || one < first ? one : first), undefined);

/** At its end, a lock still holds. */
const lentFor = (at: Case, to: Address) => lent(at, to, (endsMs) => endsMs >= at.nowMs);

const RIGHTS: Readonly<Record<string, Right>> = {
  'frees a part of its frozen supply': ({ account }) => {
    const fromMs = earliest(account.frozen_supply.map(({ expire_time }) => expire_time));
    return fromMs === undefined ? undefined : { type: ContractType.UnfreezeAssetContract, fields: {}, fromMs };
  },
  'withdraws what is due': ({ account }) => {
    const fromMs = earliest(account.unfrozenV2.map(({ unfreeze_expire_time }) => unfreeze_expire_time));
    return fromMs === undefined ? undefined : { type: ContractType.WithdrawExpireUnfreezeContract, fields: {}, fromMs };
  },
  'withdraws a reward after a day': ({ account, isGuard }) =>
    account.allowance > 0n && !isGuard
      ? { type: ContractType.WithdrawBalanceContract, fields: {}, fromMs: account.latest_withdraw_time + DAY_MS }
      : undefined,
  'takes back what is free': (at) => {
    const { people, owner, resource, tables } = at;
    const loans = people.addresses
      .filter((one) => one !== owner)
      .map((to) => ({ to, ...lentFor(at, to) }))
      .filter(({ free }) => free > 0n);
    // First all that is free between two, of whom one still has something locked.
    const isAll = (to: Address) => lentFor({ ...at, resource: 1 - resource }, to).free === 0n;
    const isHeld = (to: Address) => tables.delegations.get(`02${owner}${to}`) !== undefined;
    const { to: receiver_address, free: balance } = loans.find(({ to }) => isAll(to) && isHeld(to)) ?? loans[0] ?? {};
    if (receiver_address === undefined) return undefined;
    return { type: ContractType.UnDelegateResourceContract, fields: { receiver_address, balance, resource } };
  },
  'takes back what was locked': (at) => {
    const { people, resource } = at;
    const some = people.addresses.filter((one) => lentFor(at, one).locked > 0n);
    // First where the other resource is locked for longer.
    const endOf = (to: Address, of: number) => lentFor({ ...at, resource: of }, to).endsMs;
    const to = some.find((one) => endOf(one, 1 - resource) > endOf(one, resource)) ?? some[0];
    if (to === undefined) return undefined;
    const { free, locked, endsMs } = lentFor(at, to);
    const fields = { receiver_address: to, balance: free + locked, resource };
    return { type: ContractType.UnDelegateResourceContract, fields, fromMs: endsMs + 1n };
  },
  'unstakes all that is staked': ({ account, resource }) => {
    const staked = account.frozenV2.reduce((sum, { type, amount }) => (type === resource ? sum + amount : sum), 0n);
    return staked > 0n && account.unfrozenV2.length < MOST_UNSTAKINGS
      ? { type: ContractType.UnfreezeBalanceV2Contract, fields: { unfreeze_balance: staked, resource } }
      : undefined;
  },
  'sends all of a token': ({ account, other, choices }) => {
    const held = [...account.assetV2].filter(([, amount]) => amount > 0n);
    if (held.length === 0) return undefined;
    const [id, amount] = choices.of(held);
    const fields = { asset_name: utf8ToHex(id), to_address: other, amount };
    return { type: ContractType.TransferAssetContract, fields };
  },
  'cancels its order': ({ tables, owner, choices, isMarketOpen }) => {
    if (!isMarketOpen) return undefined;
    const open = (tables.marketAccounts.get(owner)?.orders ?? []).filter(
      (id) => tables.marketOrders.get(id)?.state === MarketOrder_State.ACTIVE,
    );
    // One that was taken in part, where there is one.
    const begun = open.filter((id) => {
      const order = tables.marketOrders.get(id);
      return order !== undefined && order.sell_token_quantity_remain < order.sell_token_quantity;
    });
    const some = begun.length > 0 ? begun : open;
    return some.length === 0
      ? undefined
      : { type: ContractType.MarketCancelOrderContract, fields: { order_id: choices.of(some) } };
  },
  'takes an approval back': ({ tables, nowMs }) => {
    const [, open] =
      tables.proposals
        .entries()
        .find(
          ([, { state, approvals, expiration_time }]) =>
            state === Proposal_State.PENDING && approvals.length > 0 && expiration_time > nowMs + DAY_MS,
        ) ?? [];
    return (
      open && {
        type: ContractType.ProposalApproveContract,
        fields: { owner_address: open.approvals[0], proposal_id: open.proposal_id, is_add_approval: false },
      }
    );
  },
  'changes its contract': ({ people, tables, choices }) => {
    const own = people.programs.filter((one) => tables.contracts.has(one as Address));
    if (own.length === 0) return undefined;
    const contract_address = choices.of(own);
    const owner_address = tables.contracts.get(contract_address as Address)?.origin_address;
    if (owner_address === undefined || !people.addresses.includes(owner_address as Address)) return undefined;
    return choices.of([
      {
        type: ContractType.UpdateSettingContract,
        fields: { owner_address, contract_address, consume_user_resource_percent: BigInt(choices.below(101)) },
      },
      {
        type: ContractType.UpdateEnergyLimitContract,
        fields: { owner_address, contract_address, origin_energy_limit: BigInt(1 + choices.below(1_000)) },
      },
    ]);
  },
  'changes its token': ({ account, choices }) =>
    account.asset_issued_ID === ''
      ? undefined
      : {
          type: ContractType.UpdateAssetContract,
          fields: {
            ...{ url: utf8ToHex(`http://${choices.below(100)}`), description: utf8ToHex('changed') },
            ...{ new_limit: BigInt(choices.below(5_000)), new_public_limit: BigInt(choices.below(50_000)) },
          },
        },
  'votes with all that is behind it': ({ tables, account, choices }) => {
    // Of the stake that counts in every model.
    const coins = account.frozenV2.reduce((sum, { type, amount }) => (type < 2 ? sum + amount : sum), 0n) / COIN;
    const [vote_address] = choices.of(tables.witnesses.entries());
    // Later, some of the stake goes, and votes with it.
    return coins > 0n && account.old_tron_power === 0n
      ? { type: ContractType.VoteWitnessContract, fields: { votes: [{ vote_address, vote_count: coins }] } }
      : undefined;
  },
  'takes an id': ({ account, owner, nowMs }) =>
    account.account_id === ''
      ? {
          type: ContractType.SetAccountIdContract,
          fields: { account_id: utf8ToHex(`Id${owner.slice(-8)}${nowMs}`.slice(0, 32)) },
        }
      : undefined,
  'changes its part of rewards': ({ tables, owner, choices }) =>
    tables.witnesses.has(owner)
      ? { type: ContractType.UpdateBrokerageContract, fields: { brokerage: choices.below(101) } }
      : undefined,
};

/** Of the first account, from some one on, that has something of the kind. */
function rightOf(host: Host, what: string): Permitted | undefined {
  const { world, people } = host;
  const { choices, ledger } = world;
  const { tables } = ledger.state;
  const { addresses } = people;
  const first = choices.below(addresses.length);
  const resource = choices.below(2);
  for (const owner of [...addresses.slice(first), ...addresses.slice(0, first)]) {
    const account = tables.accounts.get(owner);
    if (account === undefined) continue;
    const other = choices.of(addresses.filter((one) => one !== owner));
    const right = (RIGHTS[what] as Right)({
      ...{ choices, people, tables, owner, account, other, resource, nowMs: ledger.headTimeMs },
      isGuard: ledger.config.genesisWitnesses.has(owner),
      isMarketOpen: ledger.on('ALLOW_MARKET_TRANSACTION'),
    });
    const payer = tables.accounts.get((right?.fields.owner_address as Address | undefined) ?? owner);
    // Nobody may go without paying.
    if (right !== undefined && payer !== undefined && payer.balance >= RICH_SUN)
      return { ...right, fields: { owner_address: owner, ...right.fields } };
  }
  return undefined;
}

export async function passTo({ world, asker }: Host, timeMs: bigint): Promise<void> {
  const leftMs = timeMs - world.ledger.headTimeMs;
  if (leftMs <= 0n) return;
  const { slowMs } = world.disk;
  // A block for each maintenance: of a year, that are 52,560.
  world.disk.slowMs = 0;
  await asker.library('mine', () => world.devnet.mine({ advanceMs: Number(leftMs) }));
  world.disk.slowMs = slowMs;
}

/**
 * @param isSure false: it may be refused
 * @returns whether it was accepted
 * @throws Violation it is refused by a rule
 */
export async function mustBeAccepted(
  host: Host,
  what: string,
  { type, fields }: Permitted,
  { isSure = true }: { readonly isSure?: boolean } = {},
): Promise<boolean> {
  const { world, people } = host;
  const transaction = await composed(host, () => people.send(type, fields));
  if (transaction === undefined || !isAlone(host)) return false;
  const answer = await sendHex(host, transaction);
  if (!world.isRunning || world.diskFails) return false;
  if (isSure && /CONTRACT_VALIDATE_ERROR/.test(answer ?? ''))
    throw new Violation(NAME, `${what}: ${transaction.txId}: ${answer}`);
  if (!isAccepted(answer)) return false;
  newestBlockAgrees(host);
  return true;
}

export const actWithinRights: User = async (host) => {
  const { world } = host;
  // A fork may have to read rows first.
  if (world.shape.isFork || !isAlone(host)) return;
  // Of those who have something of the kind.
  let what = '';
  let right: Permitted | undefined;
  for (let tries = 0; right === undefined && tries < MOST_TRIES; tries++) {
    what = world.choices.of(Object.keys(RIGHTS));
    right = rightOf(host, what);
  }
  if (right === undefined) return;
  if (right.fromMs !== undefined) await passTo(host, right.fromMs);
  if (isAlone(host) && (right.fromMs ?? 0n) <= world.ledger.headTimeMs) await mustBeAccepted(host, what, right);
};

/** Unstakings that are due do not count among the most that may wait. */
export const unstakeOften: User = async (host) => {
  const { world, people } = host;
  const { choices, ledger } = world;
  if (world.shape.isFork || !isAlone(host)) return;
  const { accounts } = ledger.state.tables;
  const resource = choices.below(2);
  const owner = people.addresses.find((address) => {
    const { balance = 0n, frozenV2 = [] } = accounts.get(address) ?? {};
    return balance >= RICH_SUN && frozenV2.some(({ type, amount }) => type === resource && amount >= 50n * COIN);
  });
  if (owner === undefined) return;
  const waiting = () =>
    (accounts.get(owner)?.unfrozenV2 ?? []).filter(({ unfreeze_expire_time: due }) => due > ledger.headTimeMs);
  const right: Permitted = {
    type: ContractType.UnfreezeBalanceV2Contract,
    fields: { owner_address: owner, unfreeze_balance: COIN, resource },
  };
  while (waiting().length < MOST_UNSTAKINGS)
    if (!isAlone(host) || !(await mustBeAccepted(host, 'unstakes', right))) return;
  const transaction = isAlone(host) && (await composed(host, () => people.send(right.type, right.fields)));
  if (transaction && isAlone(host) && isAccepted(await sendHex(host, transaction)) && isAlone(host))
    throw new Violation(
      'what must be refused is refused',
      `one more unstaking than ${MOST_UNSTAKINGS}: ${transaction.txId}`,
    );
  const fromMs = earliest(waiting().map(({ unfreeze_expire_time }) => unfreeze_expire_time));
  if (fromMs === undefined || !isAlone(host)) return;
  await passTo(host, fromMs + SLOT_MS * BigInt(choices.below(2)));
  if (isAlone(host) && waiting().length < MOST_UNSTAKINGS)
    await mustBeAccepted(host, 'unstakes when others are due', right);
};
