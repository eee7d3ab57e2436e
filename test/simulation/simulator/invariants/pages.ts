/**
 * Lists of java-tron's wallet by pages are the whole list, and the whole list is what other questions say: rows of the
 * state, blocks one by one, orders of all accounts.
 */

import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';

const NAME = 'an answer is the same on all interfaces';
/** More than there is of anything in a world. */
const ALL = 1_000;

type Row = Readonly<Record<string, unknown>>;

export async function listsAgree(host: Host): Promise<void> {
  const checks = [witnessesAgree, numberedAgree, assetsAgree, blockRangesAgree, orderBookIsShown];
  const { world } = host;
  const { chain } = world.node;
  const moment = () => `${chain.headId} ${chain.pool.size}`;
  const asked = moment();
  const wrong = await world.choices.of(checks)(host);
  // A block of the clock may have come between two questions.
  if (wrong !== undefined && world.isRunning && moment() === asked) throw new Violation(NAME, wrong);
}

/** @returns undefined: no answer, or a refusal */
async function members<One = Row>(
  { asker }: Host,
  path: string,
  body: object,
  member: string,
): Promise<readonly One[] | undefined> {
  const answer = await asker.post(`/wallet/${path}`, body);
  if (!answer?.startsWith('200 {') || answer.includes('"Error"')) return undefined;
  return ((JSON.parse(answer.slice(4)) as Readonly<Record<string, unknown>>)[member] ?? []) as readonly One[];
}

/** All pages of a size, one after another; the last one is empty. */
async function paged(host: Host, path: string, member: string): Promise<readonly Row[] | undefined> {
  const limit = 1 + host.world.choices.below(3);
  const rows: Row[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = await members(host, path, { offset, limit }, member);
    if (page === undefined) return undefined;
    if (page.length === 0) return rows;
    if (page.length > limit) return [...rows, ...page, { tooMany: page.length }];
    rows.push(...page);
  }
}

/** @returns the first difference between a list by pages and as a whole */
async function pagesDiffer(host: Host, path: string, member: string): Promise<string | undefined> {
  const whole = await members(host, path, { offset: 0, limit: ALL }, member);
  const pages = await paged(host, path, member);
  if (whole === undefined || pages === undefined) return undefined;
  return differ(`${path} by pages`, pages, `as a whole`, whole);
}

function differ(one: string, ones: readonly unknown[], other: string, others: readonly unknown[]): string | undefined {
  const at = Array.from({ length: Math.max(ones.length, others.length) }, (_, i) => i).find(
    (i) => JSON.stringify(ones[i]) !== JSON.stringify(others[i]),
  );
  if (at === undefined) return undefined;
  return `row ${at}: ${one} ${JSON.stringify(ones[at])}, ${other} ${JSON.stringify(others[at])}`;
}

function sorted(values: readonly unknown[]): readonly string[] {
  return values.map(String).sort();
}

async function witnessesAgree(host: Host): Promise<string | undefined> {
  const listed = await members(host, 'listwitnesses', {}, 'witnesses');
  const now = await members(host, 'getpaginatednowwitnesslist', { offset: 0, limit: ALL }, 'witnesses');
  if (listed === undefined) return undefined;
  const rows = host.world.node.chain.ledger.state.tables.witnesses.entries().map(([address]) => address);
  const shown = listed.map(({ address }) => address);
  const wrong = differ('listwitnesses', sorted(shown), 'the state', sorted(rows));
  if (wrong !== undefined || now === undefined) return wrong;
  const votes = now.map(({ voteCount = 0 }) => Number(voteCount));
  const byVotes = votes.toSorted((a, b) => b - a);
  return (
    differ('present witnesses', sorted(now.map(({ address }) => address)), 'all', sorted(shown)) ??
    differ('present witnesses', votes, 'by votes', byVotes) ??
    (await pagesDiffer(host, 'getpaginatednowwitnesslist', 'witnesses'))
  );
}

/** Proposals and exchanges: pages by id, whole lists by time. */
async function numberedAgree(host: Host): Promise<string | undefined> {
  const { tables } = host.world.node.chain.ledger.state;
  const [what, path, id, rows] = host.world.choices.of([
    ['proposals', 'proposal', 'proposal_id', tables.proposals.entries().map(([, row]) => row.proposal_id)],
    ['exchanges', 'exchange', 'exchange_id', tables.exchanges.entries().map(([, row]) => row.exchange_id)],
  ] as const);
  const listed = await members(host, `list${what}`, {}, what);
  const pages = await paged(host, `getpaginated${path}list`, what);
  if (listed === undefined || pages === undefined) return undefined;
  const ids = (some: readonly Row[]) => some.map((row) => Number(row[id]));
  const stored = rows.map(Number).sort((a, b) => a - b);
  const times = listed.map(({ create_time: time = 0 }) => Number(time));
  return (
    differ(`${what} by pages`, ids(pages), 'the state', stored) ??
    differ(`list${what}`, sorted(ids(listed)), 'the state', sorted(stored)) ??
    differ(
      `times of list${what}`,
      times,
      'newest first',
      times.toSorted((a, b) => b - a),
    ) ??
    (await pagesDiffer(host, `getpaginated${path}list`, what))
  );
}

