/** Accounts, contracts and calls at the newest block (json-rpc.md A.6.1, A.8.1 to A.8.4). */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import { bytesToHex, type Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { TransferContract } from '../../protocol/generated/balance-contract.js';
import { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { getBalance } from '../../wallet/accounts.js';
import { headNumber } from '../../wallet/blocks.js';
import { type Called, callContract, estimateCall, NO_TRANSACTION } from '../../wallet/calls.js';
import type { WalletContext } from '../../wallet/context.js';
import { getCode, getContract, getStorageAt } from '../../wallet/contracts.js';
import { checkContract } from '../../wallet/transactions.js';
import { anything, type CallObject, callObject, text } from '../arguments.js';
import { requireLatest } from '../block-tags.js';
import { internalError, invalidParams, invalidRequest, JsonRpcError } from '../errors.js';
import { isMembers, type Json } from '../json-text.js';
import { ZERO_HASH } from '../objects.js';
import { type Method, method } from '../table.js';
import { quantity, readAddress, readAmount, readBlockNumber } from '../values.js';
import { blockWithHash } from './blocks.js';

type Run = Called['run'];

function code(wallet: WalletContext, address: Address): string {
  const bytes = getCode(wallet, address);
  return bytes === undefined ? '0x' : `0x${bytesToHex(bytes)}`;
}

const WORD_DIGITS = 64;

function storageAt(wallet: WalletContext, address: Address, slotText: string | null): string {
  if (getContract(wallet, { value: address }) === undefined) return ZERO_HASH;
  const slot = readHex(slotText ?? '');
  if (slot.length > WORD_DIGITS) {
    throw new JavaException('java.lang.RuntimeException', `Data word can't exceed 32 bytes: ${slot}`);
  }
  const word = getStorageAt(wallet, address, BigInt(`0x0${slot}`)) ?? 0n;
  return `0x${word.toString(16).padStart(WORD_DIGITS, '0')}`;
}

/** An object names a block that must exist, and the call runs on the newest all the same. @throws JsonRpcError */
function requireCallable(wallet: WalletContext, block: Json): void {
  if (typeof block === 'string') {
    requireLatest(block);
    return;
  }
  if (!isMembers(block)) throw invalidRequest('invalid json request');
  if (Object.hasOwn(block, 'blockNumber')) {
    const number = readBlockNumber(textOrRefusal(block.blockNumber as Json));
    if (number === undefined) throw invalidParams('invalid block number');
    if (number < 0n || number > BigInt(headNumber(wallet))) throw internalError('header not found');
  } else if (Object.hasOwn(block, 'blockHash')) {
    if (blockWithHash(wallet, textOrRefusal(block.blockHash as Json)) === undefined) {
      throw internalError('header for hash not found');
    }
  } else throw invalidRequest('invalid json request');
}

function textOrRefusal(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  throw invalidParams('invalid json request');
}

function call(wallet: WalletContext, given: CallObject | null, block: Json): string {
  requireCallable(wallet, block);
  if (given === null) throw nullPointerException();
  const owner_address = readAddress(given.from);
  const contract_address = readAddress(given.to);
  const call_value = readAmount(given.value);
  const data = readHex(given.data ?? '');
  const message = { ...TriggerSmartContract.empty, owner_address, contract_address, call_value, data };
  const run = answering('Contract validate error : ', () => {
    const called = callContract(wallet, message);
    throwException(called.run);
    return called.run;
  });
  throwFailure(run);
  return `0x${bytesToHex(run.output)}`;
}

/** What ended a run other than a revert is thrown, as java-tron does. @throws JavaException */
function throwException({ exception }: Run): void {
  if (exception !== undefined) throw new JavaException(exception.javaClass, exception.message);
}

/** Turns what java-tron's wallet throws into the errors of its JSON-RPC. */
function answering<Result>(fallback: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonRpcError) throw internalError(error.text ?? '');
    if (!(error instanceof JavaException)) throw error;
    if (error.code === 'CONTRACT_VALIDATE' || error.code === 'VM_ILLEGAL')
      throw invalidRequest(error.javaMessage ?? fallback);
    throw internalError(error.javaMessage?.replaceAll('"', "'") ?? 'invalid json request');
  }
}

