/**
 * Building, broadcasting and finding transactions (protocol/http-endpoints.md#common-behaviour-of-builders,
 * #broadcasttransaction, #blocks-and-transactions). Mirrors java-tron's Wallet.createTransactionCapsule,
 * broadcastTransaction and the transaction queries.
 */

import { JavaException } from '../errors/java-exception.js';
import { contractValidateException, overflowAsJava, tooBigTransaction } from '../errors/refusals.js';
import { MAX_TRANSACTION_BYTES } from '../ledger/admission/checks.js';
import { refusalOf } from '../ledger/admission/refusal-answer.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { oldestReference } from '../ledger/config.js';
import { ledgerContract } from '../ledger/contracts/registry.js';
import { hasRule } from '../ledger/release-rules.js';
import { byteLength, type Hex, utf8ToHex } from '../primitives/hex.js';
import type { Sun, TxId } from '../primitives/ids.js';
import { refBlockBytesOf, refBlockHashOf } from '../protocol/block.js';
import { type ContractMessage, contractCodec, packAny } from '../protocol/contract-types.js';
import type { BytesMessage, EmptyMessage, NumberMessage } from '../protocol/generated/api.js';
import { Return, Return_response_code, TransactionIdList, TransactionInfoList } from '../protocol/generated/api.js';
import {
  type InternalTransaction,
  Transaction,
  Transaction_Contract,
  Transaction_raw,
  TransactionInfo,
} from '../protocol/generated/tron.js';
import type { SignedDigest } from '../protocol/signature.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { WalletContext } from './context.js';
import { knownOutline, knownTransaction } from './known-blocks.js';

/** `trx.expiration.timeInMilliseconds`. */
const LIFETIME_MS = 60_000n;

export interface BuildOptions {
  readonly permissionId?: number;
  /** The memo. */
  readonly extraData?: Hex;
  readonly feeLimitSun?: bigint;
}

/**
 * Validates a contract as a builder does, against the node's state. Contract calls are checked when they run.
 *
 * @throws JavaException ContractValidateException with the text of the contract's own check
 */
export function checkContract({ ledger }: WalletContext, type: number, contract: ContractMessage): void {
  overflowAsJava(() => ledgerContract(type)?.validate(ledger, contract, { builder: true }));
}

/**
 * An unsigned transaction with a contract, validated against the node's state.
 *
 * @throws JavaException ContractValidateException with the text of the contract's own check
 */
export function createTransaction(
  context: WalletContext,
  type: number,
  contract: ContractMessage,
  options: BuildOptions = {},
): Transaction {
  checkContract(context, type, contract);
  return builtTransaction(context, type, contract, options);
}

/**
 * The same without validation. java-tron builds transactions of any size and refuses them on broadcast; here too long
 * ones are refused at once, because printing them would delay other callers.
 *
 * @throws JavaException TooBigTransactionException
 */
export function builtTransaction(
  context: WalletContext,
  type: number,
  contract: ContractMessage,
  options: BuildOptions,
): Transaction {
  const transaction = unsignedTransaction(context, type, contract, options);
  const { contract: contracts, data } = transaction.raw_data!;
  const bytes = byteLength(data) + contracts.reduce((sum, { parameter }) => sum + byteLength(parameter!.value), 0);
  if (bytes > MAX_TRANSACTION_BYTES) {
    throw tooBigTransaction(
      `Too big transaction, contract and memo are ${bytes} bytes, maxTxSize ${MAX_TRANSACTION_BYTES}`,
    );
  }
  return transaction;
}

/** The maximum fee limit of a transaction. */
export function highestFeeLimitSun({ ledger }: WalletContext): Sun {
  return ledger.long('MAX_FEE_LIMIT');
}

/** The same without any check. Transactions built above one block differ at least in their timestamps. */
export function unsignedTransaction(
  context: WalletContext,
  type: number,
  contract: ContractMessage,
  options: BuildOptions = {},
): Transaction {
  return transactionAt(context, context.node.buildTimeMs(), type, contract, options);
}

/**
 * The transaction in the answer to a query: it is never sent, and equal queries get equal ones. A fork repeats a query
 * when it has fetched a row. Its time is that of the head, or a deployment would have another address in each attempt,
 * and miss the rows of that one.
 */
export function enclosedTransaction(
  context: WalletContext,
  type: number,
  contract: ContractMessage,
  options: BuildOptions = {},
): Transaction {
  const { ledger, node } = context;
  const isFork = node.chain.config.networkGenesisId !== undefined;
  const timeMs = isFork ? ledger.headTimeMs : node.clock.nowMs();
  return transactionAt(context, timeMs, type, contract, options);
}

/** Reference block: the solidified one, on a fork an own one if there is any; expiration: from the head's time. */
function transactionAt(
  { ledger }: WalletContext,
  timestamp: bigint,
  type: number,
  contract: ContractMessage,
  { permissionId = 0, extraData = '', feeLimitSun = 0n }: BuildOptions,
): Transaction {
  const codec = contractCodec(type);
  if (codec === undefined) throw contractValidateException(`contract type ${type} has no message`);
  const solid = Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'));
  const number = Math.min(Math.max(solid, oldestReference(ledger.config)), ledger.headNumber);
  const reference = blockIdAt(ledger, number);
  if (reference === undefined) throw new Error(`block ${number} is to be referred to and has no id`);
  return Transaction.create({
    raw_data: Transaction_raw.create({
      ref_block_bytes: refBlockBytesOf(reference),
      ref_block_hash: refBlockHashOf(reference),
      expiration: ledger.headTimeMs + LIFETIME_MS,
      timestamp,
      data: extraData,
      fee_limit: feeLimitSun,
      contract: [
        Transaction_Contract.create({ type, parameter: packAny(codec, contract), Permission_id: permissionId }),
      ],
    }),
  });
}