async function assetsAgree(host: Host): Promise<string | undefined> {
  const listed = await members(host, 'getassetissuelist', {}, 'assetIssue');
  const pages = await paged(host, 'getpaginatedassetissuelist', 'assetIssue');
  if (listed === undefined || pages === undefined) return undefined;
  const rows = host.world.node.chain.ledger.state.tables.assets.entries().map(([, { id }]) => id);
  const ids = (some: readonly Row[]) => sorted(some.map(({ id }) => id));
  const owner = listed.length === 0 ? undefined : host.world.choices.of(listed);
  const own = owner && (await members(host, 'getassetissuebyaccount', { address: owner.owner_address }, 'assetIssue'));
  return (
    differ('getassetissuelist', ids(listed), 'the state', sorted(rows)) ??
    differ('assets by pages', ids(pages), 'all', ids(listed)) ??
    (own && differ('assets of their owner', own, 'of all', [owner])) ??
    (await pagesDiffer(host, 'getpaginatedassetissuelist', 'assetIssue'))
  );
}

/** Ranges of blocks are the blocks, one by one. */
async function blockRangesAgree(host: Host): Promise<string | undefined> {
  const { world } = host;
  const { choices, headNumber } = world;
  const idsFrom = (from: number, end: number) =>
    Array.from({ length: Math.max(0, end - from) }, (_, i) => world.blockIdAt(from + i)).filter(
      (id) => id !== undefined,
    );
  const idsOf = (rows: readonly Row[]) => rows.map(({ blockID }) => blockID);
  const num = 1 + choices.below(12);
  const newest = await members(host, 'getblockbylatestnum', { num }, 'block');
  const startNum = choices.below(headNumber + 2);
  const endNum = startNum + 1 + choices.below(12);
  const range = await members(host, 'getblockbylimitnext', { startNum, endNum }, 'block');
  if (newest === undefined || range === undefined || world.shape.isFork) return undefined;
  return (
    differ(
      `the newest ${num} blocks`,
      idsOf(newest),
      'the chain',
      idsFrom(Math.max(0, headNumber + 1 - num), headNumber + 1),
    ) ?? differ(`blocks ${startNum} to before ${endNum}`, idsOf(range), 'the chain', idsFrom(startNum, endNum))
  );
}

interface Order {
  readonly order_id: string;
  readonly sell_token_quantity: number;
  readonly buy_token_quantity: number;
  readonly create_time: number;
}

/** The orders of all pairs are those of all accounts, best price first and oldest first; the prices are theirs. */
async function orderBookIsShown(host: Host): Promise<string | undefined> {
  const { world, people } = host;
  if (!world.shape.market) return undefined;
  const pairs = (await members(host, 'getmarketpairlist', {}, 'orderPair')) ?? [];
  const inBook: Order[] = [];
  for (const pair of pairs) {
    const orders = await members<Order>(host, 'getmarketorderlistbypair', pair, 'orders');
    const prices = await members<Order>(host, 'getmarketpricebypair', pair, 'prices');
    if (orders === undefined || prices === undefined) return undefined;
    const wrong = orderWrong(orders) ?? differ('prices', pricesOf(prices), 'of orders', pricesOf(orders));
    if (wrong !== undefined) return `${wrong}, of ${JSON.stringify(pair)}`;
    if (orders.length === 0) return `${JSON.stringify(pair)} is listed and has no orders`;
    inBook.push(...orders);
  }
  const ofAccounts: Order[] = [];
  for (const value of people.addresses) {
    const own = await members<Order>(host, 'getmarketorderbyaccount', { value }, 'orders');
    if (own === undefined) return undefined;
    ofAccounts.push(...own);
  }
  const texts = (orders: readonly Order[]) => sorted(orders.map((order) => JSON.stringify(order)));
  return differ('orders of all pairs', texts(inBook), 'of all accounts', texts(ofAccounts));
}

/** Different prices in their order, each in lowest terms. */
function pricesOf(orders: readonly Order[]): readonly string[] {
  const prices = orders.map(({ sell_token_quantity: sold, buy_token_quantity: bought }) => {
    const divisor = greatestDivisor(BigInt(sold), BigInt(bought));
    return `${BigInt(sold) / divisor}:${BigInt(bought) / divisor}`;
  });
  return prices.filter((price, i) => price !== prices[i - 1]);
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}

function orderWrong(orders: readonly Order[]): string | undefined {
  for (const [i, order] of orders.entries()) {
    const before = orders[i - 1];
    if (before === undefined) continue;
    // What is wanted for one that is sold.
    const here = BigInt(order.buy_token_quantity) * BigInt(before.sell_token_quantity);
    const there = BigInt(before.buy_token_quantity) * BigInt(order.sell_token_quantity);
    if (here < there) return `order ${order.order_id} is cheaper than the one before`;
    if (here === there && order.create_time < before.create_time)
      return `order ${order.order_id} is older than the one before`;
  }
  return undefined;
}
