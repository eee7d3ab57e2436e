/**
 * Transactions of Ethereum's form: each becomes a TRON transaction of its sender, with Ethereum's terms beside it
 * (`protocol/ethereum-form.ts`). For porting: the network would take none of them (docs/background/ethereum.md).
 *
 * Refusals speak geth's words, which Ethereum's tools look for.
 */

import { JavaException } from '../errors/java-exception.js';
import { OperationError } from '../errors/operation-error.js';
import { ethereumHashOf, ethereumNonce, isPorting, txIdOfEthereum } from '../ledger/accounts/ethereum.js';
import { MAX_QUEUED, type QueuedTransaction } from '../node/chain/nonce-queue.js';
import { withRows } from '../node/with-rows.js';
import { type Hex, hexToUtf8 } from '../primitives/hex.js';
import type { Address, Sun, TxId } from '../primitives/ids.js';
import { type EthereumTransaction, encodeTerms, ethereumHash } from '../protocol/ethereum-transaction.js';
import { Return_response_code_type } from '../protocol/generated/api.js';
import { TransferContract } from '../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../protocol/generated/tron.js';
import { NO_SIGNATURE } from '../protocol/signature.js';
import { SignedTransaction } from '../protocol/transaction.js';
import { getBalance } from './accounts.js';
import { getGenesisId } from './chain.js';
import type { WalletContext } from './context.js';
import { getCode } from './contracts.js';
import { contractOfCall } from './plain-call.js';
import { energyPrice } from './prices.js';
import { broadcastTransaction, highestFeeLimitSun, unsignedTransaction } from './transactions.js';

/** What an Ethereum node would refuse, in geth's words. */
export class EthereumRefusal extends Error {
  override readonly name = 'EthereumRefusal';
}

/** What every transaction takes in Ethereum, without data. */
export const TRANSFER_GAS = 21_000n;
const CREATION_GAS = 32_000n;
const INIT_CODE_WORD_GAS = 2n;
const TOKEN_GAS = 4n;
/** EIP-7623. */
const FLOOR_TOKEN_GAS = 10n;
const TOKENS_OF_BYTE = 4n;

/** What Ethereum takes before anything runs; tools check a limit against it before they send. */
export function intrinsicGas(data: Hex, creates: boolean): bigint {
  const bytes = Buffer.from(data, 'hex');
  let zeros = 0n;
  for (const byte of bytes) if (byte === 0) zeros++;
  const tokens = zeros + (BigInt(bytes.length) - zeros) * TOKENS_OF_BYTE;
  const words = (BigInt(bytes.length) + 31n) / 32n;
  const creation = creates ? CREATION_GAS + INIT_CODE_WORD_GAS * words : 0n;
  const usual = TRANSFER_GAS + tokens * TOKEN_GAS + creation;
  const floor = TRANSFER_GAS + tokens * FLOOR_TOKEN_GAS;
  return usual > floor ? usual : floor;
}

/** The most gas that a transaction can have: what the network's highest fee limit buys. */
export function blockGasLimit(context: WalletContext): bigint {
  const price = energyPrice(context);
  return price === 0n ? BigInt(Number.MAX_SAFE_INTEGER) : highestFeeLimitSun(context) / price;
}

/** EIP-155: the last four bytes of the genesis block's id. */
export function chainIdOf(context: WalletContext): bigint {
  return BigInt(`0x${getGenesisId(context).slice(-8)}`);
}

/** Of the next transaction, after what is pending. */
export function nextNonce({ ledger }: WalletContext, address: Address): bigint {
  return ethereumNonce(ledger, address);
}

/** Whether something came through `/eth`: such a chain is for porting, and no network would take its blocks. */
export function isForPorting({ ledger }: WalletContext): boolean {
  return isPorting(ledger);
}

/** What Ethereum's tools call a transaction; undefined for one of TRON's own. */
export function hashOfEthereum({ ledger }: WalletContext, txId: TxId): Hex | undefined {
  return ethereumHashOf(ledger, txId);
}

/** The TRON transaction's id, of a hash of Ethereum's or of itself. */
export function txIdNamed({ ledger }: WalletContext, hash: Hex): TxId {
  return txIdOfEthereum(ledger, hash) ?? (hash as TxId);
}

