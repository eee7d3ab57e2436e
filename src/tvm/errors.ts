/**
 * How an execution can go wrong: the exception classes of the virtual machine, their exact texts, and which contract
 * result each becomes (protocol/contract-runs.md#exceptions-and-results; java-tron Program and RuntimeImpl).
 *
 * An exception ends its frame. Unless it is a failed transfer it takes the frame's remaining Energy with it; which frame
 * survives is the machine's business. Thrown values are no `Error`s on purpose: they are the machine's control flow, a
 * failing call is ordinary, and capturing a stack costs more than the frame (measured: 6 µs).
 */

import type { JavaClass } from '../errors/error-codes.js';
import { Transaction_Result_contractResult } from '../protocol/generated/tron.js';

/** `Transaction.Result.contractResult`: the number on the wire. */
export const ContractResult = Transaction_Result_contractResult;
export type ContractResult = (typeof ContractResult)[keyof typeof ContractResult];

/** The text that a receipt carries for a REVERT (and for a self-destruct that was not allowed). */
export const REVERT_MESSAGE = 'REVERT opcode executed';

const PROGRAM = 'org.tron.core.vm.program.Program$';

/** An exception of the machine, as java-tron's receipts and constant calls show it. */
export class TvmException {
  constructor(
    /** What the receipt says when it ends the transaction. */
    readonly contractResult: ContractResult,
    /** Fully qualified Java class: constant calls answer `class <javaClass> : <message>`. */
    readonly javaClass: JavaClass,
    /** `resMessage` of the receipt. */
    readonly message: string,
    /**
     * Ends every frame at once instead of only its own. No caller catches it, so what calls under way have gathered is
     * lost, and what the top frame has is not cleared as after an ordinary exception
     * (protocol/contract-runs.md#errors-that-end-all-frames).
     */
    readonly endsTransaction = false,
  ) {}

  /** A failed transfer costs only what was used; everything else takes the frame's whole limit. */
  get spendsAllEnergy(): boolean {
    return this.contractResult !== ContractResult.TRANSFER_FAILED;
  }
}

export function illegalOperation(opcode: number): TvmException {
  const hex = opcode.toString(16).padStart(2, '0');
  return new TvmException(
    ContractResult.ILLEGAL_OPERATION,
    `${PROGRAM}IllegalOperationException`,
    `Invalid operation code: opCode[${hex}];`,
  );
}

function outOfEnergy(message: string): TvmException {
  return new TvmException(ContractResult.OUT_OF_ENERGY, `${PROGRAM}OutOfEnergyException`, message);
}

/** A step that does not fit into the frame's limit; the penalty is shown only for contracts with a factor. */
export function notEnoughEnergy(
  operation: string,
  limit: number,
  cost: number,
  used: number,
  penalty: number | undefined,
): TvmException {
  const penaltyPart = penalty === undefined ? '' : ` penaltyEnergy[${penalty}],`;
  return outOfEnergy(
    `Not enough energy for '${operation}' operation executing: curInvokeEnergyLimit[${limit}],` +
      ` curOpEnergy[${cost}],${penaltyPart} usedEnergy[${used}]`,
  );
}

/** The base cost of a call, or the data of a log, that does not fit. */
export function notEnoughOperationEnergy(operation: string, cost: number | bigint, left: number): TvmException {
  return outOfEnergy(
    `Not enough energy for '${operation}' operation executing: opEnergy[${cost}], programEnergy[${left}]`,
  );
}

/** The 200 per byte of new code that do not fit. */
export function notEnoughDepositEnergy(hint: string, need: number, left: number): TvmException {
  return outOfEnergy(`Not enough energy for '${hint}' executing: needEnergy[${need}], leftEnergy[${left}];`);
}

export function badJumpDestination(pc: number): TvmException {
  return new TvmException(
    ContractResult.BAD_JUMP_DESTINATION,
    `${PROGRAM}BadJumpDestinationException`,
    `Operation with pc isn't 'JUMPDEST': PC[${pc}];`,
  );
}

export function outOfMemory(operation: string): TvmException {
  return new TvmException(
    ContractResult.OUT_OF_MEMORY,
    `${PROGRAM}OutOfMemoryException`,
    `Out of Memory when '${operation}' operation executing`,
  );
}

