/** Block parameters (json-rpc.md A.5): three groups of methods read the same words in three ways. */

import { headNumber, solidifiedNumber } from '../wallet/blocks.js';
import type { WalletContext } from '../wallet/context.js';
import { invalidParams } from './errors.js';
import { readBlockNumber, readHexLong } from './values.js';

type Tag = 'latest' | 'earliest' | 'finalized' | 'pending';

const TAGS: ReadonlySet<string> = new Set<Tag>(['latest', 'earliest', 'finalized', 'pending']);

function tagOf(text: string | null): Tag | undefined {
  const word = text?.toLowerCase();
  return word !== undefined && TAGS.has(word) ? (word as Tag) : undefined;
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
      throw invalidParams('TAG pending not supported');
  }
}

/** The height that a method about a block asks for; there may be none such. @throws JsonRpcError */
export function blockHeight(wallet: WalletContext, text: string | null): bigint {
  const tag = tagOf(text);
  if (tag !== undefined) return heightOf(wallet, tag);
  const number = readBlockNumber(text);
  if (number === undefined) throw invalidParams('invalid block number');
  return number;
}

/** Methods about state know the newest only. @throws JsonRpcError */
export function requireLatest(text: string | null): void {
  const tag = tagOf(text);
  if (tag === 'latest') return;
  if (tag !== undefined) throw invalidParams('TAG [earliest | pending | finalized] not supported');
  if (readBlockNumber(text) === undefined) throw invalidParams('invalid block number');
  throw invalidParams('QUANTITY not supported, just support TAG as latest');
}

/**
 * An end of a range of logs; undefined for what is not given. `latest` is taken differently by each end.
 *
 * @throws JsonRpcError; JavaException NumberFormatException
 */
export function rangeEnd(wallet: WalletContext, text: string | null): bigint | 'latest' | undefined {
  if (text === null || text === '') return undefined;
  const tag = tagOf(text);
  if (tag !== undefined) return tag === 'latest' ? tag : heightOf(wallet, tag);
  const number = readHexLong(text);
  if (number === undefined) throw invalidParams('Incorrect hex syntax');
  return number;
}

export function isFinalizedTag(text: string | null): boolean {
  return tagOf(text) === 'finalized';
}
