/**
 * Blocks and transactions for queries: those of the chain, and on a fork those of its network up to the forked block,
 * passed on unchanged.
 */

import { blockAt, blockBytesAt, blockOutline, blockTimeMs, type StoredBlock } from '../ledger/blocks/blocks.js';
import type { BlockId, TxId } from '../primitives/ids.js';
import { encodeBlock } from '../protocol/block.js';
import { BlockHeader } from '../protocol/generated/tron.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { EarlierBlock, EarlierBlocks, EarlierLog, EarlierLogQuery } from '../state/fork/earlier-blocks.js';
import type { StoredTransaction } from '../state/tables.js';
import { ASSUMES, assumedIn } from './assumed-answers.js';
import type { WalletContext } from './context.js';

/** A block of the forked network. @throws MissingRow */
export function earlierBlock({ node }: WalletContext, number: number): EarlierBlock | undefined {
  return node.chain.networkBlocks?.block(number);
}

/** @throws MissingRow if blocks of the network are not fetched yet */
export function requireBlocks({ node }: WalletContext, first: number, last: number): void {
  node.chain.networkBlocks?.require(first, last);
}

/** @throws MissingRow */
export function knownOutline(
  context: WalletContext,
  number: number,
): { readonly header: BlockHeader; readonly transactionIds: readonly TxId[]; readonly id?: BlockId } | undefined {
  const earlier = earlierBlock(context, number);
  if (earlier === undefined) return blockOutline(context.ledger, number);
  const { id, header, transactions } = earlier;
  return { id, header, transactionIds: transactions.map(({ txId }) => txId) };
}

/** @throws MissingRow */
export function knownBlock(context: WalletContext, number: number): StoredBlock | undefined {
  const earlier = earlierBlock(context, number);
  if (earlier === undefined) return blockAt(context.ledger, number);
  const transactions = earlier.transactions.map(({ transaction }) => SignedTransaction.decode(transaction));
  return { block_header: earlier.header, transactions };
}

/** @throws MissingRow */
export function knownBlockBytes(context: WalletContext, number: number): Uint8Array | undefined {
  const earlier = earlierBlock(context, number);
  if (earlier === undefined) return blockBytesAt(context.ledger, number);
  const transactions = earlier.transactions.map(({ transaction }) => transaction);
  return encodeBlock(transactions, BlockHeader.encode(earlier.header));
}

/** Milliseconds since 1970. @throws MissingRow */
export function knownBlockTimeMs(context: WalletContext, number: number): number | undefined {
  const earlier = earlierBlock(context, number);
  return earlier === undefined ? blockTimeMs(context.ledger, number) : Number(earlier.header.raw_data?.timestamp ?? 0n);
}

/**
 * Logs of the forked network, and the first block of the chain's own logs.
 *
 * @throws MissingRow
 */
export function earlierLogs(
  { node }: WalletContext,
  query: EarlierLogQuery,
): { readonly logs: readonly EarlierLog[]; readonly from: number } {
  const { networkBlocks } = node.chain;
  if (networkBlocks === undefined) return { logs: [], from: 0 };
  return { logs: networkBlocks.logs(query), from: networkBlocks.last + 1 };
}

/** On a fork, the time of the forked block, in milliseconds since 1970. */
export function forkedAtMs({ ledger }: WalletContext): number {
  return blockTimeMs(ledger, ledger.config.beginsAt) ?? 0;
}

/** In a block of the chain, pending, or of the network. @throws MissingRow */
export function knownTransaction({ ledger, node }: WalletContext, txId: TxId): StoredTransaction | undefined {
  const stored = ledger.state.tables.transactions.get(txId);
  const { networkBlocks: earlier } = node.chain;
  if (stored !== undefined || earlier === undefined) return stored;
  // A transaction that this view does not show still belongs to the fork.
  return node.chain.ledger.state.tables.transactions.has(txId) ? undefined : earlier.transaction(txId);
}

/** Mark of an answer: a header of HTTP, metadata of gRPC. */
export interface Mark {
  readonly name: string;
  readonly value: string;
}

/** The mark of an answer that was passed on. */
export const PASSED_ON = 'sunup-of-network';

export function markOf({ last }: EarlierBlocks): string {
  return `blocks to ${last}`;
}

/**
 * Answers, and reports whether the answer contains data of the network, or assumed values. An answer that is repeated
 * after a missing row builds the same transactions.
 *
 * @param marked receives the marks of the answer
 */
export function withMarks<Answer>(context: WalletContext, answer: () => Answer, marked: (mark: Mark) => void): Answer {
  const { node } = context;
  const { networkBlocks } = node.chain;
  if (networkBlocks === undefined) return answer();
  const before = networkBlocks.reads;
  const answered = node.attempt(answer);
  if (networkBlocks.reads !== before) marked({ name: PASSED_ON, value: markOf(networkBlocks) });
  const assumed = assumedIn(context);
  if (assumed.length > 0) marked({ name: ASSUMES, value: assumed.join(', ') });
  return answered;
}
