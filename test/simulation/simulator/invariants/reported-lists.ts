/**
 * Lists that a node keeps in memory or sorts for each answer are the rows of the state: contracts, shares of the pools,
 * tokens of `/v1`, holders of a token. All pages, in every order.
 */

import { hexToUtf8 } from '../../../../src/primitives/hex.js';
import { type Address, isAddress } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { ResourceCode } from '../../../../src/protocol/generated/resource-code.js';
import { TABLES } from '../../../../src/state/tables.js';
import { callData } from '../../simulated-chain.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import { holdersOf, holdersPath, MOST_HOLDERS } from '../users/holders.js';
import { wholeOf } from '../users/paged-lists.js';
import type { Host } from '../users/user.js';

const NAME = 'a report lists the rows';

type Item = Readonly<Record<string, unknown>>;
type Check = (host: Host, cold: Cold) => Promise<string | undefined>;

export async function reportsAreTheRows(host: Host, cold: () => Promise<Cold>): Promise<void> {
  const { world } = host;
  // A fork has rows of some accounts only.
  if (world.shape.isFork) return;
  const check = world.choices.of([contractsListed, poolsShared, tokensListed, holdersListed, witnessesPaged]);
  const stored = await cold();
  const wrong = await check(host, stored);
  // A block of the clock may have come since the disk was read.
  if (wrong !== undefined && world.isRunning && world.node.chain.headId === stored.ledger.headId)
    throw new Violation(NAME, wrong);
}

async function bodyOf({ asker }: Host, path: string): Promise<string | undefined> {
  const answer = await asker.get(path);
  return answer?.startsWith('200 ') ? answer.slice(4) : undefined;
}

async function told<Answer>(host: Host, path: string): Promise<Answer | undefined> {
  const body = await bodyOf(host, path);
  return body === undefined ? undefined : (JSON.parse(body) as Answer);
}

function differ(what: string, said: unknown, expected: unknown): string | undefined {
  const [one, other] = [said, expected].map((value) => JSON.stringify(value));
  return one === other ? undefined : `${what}: ${one}, by the rows ${other}`;
}

function addressesIn({ database }: Cold, { prefix }: { readonly prefix: string }): readonly Address[] {
  return database.keysWith(prefix).map((key) => key.slice(prefix.length) as Address);
}

function inOrder<Value extends bigint | number | string>(values: readonly Value[], descends: boolean): boolean {
  return values.every((value, i) => {
    const before = values[i - 1];
    return before === undefined || (descends ? before >= value : before <= value);
  });
}

/** Of the orders, the member that they sort by. */
const ORDERS: Readonly<Record<string, readonly [member: string, descends: boolean]>> = {
  newest: ['createdIn', true],
  oldest: ['createdIn', false],
  energy: ['energyUsage', true],
  factor: ['energyFactor', true],
};

const contractsListed: Check = async (host, cold) => {
  const { choices } = host.world;
  const [order, [member, descends]] = choices.of(Object.entries(ORDERS));
  const limit = 1 + choices.below(8);
  const listed: Item[] = [];
  for (let offset = 0; ; offset += limit) {
    const path = `/sunup/contracts?order=${order}&offset=${offset}&limit=${limit}`;
    const page = await told<{ readonly total: number; readonly contracts: readonly Item[] }>(host, path);
    if (page === undefined) return undefined;
    listed.push(...page.contracts);
    if (page.contracts.length < limit) break;
  }
  const { contracts } = cold.ledger.state.tables;
  const shown = listed.map(({ address, deployer, callerPercent }) => `${address} ${deployer} ${callerPercent}`);
  const expected = addressesIn(cold, TABLES.contracts).map((address) => {
    const row = contracts.get(address);
    return `${toBase58(address)} ${toBase58(row?.origin_address ?? '')} ${row?.consume_user_resource_percent}`;
  });
  const values = listed.map((one) => Number(one[member] ?? -1));
  return (
    differ('contracts', shown.toSorted(), expected.toSorted()) ??
    (inOrder(values, descends) ? undefined : `contracts in the order ${order}: ${values}`)
  );
};

const RESOURCES = { energy: ResourceCode.ENERGY, bandwidth: ResourceCode.BANDWIDTH } as const;

