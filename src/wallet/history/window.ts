/** Blocks of a history query: a time span and a confirmation state, as a range of heights. */

import { blockTimeMs } from '../../ledger/blocks/blocks.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Node } from '../../node/node.js';

export interface Window {
  /** Both included; empty when `from` is above `to`. */
  readonly from: number;
  readonly to: number;
}

export type Confirmation = 'confirmed' | 'unconfirmed' | 'any';

export interface WindowQuery {
  /** Milliseconds since 1970, inclusive. */
  readonly minTimestampMs?: number | undefined;
  readonly maxTimestampMs?: number | undefined;
  readonly confirmation: Confirmation;
  /** Only this block. */
  readonly block?: number | undefined;
  /** The head at the first page: later blocks do not change the following pages. */
  readonly upTo?: number | undefined;
}

/** The highest block that cannot be rolled back, as the interfaces show it (protocol/v1.md#confirmation-state). */
export function latestConfirmed({ chain }: Node): number {
  // Blocks of a fork's network cannot be rolled back.
  return Math.max(chain.confirmedHeight, chain.networkBlocks?.last ?? 0);
}

/** From the first block on: the genesis has no transactions for this query. */
export function windowOf(node: Node, query: WindowQuery): Window {
  const { ledger } = node.chain;
  const { minTimestampMs, maxTimestampMs, confirmation, block, upTo } = query;
  let from = 0;
  let to = Math.min(ledger.headNumber, upTo ?? Number.POSITIVE_INFINITY);
  if (confirmation === 'confirmed') to = Math.min(to, latestConfirmed(node));
  if (confirmation === 'unconfirmed') from = latestConfirmed(node) + 1;
  if (block !== undefined) {
    from = Math.max(from, block);
    to = Math.min(to, block);
  }
  if (minTimestampMs !== undefined) from = Math.max(from, firstBlockAtOrAfter(ledger, minTimestampMs));
  if (maxTimestampMs !== undefined) to = Math.min(to, firstBlockAtOrAfter(ledger, maxTimestampMs + 1) - 1);
  return { from, to };
}

/** Times increase strictly with height, so a binary search finds it: about 25 reads on a chain of millions. */
function firstBlockAtOrAfter(ledger: Ledger, timestampMs: number): number {
  let low = 0;
  let high = ledger.headNumber + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blockTimeMs(ledger, middle) ?? 0) < timestampMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
