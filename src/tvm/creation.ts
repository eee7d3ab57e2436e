/**
 * CREATE and CREATE2: address, collision, execution of the init code, code deposit
 * (protocol/calls.md#create-create2-and-code-deposit; java-tron Program.createContract, createContract2,
 * createContractImpl).
 */

import { bytesToHex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { create2ContractAddress, createdContractAddress } from '../protocol/address.js';
import { ethereumContractAddress } from '../protocol/ethereum-transaction.js';
import { CODE_DEPOSIT } from './energy-cost.js';
import { executionFailed, invalidCode, notEnoughDepositEnergy, outOfLongRange } from './errors.js';
import { Frame, NO_BYTES } from './frame.js';
import { keccak } from './keccak.js';
import { MAX_DEPTH } from './message.js';
import { addressOfWord, MAX_LONG, wordToHex } from './words.js';
import { CODE_BYTE, KEPT_BYTE } from './work.js';

/** Operands: value, offset, length. Clears the return data; CREATE2 does not. */
export function create(frame: Frame): void {
  frame.refuseInStaticCall();
  frame.returnData = NO_BYTES;
  const value = frame.pop();
  const offset = frame.pop();
  const length = frame.pop();
  if (frame.depth === MAX_DEPTH) {
    frame.push(0n);
    return;
  }
  const initCode = frame.memory.read(length === 0n ? 0 : Number(offset), Number(length));
  createContract(frame, value, initCode, undefined);
}

/** Operands: value, offset, length, salt. Has no depth limit unless the compatible-EVM flag is on. */
export function create2(frame: Frame): void {
  frame.refuseInStaticCall();
  const value = frame.pop();
  const offset = frame.pop();
  const length = frame.pop();
  const salt = frame.pop();
  const { flags } = frame.execution;
  if (flags.compatibleEvm && frame.depth === MAX_DEPTH) {
    frame.push(0n);
    return;
  }
  const deployer = flags.istanbul ? frame.context : addressOfWord(frame.caller);
  const initCode = frame.memory.read(length === 0n ? 0 : Number(offset), Number(length));
  const address = create2ContractAddress(deployer, wordToHex(salt), bytesToHex(keccak(initCode)));
  createContract(frame, value, initCode, address);
}

/** @param create2Address undefined for CREATE, whose address depends on earlier creations */
function createContract(frame: Frame, value: bigint, initCode: Uint8Array, create2Address: Address | undefined): void {
  const { execution } = frame;
  const { host, substate, flags } = execution;
  if (value > MAX_LONG) throw outOfLongRange();
  if (host.balance(frame.context) < value) {
    frame.push(0n);
    return;
  }

  const isCreate2 = create2Address !== undefined;
  const nonce = host.creationNonce(frame.context);
  const address = create2Address ?? createAddress(frame, nonce);
  // The address of a CREATE2 also hashes the whole init code.
  const perByte = CODE_BYTE + KEPT_BYTE * (isCreate2 ? 2 : 1);
  execution.spend(perByte * initCode.length, isCreate2 ? 'CREATE2' : 'CREATE');
  const collides = flags.constantinople ? host.contract(address) !== undefined : host.accountExists(address);
  const hostMark = host.mark();
  const mark = substate.mark();
  const contractVersion = flags.compatibleEvm ? frame.contractVersion : 0;
  if (!collides) {
    host.createContract({
      address,
      creator: frame.context,
      version: contractVersion,
      trxHash: isCreate2 ? execution.txid : '',
    });
    substate.create(address);
  }
  if (value > 0n) host.transfer(frame.context, address, value);

  let energyLimit = frame.energyLeft;
  if (flags.compatibleEvm && frame.contractVersion === 1) energyLimit -= Math.floor(energyLimit / 64);
  frame.energyLeft -= energyLimit;
  const record = frame.record('create', address, value, [], initCode);

  const child = new Frame({
    execution,
    parent: frame,
    origin: record,
    deliver: deliverCreation,
    code: initCode,
    context: address,
    caller: frame.contextWord,
    callValue: value,
    tokenValue: 0n,
    tokenId: 0n,
    input: NO_BYTES,
    isStatic: false,
    depth: frame.depth + 1,
    contractVersion,
    energyLimit,
    hostMark,
    mark,
  });
  if (collides) {
    child.fail(executionFailed(`Trying to create a contract with existing contract address: 0x${address}`));
  } else if (initCode.length > 0) {
    frame.enter(child);
    return;
  }
  child.deliver?.(frame, child);
  child.release();
}

/** TRON's address, or Ethereum's if contracts count their creations. */
function createAddress({ context, execution: { txid, substate } }: Frame, nonce: bigint | undefined): Address {
  return nonce === undefined
    ? createdContractAddress(txid, BigInt(substate.nonce))
    : ethereumContractAddress(context, nonce);
}

/**
 * Charges the deposit of the returned runtime code, and stores the code, for a top or nested creation.
 *
 * A nested creation also checks the first byte of revert data; an invalid one makes it failed instead of reverted.
 */
function depositCode(child: Frame): void {
  const code = child.output;
  if (code.length > 0 && child.execution.flags.london && code[0] === 0xef) {
    child.exception = invalidCode();
    return;
  }
  if (child.reverted || child.exception !== undefined) return;
  const deposit = code.length * CODE_DEPOSIT;
  if (deposit > child.energyLeft) {
    child.exception = notEnoughDepositEnergy('No energy to save just created contract code', deposit, child.energyLeft);
    return;
  }
  child.energyLeft -= deposit;
  child.execution.host.setCode(child.context, code);
}

/**
 * Sets the return data only for a REVERT: after a CREATE2, which does not clear them, those of an earlier call remain.
 */
function deliverCreation(parent: Frame, child: Frame): void {
  depositCode(child);
  const { host, substate } = parent.execution;
  if (child.failed) {
    host.revert(child.hostMark);
    substate.revert(child.mark);
  }
  parent.push(child.failed ? 0n : BigInt(`0x${child.context}`));
  if (child.exception !== undefined) return;
  if (child.reverted) parent.returnData = child.output;
  parent.energyLeft += child.energyLeft;
}
