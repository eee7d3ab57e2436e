/**
 * A call with its operands, and the checks that calls of contracts and of precompiled contracts share
 * (java-tron MessageCall; Program.checkTokenId, isTokenTransfer).
 */

import type { Address } from '../primitives/ids.js';
import { executionFailed, outOfLongRange, transferFailed } from './errors.js';
import type { Frame } from './frame.js';
import { MIN_TOKEN_ID } from './transfers.js';
import { MAX_LONG, toSigned } from './words.js';

/** Differences of the call opcodes. */
export interface CallKind {
  readonly name: string;
  /** Has a value operand. */
  readonly hasValue: boolean;
  /** The value is an amount of a token, whose id is the next operand. */
  readonly isToken: boolean;
  /** The program uses the caller's storage and balance. */
  readonly inOwnContext: boolean;
  /** Keeps caller and value of the calling frame. */
  readonly isDelegate: boolean;
  readonly isStatic: boolean;
}

/** One call with its operands. */
export interface Message {
  readonly kind: CallKind;
  /** The operand's full word: a precompile is matched on all 32 bytes. */
  readonly target: bigint;
  readonly codeAddress: Address;
  readonly context: Address;
  readonly value: bigint;
  readonly tokenId: bigint;
  readonly inputAt: bigint;
  readonly inputLength: bigint;
  readonly outputAt: bigint;
  readonly outputLength: bigint;
  /** Forwarded Energy plus stipend. */
  readonly energy: number;
}

/**
 * At this depth all calls except CREATE2 return 0. Tested by equality: CREATE2 can nest deeper, and calls work again
 * there.
 */
export const MAX_DEPTH = 64;

/** Refuses a call: pushes 0 and returns the callee's Energy, including the stipend. */
export function refuseCall(frame: Frame, message: Message): void {
  frame.energyLeft += message.energy;
  frame.push(0n);
}

/** Whether the call moves tokens instead of TRX. Before the multi-signature flag, the token id alone decides. */
export function movesToken(frame: Frame, message: Message): boolean {
  if (frame.execution.flags.multiSign) return message.kind.isToken;
  return BigInt.asUintN(64, message.tokenId) !== 0n;
}

/** Whether the calling contract has the value of the call. */
export function holdsValue(frame: Frame, message: Message): boolean {
  if (message.value === 0n) return true;
  const { host } = frame.execution;
  const held = movesToken(frame, message)
    ? host.tokenBalance(frame.context, message.tokenId)
    : host.balance(frame.context);
  return held >= message.value;
}

/** The call data from the caller's memory. */
export function inputOf({ memory }: Frame, { inputAt, inputLength }: Message): Uint8Array {
  return memory.read(inputLength === 0n ? 0 : Number(inputAt), Number(inputLength));
}

/** @throws TRANSFER_FAILED for an invalid token id, after it returned the callee's Energy. */
export function checkTokenId(frame: Frame, message: Message): void {
  const { flags } = frame.execution;
  if (!flags.multiSign) return;
  const id = toSigned(message.tokenId);
  if (id > MAX_LONG || id < -MAX_LONG - 1n) {
    if (!flags.constantinople) throw outOfLongRange();
  } else if (id > MIN_TOKEN_ID || (id === 0n && !message.kind.isToken)) {
    return;
  }
  const text = 'validateForSmartContract failure:not valid token id';
  if (!flags.constantinople) throw executionFailed(text);
  frame.energyLeft += message.energy;
  throw transferFailed(text);
}
