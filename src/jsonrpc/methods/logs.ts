/** Logs and filters (json-rpc.md A.8.5, A.8.6): the criteria as java-tron reads them, and what it answers. */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import type { LogSubscription } from '../../node/filters.js';
import type { Hex } from '../../primitives/hex.js';
import type { BlockId } from '../../primitives/ids.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { getBlockNumberById, headNumber } from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { blockIdsAfter, findLogs, TooManyLogsError } from '../../wallet/logs.js';
import { type FilterObject, filterObject, text } from '../arguments.js';
import { isFinalizedTag, rangeEnd } from '../block-tags.js';
import { internalError, invalidParams, limitExceeded } from '../errors.js';
import { isMembers, type Json, NumberText } from '../json-text.js';
import { shownLog } from '../objects.js';
import { type Method, method, type RpcContext } from '../table.js';

type LogCriteria = LogSubscription['criteria'];

const MAX_BLOCK_RANGE = 5_000n;
const MAX_SUB_TOPICS = 1_000;
const MAX_TOPICS = 4;
const ADDRESS_DIGITS = 40;
const TOPIC_DIGITS = 64;

/** Java's complaint about an element that it takes for a text without a look. */
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

function criteriaOf({ address, topics }: FilterObject): LogCriteria {
  const addresses = addressesOf(address);
  if (topics !== null && topics.length > MAX_TOPICS) throw invalidParams(`topics size should be <= ${MAX_TOPICS}`);
  return { addresses, topics: (topics ?? []).map(topicsAt) };
}

interface Range {
  readonly from: bigint;
  readonly to: bigint | undefined;
}

/** @throws JsonRpcError */
function rangeOf(wallet: WalletContext, { fromBlock, toBlock, blockHash }: FilterObject): Range {
  const head = BigInt(headNumber(wallet));
  if (blockHash !== null) {
    if (fromBlock !== null || toBlock !== null) {
      throw invalidParams('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
    }
    const number = BigInt(numberOfBlock(wallet, readHex(blockHash) as BlockId));
    return { from: number, to: number };
  }
  // Asked in this order: the first that is wrong is what java-tron complains of.
  const given = rangeEnd(wallet, fromBlock);
  const from = given === 'latest' ? head : given;
  const end = rangeEnd(wallet, toBlock);
  const to = end === 'latest' ? undefined : end;
  if (from === undefined) return { from: to === undefined || to > head ? head : to, to };
  if (to !== undefined && from > to) throw invalidParams('please verify: fromBlock <= toBlock');
  return { from, to };
}

function numberOfBlock(wallet: WalletContext, id: BlockId): number {
  const number = id.length === TOPIC_DIGITS ? getBlockNumberById(wallet, id) : undefined;
  if (number === undefined) throw invalidParams('invalid blockHash');
  return number;
}

function logsIn(wallet: WalletContext, criteria: LogCriteria, from: bigint, to: bigint | undefined): object[] {
  return limited(() => findLogs(wallet, criteria, from, to ?? BigInt(headNumber(wallet))).map(shownLog));
}

function limited<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof TooManyLogsError) throw limitExceeded('query returned more than 10000 results');
    throw error;
  }
}

function getLogs(wallet: WalletContext, filter: FilterObject | null): object[] {
  if (filter === null) throw nullPointerException();
  const criteria = criteriaOf(filter);
  const { from, to } = rangeOf(wallet, filter);
  const head = BigInt(headNumber(wallet));
  if (filter.blockHash === null && (to === undefined || to > head ? head : to) - from > MAX_BLOCK_RANGE) {
    throw invalidParams(`exceed max block range: ${MAX_BLOCK_RANGE}`);
  }
  return logsIn(wallet, criteria, from, to);
}

function newFilter({ wallet, filters }: RpcContext, filter: FilterObject | null): string {
  if (filter === null) throw nullPointerException();
  if (isFinalizedTag(filter.fromBlock) || isFinalizedTag(filter.toBlock)) {
    throw invalidParams('invalid block range params');
  }
  const logs: LogSubscription = { criteria: criteriaOf(filter), ...rangeOf(wallet, filter) };
  return `0x${filters.add(logs, headNumber(wallet))}`;
}

/** Without prefix, whole bytes; not looked at any closer. */
function filterId(given: string | null): Hex {
  if (given === null) throw nullPointerException();
  const digits = given.startsWith('0x') ? given.slice(2) : given;
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

const NOT_FOUND = 'filter not found';

function filterChanges({ wallet, filters }: RpcContext, given: string | null): readonly unknown[] {
  const id = filterId(given);
  const filter = filters.get(id);
  if (filter === undefined) throw internalError(NOT_FOUND);
  const { logs, toldTo } = filter;
  // Told also of what is more than an answer holds: the next question begins behind it.
  filters.told(id, headNumber(wallet));
  if (logs === undefined) return limited(() => blockIdsAfter(wallet, toldTo).map((blockId) => `0x${blockId}`));
  return logsIn(wallet, logs.criteria, larger(logs.from, BigInt(toldTo) + 1n), logs.to);
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function filterLogs({ wallet, filters }: RpcContext, given: string | null): object[] {
  const logs = filters.get(filterId(given))?.logs;
  if (logs === undefined) throw internalError(NOT_FOUND);
  return logsIn(wallet, logs.criteria, logs.from, logs.to);
}

export const logMethods: readonly Method[] = [
  method('eth_getLogs', [filterObject], ({ wallet }, filter) => getLogs(wallet, filter)),
  method('eth_newFilter', [filterObject], newFilter),
  method('eth_newBlockFilter', [], ({ wallet, filters }) => `0x${filters.add(undefined, headNumber(wallet))}`),
  method('eth_getFilterChanges', [text], filterChanges),
  method('eth_getFilterLogs', [text], filterLogs),
  method('eth_uninstallFilter', [text], ({ filters }, id) => {
    if (!filters.remove(filterId(id))) throw internalError(NOT_FOUND);
    return true;
  }),
];
