/**
 * The interface of observers of an execution: struct logs, call trees, fee attribution, `console.log`.
 *
 * All methods are optional. Without a tracer the machine does no additional work.
 */

import type { Address } from '../primitives/ids.js';
import type { TvmException } from './errors.js';
import type { InternalTransaction } from './internal-transactions.js';
import type { Log } from './substate.js';

/** A frame for observers, read-only. The same object while the frame runs. */
export interface TracedFrame {
  /** Undefined for the top frame. */
  readonly parent: TracedFrame | undefined;
  readonly depth: number;
  /** The contract whose storage and balance the program uses. */
  readonly context: Address;
  /** The context's current balance. */
  readonly balanceSun: bigint;
  /** The word of the CALLER opcode. */
  readonly caller: bigint;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly code: Uint8Array;
  readonly input: Uint8Array;
  readonly isStatic: boolean;
  readonly pc: number;
  /** The step before `pc` is paid and still running. Only set if there is a tracer. */
  readonly isActing: boolean;
  readonly energyLimit: number;
  readonly energyLeft: number;
  readonly energyUsed: number;
  /** In units of 1/10,000; 10,000 is the base price. */
  readonly factor: number;
  /** Energy that the current call forwards to its callee, without the stipend. */
  readonly forwardedEnergy: number;
  /** Read within its size only: a read beyond makes it grow. */
  readonly memory: { readonly size: number; read(at: number, length: number): Uint8Array };
  /** Of the last call, for RETURNDATACOPY. */
  readonly returnData: Uint8Array;
  /** Data of RETURN or REVERT. */
  readonly output: Uint8Array;
  readonly reverted: boolean;
  readonly exception: TvmException | undefined;
  /** Reverted, or ended by an exception. */
  readonly failed: boolean;
  /** Words on the stack. */
  readonly stackHeight: number;
  /** The word `depth` places below the top; 0 is the top. */
  peek(depth: number): bigint;
  /** A copy of the stack, bottom first. */
  stackWords(): bigint[];
  /** The current value of a slot of the context's storage. */
  storageWord(slot: bigint): bigint;
}

export interface Tracer {
  /** Before a frame runs. */
  enter?(frame: TracedFrame): void;
  /**
   * One step, after its Energy was charged and before its effect. `frame.pc` still points at the opcode.
   *
   * @param cost total Energy of the step, including penalty and forwarded Energy
   * @param penalty the part due to the dynamic energy factor
   */
  step?(frame: TracedFrame, opcode: number, cost: number, penalty: number): void;
  /** After the call of a precompiled contract; `output` is undefined if it failed. */
  precompile?(
    frame: TracedFrame,
    address: bigint,
    input: Uint8Array,
    output: Uint8Array | undefined,
    energy: number,
  ): void;
  /**
   * A call, creation, self-destruct or staking opcode was recorded as an internal transaction. Its final amount and
   * rejection may only be known at the end of the execution.
   */
  internal?(frame: TracedFrame, transaction: InternalTransaction): void;
  /** A log was written. It is discarded if the frame or one of its callers fails. */
  log?(frame: TracedFrame, log: Log): void;
  /**
   * A step failed during its effect (`frame.isActing`), or the Energy did not suffice for the step at `frame.pc`. The
   * frame's Energy is still unchanged.
   */
  fault?(frame: TracedFrame, exception: TvmException): void;
  /** After a frame ended: its output, `reverted` and `exception` are set. */
  exit?(frame: TracedFrame): void;
}
