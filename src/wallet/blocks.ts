/**
 * Blocks by number, id and range (protocol/http-endpoints.md#blocks-and-transactions). Mirrors the block queries of
 * java-tron's Wallet.
 */

import { JavaException } from '../errors/java-exception.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { blockAt, blockOutline, type StoredBlock } from '../ledger/blocks/blocks.js';
import { emptyBlocks } from '../ledger/blocks/empty-blocks.js';
import { isHex } from '../primitives/hex.js';
import type { BlockId, TxId } from '../primitives/ids.js';
import { blockNumberOf } from '../protocol/block.js';
import type {
  BlockLimit,
  BlockList,
  BlockReq,
  BytesMessage,
  EmptyMessage,
  NumberMessage,
} from '../protocol/generated/api.js';
import type { BlockHeader_raw } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';
import { earlierBlock, knownBlock, knownBlockBytes, knownOutline, requireBlocks } from './known-blocks.js';

export interface StoredBlockList extends BlockList {
  readonly block: readonly StoredBlock[];
}

const MAX_RANGE_BLOCKS = 100n;
const MAX_LATEST_BLOCKS = 100n;

function illegalArgument(message: string): JavaException {
  return new JavaException('ILLEGAL_ARGUMENT', message);
}

/** Data of a block without its transactions' bytes. */
export interface BlockOutline {
  readonly number: number;
  readonly id: BlockId;
  readonly header: BlockHeader_raw;
  readonly transactionIds: readonly TxId[];
}

/** The height of the view's newest block. */
export function headNumber({ ledger }: WalletContext): number {
  return ledger.headNumber;
}

/** The height that this view treats as final. */
export function solidifiedNumber({ ledger }: WalletContext): number {
  return Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'));
}

/** Undefined for a height that is not on the chain. */
export function getBlockOutline({ ledger }: WalletContext, number: number): BlockOutline | undefined {
  const outline = blockOutline(ledger, number);
  const header = outline?.header.raw_data;
  const id = outline && blockIdAt(ledger, number);
  if (outline === undefined || header === undefined || id === undefined) return undefined;
  return { number, id, header, transactionIds: outline.transactionIds };
}

/** The same, on a fork also for its network. */
export function findBlockOutline(context: WalletContext, number: number): BlockOutline | undefined {
  const { header, transactionIds = [], id = blockIdAt(context.ledger, number) } = knownOutline(context, number) ?? {};
  const raw = header?.raw_data;
  return raw === undefined || id === undefined ? undefined : { number, id, header: raw, transactionIds };
}

/** Consecutive blocks; a run of several has no transactions. */
export interface BlockRow {
  readonly count: number;
  /** Each is made lazily, also if the chain was rolled back meanwhile. */
  readonly outlines: Iterable<BlockOutline>;
}

/** Blocks `first` … `last` of the chain; runs of empty blocks together. */
export function* getBlockRows(context: WalletContext, first: number, last: number): Iterable<BlockRow> {
  const { ledger } = context;
  for (let number = first; number <= last; ) {
    const empty = emptyBlocks(ledger, number, last);
    const outline = empty === undefined ? getBlockOutline(context, number) : undefined;
    if (empty !== undefined) yield empty;
    else if (outline !== undefined) yield { count: 1, outlines: [outline] };
    number += empty?.count ?? 1;
  }
}

/** Encoded size of the block. */
export function getBlockSizeBytes(context: WalletContext, number: number): number {
  return knownBlockBytes(context, number)?.length ?? 0;
}

/** The height of the block with this id, if it is on the chain. */
export function getBlockNumberById({ ledger }: WalletContext, id: BlockId): number | undefined {
  const number = blockNumberOf(id);
  return number <= ledger.headNumber && blockIdAt(ledger, number) === id ? number : undefined;
}

/** The same, of a fork also of its network. */
export function findBlockNumber(context: WalletContext, id: BlockId): number | undefined {
  const number = blockNumberOf(id);
  const earlier = earlierBlock(context, number);
  if (earlier === undefined) return getBlockNumberById(context, id);
  return earlier.id === id ? number : undefined;
}

export function getNowBlock({ ledger }: WalletContext, _request: EmptyMessage): StoredBlock {
  const block = blockAt(ledger, ledger.headNumber);
  if (block === undefined) throw new Error(`head block ${ledger.headNumber} is not in the store`);
  return block;
}

