/** Methods that only an Ethereum node has, at `/eth`: fees, nonces, signing, accounts. */

import { bytesToHex, type Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { Transaction } from '../../protocol/generated/tron.js';
import { keccak256 } from '../../protocol/hashes.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { sign } from '../../protocol/signature.js';
import { getBalance } from '../../wallet/accounts.js';
import { findBlockOutline, headNumber } from '../../wallet/blocks.js';
import { contextAt, type WalletContext } from '../../wallet/context.js';
import { getCode } from '../../wallet/contracts.js';
import { nextNonce, txIdNamed } from '../../wallet/ethereum.js';
import { energyPrice } from '../../wallet/prices.js';
import { type FoundTransaction, findTransaction } from '../../wallet/transactions.js';
import { anything, text } from '../arguments.js';
import { blockNamed, blockWithHash, FRIENDLY_TAGS, stateHeight } from '../block-tags.js';
import { internalError, invalidParams, JsonRpcError, METHOD_NOT_FOUND } from '../errors.js';
import { callAsEthereum, estimateAsEthereum } from '../ethereum/calls.js';
import { completed, shownRaw, signed, unknownAccount } from '../ethereum/send.js';
import { sendRawTransactionSync, sendTransactionSync } from '../ethereum/send-sync.js';
import { rawEthereum, termsOf } from '../ethereum/shown.js';
import { type Json, NumberText } from '../json-text.js';
import { shownBlock, shownTransactionById } from '../objects.js';
import { type Method, ONLY_FULL, type RpcContext } from '../table.js';
import { quantity, readAddress, readAmount, readHash, readIndex } from '../values.js';

/** With `pending` including pending transactions, otherwise after the block. */
export function transactionCount({ wallet }: RpcContext, address: string | null, block: Json): string {
  const account = readAddress(address);
  if (block === null || block === 'pending') return quantity(nextNonce(wallet, account));
  const height = stateHeight(wallet, FRIENDLY_TAGS, block) ?? headNumber(wallet);
  const isHead = height === headNumber(wallet) && wallet.node.chain.pool.size === 0;
  return quantity(nextNonce(isHead ? wallet : contextAt(wallet, height), account));
}

/** geth's limit of blocks in one answer. */
const MAX_FEE_BLOCKS = 1_024;

/** A whole number, or a quantity as text. */
function readCount(count: Json): number {
  const isText = typeof count === 'string' || count === null;
  const number = count instanceof NumberText ? Number(count.text) : isText ? Number(readAmount(count)) : count;
  if (typeof number !== 'number' || Math.trunc(number) !== number)
    throw invalidParams('invalid param value: invalid hex number');
  return number;
}

function feeHistory(
  { wallet, dialect }: RpcContext,
  count: Json,
  newest: string | null,
  percentiles: Json = null,
): object {
  const asked = readCount(count);
  const last = blockNamed(wallet, dialect, newest);
  if (last === undefined) throw internalError('header not found');
  const blocks = Math.min(Math.max(asked, 0), MAX_FEE_BLOCKS, last + 1);
  const first = last - blocks + 1;
  const shown = Array.from({ length: blocks }, (_, at) => shownBlock(wallet, dialect, first + at, false)) as {
    readonly baseFeePerGas: string;
    readonly gasUsed: string;
    readonly gasLimit: string;
  }[];
  const rewards = Array.isArray(percentiles) ? percentiles.map(() => '0x0') : undefined;
  return {
    oldestBlock: quantity(first),
    baseFeePerGas: [...shown.map(({ baseFeePerGas }) => baseFeePerGas), quantity(energyPrice(wallet))],
    gasUsedRatio: shown.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Math.max(1, Number(gasLimit))),
    // There are no priority fees.
    ...(rewards !== undefined && rewards.length > 0 && { reward: shown.map(() => rewards) }),
  };
}

/** The input of `eth_sendRawTransaction`; for a TRON transaction its `protocol.Transaction`. */
function rawTransaction({ wallet, dialect }: RpcContext, given: string | null): string | null {
  const hash = readHash(given, dialect.forms);
  const waiting = wallet.node.chain.pool.queued.get(hash);
  if (waiting !== undefined) return shownRaw(waiting.ethereum);
  return rawOf(findTransaction(wallet, txIdNamed(wallet, hash)));
}

function rawOf(found: FoundTransaction | undefined): string | null {
  if (found === undefined) return null;
  return rawEthereum(found) ?? `0x${bytesToHex(Transaction.encode(found.transaction))}`;
}

function rawTransactionAt(wallet: WalletContext, number: number | undefined, index: string | null): string | null {
  const outline = number === undefined ? undefined : findBlockOutline(wallet, number);
  const txId = outline?.transactionIds[readIndex(index)];
  return txId === undefined ? null : rawOf(findTransaction(wallet, txId));
}

/** Transactions that wait for a block, without those that wait for a nonce. */
function pendingTransactions({ wallet, dialect }: RpcContext): readonly (object | null)[] {
  const members = wallet.node.chain.pool.members();
  return members.map(({ transaction }) => shownTransactionById(wallet, dialect, transaction.txId));
}

/** Of the same state as `eth_getBalance`, `eth_getCode` and `eth_getTransactionCount`. */
function accountInfo(context: RpcContext, address: string | null, block: Json): object {
  const account = readAddress(address);
  const at = context.dialect.stateAt(context.wallet, block);
  return {
    nonce: transactionCount(context, address, block),
    balance: quantity(getBalance(at, account)),
    code: `0x${codeAt(at, account)}`,
  };
}

