/**
 * buildTransaction: an unsigned transaction from an Ethereum transaction object
 * (protocol/json-rpc.md#buildtransaction).
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import { utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import type { ContractMessage } from '../../protocol/contract-types.js';
import { TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import { TransferContract } from '../../protocol/generated/balance-contract.js';
import {
  CreateSmartContract,
  SmartContract,
  type SmartContract_ABI,
  TriggerSmartContract,
} from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { printBuiltTransaction, printTransaction } from '../../protocol/json/transaction-json.js';
import type { WalletContext } from '../../wallet/context.js';
import { deployContract, getContract, triggerContract } from '../../wallet/contracts.js';
import { energyPrice } from '../../wallet/prices.js';
import { createTransaction } from '../../wallet/transactions.js';
import { type BuildObject, buildObject, callDataOf } from '../arguments.js';
import type { Dialect } from '../dialect.js';
import { internalError, invalidParams, invalidRequest, JsonRpcError, NO_DATA } from '../errors.js';
import { type Method, method, ONLY_FULL, RawJson, type RpcContext } from '../table.js';
import { readAddress, readAmount } from '../values.js';
import { abiOf, isAbsent, memoOf, permissionOf } from './given-transaction.js';

/** java-tron's errors of a builder: refusals of the contract's check, invalid parameters, and others. */
function answering(work: () => string, words: (message: string) => string = (message) => message): RawJson {
  try {
    return new RawJson(`{"transaction":${work()}}`);
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    if (error.code === 'CONTRACT_VALIDATE') throw invalidRequest(error.javaMessage ?? '');
    throw new JsonRpcError(-32_000, error.javaMessage && words(error.javaMessage), NO_DATA);
  }
}

function feeLimit(wallet: WalletContext, { forms }: Dialect, { gas }: BuildObject): bigint {
  const limit = readAmount(gas, forms) * energyPrice(wallet);
  if (forms.strictValues && limit > MAX_LONG) throw invalidParams('invalid gas: fee limit overflow');
  return BigInt.asIntN(64, limit);
}

/**
 * If both names are supported, their values must not differ.
 *
 * @throws JsonRpcError
 */
function dataOf({ forms }: Dialect, { data, input }: BuildObject): string | null {
  if (forms.input && data != null && input != null && data !== input) throw invalidParams(DATA_AND_INPUT);
  return input == null ? data : callDataOf({ data, input }, forms);
}

const DATA_AND_INPUT =
  'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data';

/** Later releases have an error of their own for text that is not an ABI. */
function abiGiven({ forms }: Dialect, given: BuildObject): SmartContract_ABI {
  try {
    return abiOf(given);
  } catch (error) {
    if (forms.strictValues && error instanceof JavaException) throw invalidParams('invalid abi');
    throw error;
  }
}

function buildCreation(wallet: WalletContext, dialect: Dialect, owner: Address, given: BuildObject): RawJson {
  return answering(() => {
    const new_contract = SmartContract.create({
      origin_address: owner,
      abi: abiGiven(dialect, given),
      bytecode: readHex(given.data ?? ''),
      call_value: readAmount(given.value, dialect.forms),
      consume_user_resource_percent: given.consumeUserResourcePercent,
      origin_energy_limit: given.originEnergyLimit,
      name: given.name ?? '',
    });
    const message = CreateSmartContract.create({
      owner_address: owner,
      new_contract,
      call_token_value: given.tokenValue,
      token_id: given.tokenId,
    });
    const feeLimitSun = feeLimit(wallet, dialect, given);
    // Ignores `visible`: a creation is always printed in hex.
    return printBuiltTransaction(deployContract(wallet, message, { ...permissionOf(given), feeLimitSun }), false);
  });
}

function buildTrigger(
  wallet: WalletContext,
  dialect: Dialect,
  owner: Address,
  contract: Address,
  given: BuildObject,
): RawJson {
  const build = () => {
    const message = TriggerSmartContract.create({
      owner_address: owner,
      contract_address: contract,
      data: readHex(given.data ?? ''),
      call_token_value: given.tokenValue,
      token_id: given.tokenId,
      call_value: readAmount(given.value, dialect.forms),
    });
    const feeLimitSun = feeLimit(wallet, dialect, given);
    const { transaction } = triggerContract(wallet, message, { ...permissionOf(given), feeLimitSun });
    if (transaction === undefined) throw internalError('invalid json request');
    return printTransaction(transaction, given.visible);
  };
  return answering(build, (message) => message.replaceAll('"', "'"));
}

function buildTransfer(wallet: WalletContext, type: number, message: ContractMessage, given: BuildObject): RawJson {
  return answering(() => {
    const transaction = createTransaction(wallet, type, message, { ...permissionOf(given), ...memoOf(given) });
    return printBuiltTransaction(transaction, given.visible);
  });
}

function build({ wallet, dialect }: RpcContext, sent: BuildObject | null): RawJson {
  if (sent === null) throw nullPointerException();
  const given = { ...sent, data: dataOf(dialect, sent) };
  const owner = ownerOf(given);
  if (isAbsent(given.to)) {
    if (isAbsent(given.data)) throw invalidRequest('invalid json request');
    return buildCreation(wallet, dialect, owner, given);
  }
  const to = readAddress(given.to);
  if (getContract(wallet, { value: to }) !== undefined) return buildTrigger(wallet, dialect, owner, to, given);
  const { value, tokenId, tokenValue } = given;
  if (tokenId > 0n && tokenValue > 0n && (value === null || value === '' || value === '0x0')) {
    const asset_name = utf8ToHex(tokenId.toString());
    const message = TransferAssetContract.create({
      owner_address: owner,
      to_address: to,
      asset_name,
      amount: tokenValue,
    });
    return buildTransfer(wallet, ContractType.TransferAssetContract, message, given);
  }
  if (value === null || value === '') throw invalidRequest('invalid json request');
  const message = TransferContract.create({
    owner_address: owner,
    to_address: to,
    amount: readAmount(value, dialect.forms),
  });
  return buildTransfer(wallet, ContractType.TransferContract, message, given);
}

function ownerOf({ from }: BuildObject): Address {
  try {
    return readAddress(from);
  } catch (error) {
    if (error instanceof JsonRpcError) throw invalidRequest('invalid json request');
    throw error;
  }
}

export const buildMethods: readonly Method[] = [
  {
    ...method('buildTransaction', 'buildTransaction', [buildObject], build),
    notIn: ONLY_FULL,
  },
];
