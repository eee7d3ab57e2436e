/**
 * Sends transactions from Ethereum's transaction objects: maps them as buildTransaction does
 * (protocol/json-rpc.md#buildtransaction), and signs with the node's key; an impersonated sender needs none. There is
 * no nonce, and gas is Energy.
 */

import { JavaException } from '../../errors/java-exception.js';
import { withRows } from '../../node/with-rows.js';
import { hexToBytes, hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { Return_response_code_type } from '../../protocol/generated/api.js';
import type { CreateSmartContract } from '../../protocol/generated/smart-contract.js';
import type { Transaction } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { NO_SIGNATURE, signAs } from '../../protocol/signature.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { WalletContext } from '../../wallet/context.js';
import { deployContract } from '../../wallet/contracts.js';
import { type CreationTerms, contractOfCall } from '../../wallet/plain-call.js';
import { energyPrice } from '../../wallet/prices.js';
import { broadcastArrived, createTransaction, highestFeeLimitSun } from '../../wallet/transactions.js';
import { type Binder, type BuildObject, buildObject, LENIENT } from '../arguments.js';
import { internalError, invalidParams } from '../errors.js';
import { type Method, ONLY_FULL, type RpcContext } from '../table.js';
import { readAddress, readAmount, shownAddress } from '../values.js';
import { abiOf, isAbsent, memoOf, permissionOf } from './given-transaction.js';

/** Libraries send members without a meaning on TRON (`type`, `maxFeePerGas`): all dialects ignore them. */
export const sendObject: Binder<BuildObject | null> = (value) => buildObject(value, LENIENT);

/** Without `gas`: the sender's balance, up to the network's maximum. */
function feeLimitSun(wallet: WalletContext, gas: string | null): bigint {
  const max = highestFeeLimitSun(wallet);
  const wanted = isAbsent(gas) || readAmount(gas) === 0n ? max : readAmount(gas) * energyPrice(wallet);
  return wanted > max ? max : wanted;
}

/** Terms of a deployment; missing ones are those of `CREATION_DEFAULTS`. */
function termsOf(given: BuildObject): CreationTerms {
  const { consumeUserResourcePercent: percent, originEnergyLimit: limit, name } = given;
  return {
    abi: abiOf(given),
    name: name ?? '',
    ...(percent !== 0n && { consume_user_resource_percent: percent }),
    ...(limit !== 0n && { origin_energy_limit: limit }),
  };
}

/** @throws JsonRpcError, and JavaException for refusals of the contract's check */
function transactionOf(wallet: WalletContext, from: Address, given: BuildObject): Transaction {
  const { tokenId, tokenValue } = given;
  const data = readHex(given.input ?? given.data ?? '');
  const value = readAmount(given.value);
  const limit = { feeLimitSun: feeLimitSun(wallet, given.gas) };
  const creates = isAbsent(given.to);
  if (creates && data === '') throw invalidParams('expected to, or data that deploys a contract');
  const to = creates ? undefined : readAddress(given.to);
  const call = { from, to, data, value, tokenId, tokenValue };
  const { type, message, runs } = contractOfCall(wallet, call, creates ? termsOf(given) : {});
  const options = { ...memoOf(given), ...permissionOf(given), ...(runs && limit) };
  if (creates) return deployContract(wallet, message as CreateSmartContract, options);
  return createTransaction(wallet, type, message, options);
}

/** The built transaction; errors have java-tron's texts. */
function built(wallet: WalletContext, given: BuildObject): { owner: Address; transaction: SignedTransaction } {
  const owner = readAddress(given.from);
  try {
    return { owner, transaction: SignedTransaction.of(transactionOf(wallet, owner, given)) };
  } catch (error) {
    if (error instanceof JavaException) throw internalError(error.javaMessage ?? error.wireText);
    throw error;
  }
}

/** @returns the id, which Ethereum's tools use for receipts */
async function broadcast(wallet: WalletContext, transaction: SignedTransaction): Promise<string> {
  // A repetition after a missing row must not rebuild the transaction: its id, and a created contract's address, would
  // differ.
  const { result, code, message } = await withRows(() => broadcastArrived(wallet, transaction));
  if (!result) throw internalError(`${Return_response_code_type.nameOf(code)}: ${hexToUtf8(message)}`);
  return `0x${transaction.txId}`;
}

function requireSender(given: BuildObject | null): BuildObject {
  if (given === null || isAbsent(given.from))
    throw invalidParams('expected a transaction with from: {"from": "0x…", "to": "0x…", "value": "0x1"}');
  return given;
}

export function sendTransaction({ wallet, accounts }: RpcContext, given: BuildObject | null): Promise<string> {
  const asked = requireSender(given);
  const { owner, transaction } = built(wallet, asked);
  if (wallet.node.operations.impersonates(owner)) return broadcast(wallet, transaction.withSignatures([NO_SIGNATURE]));
  const key = accounts.get(owner);
  if (key === undefined)
    throw internalError(
      `this node has no key of ${shownAddress(owner)}: impersonate it (anvil_impersonateAccount), or sign the transaction and broadcast it`,
    );
  return broadcast(wallet, transaction.withSignatures([signAs(owner, transaction.txId, key)]));
}

/** From any sender: such a transaction is accepted without a signature. */
function sendUnsignedTransaction({ wallet }: RpcContext, given: BuildObject | null): Promise<string> {
  const asked = requireSender(given);
  const { owner, transaction } = built(wallet, asked);
  const { operations } = wallet.node;
  if (!operations.impersonates(owner)) operations.acceptUnsigned(transaction);
  return broadcast(wallet, transaction);
}

/** RLP of Ethereum: a list, or a typed transaction. A transaction of TRON starts with the tag of its raw_data, 0x0a. */
const ETHEREUM = /^(0[1-4]|[c-f])/;

export function sendRawTransaction({ wallet }: RpcContext, text: string | null): Promise<string> {
  const hex = (text ?? '').replace(/^0x/i, '').toLowerCase();
  if (ETHEREUM.test(hex))
    throw invalidParams(
      "expected a signed TRON transaction (protocol.Transaction as hex), got one of Ethereum, which this network cannot read: sign with TronWeb, or send with eth_sendTransaction from an account of this node's",
    );
  if (hex === '' || !/^([\da-f]{2})*$/.test(hex))
    throw invalidParams('expected a signed TRON transaction: protocol.Transaction as hex');
  let transaction: SignedTransaction;
  try {
    transaction = SignedTransaction.decode(hexToBytes(hex));
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    throw invalidParams(`expected a signed TRON transaction (protocol.Transaction as hex): ${error.javaMessage}`);
  }
  return broadcast(wallet, transaction);
}

export const sendMethods: readonly Method[] = [
  {
    name: 'eth_sendUnsignedTransaction',
    forDevelopers: true,
    callers: 'trusted',
    parameters: [sendObject],
    notIn: ONLY_FULL,
    answer: sendUnsignedTransaction,
  },
];
