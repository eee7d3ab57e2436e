/**
 * Blocks, transactions, receipts and logs in Ethereum's form (protocol/json-rpc.md#objects): members in alphabetical
 * order, as java-tron serialises them.
 */

import type { Hex } from '../primitives/hex.js';
import type { BlockId, TxId } from '../primitives/ids.js';
import { ownerOf, unpackContract } from '../protocol/contract-types.js';
import {
  BlockHeader_raw,
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result_contractResult as Outcome,
  type Transaction_Contract,
  type TransactionInfo,
} from '../protocol/generated/tron.js';
import { type BlockOutline, findBlockOutline, getBlockSizeBytes } from '../wallet/blocks.js';
import type { WalletContext } from '../wallet/context.js';
import { blockGasLimit, hashOfEthereum, nextBlock } from '../wallet/ethereum.js';
import type { FoundLog } from '../wallet/logs.js';
import { energyPrice, energyPriceAt } from '../wallet/prices.js';
import { amountOf, targetOf } from '../wallet/transaction-value.js';
import { type FoundTransaction, findTransaction } from '../wallet/transactions.js';
import { ZERO_ADDRESS } from './arguments.js';
import type { Dialect } from './dialect.js';
import { type GasBill, gasBill } from './ethereum/gas-bill.js';
import { logsBloom } from './ethereum/logs-bloom.js';
import { ethereumMembers, ethereumReceiptMembers } from './ethereum/shown.js';
import { quantity, shownAddress, ZERO_HASH } from './values.js';

const NO_BLOOM = `0x${'0'.repeat(512)}`;

/** java-tron's bloom is zero. */
function bloomOf({ ethereum }: Dialect, infos: readonly (TransactionInfo | undefined)[]): string {
  return ethereum ? logsBloom(infos.flatMap((info) => info?.log ?? [])) : NO_BLOOM;
}

/** A block's nonce: eight bytes, not a number. */
const NO_NONCE = '0x0000000000000000';

/** A transaction of a block. */
function included(wallet: WalletContext, txId: TxId): FoundTransaction {
  const found = findTransaction(wallet, txId);
  if (found === undefined) throw new Error(`transaction ${txId} of a block is not in the store`);
  return found;
}

function energyOf(info: TransactionInfo | undefined): bigint {
  return info?.receipt?.energy_usage_total ?? 0n;
}

/** A transaction's hash: its id, or its hash for Ethereum's tools. */
export function shownHash(wallet: WalletContext, { ethereum }: Pick<Dialect, 'ethereum'>, txId: TxId): string {
  return `0x${(ethereum ? hashOfEthereum(wallet, txId) : undefined) ?? txId}`;
}

interface Gas {
  /** java-tron's sum of the transactions' fee limits, in sun. */
  readonly limit: bigint;
  /** The sum over the transactions: Energy, or gas of {@link gasBill}. */
  readonly used: bigint;
  readonly basePriceSun: bigint;
}

function gasOf(
  wallet: WalletContext,
  { ethereum }: Dialect,
  { header }: BlockOutline,
  entries: readonly FoundTransaction[],
): Gas {
  if (ethereum) {
    const basePriceSun = energyPriceAt(wallet, header.timestamp);
    const used = sum(entries, ({ info }) => (info === undefined ? 0n : gasBill(info, basePriceSun).gasUsed));
    return { limit: blockGasLimit(wallet), used, basePriceSun };
  }
  return {
    limit: sum(entries, ({ transaction }) => transaction.raw_data?.fee_limit ?? 0n),
    used: sum(entries, ({ info }) => energyOf(info)),
    basePriceSun: 0n,
  };
}

/** A block with ids or complete transactions; `null` for a height beyond the chain. */
export function shownBlock(
  wallet: WalletContext,
  dialect: Dialect,
  number: number,
  withTransactions: boolean,
): object | null {
  const outline = findBlockOutline(wallet, number);
  if (outline === undefined) return null;
  const entries = transactionsOf(wallet, outline);
  const transactions = withTransactions
    ? entries.map((entry) => shownTransaction(wallet, dialect, entry, outline))
    : entries.map(({ txId }) => shownHash(wallet, dialect, txId));
  return blockMembers(dialect, outline, gasOf(wallet, dialect, outline, entries), bloomOfBlock(dialect, entries), {
    size: quantity(getBlockSizeBytes(wallet, number)),
    transactions,
    uncles: [],
  });
}

