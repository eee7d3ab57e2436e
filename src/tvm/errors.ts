/**
 * Exceptions of the virtual machine, with their exact texts and their contract results
 * (protocol/contract-runs.md#exceptions-and-results; java-tron Program and RuntimeImpl).
 *
 * An exception ends its frame. Except for failed transfers it consumes the frame's remaining Energy; the machine
 * decides which frames continue. The thrown values are deliberately not `Error`s: they are the machine's control flow,
 * failing calls are common, and a captured stack trace costs more than the frame (measured: 6 µs).
 */

import type { JavaClass } from '../errors/error-codes.js';
import { Transaction_Result_contractResult } from '../protocol/generated/tron.js';

/** `Transaction.Result.contractResult`: the number on the wire. */
export const ContractResult = Transaction_Result_contractResult;
export type ContractResult = (typeof ContractResult)[keyof typeof ContractResult];

/** The receipt's text for a REVERT, and for a refused self-destruct. */
export const REVERT_MESSAGE = 'REVERT opcode executed';

const PROGRAM = 'org.tron.core.vm.program.Program$';

/** An exception of the machine, as in java-tron's receipts and constant calls. */
export class TvmException {
  constructor(
    /** The receipt's result if the exception ends the transaction. */
    readonly contractResult: ContractResult,
    /** Fully qualified Java class: constant calls answer `class <javaClass> : <message>`. */
    readonly javaClass: JavaClass,
    /** `resMessage` of the receipt. */
    readonly message: string,
    /**
     * Ends all frames at once, not only its own. No caller catches it: results of running calls are lost, and the top
     * frame's result is not cleared as after an ordinary exception
     * (protocol/contract-runs.md#errors-that-end-all-frames).
     */
    readonly endsTransaction = false,
  ) {}

  /** A failed transfer consumes only the used Energy; all others consume the frame's whole limit. */
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

/** A step exceeds the frame's limit. The penalty is shown only for contracts with a factor. */
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

/** The base cost of a call, or of a log's data, exceeds the limit. */
export function notEnoughOperationEnergy(operation: string, cost: number | bigint, left: number): TvmException {
  return outOfEnergy(
    `Not enough energy for '${operation}' operation executing: opEnergy[${cost}], programEnergy[${left}]`,
  );
}

/** The deposit of 200 Energy per byte of new code exceeds the limit. */
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
 * Not from a clock: from the step budget, or from 0x0a with two signatures of one signer
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

/** For 0x0a; its text has the operation without quotes. */
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

/** For all cases in which java-tron throws a plain BytecodeExecutionException. */
export function executionFailed(message: string): TvmException {
  return new TvmException(ContractResult.UNKNOWN, `${PROGRAM}BytecodeExecutionException`, message);
}

/** A Java runtime exception that no rule of the machine defines. */
export function javaFailure(javaClass: JavaClass, message: string): TvmException {
  return new TvmException(ContractResult.UNKNOWN, javaClass, message);
}

/** `BigInteger.longValueExact` of a value above 2^63−1. */
export function outOfLongRange(): TvmException {
  return javaFailure('java.lang.ArithmeticException', 'BigInteger out of long range');
}

/** A Java error (out of heap) that is only caught outside of the transaction. */
export function unknownThrowable(): TvmException {
  return new TvmException(ContractResult.UNKNOWN, 'java.lang.RuntimeException', 'Unknown Throwable', true);
}

/** A read behind the end of an array; the text is the JVM's. */
export function indexOutOfBounds(index: number, length: number): TvmException {
  return javaFailure('java.lang.ArrayIndexOutOfBoundsException', `Index ${index} out of bounds for length ${length}`);
}

/** `Math.addExact` for the end of a memory range. */
export function integerOverflow(): TvmException {
  return javaFailure('java.lang.ArithmeticException', 'integer overflow');
}

/** Memory below 0, or any memory if none is allocated: java-tron's list of chunks has no such entry. */
export function noSuchChunk(index: number, chunks: number): TvmException {
  return javaFailure('java.lang.IndexOutOfBoundsException', `Index: ${index}, Size: ${chunks}`);
}

/** Memory just below 0: the first chunk exists, but not the position in it. */
export function copyOutOfBounds(index: number, length: number): TvmException {
  return javaFailure(
    'java.lang.ArrayIndexOutOfBoundsException',
    `arraycopy: destination index ${index} out of bounds for byte[${length}]`,
  );
}