/**
 * Not by a clock: from the step budget, or from 0x0a with one signer and two signatures
 * (protocol/precompiles.md#signature-checks-0x09-and-0x0a).
 */
export function outOfTime(operation: string): TvmException {
  return new TvmException(
    ContractResult.OUT_OF_TIME,
    `${PROGRAM}OutOfTimeException`,
    `CPU timeout for '${operation}' operation executing`,
    true,
  );
}

/** What 0x0a raises; the operation stands without quotes in its text. */
export function precompileOutOfTime(address: string): TvmException {
  return new TvmException(
    ContractResult.OUT_OF_TIME,
    `${PROGRAM}OutOfTimeException`,
    `CPU timeout for ${address} executing`,
    true,
  );
}

export function stackTooSmall(expected: number, actual: number): TvmException {
  return new TvmException(
    ContractResult.STACK_TOO_SMALL,
    `${PROGRAM}StackTooSmallException`,
    `Expected stack size ${expected} but actual ${actual};`,
  );
}

export function stackTooLarge(): TvmException {
  return new TvmException(
    ContractResult.STACK_TOO_LARGE,
    `${PROGRAM}StackTooLargeException`,
    'Expected: overflow 1024 elements stack limit',
  );
}

export function transferFailed(message: string): TvmException {
  return new TvmException(ContractResult.TRANSFER_FAILED, `${PROGRAM}TransferException`, message);
}

export function invalidCode(): TvmException {
  return new TvmException(
    ContractResult.INVALID_CODE,
    `${PROGRAM}InvalidCodeException`,
    'invalid code: must not begin with 0xef',
  );
}

export function illegalReturnDataCopy(offsetHex: string, sizeHex: string, available: number): TvmException {
  return new TvmException(
    ContractResult.UNKNOWN,
    `${PROGRAM}ReturnDataCopyIllegalBoundsException`,
    `Illegal RETURNDATACOPY arguments: offset (${offsetHex}) + size (${sizeHex}) > RETURNDATASIZE (${available})`,
  );
}

export function staticModification(): TvmException {
  return new TvmException(
    ContractResult.UNKNOWN,
    `${PROGRAM}StaticCallModificationException`,
    'Attempt to call a state modifying opcode inside STATICCALL',
  );
}

/** Anything that java-tron throws as a plain BytecodeExecutionException. */
export function executionFailed(message: string): TvmException {
  return new TvmException(ContractResult.UNKNOWN, `${PROGRAM}BytecodeExecutionException`, message);
}

/** A Java runtime exception that no rule of the machine expects. */
export function javaFailure(javaClass: JavaClass, message: string): TvmException {
  return new TvmException(ContractResult.UNKNOWN, javaClass, message);
}

/** `BigInteger.longValueExact` of a value above 2^63−1. */
export function outOfLongRange(): TvmException {
  return javaFailure('java.lang.ArithmeticException', 'BigInteger out of long range');
}

/** A Java error (out of heap) that nothing catches below the transaction. */
export function unknownThrowable(): TvmException {
  return new TvmException(ContractResult.UNKNOWN, 'java.lang.RuntimeException', 'Unknown Throwable', true);
}

/** An array read behind its end; the text is the JVM's. */
export function indexOutOfBounds(index: number, length: number): TvmException {
  return javaFailure('java.lang.ArrayIndexOutOfBoundsException', `Index ${index} out of bounds for length ${length}`);
}

/** `Math.addExact` of the ends of memory. */
export function integerOverflow(): TvmException {
  return javaFailure('java.lang.ArithmeticException', 'integer overflow');
}

/** Memory below 0, or any while there is none: java-tron's list of chunks has no such entry. */
export function noSuchChunk(index: number, chunks: number): TvmException {
  return javaFailure('java.lang.IndexOutOfBoundsException', `Index: ${index}, Size: ${chunks}`);
}

/** Memory just below 0: the first chunk is found, the place in it is not. */
export function copyOutOfBounds(index: number, length: number): TvmException {
  return javaFailure(
    'java.lang.ArrayIndexOutOfBoundsException',
    `arraycopy: destination index ${index} out of bounds for byte[${length}]`,
  );
}
