/**
 * Logs and filters (protocol/json-rpc.md#eth_getlogs, #filters): reads criteria as java-tron does, and answers them.
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import {
  type LogSubscription,
  MAX_BLOCK_FILTERS,
  MAX_LOG_FILTERS,
  TooManyFiltersError,
} from '../../node/chain/filters.js';
import type { Hex } from '../../primitives/hex.js';
import type { BlockId, TxId } from '../../primitives/ids.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { findBlockNumber, getBlockRows, headNumber } from '../../wallet/blocks.js';
import { fullContext, type WalletContext } from '../../wallet/context.js';
import { blockIdsAfter, findLogs, TooManyLogsError } from '../../wallet/logs.js';
import { type FilterObject, filterObject, text } from '../arguments.js';
import { isFinalizedTag, rangeEnd } from '../block-tags.js';
import type { Dialect } from '../dialect.js';
import { internalError, invalidParams, limitExceeded } from '../errors.js';
import { isMembers, type Json, NumberText } from '../json-text.js';
import { shownHash, shownLog } from '../objects.js';
import { AnswerTooLong, type Method, method, RawJson, type RpcContext } from '../table.js';
import { readHash } from '../values.js';

type LogCriteria = LogSubscription['criteria'];

const MAX_BLOCK_RANGE = 5_000n;
const MAX_SUB_TOPICS = 1_000;
/** Later java-tron's limit; 4.8.0 has none. */
const MAX_ADDRESSES = 1_000;
const MAX_TOPICS = 4;
const ADDRESS_DIGITS = 40;
const TOPIC_DIGITS = 64;

/** Java's error for an element that it casts to text unchecked. */
function asText(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  const type = javaClassOf(value);
  throw new JavaException(
    'java.lang.ClassCastException',
    `class ${type} cannot be cast to class java.lang.String (${type} and java.lang.String are in module java.base of loader 'bootstrap')`,
  );
}

function javaClassOf(value: Exclude<Json, null | string>): string {
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (isMembers(value)) return 'java.util.LinkedHashMap';
  const written = value instanceof NumberText ? value.text : String(value);
  if (!/^-?\d+$/.test(written)) return 'java.lang.Double';
  const number = BigInt(written);
  if (BigInt.asIntN(32, number) === number) return 'java.lang.Integer';
  return BigInt.asIntN(64, number) === number ? 'java.lang.Long' : 'java.math.BigInteger';
}

function addressIn(value: string | null, complaint: string): Hex {
  const address = readHex(value ?? '');
  if (address.length !== ADDRESS_DIGITS) throw invalidParams(`${complaint}: ${value}`);
  return address;
}

function addressesOf(address: Json): readonly Hex[] {
  if (address === null) return [];
  if (typeof address === 'string') return [addressIn(address, 'invalid address')];
  if (!Array.isArray(address)) throw invalidParams('invalid addresses in query');
  if (address.length > MAX_ADDRESSES) throw invalidParams(`exceed max addresses: ${MAX_ADDRESSES}`);
  return address.map((item: Json, index) => addressIn(asText(item), `invalid address at index ${index}`));
}

function topicIn(value: string | null): Hex {
  const topic = readHex(value ?? '');
  if (topic.length !== TOPIC_DIGITS) throw invalidParams(`invalid topic(s): ${value}`);
  return topic;
}

function topicsAt(place: Json): readonly Hex[] {
  if (place === null) return [];
  if (typeof place === 'string') return [topicIn(place)];
  if (!Array.isArray(place)) throw invalidParams('invalid topic(s)');
  if (place.length > MAX_SUB_TOPICS) throw invalidParams(`exceed max topics: ${MAX_SUB_TOPICS}`);
  return place.map((item: Json) => topicIn(asText(item)));
}

export function criteriaOf({ address, topics }: Pick<FilterObject, 'address' | 'topics'>): LogCriteria {
  const addresses = addressesOf(address);
  if (topics !== null && topics.length > MAX_TOPICS) throw invalidParams(`topics size should be <= ${MAX_TOPICS}`);
  return { addresses, topics: (topics ?? []).map(topicsAt) };
}

interface Range {
  readonly from: bigint;
  readonly to: bigint | undefined;
}