/** Takes what is pending, or waits for its nonce, out of the pool. @returns whether it was there */
export function dropNamed(context: WalletContext, hash: Hex): boolean {
  const { pool } = context.node.chain;
  const waiting = pool.queued.get(hash);
  if (waiting !== undefined) return pool.queued.remove(waiting.sender, waiting.ethereum.nonce) !== undefined;
  const id = txIdNamed(context, hash);
  return pool.remove(({ txId }) => txId === id) > 0;
}

/**
 * Sends, or lets wait until the nonce is due.
 *
 * @param sender whose key signed, or who is impersonated
 * @returns Ethereum's hash, and the TRON transaction unless it waits
 * @throws EthereumRefusal
 */
export async function sendEthereum(
  context: WalletContext,
  sender: Address,
  ethereum: EthereumTransaction,
): Promise<{ readonly hash: Hex; readonly sent: SignedTransaction | undefined }> {
  const hash = ethereumHash(ethereum);
  const { queued } = context.node.chain.pool;
  // One that is due may wait for a row that the network of a fork did not give.
  if (ethereum.nonce > nextNonce(context, sender)) await sendNext(context, sender);
  if (queued.has(hash) || txIdOfEthereum(context.ledger, hash) !== undefined)
    throw new EthereumRefusal('already known');
  checkTerms(context, sender, ethereum);
  const due = nextNonce(context, sender);
  if (ethereum.nonce > due) {
    enqueue(context, { sender, hash, ethereum });
    return { hash, sent: undefined };
  }
  const replaced =
    ethereum.nonce < due ? withdrawQueued(context, sender, ethereum) : queued.remove(sender, ethereum.nonce);
  try {
    return { hash, sent: await broadcast(context, sender, ethereum) };
  } catch (error) {
    // What is not sent replaces nothing.
    if (replaced !== undefined) queued.add(replaced);
    throw error;
  } finally {
    await sendNext(context, sender);
  }
}

