/**
 * Blocks, transactions, receipts and logs in Ethereum's shape (json-rpc.md A.7): members in alphabetical order, as
 * java-tron serialises them.
 */

import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { blockBytesAt, blockOutline } from '../ledger/blocks/blocks.js';
import type { Hex } from '../primitives/hex.js';
import type { BlockId, TxId } from '../primitives/ids.js';
import { ownerOf, unpackContract } from '../protocol/contract-types.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result_contractResult as Outcome,
  Transaction,
  type Transaction_Contract,
  TransactionInfo,
} from '../protocol/generated/tron.js';
import type { WalletContext } from '../wallet/context.js';
import type { FoundLog } from '../wallet/logs.js';
import { energyPriceAt } from '../wallet/prices.js';
import { amountOf, targetOf } from '../wallet/transaction-value.js';
import { ZERO_ADDRESS } from './arguments.js';
import { quantity, shownAddress } from './values.js';

export const ZERO_HASH = `0x${'0'.repeat(64)}`;
const NO_BLOOM = `0x${'0'.repeat(512)}`;
const NO_NONCE = '0x0000000000000000';

/** Where a transaction stands on the chain. */
interface Place {
  readonly blockId: BlockId;
  readonly blockNumber: number;
  readonly index: number;
  readonly timestampMs: bigint;
}

interface Entry {
  readonly txId: TxId;
  readonly transaction: Transaction;
  /** Transactions of the genesis block have none. */
  readonly info: TransactionInfo | undefined;
}

function entryOf({ ledger }: WalletContext, txId: TxId): Entry {
  const stored = ledger.state.tables.transactions.get(txId);
  if (stored === undefined) throw new Error(`transaction ${txId} of a block is not in the store`);
  const info = stored.info.length === 0 ? undefined : TransactionInfo.decode(stored.info);
  return { txId, transaction: Transaction.decode(stored.transaction), info };
}

function energyOf(info: TransactionInfo | undefined): bigint {
  return info?.receipt?.energy_usage_total ?? 0n;
}

/** A block, with ids or with whole transactions; `null` for a height that is not on the chain. */
export function shownBlock(wallet: WalletContext, number: number, withTransactions: boolean): object | null {
  const outline = blockOutline(wallet.ledger, number);
  const blockId = blockIdAt(wallet.ledger, number);
  const raw = outline?.header.raw_data;
  if (outline === undefined || blockId === undefined || raw === undefined) return null;
  const entries = outline.transactionIds.map((txId) => entryOf(wallet, txId));
  const place = { blockId, blockNumber: number, timestampMs: raw.timestamp };
  return {
    baseFeePerGas: '0x0',
    difficulty: '0x0',
    extraData: '0x',
    // In sun: java-tron adds up what the transactions are willing to pay.
    gasLimit: quantity(sum(entries, ({ transaction }) => transaction.raw_data?.fee_limit ?? 0n)),
    gasUsed: quantity(sum(entries, ({ info }) => energyOf(info))),
    hash: `0x${blockId}`,
    logsBloom: NO_BLOOM,
    miner: number === 0 ? ZERO_ADDRESS : shownAddress(raw.witness_address),
    mixHash: ZERO_HASH,
    nonce: NO_NONCE,
    number: quantity(number),
    parentHash: `0x${raw.parentHash}`,
    receiptsRoot: ZERO_HASH,
    sha3Uncles: ZERO_HASH,
    size: quantity(blockBytesAt(wallet.ledger, number)?.length ?? 0),
    stateRoot: `0x${raw.accountStateRoot}`,
    timestamp: seconds(raw.timestamp),
    totalDifficulty: '0x0',
    transactions: withTransactions
      ? entries.map((entry, index) => shownTransaction(wallet, entry, { ...place, index }))
      : entries.map(({ txId }) => `0x${txId}`),
    transactionsRoot: `0x${raw.txTrieRoot}`,
    uncles: [],
  };
}

function seconds(timestampMs: bigint): string {
  return quantity(timestampMs / 1_000n);
}

function sum<Item>(items: readonly Item[], amount: (item: Item) => bigint): bigint {
  return items.reduce((total, item) => total + amount(item), 0n);
}

/** A transaction by its id: of the chain, or on the full node's view pending; `null` for one that is neither. */
export function shownTransactionById(wallet: WalletContext, txId: TxId): object | null {
  const stored = wallet.ledger.state.tables.transactions.get(txId);
  if (stored === undefined) return null;
  const entry = entryOf(wallet, txId);
  if (!wallet.solid && wallet.node.chain.pool.get(txId) !== undefined)
    return shownTransaction(wallet, entry, undefined);
  return shownTransaction(wallet, entry, placeOf(wallet, stored.blockNumber, stored.index));
}