/** A revert: with the reason, when it is Solidity's `Error(string)`. @throws JsonRpcError */
function throwFailure({ runtimeError, output }: Run): void {
  if (runtimeError === undefined) return;
  const data = bytesToHex(output);
  const reason = data.length > 8 && data.startsWith(ERROR_SELECTOR) ? `: ${abiString(output.subarray(4))}` : '';
  throw internalError(runtimeError + reason);
}

const ERROR_SELECTOR: Hex = '08c379a0';
const WORD_BYTES = 32;
/** A length that a contract may claim; Java would run out of memory sooner or later. */
const MAX_REASON_BYTES = 1 << 24;

/** The first ABI argument as a string, cut and padded as java-tron's event parser does. */
function abiString(bytes: Uint8Array): string {
  const start = intAt(bytes, 0);
  const length = intAt(bytes, start);
  if (length === 0) return '';
  return Buffer.from(part(bytes, start + WORD_BYTES, length)).toString('utf8');
}

function intAt(bytes: Uint8Array, at: number): number {
  const word = BigInt.asIntN(256, BigInt(`0x${bytesToHex(part(bytes, at, WORD_BYTES))}`));
  return BigInt.asIntN(32, word) === word ? Number(word) : unreadable();
}

function part(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start < 0 || start >= bytes.length || length < 0 || length > MAX_REASON_BYTES) return unreadable();
  const found = new Uint8Array(length);
  found.set(bytes.subarray(start, Math.min(start + length, bytes.length)));
  return found;
}

function unreadable(): never {
  throw new JavaException('java.lang.UnsupportedOperationException', 'unsupported type:string');
}

function isAbsent(given: string | null): boolean {
  return given === null || given === '' || given === '0x';
}

function estimate(wallet: WalletContext, given: CallObject | null): string {
  if (given === null) throw nullPointerException();
  const owner_address = readAddress(given.from);
  const creates = isAbsent(given.to);
  if (creates && isAbsent(given.data)) throw invalidRequest('invalid json request');
  const contract_address = creates ? '' : readAddress(given.to);
  if (!creates && getContract(wallet, { value: contract_address }) === undefined) {
    return estimateTransfer(wallet, owner_address, contract_address as Address, given.value);
  }
  const { run, energyRequired } = answering('invalid contract', () => {
    const call_value = readAmount(given.value);
    const data = readHex(given.data ?? '');
    const message = { ...TriggerSmartContract.empty, owner_address, contract_address, call_value, data };
    const found = estimateCall(wallet, message, NO_TRANSACTION);
    throwException(found.run);
    return found;
  });
  throwFailure(run);
  return quantity(energyRequired ?? BigInt(run.energyUsed));
}

/** A transfer of coin costs no Energy; whether it could be made is checked. */
function estimateTransfer(wallet: WalletContext, owner: Address, to: Address, value: string | null): string {
  if (value === null || value === '') throw invalidRequest('invalid json request: invalid value');
  const amount = readAmount(value);
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
  method('eth_getBalance', 'getTrxBalance', [text, text], ({ wallet }, address, block) => {
    requireLatest(block);
    return quantity(getBalance(wallet, readAddress(address)));
  }),
  method('eth_getStorageAt', 'getStorageAt', [text, text, text], ({ wallet }, address, slot, block) => {
    requireLatest(block);
    return storageAt(wallet, readAddress(address), slot);
  }),
  method('eth_getCode', 'getABIOfSmartContract', [text, text], ({ wallet }, address, block) => {
    requireLatest(block);
    return code(wallet, readAddress(address));
  }),
  method('eth_call', 'getCall', [callObject, anything], ({ wallet }, given, block) => call(wallet, given, block)),
  method('eth_estimateGas', 'estimateGas', [callObject], ({ wallet }, given) => estimate(wallet, given)),
];