/** Console output of a contract, which TronBox reads from the broadcast's answer if the transaction has already run. */
export interface Printed {
  readonly internalTransactions: readonly InternalTransaction[];
  /** Data of its console calls, in order. */
  readonly consoleCalls: readonly Hex[];
}

/** `Return`, and with instant mining the console output. */
export type BroadcastAnswer = Return & { readonly printed?: Printed };

const ACCEPTED = Return.create({ result: true, code: Return_response_code.SUCCESS });

/** A refusal is an answer, never an exception. */
export function broadcastTransaction(
  { node, ledger }: WalletContext,
  transaction: Transaction | SignedTransaction,
): BroadcastAnswer {
  try {
    const signed = transaction instanceof SignedTransaction ? transaction : SignedTransaction.of(transaction);
    const misfit = hasRule(ledger, 'signatureLengthsChecked') ? signed.signatures.find(hasWrongLength) : undefined;
    if (misfit !== undefined) {
      const message = utf8ToHex(`Signature size is ${byteLength(misfit)}`);
      return Return.create({ code: Return_response_code.SIGERROR, message });
    }
    const applied = node.broadcast(signed);
    if (applied === undefined) return ACCEPTED;
    const { consoleCalls } = applied;
    if (consoleCalls.length === 0 || node.producer.mode !== 'instant') return ACCEPTED;
    return { ...ACCEPTED, printed: { internalTransactions: applied.info.internal_transactions, consoleCalls } };
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    const { code, message } = refusalOf(error);
    return Return.create({ code, message: utf8ToHex(message) });
  }
}

function hasWrongLength(signature: Hex): boolean {
  const bytes = byteLength(signature);
  return bytes < 65 || bytes > 68;
}

/** The same for an interface. */
export async function broadcastArrived(
  context: WalletContext,
  transaction: SignedTransaction,
): Promise<BroadcastAnswer> {
  await signersAhead(context, { digest: transaction.txId, signatures: transaction.signatures });
  return broadcastTransaction(context, transaction);
}

/** For an interface, before it needs the signers: those of transactions that arrive together are recovered meanwhile. */
export async function signersAhead({ node }: WalletContext, signed: SignedDigest): Promise<void> {
  const known = node.signers?.ahead(signed);
  // Others that have arrived are read first; then each may run as long as a contract may.
  await node.yieldTurn();
  const answered = known?.();
  if (answered !== undefined) {
    await answered;
    await node.yieldTurn();
  }
}

/** A transaction with what is known of it. */
export interface FoundTransaction {
  readonly txId: TxId;
  readonly transaction: Transaction;
  /** Transactions of the genesis block have no receipt, nor have pending ones. */
  readonly info: TransactionInfo | undefined;
  readonly blockNumber: number;
  /** Index in the block, from 0. */
  readonly index: number;
  /** Pending, so it has no block. */
  readonly pending: boolean;
}

/** In a block, or pending on the head's view. */
export function findTransaction(context: WalletContext, txId: TxId): FoundTransaction | undefined {
  const { node, solid } = context;
  const stored = knownTransaction(context, txId);
  if (stored === undefined) return undefined;
  const { blockNumber, index } = stored;
  const info = stored.info.length === 0 ? undefined : TransactionInfo.decode(stored.info);
  const pending = !solid && node.chain.pool.get(txId) !== undefined;
  return { txId, transaction: Transaction.decode(stored.transaction), info, blockNumber, index, pending };
}

/** From a block, or from the pool with the outcome of its trial run. */
export function getTransactionById(context: WalletContext, { value }: BytesMessage): SignedTransaction | undefined {
  const stored = knownTransaction(context, value as TxId);
  return stored && SignedTransaction.decode(stored.transaction);
}

/** Absent while the transaction is pending. */
export function getTransactionInfoById(context: WalletContext, { value }: BytesMessage): TransactionInfo | undefined {
  const stored = knownTransaction(context, value as TxId);
  return stored === undefined || stored.info.length === 0 ? undefined : TransactionInfo.decode(stored.info);
}

export function getTransactionInfoByBlockNum(context: WalletContext, { num }: NumberMessage): TransactionInfoList {
  const infos: TransactionInfo[] = [];
  for (const txId of knownOutline(context, Number(num))?.transactionIds ?? []) {
    const info = knownTransaction(context, txId)?.info;
    if (info !== undefined && info.length > 0) infos.push(TransactionInfo.decode(info));
  }
  return TransactionInfoList.create({ transactionInfo: infos });
}

export function getTransactionFromPending(
  { node, ledger }: WalletContext,
  { value }: BytesMessage,
): SignedTransaction | undefined {
  if (node.chain.pool.get(value as TxId) === undefined) return undefined;
  const stored = ledger.state.tables.transactions.get(value as TxId);
  return stored && SignedTransaction.decode(stored.transaction);
}

export function getTransactionListFromPending({ node }: WalletContext, _request: EmptyMessage): TransactionIdList {
  return TransactionIdList.create({ txId: node.chain.pool.members().map(({ transaction }) => transaction.txId) });
}

export function getPendingSize({ node }: WalletContext, _request: EmptyMessage): NumberMessage {
  return { num: BigInt(node.chain.pool.size) };
}
