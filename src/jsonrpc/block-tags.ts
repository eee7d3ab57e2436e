/** Block parameters (protocol/json-rpc.md#block-tags): three groups of methods read the same values in three ways. */

import type { BlockId } from '../primitives/ids.js';
import { findBlockNumber, headNumber, solidifiedNumber } from '../wallet/blocks.js';
import type { WalletContext } from '../wallet/context.js';
import { text } from './arguments.js';
import { internalError, invalidParams, invalidRequest } from './errors.js';
import { isMembers, type Json, type JsonMembers } from './json-text.js';
import type { Forms } from './release-forms.js';
import { readBlockNumber, readHash, readHexLong } from './values.js';

type Tag = 'latest' | 'earliest' | 'finalized' | 'pending' | 'safe';

/** The tags of a dialect and their meanings; `pending` has none. */
export type Tags = ReadonlyMap<string, Tag>;

export const JAVA_TRON_TAGS: Tags = new Map(
  (['latest', 'earliest', 'pending', 'finalized'] as const).map((tag) => [tag, tag] as const),
);

/** How a dialect reads blocks. */
export interface BlockReading {
  readonly tags: Tags;
  readonly forms?: Pick<Forms, 'strictValues'>;
}

/** With one more tag without a meaning. */
export const LATER_TAGS: Tags = new Map([...JAVA_TRON_TAGS, ['safe', 'safe']]);

/** Requests about the pool are answered for the head; Ethereum's safe block is the solidified one. */
export const FRIENDLY_TAGS: Tags = new Map<string, Tag>([
  ['latest', 'latest'],
  ['pending', 'latest'],
  ['earliest', 'earliest'],
  ['finalized', 'finalized'],
  ['safe', 'finalized'],
]);

function tagOf(tags: Tags, text: string | null): Tag | undefined {
  return text === null ? undefined : tags.get(text.toLowerCase());
}

/** The height of a tag. @throws JsonRpcError for a tag without one */
function heightOf(wallet: WalletContext, tag: Tag): bigint {
  switch (tag) {
    case 'latest':
      return BigInt(headNumber(wallet));
    case 'earliest':
      return 0n;
    case 'finalized':
      return BigInt(solidifiedNumber(wallet));
    case 'pending':
    case 'safe':
      throw invalidParams(`TAG ${tag} not supported`);
  }
}

/** The height for a method about a block, which may not exist. @throws JsonRpcError */
export function blockHeight(wallet: WalletContext, { tags, forms }: BlockReading, text: string | null): bigint {
  const tag = tagOf(tags, text);
  if (tag !== undefined) return heightOf(wallet, tag);
  const number = readBlockNumber(text, forms);
  if (number === undefined) throw invalidParams('invalid block number');
  return number;
}

/** Methods about state accept only the newest block. @throws JsonRpcError */
export function requireLatest(tags: Tags, text: string | null): void {
  const tag = tagOf(tags, text);
  if (tag === 'latest') return;
  if (tag !== undefined) throw invalidParams(`TAG [${[...tags.keys()].slice(1).join(' | ')}] not supported`);
  if (readBlockNumber(text) === undefined) throw invalidParams('invalid block number');
  throw invalidParams('QUANTITY not supported, just support TAG as latest');
}

/**
 * An end of a range of logs; undefined if missing. `latest` has another meaning at each end.
 *
 * @throws JsonRpcError; JavaException NumberFormatException
 */
export function rangeEnd(wallet: WalletContext, tags: Tags, text: string | null): bigint | 'latest' | undefined {
  if (text === null || text === '') return undefined;
  const tag = tagOf(tags, text);
  if (tag !== undefined) return tag === 'latest' ? tag : heightOf(wallet, tag);
  const number = readHexLong(text);
  if (number === undefined) throw invalidParams('Incorrect hex syntax');
  return number;
}

export function isFinalizedTag(tags: Tags, text: string | null): boolean {
  return tagOf(tags, text) === 'finalized';
}

/** The number of an existing block. @throws JsonRpcError */
export function blockNamed(wallet: WalletContext, words: BlockReading, tagOrNumber: string | null): number | undefined {
  const height = blockHeight(wallet, words, tagOrNumber);
  return height >= 0n && height <= BigInt(headNumber(wallet)) ? Number(height) : undefined;
}

/** @throws JsonRpcError */
export function blockWithHash(
  wallet: WalletContext,
  hash: string | null,
  forms?: BlockReading['forms'],
): number | undefined {
  return findBlockNumber(wallet, readHash(hash, forms) as BlockId);
}

/** The text of a member that names a block. @throws JsonRpcError for other types */
function textOrRefusal(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  throw invalidParams('invalid json request');
}

/** The number of the block that an object names by number or hash. @throws JsonRpcError if there is no such block */
function blockOfObject(wallet: WalletContext, block: JsonMembers): number {
  if (Object.hasOwn(block, 'blockNumber')) {
    const number = readBlockNumber(textOrRefusal(block.blockNumber as Json));
    if (number === undefined) throw invalidParams('invalid block number');
    if (number < 0n || number > BigInt(headNumber(wallet))) throw internalError('header not found');
    return Number(number);
  }
  if (!Object.hasOwn(block, 'blockHash')) throw invalidRequest('invalid json request');
  const number = blockWithHash(wallet, textOrRefusal(block.blockHash as Json));
  if (number === undefined) throw internalError('header for hash not found');
  return number;
}

/** The block that an object names must exist, but the call runs on the newest one. @throws JsonRpcError */
export function requireCallable(wallet: WalletContext, tags: Tags, block: Json): void {
  if (typeof block === 'string') requireLatest(tags, block);
  else if (isMembers(block)) blockOfObject(wallet, block);
  else throw invalidRequest('invalid json request');
}

/** The height of a state; undefined for the newest state with pending transactions. @throws JsonRpcError */
export function stateHeight(wallet: WalletContext, tags: Tags, block: Json): number | undefined {
  if (block === null) return undefined;
  if (isMembers(block)) return blockOfObject(wallet, block);
  const named = text(block);
  if (tagOf(tags, named) === 'latest') return undefined;
  const number = blockNamed(wallet, { tags }, named);
  if (number === undefined) throw internalError('header not found');
  return number;
}