/** Stakes of both kinds that count for an account: own ones, and those that others delegate to it. */
function stakeFor(cold: Cold, address: Address, resource: keyof typeof RESOURCES): bigint {
  const account = cold.ledger.state.tables.accounts.get(address);
  if (account === undefined) return 0n;
  const { frozen, frozenV2, account_resource: other } = account;
  const own = frozenV2.filter(({ type }) => type === RESOURCES[resource]);
  const sums = [...own, ...(resource === 'bandwidth' ? frozen : [])].map((one) =>
    'amount' in one ? one.amount : one.frozen_balance,
  );
  if (resource === 'bandwidth')
    sums.push(
      account.acquired_delegated_frozen_balance_for_bandwidth,
      account.acquired_delegated_frozenV2_balance_for_bandwidth,
    );
  else
    sums.push(
      other?.frozen_balance_for_energy?.frozen_balance ?? 0n,
      other?.acquired_delegated_frozen_balance_for_energy ?? 0n,
      other?.acquired_delegated_frozenV2_balance_for_energy ?? 0n,
    );
  return sums.reduce((sum, one) => sum + one, 0n);
}

const poolsShared: Check = async (host, cold) => {
  const resource = host.world.choices.of(['energy', 'bandwidth'] as const);
  const limit = 1 + host.world.choices.below(8);
  const pools = await told<
    Readonly<Record<typeof resource, { readonly holders: number; readonly largest: readonly Item[] }>>
  >(host, `/sunup/pools?limit=${limit}`);
  if (pools === undefined) return undefined;
  const { holders, largest } = pools[resource];
  const shares = addressesIn(cold, TABLES.accounts)
    .map((address) => [toBase58(address), stakeFor(cold, address, resource)] as const)
    .filter(([, stake]) => stake > 0n);
  const sorted = shares.map(([, stake]) => stake).toSorted((a, b) => (a < b ? 1 : -1));
  const own = new Map(shares.map(([address, stake]) => [address, String(stake)]));
  return (
    differ(`holders of ${resource}`, holders, shares.length) ??
    differ(
      `largest shares of ${resource}`,
      largest.map(({ stakeSun }) => String(stakeSun)),
      sorted.slice(0, limit).map(String),
    ) ??
    differ(
      `stakes for ${resource}`,
      largest.map(({ account, stakeSun }) => [account, String(stakeSun)]),
      largest.map(({ account }) => [account, own.get(String(account))]),
    )
  );
};

const tokensListed: Check = async (host) => {
  const { world } = host;
  const { choices } = world;
  const rows = world.node.chain.ledger.state.tables.assets.entries().map(([, row]) => row);
  const order = choices.of(['id', 'total_supply', 'start_time', 'end_time'] as const);
  const descends = choices.chance(0.5);
  const query = `order_by=${order},${descends ? 'desc' : 'asc'}&limit=${1 + choices.below(3)}`;
  const named = rows.length > 0 && choices.chance(0.4) ? choices.of(rows) : undefined;
  const text = named && hexToUtf8(named.name);
  if (text !== undefined && !/^\w+$/.test(text)) return undefined;
  const path = named === undefined ? '/v1/assets' : `/v1/assets/${text}/list`;
  const listed: Item[] = [];
  for (let fingerprint = ''; ; ) {
    const page = await told<{ readonly data: readonly Item[]; readonly meta: { readonly fingerprint?: string } }>(
      host,
      `${path}?${query}${fingerprint}`,
    );
    if (page === undefined) return undefined;
    listed.push(...page.data);
    if (page.meta.fingerprint === undefined) break;
    fingerprint = `&fingerprint=${encodeURIComponent(page.meta.fingerprint)}`;
  }
  const shown = (id: unknown, supply: unknown, start: unknown, end: unknown) => `${id} ${supply} ${start} ${end}`;
  const expected = rows
    .filter(({ name }) => named === undefined || name === named.name)
    .map(({ id, total_supply, start_time, end_time }) => shown(id, total_supply, start_time, end_time));
  const found = listed.map(({ id, total_supply, start_time, end_time }) =>
    shown(id, total_supply, start_time, end_time),
  );
  const values = listed.map((one) => BigInt(String(one[order])));
  return (
    differ(path, found.toSorted(), expected.toSorted()) ??
    (inOrder(values, descends) ? undefined : `${path} in the order ${order}: ${values}`)
  );
};

async function isNamedIn(host: Host, holder: Address, token: Address): Promise<boolean> {
  const path = `/v1/accounts/${toBase58(holder)}/transactions/trc20?limit=200&contract_address=${toBase58(token)}`;
  const list = await told<{ readonly data: readonly { readonly type: string }[] }>(host, path);
  return list?.data.some(({ type }) => type === 'Transfer') ?? false;
}

