/**
 * Block parameters (protocol/json-rpc.md#block-tags): three groups of methods read the same words in three
 * ways.
 */

import type { BlockId } from '../primitives/ids.js';
import { findBlockNumber, headNumber, solidifiedNumber } from '../wallet/blocks.js';
import type { WalletContext } from '../wallet/context.js';
import { text } from './arguments.js';
import { internalError, invalidParams, invalidRequest } from './errors.js';
import { isMembers, type Json, type JsonMembers } from './json-text.js';
import type { Forms } from './release-forms.js';
import { readBlockNumber, readHash, readHexLong } from './values.js';

type Tag = 'latest' | 'earliest' | 'finalized' | 'pending' | 'safe';

/** The words that a dialect knows, and what they mean to it; `pending` means nothing. */
export type Tags = ReadonlyMap<string, Tag>;

export const JAVA_TRON_TAGS: Tags = new Map(
  (['latest', 'earliest', 'pending', 'finalized'] as const).map((tag) => [tag, tag] as const),
);

/** What a dialect reads blocks by. */
export interface Words {
  readonly tags: Tags;
  readonly forms?: Pick<Forms, 'strictValues'>;
}

/** With one more that means nothing. */
export const LATER_TAGS: Tags = new Map([...JAVA_TRON_TAGS, ['safe', 'safe']]);

/** What is asked of the pool is answered by the head; what Ethereum calls safe is solidified here. */
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

/** The height that a tag stands for. @throws JsonRpcError for the one that stands for none */
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

/** The height that a method about a block asks for; there may be none such. @throws JsonRpcError */
export function blockHeight(wallet: WalletContext, { tags, forms }: Words, text: string | null): bigint {
  const tag = tagOf(tags, text);
  if (tag !== undefined) return heightOf(wallet, tag);
  const number = readBlockNumber(text, forms);
  if (number === undefined) throw invalidParams('invalid block number');
  return number;
}

/** Methods about state know the newest only. @throws JsonRpcError */
export function requireLatest(tags: Tags, text: string | null): void {
  const tag = tagOf(tags, text);
  if (tag === 'latest') return;
  if (tag !== undefined) throw invalidParams(`TAG [${[...tags.keys()].slice(1).join(' | ')}] not supported`);
  if (readBlockNumber(text) === undefined) throw invalidParams('invalid block number');
  throw invalidParams('QUANTITY not supported, just support TAG as latest');
}

/**
 * An end of a range of logs; undefined for what is not given. `latest` is taken differently by each end.
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

/** The number of the block that a parameter names, if it is on the chain. @throws JsonRpcError */
export function blockNamed(wallet: WalletContext, words: Words, tagOrNumber: string | null): number | undefined {
  const height = blockHeight(wallet, words, tagOrNumber);
  return height >= 0n && height <= BigInt(headNumber(wallet)) ? Number(height) : undefined;
}

/** @throws JsonRpcError */
export function blockWithHash(wallet: WalletContext, hash: string | null, forms?: Words['forms']): number | undefined {
  return findBlockNumber(wallet, readHash(hash, forms) as BlockId);
}

/** The text of a member that names a block. @throws JsonRpcError for what is none */
function textOrRefusal(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  throw invalidParams('invalid json request');
}

/** The number of the block that an object names by number or hash. @throws JsonRpcError where there is no such block */
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

/** An object names a block that must exist, and the call runs on the newest all the same. @throws JsonRpcError */
export function requireCallable(wallet: WalletContext, tags: Tags, block: Json): void {
  if (typeof block === 'string') requireLatest(tags, block);
  else if (isMembers(block)) blockOfObject(wallet, block);
  else throw invalidRequest('invalid json request');
}

/** The height whose state is meant; undefined for the newest state, with what is pending. @throws JsonRpcError */
export function stateHeight(wallet: WalletContext, tags: Tags, block: Json): number | undefined {
  if (block === null) return undefined;
  if (isMembers(block)) return blockOfObject(wallet, block);
  const named = text(block);
  if (tagOf(tags, named) === 'latest') return undefined;
  const number = blockNamed(wallet, { tags }, named);
  if (number === undefined) throw internalError('header not found');
  return number;
}