/** @throws JsonRpcError */
function rangeOf(wallet: WalletContext, dialect: Dialect, { fromBlock, toBlock, blockHash }: FilterObject): Range {
  const { tags } = dialect;
  const head = BigInt(headNumber(wallet));
  if (blockHash !== null) {
    if (fromBlock !== null || toBlock !== null) {
      throw invalidParams('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
    }
    const number = BigInt(
      numberOfBlock(
        wallet,
        (dialect.forms.strictValues ? readHash(blockHash, dialect.forms) : readHex(blockHash)) as BlockId,
      ),
    );
    return { from: number, to: number };
  }
  // In java-tron's order: the first invalid value determines the error.
  const given = rangeEnd(wallet, tags, fromBlock);
  const from = given === 'latest' ? head : given;
  const end = rangeEnd(wallet, tags, toBlock);
  const to = end === 'latest' ? undefined : end;
  if (from === undefined) return { from: to === undefined || to > head ? head : to, to };
  if (to !== undefined && from > to) throw invalidParams('please verify: fromBlock <= toBlock');
  return { from, to };
}

function numberOfBlock(wallet: WalletContext, id: BlockId): number {
  const number = id.length === TOPIC_DIGITS ? findBlockNumber(wallet, id) : undefined;
  if (number === undefined) throw invalidParams('invalid blockHash');
  return number;
}

/** Number of blocks and transactions that are searched between two turns of other work: a few milliseconds. */
const WORK_A_TURN = 500;

/** Serialised one by one, so that a too long answer is stopped early. */
async function logsIn(
  context: RpcContext,
  criteria: LogCriteria,
  from: bigint,
  to: bigint | undefined,
  before: readonly string[] = [],
) {
  const shown = [...before];
  let length = before.reduce((sum, text) => sum + text.length + 1, 0);
  let work = 0;
  try {
    const last = to ?? BigInt(headNumber(context.wallet));
    for (const block of findLogs(() => context.wallet, criteria, from, last)) {
      for (const log of block.logs) {
        const text = JSON.stringify(shownLog(context.dialect, log));
        length += text.length + 1;
        if (length > context.roomLeft) throw new AnswerTooLong();
        shown.push(text);
      }
      work += block.work;
      if (work < WORK_A_TURN) continue;
      work = 0;
      await context.pause();
    }
  } catch (error) {
    throw tooMany(error);
  }
  return new RawJson(`[${shown.join(',')}]`);
}

function tooMany(error: unknown): unknown {
  return error instanceof TooManyLogsError ? limitExceeded('query returned more than 10000 results') : error;
}

function getLogs(context: RpcContext, filter: FilterObject | null): Promise<RawJson> {
  if (filter === null) throw nullPointerException();
  const { wallet, dialect } = context;
  const criteria = criteriaOf(filter);
  const { from, to } = rangeOf(wallet, dialect, filter);
  if (filter.blockHash === null) checkRange(wallet, from, to);
  return logsIn(context, criteria, from, to);
}

/** @throws JsonRpcError */
function checkRange(wallet: WalletContext, from: bigint, to: bigint | undefined): void {
  const head = BigInt(headNumber(wallet));
  if ((to === undefined || to > head ? head : to) - from > MAX_BLOCK_RANGE) {
    throw invalidParams(`exceed max block range: ${MAX_BLOCK_RANGE}`);
  }
}

function newFilter({ wallet, dialect, filters }: RpcContext, filter: FilterObject | null): string {
  const { tags } = dialect;
  const { node } = wallet;
  if (filter === null) throw nullPointerException();
  if (isFinalizedTag(tags, filter.fromBlock) || isFinalizedTag(tags, filter.toBlock)) {
    throw invalidParams('invalid block range params');
  }
  const logs: LogSubscription = { criteria: criteriaOf(filter), ...rangeOf(wallet, dialect, filter) };
  const removedLogs = (first: bigint, last: bigint): string[] => {
    const found = [...findLogs(() => fullContext(node), logs.criteria, first, last)];
    return found.flatMap((block) => block.logs.map((log) => JSON.stringify(shownLog(dialect, log, true))));
  };
  return installed(
    () => filters.add(logs, headNumber(wallet), { readLogs: removedLogs }),
    `log filters: ${MAX_LOG_FILTERS}`,
  );
}

function newBlockFilter({ wallet, filters }: RpcContext): string {
  return installed(() => filters.add(undefined, headNumber(wallet)), `block filters: ${MAX_BLOCK_FILTERS}`);
}

/**
 * The pending transactions, by the hashes that the client sees: one of Ethereum's gets another TRON id when it has
 * waited for its nonce again.
 */
function pendingIn(wallet: WalletContext, dialect: Dialect): ReadonlySet<string> {
  return new Set(
    wallet.node.chain.pool.members().map(({ transaction }) => shownHash(wallet, dialect, transaction.txId)),
  );
}

function newPendingFilter({ wallet, dialect, filters }: RpcContext): string {
  const add = () => filters.add(undefined, headNumber(wallet), { reportedPending: pendingIn(wallet, dialect) });
  return installed(add, `block filters: ${MAX_BLOCK_FILTERS}`);
}

/** Transactions that arrived since the last request, including those already in a block. */
function pendingChanges(
  { wallet, dialect, filters }: RpcContext,
  id: Hex,
  reportedTo: number,
  before: ReadonlySet<string>,
): readonly string[] {
  const pending = pendingIn(wallet, dialect);
  filters.markReported(id, headNumber(wallet), pending);
  const came: TxId[] = [];
  for (const { count, outlines } of getBlockRows(wallet, reportedTo + 1, headNumber(wallet))) {
    if (count > 1) continue;
    for (const { transactionIds } of outlines) came.push(...transactionIds);
    if (came.length > MAX_PENDING) throw limitExceeded(`query returned more than ${MAX_PENDING} results`);
  }
  const arrived = [...came.map((txId) => shownHash(wallet, dialect, txId)), ...pending];
  return arrived.filter((hash) => !before.has(hash));
}

/** The same limit as for logs. */
const MAX_PENDING = 10_000;

function installed(add: () => Hex, limit: string): string {
  try {
    return `0x${add()}`;
  } catch (error) {
    throw error instanceof TooManyFiltersError ? limitExceeded(`exceed max ${limit}, try again later`) : error;
  }
}

/** Without prefix, whole bytes; not validated further. */
function filterId(given: string | null): Hex {
  if (given === null) throw nullPointerException();
  const digits = given.startsWith('0x') ? given.slice(2) : given;
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

const NOT_FOUND = 'filter not found';

function filterChanges(context: RpcContext, given: string | null): readonly string[] | Promise<RawJson> {
  const { wallet, filters } = context;
  const id = filterId(given);
  const filter = filters.get(id);
  if (filter === undefined) throw internalError(NOT_FOUND);
  const { logs, reportedTo, reportedPending, removedLogs } = filter;
  if (reportedPending !== undefined) return pendingChanges(context, id, reportedTo, reportedPending);
  // Recorded also for entries beyond the answer's limit: the next request starts after them.
  filters.markReported(id, headNumber(wallet));
  if (logs !== undefined)
    return logsIn(context, logs.criteria, larger(logs.from, BigInt(reportedTo) + 1n), logs.to, removedLogs);
  try {
    return blockIdsAfter(wallet, reportedTo).map((blockId) => `0x${blockId}`);
  } catch (error) {
    throw tooMany(error);
  }
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function filterLogs(context: RpcContext, given: string | null): Promise<RawJson> {
  const logs = context.filters.get(filterId(given))?.logs;
  if (logs === undefined) throw internalError(NOT_FOUND);
  if (context.dialect.forms.filterRange) checkRange(context.wallet, logs.from, logs.to);
  return logsIn(context, logs.criteria, logs.from, logs.to);
}

const logs: readonly Method[] = [
  method('eth_getLogs', 'getLogs', [filterObject], getLogs),
  method('eth_newFilter', 'newFilter', [filterObject], newFilter),
  method('eth_newBlockFilter', 'newBlockFilter', [], newBlockFilter),
  {
    name: 'eth_newPendingTransactionFilter',
    onlyEthereum: true,
    callers: 'anyone',
    parameters: [],
    answer: newPendingFilter,
  },
  method('eth_getFilterChanges', 'getFilterChanges', [text], filterChanges),
  method('eth_getFilterLogs', 'getFilterLogs', [text], filterLogs),
  method('eth_uninstallFilter', 'uninstallFilter', [text], ({ filters }, id) => {
    if (!filters.remove(filterId(id))) throw internalError(NOT_FOUND);
    return true;
  }),
];

export const logMethods: readonly Method[] = logs.map((one) => ({ ...one, notIn: ['pbft'] }));