/** What a token says, as a word. Undefined: there is no answer. */
async function balanceIn({ asker }: Host, at: string, token: Address, holder: Address): Promise<string | undefined> {
  const call = { owner_address: holder, contract_address: token, data: callData('balanceOf(address)', holder) };
  const answer = await asker.post(`${at}/triggerconstantcontract`, call);
  return /"constant_result": ?\["([0-9a-f]{64})"\]/.exec(answer ?? '')?.[1];
}

/** What an account's own list says of a token. */
async function ownBalance(host: Host, token: Address, holder: Address, query: string): Promise<string | undefined> {
  const path = `/v1/accounts/${toBase58(holder)}/trc20/balance?limit=200${query}`;
  const own = await told<{ readonly data: readonly Readonly<Record<string, string>>[] }>(host, path);
  return own && (own.data.map((one) => one[toBase58(token)]).find((amount) => amount !== undefined) ?? '0');
}

/** An account's tokens page by page are all of them; of some it has nothing left. */
export async function pagedBalancesDiffer(host: Host, account: Address): Promise<string | undefined> {
  const path = `/v1/accounts/${toBase58(account)}/trc20/balance?`;
  const all = await told<{ readonly data: readonly Item[] }>(host, `${path}limit=200`);
  const limit = 1 + host.world.choices.below(3);
  const pages = all && (await wholeOf((page) => bodyOf(host, page), path, limit, all.data.length));
  return pages && differ(`${path} by ${limit}`, pages, all.data);
}

/** What is told of an account's tokens at the solidified height is what the token says there. */
export async function wrongConfirmed(host: Host, token: Address, holder: Address): Promise<string | undefined> {
  const { chain } = host.world.node;
  const { headId } = chain;
  const confirmed = await ownBalance(host, token, holder, '&only_confirmed=true');
  const solid = await balanceIn(host, '/walletsolidity', token, holder);
  // At that height, there may be no token yet.
  if (confirmed === undefined || solid === undefined || confirmed === String(BigInt(`0x${solid}`))) return undefined;
  if (!(await isNamedIn(host, holder, token)) || !host.world.isRunning || chain.headId !== headId) return undefined;
  return `${toBase58(holder)} has ${confirmed} of ${toBase58(token)} confirmed, the solidified view says 0x${solid}`;
}

/** A page of witnesses is a part of all of them. */
const witnessesPaged: Check = async ({ world, asker }) => {
  const page = async (offset: number, limit: number) => {
    const answer = await asker.post('/wallet/getpaginatednowwitnesslist', { offset, limit });
    return answer?.match(/"address": ?"\w+"/g) ?? [];
  };
  const all = await page(0, 1_000);
  const [offset, limit] = [world.choices.below(all.length + 1), 1 + world.choices.below(3)];
  return differ(`witnesses from ${offset} on`, await page(offset, limit), all.slice(offset, offset + limit));
};

/** Holders of a token are those whom it says that they have some; each has it among its own tokens. */
const holdersListed: Check = async (host) => {
  const { world, people } = host;
  const token = people.bazaar?.coins[0];
  if (token === undefined || world.node.chain.pool.size > 0) return undefined;
  const { headId } = world.node.chain;
  const listed = await holdersOf(host, token);
  if (listed === undefined || listed.size >= MOST_HOLDERS) return undefined;
  const asked = people.addresses.filter(isAddress);
  for (const holder of asked) {
    const word = await balanceIn(host, '/wallet', token, holder);
    const own = await ownBalance(host, token, holder, '');
    if (word === undefined || own === undefined || !world.isRunning || world.node.chain.headId !== headId)
      return undefined;
    const said = String(BigInt(`0x${word}`));
    const isSaid = (listed.get(toBase58(holder)) ?? '0') === said && own === said;
    // Whom no transfer names is not known as a holder, also if somebody has written a balance into the storage.
    if (!isSaid && (await isNamedIn(host, holder, token)))
      return `${toBase58(holder)} has ${said} of ${toBase58(token)}; ${holdersPath(token)} says ${listed.get(toBase58(holder))}, its own list ${own}`;
  }
  const wrong = await wrongConfirmed(host, token, world.choices.of(asked));
  if (wrong !== undefined) return wrong;
  const amounts = [...listed.values()].map(BigInt);
  return inOrder(amounts, true) ? undefined : `holders of ${toBase58(token)}: ${amounts}`;
};
