/** Blocks by number, id and range (http-api.md 5.16). Mirrors the block queries of java-tron's Wallet. */

import { JavaException } from '../errors/java-exception.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { blockAt, blockOutline, type StoredBlock } from '../ledger/blocks/blocks.js';
import { isHex } from '../primitives/hex.js';
import type { BlockId } from '../primitives/ids.js';
import { blockNumberOf } from '../protocol/block.js';
import type {
  BlockLimit,
  BlockList,
  BlockReq,
  BytesMessage,
  EmptyMessage,
  NumberMessage,
} from '../protocol/generated/api.js';
import type { WalletContext } from './context.js';

export interface StoredBlockList extends BlockList {
  readonly block: readonly StoredBlock[];
}

const MAX_RANGE_BLOCKS = 100n;
const MAX_LATEST_BLOCKS = 100n;

function illegalArgument(message: string): JavaException {
  return new JavaException('java.lang.IllegalArgumentException', message);
}

export function getNowBlock({ ledger }: WalletContext, _request: EmptyMessage): StoredBlock {
  const block = blockAt(ledger, ledger.headNumber);
  if (block === undefined) throw new Error(`head block ${ledger.headNumber} is not in the store`);
  return block;
}

/** Negative numbers and numbers above the head are nothing. */
export function getBlockByNum({ ledger }: WalletContext, { num }: NumberMessage): StoredBlock | undefined {
  return blockAt(ledger, Number(num));
}

export function getBlockById({ ledger }: WalletContext, { value }: BytesMessage): StoredBlock | undefined {
  if (value.length !== 64) return undefined;
  const id = value as BlockId;
  const number = blockNumberOf(id);
  return number <= ledger.headNumber && blockIdAt(ledger, number) === id ? blockAt(ledger, number) : undefined;
}

const DECIMAL_LONG = /^[+-]?\d+$/;

/**
 * By number, by id, or the newest; without `detail` the transactions are left out.
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

/** Blocks startNum … endNum − 1; undefined when the range is not one. */
export function getBlockByLimitNext(
  context: WalletContext,
  { startNum, endNum }: BlockLimit,
): StoredBlockList | undefined {
  if (endNum <= 0n || endNum <= startNum || endNum - startNum > MAX_RANGE_BLOCKS) return undefined;
  return blocksBetween(context, startNum, endNum);
}

/** The newest `num` blocks, oldest first; undefined unless 0 < num < 100. */
export function getBlockByLatestNum(context: WalletContext, { num }: NumberMessage): StoredBlockList | undefined {
  if (num <= 0n || num >= MAX_LATEST_BLOCKS) return undefined;
  const end = BigInt(context.ledger.headNumber) + 1n;
  return blocksBetween(context, end > num ? end - num : 0n, end);
}

function blocksBetween({ ledger }: WalletContext, from: bigint, end: bigint): StoredBlockList {
  const block: StoredBlock[] = [];
  if (from < 0n) return { block };
  for (let number = from; number < end; number++) {
    const found = blockAt(ledger, Number(number));
    if (found === undefined) break;
    block.push(found);
  }
  return { block };
}

/** Undefined when there is no such block. */
export function getTransactionCountByBlockNum(
  { ledger }: WalletContext,
  { num }: NumberMessage,
): NumberMessage | undefined {
  const outline = blockOutline(ledger, Number(num));
  return outline && { num: BigInt(outline.transactionIds.length) };
}
