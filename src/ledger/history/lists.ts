/**
 * The lists of the history index and the form of their rows (docs/decisions/2026-11-22-history-index.md).
 *
 * A list says which places on the chain concern an account or a contract: it is what a page of `/v1` is a range of.
 * A row is all places of one list in one block, so that a contract that everybody calls costs one row a block. What
 * stands at a place is not repeated here: it is read from the transaction and its receipt.
 *
 * Key: `h:`, the list's letter, its addresses without the prefix byte, the block number. Value: 6 bytes a place.
 *
 * The rows follow from the block and its receipts alone and nothing reads them while a block is executed. So they are
 * written with the block's batch and taken back with it (`node/storage/commits.ts`), but are no table of the state: through the
 * journal and the pre-images they cost three times as much.
 */

import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { numberKey } from '../../state/tables.js';

/**
 * Where something stands on the chain. `entry`: 0 for a transaction itself, the number of a log counted from 0, the
 * number of an internal transaction counted from 1, so that it comes after its transaction where both are listed.
 */
export interface Place {
  readonly block: number;
  readonly transaction: number;
  readonly entry: number;
}

/** The beginning of the keys of one list. */
export type List = string & { readonly brand?: 'history list' };

const bare = (address: Address): Hex => address.slice(2);

/** Transactions of an owner. */
export const ownedBy = (account: Address): List => `f${bare(account)}`;
/** Transactions in which an account takes part without being the owner: it is paid, lent to, created. */
export const receivedBy = (account: Address): List => `t${bare(account)}`;
/** Transactions that call, deploy or administer a contract. */
export const callsOf = (contract: Address): List => `c${bare(contract)}`;
export const internalFrom = (account: Address): List => `i${bare(account)}`;
export const internalTo = (account: Address): List => `j${bare(account)}`;
/** Transfers and approvals of a token, TRC-20 or TRC-721. Those of all tokens are these lists merged: few accounts hold many. */
export const tokenFrom = (account: Address, token: Address): List => `p${bare(account)}${bare(token)}`;
export const tokenTo = (account: Address, token: Address): List => `q${bare(account)}${bare(token)}`;
/** What `tokenFrom` and `tokenTo` of all tokens begin with. */
export const tokensFrom = (account: Address): string => `p${bare(account)}`;
export const tokensTo = (account: Address): string => `q${bare(account)}`;
/** All logs of a contract. */
export const logsOf = (contract: Address): List => `l${bare(contract)}`;
/** Logs of a contract by the first half of their first topic; who reads compares the whole. */
export const logsOfEvent = (contract: Address, topic: Hex): List => `n${bare(contract)}${topic.slice(0, 32)}`;

/** First part of every key of the index in the store. */
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

/** @param numbers pairs of transaction and entry, in the order of the chain */
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

/** Negative when `a` comes before `b` on the chain. */
export function comparePlaces(a: Place, b: Place): number {
  return a.block - b.block || a.transaction - b.transaction || a.entry - b.entry;
}