/** {@link sendDue}, after what has an answer of its own: what cannot be sent now waits until its sender sends again. */
async function sendNext(context: WalletContext, sender: Address): Promise<void> {
  try {
    await sendDue(context, sender);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}

/** Sends what has waited for the sender's nonce. What is refused by then is dropped. */
export async function sendDue(context: WalletContext, sender: Address): Promise<void> {
  const { queued } = context.node.chain.pool;
  for (;;) {
    const nonce = nextNonce(context, sender);
    queued.dropBelow(sender, nonce);
    const due = queued.remove(sender, nonce);
    if (due === undefined) return;
    try {
      await broadcast(context, sender, due.ethereum);
    } catch (error) {
      if (error instanceof EthereumRefusal) continue;
      // The network of a fork did not give a row: it can be sent later.
      queued.add(due);
      throw error;
    }
  }
}

function enqueue({ node }: WalletContext, waiting: QueuedTransaction): void {
  const { queued } = node.chain.pool;
  const before = queued.at(waiting.sender, waiting.ethereum.nonce);
  if (before !== undefined) requireDearer(before.ethereum, waiting.ethereum);
  else if (queued.size >= MAX_QUEUED) throw new EthereumRefusal('txpool is full');
  queued.add(waiting);
}

/** In percent: by so much a replacement has to be dearer. */
const PRICE_BUMP = 10n;

function requireDearer(before: EthereumTransaction, next: EthereumTransaction): void {
  if (next.gasPriceSun * 100n >= before.gasPriceSun * (100n + PRICE_BUMP)) return;
  throw new EthereumRefusal('replacement transaction underpriced');
}

/**
 * Takes the pending transaction with the same nonce out of the pool. Those after it wait for it in the queue.
 *
 * @throws EthereumRefusal where it is in a block, or not cheaper
 */
function withdrawQueued(context: WalletContext, sender: Address, ethereum: EthereumTransaction): QueuedTransaction {
  const { pool } = context.node.chain;
  const own = pool
    .members()
    .flatMap(({ transaction }) =>
      transaction.owner === sender && transaction.ethereum !== undefined ? [transaction.ethereum] : [],
    );
  const replaced = own.find(({ nonce }) => nonce === ethereum.nonce);
  if (replaced === undefined)
    throw new EthereumRefusal(
      `nonce too low: next nonce ${nextNonce(context, sender) - BigInt(own.length)}, tx nonce ${ethereum.nonce}`,
    );
  requireDearer(replaced, ethereum);
  pool.remove(({ owner, ethereum: other }) => owner === sender && other?.nonce === ethereum.nonce);
  return { sender, hash: ethereumHash(replaced), ethereum: replaced };
}

function checkTerms(context: WalletContext, sender: Address, ethereum: EthereumTransaction): void {
  const { chainId, gas, gasPriceSun, to, data, valueSun } = ethereum;
  const own = chainIdOf(context);
  if (chainId !== undefined && chainId !== own)
    throw new EthereumRefusal(`invalid sender: invalid chain id for signer: have ${chainId} want ${own}`);
  const least = intrinsicGas(data, to === undefined);
  if (gas < least) throw new EthereumRefusal(`intrinsic gas too low: gas ${gas}, minimum needed ${least}`);
  if (gas > blockGasLimit(context)) throw new EthereumRefusal('exceeds block gas limit');
  const price = energyPrice(context);
  if (gasPriceSun < price)
    throw new EthereumRefusal(
      `max fee per gas less than block base fee: address 0x${sender.slice(2)}, maxFeePerGas: ${gasPriceSun}, baseFee: ${price}`,
    );
  const balance = getBalance(context, sender);
  // TRON takes its own price, whatever was offered.
  const cost = gas * price + valueSun;
  if (balance < cost)
    throw new EthereumRefusal(
      `insufficient funds for gas * price + value: address 0x${sender.slice(2)} have ${balance} want ${cost}`,
    );
}

/** As long as a transaction may live: what waits for a block in an Ethereum pool does not expire. */
const LIFETIME_MS = 86_400_000n;

/** The TRON transaction that an Ethereum one becomes. */
export function tronForm(context: WalletContext, from: Address, ethereum: EthereumTransaction): SignedTransaction {
  const { to, data, valueSun: value } = ethereum;
  const runs = to === undefined || (getCode(context, to)?.length ?? 0) > 0;
  const feeLimitSun: Sun = ethereum.gas * energyPrice(context);
  const { type, message } = runs
    ? contractOfCall(context, { from, to, data, value, tokenId: 0n, tokenValue: 0n })
    : {
        type: ContractType.TransferContract,
        message: TransferContract.create({ owner_address: from, to_address: to, amount: value }),
      };
  const built = unsignedTransaction(context, type, message, runs ? { feeLimitSun } : { extraData: data });
  const expiration = context.ledger.headTimeMs + LIFETIME_MS;
  const raw = { ...built.raw_data!, expiration, scripts: encodeTerms(ethereum) };
  return SignedTransaction.fromRaw(raw, [NO_SIGNATURE]);
}

/** Builds the TRON transaction and sends it. */
async function broadcast(
  context: WalletContext,
  sender: Address,
  ethereum: EthereumTransaction,
): Promise<SignedTransaction> {
  const attempt = async () => {
    const transaction = tronForm(context, sender, ethereum);
    // A repetition after a missing row must not build it again: with another time it has another id, and code that
    // creates contracts would meet other addresses, whose rows are missing, too.
    const { result, code, message } = await withRows(() => broadcastTransaction(context, transaction));
    if (!result) throw new EthereumRefusal(`${Return_response_code_type.nameOf(code)}: ${hexToUtf8(message)}`);
    return transaction;
  };
  try {
    return await withRows(() => context.node.attempt(attempt));
  } catch (error) {
    if (error instanceof JavaException) throw new EthereumRefusal(error.javaMessage ?? error.wireText);
    throw error;
  }
}

/** Ethereum counts time in seconds: the next block lies in another one. */
const STEP_MS = 1_000n;

/** The block that takes in what is sent now. */
export function nextBlock({ ledger, node }: WalletContext): { readonly number: number; readonly timestampMs: bigint } {
  return { number: ledger.headNumber + 1, timestampMs: node.producer.expectedTimeMs(STEP_MS) };
}

/** Raw data without contract and memo, a signature, and the room for the result. */
const ENVELOPE_BYTES = 240n;

/** What the bytes of a transaction take at most, as gas: nobody knows now how much of them will be free. */
export function chargedGas(
  context: WalletContext,
  { to, data }: { readonly to: Address | undefined; readonly data: Hex },
): bigint {
  const price = energyPrice(context);
  if (price === 0n) return 0n;
  const creation = to === undefined ? ENVELOPE_BYTES : 0n;
  const bytes = ENVELOPE_BYTES + creation + BigInt(data.length / 2);
  return (bytes * context.ledger.long('TRANSACTION_FEE') + price - 1n) / price;
}
