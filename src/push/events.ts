/** The events of `/sunup/events`: their data in wire form. */

import { dropped } from '../explanation/outcome/refusal.js';
import { pendingHead, storedSummary } from '../explanation/summary/stored-summary.js';
import type { ChainListener } from '../node/chain/feed.js';
import type { Node } from '../node/node.js';
import { withRows } from '../node/with-rows.js';
import { writeJson } from '../primitives/amount-json.js';
import type { BlockId, TxId } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import type { BlockOutline } from '../wallet/blocks.js';
import type { EventName } from './event-names.js';

/**
 * One event in the format of the standard (HTML, "Server-sent events"). JSON has no line breaks.
 *
 * @param place resume position; a reconnecting client sends it as `Last-Event-ID`
 */
function eventText(name: EventName, data: object, place?: BlockId): string {
  return `event: ${name}\n${place === undefined ? '' : `id: ${place}\n`}data: ${writeJson(data)}\n\n`;
}

/**
 * @param count number of empty blocks made at once; this is the last
 * @param isLast whether nothing more follows about the block
 */
export function blockText(outline: BlockOutline, count: number, isLast: boolean): string {
  const { number, id, header, transactionIds } = outline;
  const data = {
    number,
    id,
    parentId: header.parentHash,
    timestampMs: Number(header.timestamp),
    witness: toBase58(header.witness_address),
    transactions: transactionIds,
    ...(count > 1 && { emptyBlocks: count }),
  };
  return eventText('block', data, isLast ? id : undefined);
}

/**
 * Undefined if the block was rolled back meanwhile.
 *
 * @param place the block with its last transaction: a client that is cut off before gets all of them again
 */
export async function transactionText({ chain }: Node, txId: TxId, place?: BlockId): Promise<string | undefined> {
  const summary = await withRows(() => storedSummary(chain, txId));
  return summary && eventText('transaction', summary, place);
}

type Pending = Parameters<NonNullable<ChainListener['transactionPending']>>[0];
type Dropped = Parameters<NonNullable<ChainListener['transactionsDropped']>>[0][number];

export function pendingText({ chain }: Node, applied: Pending): string {
  return eventText('pending', pendingHead(chain, applied));
}

export function droppedText({ transaction, reason }: Dropped): string {
  const { code, message } = dropped(reason);
  return eventText('dropped', { txid: transaction.txId, code, reason: message });
}

/** Blocks that were rolled back. @param last the block before them */
export function removedText(from: number, to: number, last: BlockId | undefined): string {
  return eventText('removed', { from, to }, last);
}
