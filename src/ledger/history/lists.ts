/**
 * Lists of the history index, and the form of their rows (docs/decisions/2026-11-22-history-index.md). A list has the
 * positions on the chain that concern an account or a contract; a page of `/v1` is a range of it. A row has all
 * positions of one list in one block, so a popular contract costs one row a block. The content at a position is read
 * from the transaction and its receipt. Key: `h:`, the list's letter, its addresses without the prefix byte, the block
 * number. Value: 6 bytes for each position. Rows follow from the block and its receipts, and execution never reads
 * them. So they are written and reverted with the block's batch (`node/storage/commits.ts`), but are no table of the
 * state: the journal and the pre-images would triple their cost.
 */

import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { numberKey } from '../../state/tables.js';

/**
 * A position on the chain. `entry`: 0 for the transaction itself, the index of a log from 0, or the number of an
 * internal transaction from 1, so that it follows its transaction if a list has both.
 */
export interface Place {
  readonly block: number;
  readonly transaction: number;
  readonly entry: number;
}

/** Prefix of the keys of one list. */
export type List = string & { readonly brand?: 'history list' };

const bare = (address: Address): Hex => address.slice(2);

/** Transactions by owner. */
export const ownedBy = (account: Address): List => `f${bare(account)}`;
/** Transactions that concern an account that is not the owner: receiver, delegation receiver, created account. */
export const receivedBy = (account: Address): List => `t${bare(account)}`;
/** Transactions that call, deploy or administer a contract. */
export const callsOf = (contract: Address): List => `c${bare(contract)}`;
export const internalFrom = (account: Address): List => `i${bare(account)}`;
export const internalTo = (account: Address): List => `j${bare(account)}`;
/**
 * Transfers and approvals of a token, TRC-20 or TRC-721. For all tokens, these lists are merged: few accounts have
 * many.
 */
export const tokenFrom = (account: Address, token: Address): List => `p${bare(account)}${bare(token)}`;
export const tokenTo = (account: Address, token: Address): List => `q${bare(account)}${bare(token)}`;
/** Prefix of `tokenFrom` and `tokenTo` of all tokens. */
export const tokensFrom = (account: Address): string => `p${bare(account)}`;
export const tokensTo = (account: Address): string => `q${bare(account)}`;
/** All logs of a contract. */
export const logsOf = (contract: Address): List => `l${bare(contract)}`;
/** Logs of a contract by the first half of their first topic; the reader compares the rest. */
export const logsOfEvent = (contract: Address, topic: Hex): List => `n${bare(contract)}${topic.slice(0, 32)}`;

/** Prefix of every key of the index in the store. */
export const HISTORY_PREFIX = 'h:';

/** Key of the row of a list in a block. */
export function listKey(list: List, block: number): string {
  return HISTORY_PREFIX + list + numberKey(block);
}

const BLOCK_DIGITS = numberKey(0).length;

export function blockOfKey(key: string): number {
  return Number.parseInt(key.slice(-BLOCK_DIGITS), 16);
}

export function listOfKey(key: string): List {
  return key.slice(HISTORY_PREFIX.length, -BLOCK_DIGITS);
}

const PLACE_BYTES = 6;

/** @param numbers pairs of transaction and entry, in chain order */
export function encodePlaces(numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(numbers.length * (PLACE_BYTES / 2));
  for (let i = 0; i < numbers.length; i++) bytes.writeUIntBE(numbers[i] as number, i * (PLACE_BYTES / 2), 3);
  return bytes;
}

export function placesOf(block: number, bytes: Uint8Array): Place[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: view.length / PLACE_BYTES }, (_, i) => ({
    block,
    transaction: view.readUIntBE(i * PLACE_BYTES, 3),
    entry: view.readUIntBE(i * PLACE_BYTES + 3, 3),
  }));
}

/** Negative if `a` is before `b` on the chain. */
export function comparePlaces(a: Place, b: Place): number {
  return a.block - b.block || a.transaction - b.transaction || a.entry - b.entry;
}