/** `null` for a height that is not on the chain or an index beyond the block's end. */
export function shownTransactionAt(wallet: WalletContext, number: number, index: number): object | null {
  const txId = blockOutline(wallet.ledger, number)?.transactionIds[index];
  return txId === undefined ? null : shownTransaction(wallet, entryOf(wallet, txId), placeOf(wallet, number, index));
}

function placeOf({ ledger }: WalletContext, blockNumber: number, index: number): Place {
  const raw = blockOutline(ledger, blockNumber)?.header.raw_data;
  const blockId = blockIdAt(ledger, blockNumber);
  if (raw === undefined || blockId === undefined) throw new Error(`block ${blockNumber} is not in the store`);
  return { blockId, blockNumber, index, timestampMs: raw.timestamp };
}

function shownTransaction(wallet: WalletContext, { txId, transaction, info }: Entry, place: Place | undefined): object {
  const contract = transaction.raw_data?.contract[0];
  return {
    blockHash: place === undefined ? '0x' : `0x${place.blockId}`,
    blockNumber: place === undefined ? '0x' : quantity(place.blockNumber),
    from: place?.blockNumber === 0 || contract === undefined ? ZERO_ADDRESS : senderOf(contract),
    gas: quantity(energyOf(info)),
    gasPrice: place === undefined ? '0x' : quantity(energyPriceAt(wallet, place.timestampMs)),
    hash: `0x${txId}`,
    input: contract === undefined ? '0x' : `0x${callDataOf(contract)}`,
    nonce: NO_NONCE,
    ...signatureOf(transaction.signature[0]),
    to: contract === undefined ? null : shownAddress(targetOf(contract)),
    transactionIndex: place === undefined ? '0x' : quantity(place.index),
    type: '0x0',
    v: recoveryByteOf(transaction.signature[0]),
    value: quantity(contract === undefined ? 0n : amountOf(wallet, contract, info)),
  };
}

function senderOf(contract: Transaction_Contract): string | null {
  return shownAddress(ownerOf(unpackContract(contract)));
}

/** Init code is not shown, oddly. */
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
  // A signed byte in Java: from 128 on it is below 27 too.
  const raised = byte < 27 || byte > 127 ? (byte + 27) & 0xff : byte;
  return `0x${raised.toString(16).padStart(2, '0')}`;
}

/** `null` for a transaction that is in no block, or in the genesis block. */
export function shownReceipt(wallet: WalletContext, txId: TxId): object | null {
  const stored = wallet.ledger.state.tables.transactions.get(txId);
  if (stored === undefined || stored.info.length === 0) return null;
  const place = placeOf(wallet, stored.blockNumber, stored.index);
  const { transaction, info } = entryOf(wallet, txId) as Entry & { readonly info: TransactionInfo };
  let energyBefore = 0n;
  let logIndex = 0;
  const { transactionIds } = blockOutline(wallet.ledger, stored.blockNumber)!;
  for (const earlier of transactionIds.slice(0, stored.index)) {
    const earlierInfo = entryOf(wallet, earlier).info;
    energyBefore += energyOf(earlierInfo);
    logIndex += earlierInfo?.log.length ?? 0;
  }
  const contract = transaction.raw_data?.contract[0];
  const outcome = info.receipt?.result ?? Outcome.DEFAULT;
  return {
    blockHash: `0x${place.blockId}`,
    blockNumber: quantity(place.blockNumber),
    contractAddress: contract?.type === ContractType.CreateSmartContract ? shownAddress(info.contract_address) : null,
    cumulativeGasUsed: quantity(energyBefore + energyOf(info)),
    effectiveGasPrice: quantity(energyPriceAt(wallet, place.timestampMs)),
    from: contract === undefined ? null : senderOf(contract),
    gasUsed: quantity(energyOf(info)),
    logs: info.log.map((log) =>
      shownLog({
        ...log,
        ...place,
        txId,
        transactionIndex: place.index,
        logIndex: logIndex++,
      }),
    ),
    logsBloom: NO_BLOOM,
    status: outcome === Outcome.DEFAULT || outcome === Outcome.SUCCESS ? '0x1' : '0x0',
    to: contract === undefined ? null : shownAddress(targetOf(contract)),
    transactionHash: `0x${txId}`,
    transactionIndex: quantity(place.index),
    type: '0x0',
  };
}

export function shownLog(log: FoundLog): object {
  return {
    address: `0x${log.address}`,
    blockHash: `0x${log.blockId}`,
    blockNumber: quantity(log.blockNumber),
    data: `0x${log.data}`,
    logIndex: quantity(log.logIndex),
    removed: false,
    topics: log.topics.map((topic) => `0x${topic}`),
    transactionHash: `0x${log.txId}`,
    transactionIndex: quantity(log.transactionIndex),
  };
}
