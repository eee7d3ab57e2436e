/**
 * Accounts, contracts and calls, at the newest block, or, in dialects that support it, at older ones
 * (protocol/json-rpc.md#working-methods, #eth_call, #eth_estimategas).
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import { bytesToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { TransferContract } from '../../protocol/generated/balance-contract.js';
import { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { getBalance } from '../../wallet/accounts.js';
import {
  type BlockOverrides,
  type Called,
  callContract,
  estimateCall,
  NO_TRANSACTION,
  type StateOverrides,
  withOverrides,
} from '../../wallet/calls.js';
import type { WalletContext } from '../../wallet/context.js';
import { getCode, getContract, getStorageAt } from '../../wallet/contracts.js';
import { checkContract } from '../../wallet/transactions.js';
import { anything, type CallObject, callDataOf, callObject, stateBlock, text } from '../arguments.js';
import { blockOverrides } from '../block-overrides.js';
import { answering, throwFailure } from '../call-failures.js';
import type { Dialect } from '../dialect.js';
import { invalidParams, invalidRequest } from '../errors.js';
import { callAsEthereum, estimateAsEthereum } from '../ethereum/calls.js';
import type { Json } from '../json-text.js';
import { stateOverrides } from '../state-overrides.js';
import { costly, type Method, type RpcContext, withFriendly } from '../table.js';
import { quantity, readAddress, readAmount, ZERO_HASH } from '../values.js';

type Run = Called['run'];

function code(wallet: WalletContext, address: Address): string {
  const bytes = getCode(wallet, address);
  return bytes === undefined ? '0x' : `0x${bytesToHex(bytes)}`;
}

const WORD_DIGITS = 64;
const STORAGE_KEY = /^(?:0x)?[\da-f]{0,64}$/i;

function storageAt(wallet: WalletContext, { forms }: Dialect, address: Address, slotText: string | null): string {
  if (getContract(wallet, { value: address }) === undefined) return ZERO_HASH;
  if (forms.strictValues && !STORAGE_KEY.test(slotText ?? '')) throw invalidParams('invalid storage key value');
  const slot = readHex(slotText ?? '');
  if (slot.length > WORD_DIGITS) {
    throw new JavaException('java.lang.RuntimeException', `Data word can't exceed 32 bytes: ${slot}`);
  }
  const word = getStorageAt(wallet, address, BigInt(`0x0${slot}`)) ?? 0n;
  return `0x${word.toString(16).padStart(WORD_DIGITS, '0')}`;
}

function call(
  { wallet: newest, dialect }: RpcContext,
  given: CallObject | null,
  block: Json,
  overrides: StateOverrides | null = null,
  ofBlock: BlockOverrides | null = null,
): string {
  const wallet = dialect.callAt(newest, block);
  if (given === null) throw nullPointerException();
  const owner_address = readAddress(given.from, dialect.forms);
  const contract_address = readAddress(given.to, dialect.forms);
  const call_value = readAmount(given.value, dialect.forms);
  const data = readHex(callDataOf(given, dialect.forms));
  const message = { ...TriggerSmartContract.empty, owner_address, contract_address, call_value, data };
  const run = answering('Contract validate error : ', () => {
    const called = withOverrides(wallet, overrides, () =>
      callContract(wallet, message, { txId: NO_TRANSACTION, block: ofBlock ?? undefined }),
    );
    throwException(called.run);
    return called.run;
  });
  throwFailure(dialect, run);
  return `0x${bytesToHex(run.output)}`;
}

/**
 * Like java-tron, throws the exception that ended a run.
 *
 * @throws JavaException
 */
function throwException({ exception }: Run): void {
  if (exception !== undefined) throw new JavaException(exception.javaClass, exception.message);
}

function isAbsent(given: string | null): boolean {
  return given === null || given === '' || given === '0x';
}

function estimate(
  { wallet: newest, dialect }: RpcContext,
  given: CallObject | null,
  block: Json = null,
  overrides: StateOverrides | null = null,
): string {
  const wallet = block === null ? newest : dialect.stateAt(newest, block);
  return withOverrides(wallet, overrides, () => estimateOn(wallet, dialect, given));
}

function estimateOn(wallet: WalletContext, dialect: Dialect, given: CallObject | null): string {
  if (given === null) throw nullPointerException();
  const owner_address = readAddress(given.from, dialect.forms);
  const creates = isAbsent(given.to);
  const callData = callDataOf(given, dialect.forms);
  if (creates && isAbsent(callData)) throw invalidRequest('invalid json request');
  const contract_address = creates ? '' : readAddress(given.to, dialect.forms);
  if (!creates && getContract(wallet, { value: contract_address }) === undefined) {
    return estimateTransfer(wallet, dialect, owner_address, contract_address as Address, given.value);
  }
  const { run, energyRequired } = answering('invalid contract', () => {
    const call_value = readAmount(given.value, dialect.forms);
    const data = readHex(callData);
    const message = { ...TriggerSmartContract.empty, owner_address, contract_address, call_value, data };
    const found = estimateCall(wallet, message, NO_TRANSACTION);
    throwException(found.run);
    return found;
  });
  throwFailure(dialect, run);
  return quantity(energyRequired ?? BigInt(run.energyUsed));
}

/** A transfer of TRX costs no Energy; the check whether it is possible runs. */
function estimateTransfer(
  wallet: WalletContext,
  { forms }: Dialect,
  owner: Address,
  to: Address,
  value: string | null,
): string {
  if (value === null || value === '') throw invalidRequest('invalid json request: invalid value');
  const amount = readAmount(value, forms);
  answering('', () =>
    checkContract(
      wallet,
      ContractType.TransferContract,
      TransferContract.create({ owner_address: owner, to_address: to, amount }),
    ),
  );
  return '0x0';
}

export const stateMethods: readonly Method[] = [
  withFriendly(
    'eth_getBalance',
    'getTrxBalance',
    [text, stateBlock],
    { required: 1 },
    ({ wallet, dialect }, address, block) =>
      quantity(getBalance(dialect.stateAt(wallet, block), readAddress(address, dialect.forms))),
  ),
  withFriendly(
    'eth_getStorageAt',
    'getStorageAt',
    [text, text, stateBlock],
    { required: 2 },
    ({ wallet, dialect }, address, slot, block) =>
      storageAt(dialect.stateAt(wallet, block), dialect, readAddress(address, dialect.forms), slot),
  ),
  withFriendly(
    'eth_getCode',
    'getABIOfSmartContract',
    [text, stateBlock],
    { required: 1 },
    ({ wallet, dialect }, address, block) => code(dialect.stateAt(wallet, block), readAddress(address, dialect.forms)),
  ),
  costly(
    withFriendly(
      'eth_call',
      'getCall',
      [callObject, anything],
      { required: 1, further: [stateOverrides, blockOverrides] },
      call,
    ),
    { answer: callAsEthereum },
  ),
  costly(
    withFriendly(
      'eth_estimateGas',
      'estimateGas',
      [callObject],
      { required: 1, further: [stateBlock, stateOverrides] },
      estimate,
    ),
    { answer: estimateAsEthereum },
  ),
];