/** A block in `newHeads`. */
export function shownHead(wallet: WalletContext, dialect: Dialect, outline: BlockOutline): object {
  const entries = transactionsOf(wallet, outline);
  return blockMembers(dialect, outline, gasOf(wallet, dialect, outline, entries), bloomOfBlock(dialect, entries), {});
}

function bloomOfBlock(dialect: Dialect, entries: readonly FoundTransaction[]): string {
  return bloomOf(
    dialect,
    entries.map(({ info }) => info),
  );
}

/**
 * The next block with the pending transactions, in geth's form: values that are only known after its production are
 * null.
 */
export function shownPendingBlock(wallet: WalletContext, dialect: Dialect, withTransactions: boolean): object {
  const { number, timestampMs } = nextBlock(wallet);
  const id = findBlockOutline(wallet, number - 1)?.id as BlockId;
  const txIds = wallet.node.chain.pool.members().map(({ transaction }) => transaction.txId);
  const header = { ...BlockHeader_raw.empty, timestamp: timestampMs, parentHash: id };
  const gas = { limit: blockGasLimit(wallet), used: 0n, basePriceSun: energyPrice(wallet) };
  const shown = blockMembers(dialect, { number, id, header, transactionIds: [] }, gas, NO_BLOOM, {
    size: quantity(0),
    transactions: txIds.map((txId) =>
      withTransactions ? shownTransactionById(wallet, dialect, txId) : shownHash(wallet, dialect, txId),
    ) as (object | string)[],
    uncles: [],
  });
  return { ...shown, hash: null, logsBloom: null, miner: null, nonce: null, transactionsRoot: ZERO_HASH };
}

function transactionsOf(wallet: WalletContext, { transactionIds }: BlockOutline): readonly FoundTransaction[] {
  return transactionIds.map((txId) => included(wallet, txId));
}

/** @param body members that a header does not have */
function blockMembers(
  dialect: Dialect,
  { number, id, header }: BlockOutline,
  gas: Gas,
  logsBloom: string,
  { size, transactions, uncles }: { size?: string; transactions?: readonly (object | string)[]; uncles?: readonly [] },
): object {
  return {
    baseFeePerGas: quantity(gas.basePriceSun),
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: quantity(gas.limit),
    gasUsed: quantity(gas.used),
    hash: `0x${id}`,
    logsBloom,
    miner: number === 0 ? ZERO_ADDRESS : shownAddress(header.witness_address),
    mixHash: ZERO_HASH,
    nonce: NO_NONCE,
    number: quantity(number),
    parentHash: `0x${header.parentHash}`,
    receiptsRoot: ZERO_HASH,
    sha3Uncles: ZERO_HASH,
    ...(size !== undefined && { size }),
    stateRoot: header.accountStateRoot === '' ? dialect.noStateRoot : `0x${header.accountStateRoot}`,
    timestamp: seconds(header.timestamp),
    totalDifficulty: '0x0',
    ...(transactions !== undefined && { transactions }),
    transactionsRoot: `0x${header.txTrieRoot}`,
    ...(uncles !== undefined && { uncles }),
  };
}

function seconds(timestampMs: bigint): string {
  return quantity(timestampMs / 1_000n);
}

function sum<Item>(items: readonly Item[], amount: (item: Item) => bigint): bigint {
  return items.reduce((total, item) => total + amount(item), 0n);
}

/** A transaction by its id, of the chain, or pending on the full node's view; `null` if unknown. */
export function shownTransactionById(wallet: WalletContext, dialect: Dialect, txId: TxId): object | null {
  const found = findTransaction(wallet, txId);
  if (found === undefined) return null;
  return shownTransaction(wallet, dialect, found, found.pending ? undefined : blockOf(wallet, found));
}