/** Negative numbers and numbers above the head give nothing. */
export function getBlockByNum(context: WalletContext, { num }: NumberMessage): StoredBlock | undefined {
  return knownBlock(context, Number(num));
}

export function getBlockById(context: WalletContext, { value }: BytesMessage): StoredBlock | undefined {
  const number = value.length === 64 ? findBlockNumber(context, value as BlockId) : undefined;
  return number === undefined ? undefined : knownBlock(context, number);
}

/** A long has at most 19 digits, except for leading zeros; longer text is not parsed. */
const DECIMAL_LONG = /^[+-]?\d{1,64}$/;

/**
 * By number, by id, or the newest; without `detail` the transactions are omitted.
 *
 * @throws JavaException IllegalArgumentException with java-tron's texts
 */
export function getBlock(context: WalletContext, { id_or_num, detail }: BlockReq): StoredBlock | undefined {
  const block = findBlock(context, id_or_num);
  return block === undefined || detail ? block : { ...block, transactions: [] };
}

function findBlock(context: WalletContext, idOrNumber: string): StoredBlock | undefined {
  if (idOrNumber === '') return getNowBlock(context, {});
  const headNumber = BigInt(context.ledger.headNumber);
  if (DECIMAL_LONG.test(idOrNumber)) {
    const number = BigInt(idOrNumber.replace(/^\+/, ''));
    if (number === BigInt.asIntN(64, number)) {
      if (number < 0n) throw illegalArgument('num must be non-positive number.');
      return number > headNumber ? undefined : getBlockByNum(context, { num: number });
    }
  }
  const id = idOrNumber.toLowerCase();
  const isId = id.length === 64 && isHex(id);
  const idNumber = isId ? BigInt.asIntN(64, BigInt(`0x${id.slice(0, 16)}`)) : -1n;
  if (idNumber < 0n || idNumber > headNumber) {
    throw illegalArgument('id must be legal block hash.');
  }
  return getBlockById(context, { value: id });
}

/** Blocks startNum … endNum − 1, each read lazily; undefined for an invalid range. */
export function blocksByLimitNext(
  context: WalletContext,
  { startNum, endNum }: BlockLimit,
): Iterable<StoredBlock> | undefined {
  if (endNum <= 0n || endNum <= startNum || endNum - startNum > MAX_RANGE_BLOCKS) return undefined;
  return between(context, startNum, endNum);
}

export function getBlockByLimitNext(context: WalletContext, request: BlockLimit): StoredBlockList | undefined {
  return listOf(blocksByLimitNext(context, request));
}

/** The newest `num` blocks, oldest first, each read lazily; undefined unless 0 < num < 100. */
export function blocksByLatestNum(context: WalletContext, { num }: NumberMessage): Iterable<StoredBlock> | undefined {
  if (num <= 0n || num >= MAX_LATEST_BLOCKS) return undefined;
  const end = BigInt(context.ledger.headNumber) + 1n;
  return between(context, end > num ? end - num : 0n, end);
}

export function getBlockByLatestNum(context: WalletContext, request: NumberMessage): StoredBlockList | undefined {
  return listOf(blocksByLatestNum(context, request));
}

function listOf(blocks: Iterable<StoredBlock> | undefined): StoredBlockList | undefined {
  return blocks && { block: [...blocks] };
}

/** Blocks of a fork's network are fetched together before the first is returned. */
function between(context: WalletContext, from: bigint, end: bigint): Iterable<StoredBlock> {
  requireBlocks(context, Number(from), Number(end) - 1);
  return blocksBetween(context, from, end);
}

function* blocksBetween(context: WalletContext, from: bigint, end: bigint): Iterable<StoredBlock> {
  for (let number = from; number >= 0n && number < end; number++) {
    const found = knownBlock(context, Number(number));
    if (found === undefined) return;
    yield found;
  }
}

/** Undefined if there is no such block. */
export function getTransactionCountByBlockNum(
  context: WalletContext,
  { num }: NumberMessage,
): NumberMessage | undefined {
  const outline = knownOutline(context, Number(num));
  return outline && { num: BigInt(outline.transactionIds.length) };
}
