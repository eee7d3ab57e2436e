/** Block parameters (json-rpc.md A.5): three groups of methods read the same words in three ways. */

import type { WalletContext } from '../wallet/context.js';
import { invalidParams } from './errors.js';
import { readBlockNumber, readHexLong } from './values.js';

type Tag = 'latest' | 'earliest' | 'finalized' | 'pending';

function tagOf(text: string | null): Tag | undefined {
  switch (text?.toLowerCase()) {
    case 'latest':
      return 'latest';
    case 'earliest':
      return 'earliest';
    case 'finalized':
      return 'finalized';
    case 'pending':
      return 'pending';
    default:
      return undefined;
  }
}

export function solidNumber({ ledger }: WalletContext): bigint {
  return ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM');
}

const PENDING_REFUSED = 'TAG pending not supported';

/** The height that a method about a block asks for; there may be none such. @throws JsonRpcError */
export function blockHeight(wallet: WalletContext, text: string | null): bigint {
  switch (tagOf(text)) {
    case 'latest':
      return BigInt(wallet.ledger.headNumber);
    case 'earliest':
      return 0n;
    case 'finalized':
      return solidNumber(wallet);
    case 'pending':
      throw invalidParams(PENDING_REFUSED);
    default: {
      const number = readBlockNumber(text);
      if (number === undefined) throw invalidParams('invalid block number');
      return number;
    }
  }
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
 * An end of a range of logs; undefined for what is not given and for `latest`, which each end takes differently.
 *
 * @throws JsonRpcError; JavaException NumberFormatException
 */
export function rangeEnd(wallet: WalletContext, text: string | null): bigint | 'latest' | undefined {
  if (text === null || text === '') return undefined;
  switch (tagOf(text)) {
    case 'latest':
      return 'latest';
    case 'earliest':
      return 0n;
    case 'finalized':
      return solidNumber(wallet);
    case 'pending':
      throw invalidParams(PENDING_REFUSED);
    default: {
      const number = readHexLong(text);
      if (number === undefined) throw invalidParams('Incorrect hex syntax');
      return number;
    }
  }
}

export function isFinalizedTag(text: string | null): boolean {
  return tagOf(text) === 'finalized';
}