/** `null` for a height beyond the chain, or an index beyond the block's end. */
export function shownTransactionAt(
  wallet: WalletContext,
  dialect: Dialect,
  number: number,
  index: number,
): object | null {
  const block = findBlockOutline(wallet, number);
  const txId = block?.transactionIds[index];
  return txId === undefined ? null : shownTransaction(wallet, dialect, included(wallet, txId), block);
}

function blockOf(wallet: WalletContext, { blockNumber }: FoundTransaction): BlockOutline {
  const block = findBlockOutline(wallet, blockNumber);
  if (block === undefined) throw new Error(`block ${blockNumber} is not in the store`);
  return block;
}

/** @param block undefined: pending */
function shownTransaction(
  wallet: WalletContext,
  dialect: Dialect,
  found: FoundTransaction,
  block: BlockOutline | undefined,
): object {
  const { txId, transaction, info, index } = found;
  const contract = transaction.raw_data?.contract[0];
  const members = {
    blockHash: block === undefined ? dialect.noPlace : `0x${block.id}`,
    blockNumber: block === undefined ? dialect.noPlace : quantity(block.number),
    from: block?.number === 0 || contract === undefined ? ZERO_ADDRESS : senderOf(contract),
    gas: quantity(energyOf(info)),
    gasPrice:
      block === undefined ? dialect.pendingPrice(wallet) : quantity(energyPriceAt(wallet, block.header.timestamp)),
    hash: shownHash(wallet, dialect, txId),
    input: contract === undefined ? '0x' : `0x${callDataOf(contract)}`,
    nonce: dialect.transactionNonce,
    ...signatureOf(transaction.signature[0]),
    to: contract === undefined ? null : shownAddress(targetOf(contract)),
    transactionIndex: block === undefined ? dialect.noPlace : quantity(index),
    type: '0x0',
    v: recoveryByteOf(transaction.signature[0]),
    value: quantity(contract === undefined ? 0n : amountOf(wallet, contract, info)),
  };
  return dialect.ethereum ? { ...members, ...ethereumMembers(wallet, found, block) } : members;
}

function senderOf(contract: Transaction_Contract): string | null {
  return shownAddress(ownerOf(unpackContract(contract)));
}

/** Init code is omitted, as in java-tron. */
function callDataOf(contract: Transaction_Contract): Hex {
  if (contract.type !== ContractType.TriggerSmartContract) return '';
  return (unpackContract(contract) as { readonly data: Hex } | undefined)?.data ?? '';
}

const SIGNATURE_DIGITS = 130;

function signatureOf(signature: Hex | undefined): { r: string; s: string } {
  if (signature === undefined || signature.length < SIGNATURE_DIGITS) return { r: ZERO_HASH, s: ZERO_HASH };
  return { r: `0x${signature.slice(0, 64)}`, s: `0x${signature.slice(64, 128)}` };
}

function recoveryByteOf(signature: Hex | undefined): string {
  if (signature === undefined || signature.length < SIGNATURE_DIGITS) return '0x00';
  const byte = Number.parseInt(signature.slice(128, 130), 16);
  // A signed byte in Java: values from 128 are below 27, too.
  const raised = byte < 27 || byte > 127 ? (byte + 27) & 0xff : byte;
  return `0x${raised.toString(16).padStart(2, '0')}`;
}

/** `null` for a transaction in no block, or in the genesis block. */
export function shownReceipt(wallet: WalletContext, dialect: Dialect, txId: TxId): object | null {
  const found = findTransaction(wallet, txId);
  if (found?.info === undefined) return null;
  const { info } = found;
  const receipts = new ReceiptsOfBlock(wallet, dialect, blockOf(wallet, found));
  for (const earlier of receipts.block.transactionIds.slice(0, found.index)) receipts.pass(included(wallet, earlier));
  return receipts.next(found, info);
}

