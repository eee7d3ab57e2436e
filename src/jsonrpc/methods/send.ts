/**
 * Sending in Ethereum's words: the mapping of buildTransaction (json-rpc.md A.8.7, B.3), signed with a key that this node
 * holds, or by nobody where the sender is impersonated. There is no nonce, and gas is Energy.
 */

import { JavaException } from '../../errors/java-exception.js';
import { hexToBytes, hexToUtf8, utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { Return_response_code_type } from '../../protocol/generated/api.js';
import { TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import { TransferContract } from '../../protocol/generated/balance-contract.js';
import {
  CreateSmartContract,
  SmartContract,
  SmartContract_ABI,
  TriggerSmartContract,
} from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType, type Transaction } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { readMessage } from '../../protocol/json/message-reader.js';
import { sign } from '../../protocol/signature.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { WalletContext } from '../../wallet/context.js';
import { deployContract, getContract } from '../../wallet/contracts.js';
import { energyPrice } from '../../wallet/prices.js';
import {
  broadcastArrived,
  createTransaction,
  highestFeeLimitSun,
  unsignedTransaction,
} from '../../wallet/transactions.js';
import { type Binder, type BuildObject, buildObject } from '../arguments.js';
import { internalError, invalidParams, notAvailable } from '../errors.js';
import type { Method, RpcContext } from '../table.js';
import { readAddress, readAmount, shownAddress } from '../values.js';

/** What a caller need not say: as in Ethereum, who calls pays; the rest is what TronWeb sends. */
const CALLER_PAYS_PERCENT = 100n;
const ORIGIN_ENERGY_LIMIT = 10_000_000n;

/** Libraries send members that TRON has no use for (`type`, `maxFeePerGas`): they are passed over in every voice. */
export const sendObject: Binder<BuildObject | null> = (value) => buildObject(value, true);

function isAbsent(text: string | null | undefined): text is null | undefined | '' | '0x' {
  return text === null || text === undefined || text === '' || text === '0x';
}

/** Without `gas` whatever the sender can pay, up to what the network allows. */
function feeLimitSun(wallet: WalletContext, gas: string | null): bigint {
  const most = highestFeeLimitSun(wallet);
  const wanted = isAbsent(gas) || readAmount(gas) === 0n ? most : readAmount(gas) * energyPrice(wallet);
  return wanted > most ? most : wanted;
}

/** @throws JsonRpcError, and JavaException for what the contract's check refuses */
function transactionOf(wallet: WalletContext, owner: Address, given: BuildObject): Transaction {
  const { tokenId, tokenValue, permissionId, extraData, visible } = given;
  const data = readHex(given.input ?? given.data ?? '');
  const value = readAmount(given.value);
  const memo = extraData ? { extraData: visible ? utf8ToHex(extraData) : readHex(extraData) } : {};
  const options = { ...memo, ...(permissionId > 0n && { permissionId: Number(permissionId) }) };
  const calling = { ...options, feeLimitSun: feeLimitSun(wallet, given.gas) };
  if (isAbsent(given.to)) {
    if (data === '') throw invalidParams('expected to, or data that deploys a contract');
    const new_contract = SmartContract.create({
      origin_address: owner,
      abi: given.abi ? readMessage(SmartContract_ABI, `{"entrys":${given.abi}}`, visible) : SmartContract_ABI.empty,
      bytecode: data,
      call_value: value,
      consume_user_resource_percent: given.consumeUserResourcePercent || CALLER_PAYS_PERCENT,
      origin_energy_limit: given.originEnergyLimit || ORIGIN_ENERGY_LIMIT,
      name: given.name ?? '',
    });
    const message = { owner_address: owner, new_contract, call_token_value: tokenValue, token_id: tokenId };
    return deployContract(wallet, CreateSmartContract.create(message), calling);
  }
  const to = readAddress(given.to);
  if (getContract(wallet, { value: to }) !== undefined) {
    const message = TriggerSmartContract.create({
      owner_address: owner,
      contract_address: to,
      data,
      call_value: value,
      call_token_value: tokenValue,
      token_id: tokenId,
    });
    return unsignedTransaction(wallet, ContractType.TriggerSmartContract, message, calling);
  }
  if (tokenId > 0n && tokenValue > 0n && value === 0n) {
    const asset_name = utf8ToHex(tokenId.toString());
    const message = { owner_address: owner, to_address: to, asset_name, amount: tokenValue };
    return createTransaction(
      wallet,
      ContractType.TransferAssetContract,
      TransferAssetContract.create(message),
      options,
    );
  }
  const message = TransferContract.create({ owner_address: owner, to_address: to, amount: value });
  return createTransaction(wallet, ContractType.TransferContract, message, options);
}

/** What was built, with the words of whatever stood in the way. */
function built(wallet: WalletContext, given: BuildObject): { owner: Address; transaction: SignedTransaction } {
  const owner = readAddress(given.from);
  try {
    return { owner, transaction: SignedTransaction.of(transactionOf(wallet, owner, given)) };
  } catch (error) {
    if (error instanceof JavaException) throw internalError(error.javaMessage ?? error.wireText);
    throw error;
  }
}

/** @returns the id, for which Ethereum's tools ask receipts */
async function broadcast(wallet: WalletContext, transaction: SignedTransaction): Promise<string> {
  const { result, code, message } = await broadcastArrived(wallet, transaction);
  if (!result) throw internalError(`${Return_response_code_type.nameOf(code)}: ${hexToUtf8(message)}`);
  return `0x${transaction.txId}`;
}

function requireSender(wallet: WalletContext, method: string, given: BuildObject | null): BuildObject {
  if (wallet.solid) throw notAvailable(method, ' in SOLIDITY');
  if (given === null || isAbsent(given.from))
    throw invalidParams('expected a transaction with from: {"from": "0x…", "to": "0x…", "value": "0x1"}');
  return given;
}

export function sendTransaction({ wallet, accounts }: RpcContext, given: BuildObject | null): Promise<string> {
  const asked = requireSender(wallet, 'eth_sendTransaction', given);
  const { owner, transaction } = built(wallet, asked);
  if (isImpersonated(wallet, owner)) return broadcast(wallet, transaction);
  const key = accounts.get(owner);
  if (key === undefined)
    throw internalError(
      `this node has no key of ${shownAddress(owner)}: impersonate it (anvil_impersonateAccount), or sign the transaction and broadcast it`,
    );
  return broadcast(wallet, transaction.withSignatures([sign(transaction.txId, key)]));
}

/** Whoever it is from: the transaction itself is let in without a signature. */
function sendUnsignedTransaction({ wallet }: RpcContext, given: BuildObject | null): Promise<string> {
  const asked = requireSender(wallet, 'eth_sendUnsignedTransaction', given);
  const { owner, transaction } = built(wallet, asked);
  if (!isImpersonated(wallet, owner)) wallet.node.operations.apply('acceptUnsigned', { txId: transaction.txId });
  return broadcast(wallet, transaction);
}

function isImpersonated({ node }: WalletContext, owner: Address): boolean {
  const { accounts, everybody } = node.operations.impersonated();
  return everybody || accounts.includes(owner);
}

/** RLP of Ethereum: a list, or a type before one. A transaction of TRON begins with the tag of its raw_data, 0x0a. */
const ETHEREUM = /^(0[1-4]|[c-f])/;

export function sendRawTransaction({ wallet }: RpcContext, text: string | null): Promise<string> {
  if (wallet.solid) throw notAvailable('eth_sendRawTransaction', ' in SOLIDITY');
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
    answer: sendUnsignedTransaction,
  },
];