function codeAt(wallet: WalletContext, account: Address): Hex {
  const code = getCode(wallet, account);
  return code === undefined ? '' : bytesToHex(code);
}

/** Adds all members that a node chooses; `gas` by an estimate. */
function fillTransaction(context: RpcContext, given: Json): object {
  const { unsigned } = completed(context, withEstimate(context, given));
  const transaction = { ...unsigned, yParity: 0, r: 0n, s: 0n };
  return { raw: shownRaw(transaction), tx: termsOf(context.wallet, transaction) };
}

function withEstimate(context: RpcContext, given: Json): Json {
  const members = given as Record<string, Json>;
  if (given === null || members.gas !== undefined) return given;
  const call = { from: null, to: null, gas: null, gasPrice: null, value: null, data: null, nonce: null, ...members };
  return { ...members, gas: estimateAsEthereum(context, call as never) } as Json;
}

function signTransaction(context: RpcContext, given: Json): object {
  const { from, unsigned } = completed(context, withEstimate(context, given));
  const transaction = signed(context, from, unsigned);
  return { raw: shownRaw(transaction), tx: termsOf(context.wallet, transaction) };
}

/** EIP-191, version 0x45. */
function signMessage({ accounts }: RpcContext, address: string | null, message: string | null): string {
  const bytes = Buffer.from(readHex(message ?? ''), 'hex');
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`, 'utf8');
  return signDigest(accounts, readAddress(address), keccak256(Buffer.concat([prefix, bytes])));
}

function signDigest(accounts: RpcContext['accounts'], address: Address, digest: Hex): string {
  const key = accounts.get(address);
  if (key === undefined) throw unknownAccount(address);
  const signature = sign(digest, key);
  return `0x${signature.slice(0, 128)}${(27 + Number.parseInt(signature.slice(128), 16)).toString(16)}`;
}

/** EIP-712. */
async function signTypedData({ accounts }: RpcContext, address: string | null, typed: Json): Promise<string> {
  const account = readAddress(address);
  const { typedDataDigest } = await import('../ethereum/typed-data.js');
  let digest: Hex;
  try {
    digest = typedDataDigest(typed);
  } catch (error) {
    throw invalidParams(`the typed data cannot be hashed: ${(error as Error).message.split('\n')[0]}`);
  }
  return signDigest(accounts, account, digest);
}

/** TRON has no access lists: the Energy is the same with any. */
function accessList(context: RpcContext, given: Json, block: Json): object {
  const members = { from: null, to: null, gas: null, gasPrice: null, value: null, data: null, nonce: null };
  const call = { ...members, ...(given as object) } as never;
  callAsEthereum(context, call, block);
  return { accessList: [], gasUsed: estimateAsEthereum(context, call) };
}

function method(
  name: string,
  parameters: Method['parameters'],
  answer: Method['answer'],
  more: Partial<Method> = {},
): Method {
  return { name, onlyEthereum: true, callers: 'anyone', parameters, answer, ...more };
}

const TRUSTED = { callers: 'trusted' } as const;
const SYNC = { required: 1, isCostly: true, notIn: ONLY_FULL } as const;

export const ethereumMethods: readonly Method[] = [
  method('eth_maxPriorityFeePerGas', [], () => '0x0'),
  method('eth_blobBaseFee', [], () => '0x0'),
  method('eth_feeHistory', [anything, text, anything], feeHistory, { required: 2 }),
  method('eth_getRawTransactionByHash', [text], rawTransaction),
  method('debug_getRawTransaction', [text], rawTransaction),
  method(
    'eth_getRawTransactionByBlockHashAndIndex',
    [text, text],
    ({ wallet, dialect }: RpcContext, hash: string | null, index: string | null) =>
      rawTransactionAt(wallet, blockWithHash(wallet, hash, dialect.forms), index),
  ),
  method(
    'eth_getRawTransactionByBlockNumberAndIndex',
    [text, text],
    ({ wallet, dialect }: RpcContext, number: string | null, index: string | null) =>
      rawTransactionAt(wallet, blockNamed(wallet, dialect, number), index),
  ),
  method('eth_sendRawTransactionSync', [text, anything], sendRawTransactionSync, SYNC),
  method('eth_sendTransactionSync', [anything, anything], sendTransactionSync, { ...TRUSTED, ...SYNC }),
  method('eth_pendingTransactions', [], pendingTransactions),
  method('eth_getAccountInfo', [text, anything], accountInfo, { required: 1 }),
  method('eth_fillTransaction', [anything], fillTransaction, { isCostly: true }),
  method('eth_createAccessList', [anything, anything], accessList, { required: 1, isCostly: true }),
  method(
    'personal_sign',
    [text, text, anything],
    (context: RpcContext, message: string | null, address: string | null) => signMessage(context, address, message),
    { ...TRUSTED, required: 2 },
  ),
  ...['eth_signTypedData', 'eth_signTypedData_v3', 'eth_signTypedData_v4'].map((name) =>
    method(name, [text, anything], signTypedData, TRUSTED),
  ),
  method(
    'eth_getProof',
    [anything, anything, anything],
    () => {
      throw new JsonRpcError(
        METHOD_NOT_FOUND,
        'the method eth_getProof does not exist/is not available: TRON keeps no state trie, so there are no proofs',
        undefined,
      );
    },
    { required: 0 },
  ),
];

export const signingForms = { signMessage, signTransaction };