/** Of all transactions of a block, in their order. */
export function shownReceipts(
  wallet: WalletContext,
  dialect: Dialect,
  block: BlockOutline,
): readonly (object | null)[] {
  const receipts = new ReceiptsOfBlock(wallet, dialect, block);
  return transactionsOf(wallet, block).map((found) =>
    found.info === undefined ? null : receipts.next(found, found.info),
  );
}

/** Gas and logs are numbered through the block, so a receipt needs the transactions before it. */
class ReceiptsOfBlock {
  readonly #priceSun: bigint;
  #gas = 0n;
  #logs = 0;

  constructor(
    private readonly wallet: WalletContext,
    private readonly dialect: Dialect,
    readonly block: BlockOutline,
  ) {
    this.#priceSun = energyPriceAt(wallet, block.header.timestamp);
  }

  /** Counts a transaction that is not shown. */
  pass({ info }: FoundTransaction): void {
    this.#gas += this.#bill(info).gasUsed;
    this.#logs += info?.log.length ?? 0;
  }

  next(found: FoundTransaction, info: TransactionInfo): object {
    const firstLog = this.#logs;
    this.pass(found);
    return shownReceiptIn(this.wallet, this.dialect, this.block, found, info, {
      bill: this.#bill(info),
      gas: this.#gas,
      firstLog,
    });
  }

  #bill(info: TransactionInfo | undefined): GasBill {
    const priceSun = this.#priceSun;
    return this.dialect.ethereum ? gasBill(info, priceSun) : { gasUsed: energyOf(info), priceSun };
  }
}

interface ReceiptPlace {
  readonly bill: GasBill;
  /** Of the block up to this transaction. */
  readonly gas: bigint;
  /** Index of its first log in the block. */
  readonly firstLog: number;
}

function shownReceiptIn(
  wallet: WalletContext,
  dialect: Dialect,
  block: BlockOutline,
  found: FoundTransaction,
  info: TransactionInfo,
  { bill, gas, firstLog }: ReceiptPlace,
): object {
  const { txId, transaction, index } = found;
  const contract = transaction.raw_data?.contract[0];
  const outcome = info.receipt?.result ?? Outcome.DEFAULT;
  return {
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.number),
    contractAddress: contract?.type === ContractType.CreateSmartContract ? shownAddress(info.contract_address) : null,
    cumulativeGasUsed: quantity(gas),
    effectiveGasPrice: quantity(bill.priceSun),
    from: contract === undefined ? null : senderOf(contract),
    gasUsed: quantity(bill.gasUsed),
    logs: info.log.map((log, at) =>
      shownLog(dialect, {
        ...log,
        blockId: block.id,
        blockNumber: block.number,
        blockTimestampMs: block.header.timestamp,
        txId,
        ethereumHash: hashOfEthereum(wallet, txId),
        transactionIndex: index,
        logIndex: firstLog + at,
      }),
    ),
    logsBloom: bloomOf(dialect, [info]),
    status: outcome === Outcome.DEFAULT || outcome === Outcome.SUCCESS ? '0x1' : '0x0',
    to: contract === undefined ? null : shownAddress(targetOf(contract)),
    transactionHash: shownHash(wallet, dialect, txId),
    transactionIndex: quantity(index),
    type: '0x0',
    ...(dialect.ethereum && ethereumReceiptMembers(found)),
  };
}

/** @param removed whether its block was rolled back */
export function shownLog(dialect: Pick<Dialect, 'forms' | 'ethereum'>, log: FoundLog, removed = false): object {
  return {
    address: `0x${log.address}`,
    blockHash: `0x${log.blockId}`,
    blockNumber: quantity(log.blockNumber),
    ...(dialect.forms.logTimes && { blockTimestamp: seconds(log.blockTimestampMs) }),
    data: `0x${log.data}`,
    logIndex: quantity(log.logIndex),
    removed,
    topics: log.topics.map((topic) => `0x${topic}`),
    transactionHash: `0x${(dialect.ethereum ? log.ethereumHash : undefined) ?? log.txId}`,
    transactionIndex: quantity(log.transactionIndex),
  };
}
