/**
 * The one hook through which observers see an execution: struct logs, call trees, fee attribution, `console.log`.
 *
 * Every method is optional work for the observer and none for the machine when there is no tracer.
 */

import type { Address } from '../primitives/ids.js';
import type { TvmException } from './errors.js';
import type { InternalTransaction } from './internal-transactions.js';
import type { Log } from './substate.js';

/** A frame as observers see it: they only look. The same object for as long as the frame runs. */
export interface TracedFrame {
  /** Undefined for the top one. */
  readonly parent: TracedFrame | undefined;
  readonly depth: number;
  /** Whose storage and balance the program works on. */
  readonly context: Address;
  /** What the context holds now. */
  readonly balanceSun: bigint;
  /** The word that CALLER pushes. */
  readonly caller: bigint;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly code: Uint8Array;
  readonly input: Uint8Array;
  readonly isStatic: boolean;
  readonly pc: number;
  /** The step before `pc` has been paid for and is not done. Kept up where somebody observes. */
  readonly isActing: boolean;
  readonly energyLimit: number;
  readonly energyLeft: number;
  readonly energyUsed: number;
  /** In units of 1/10,000; 10,000 is the normal price. */
  readonly factor: number;
  /** Energy that the current call hands to its callee, stipend not included. */
  readonly forwardedEnergy: number;
  /** To be read within its size: beyond, reading makes it grow. */
  readonly memory: { readonly size: number; read(at: number, length: number): Uint8Array };
  /** Of the latest call, as RETURNDATACOPY reads it. */
  readonly returnData: Uint8Array;
  /** What RETURN or REVERT gave. */
  readonly output: Uint8Array;
  readonly reverted: boolean;
  readonly exception: TvmException | undefined;
  /** Reverted, or ended by an exception. */
  readonly failed: boolean;
  /** The word `depth` places below the top; 0 is the top. */
  peek(depth: number): bigint;
  /** A copy of the stack, bottom first. */
  stackWords(): bigint[];
  /** What a slot of the context's storage holds now. */
  storageWord(slot: bigint): bigint;
}

export interface Tracer {
  /** A frame is about to run. */
  enter?(frame: TracedFrame): void;
  /**
   * One step, after its Energy was charged and before it acts. `frame.pc` still points at the opcode.
   *
   * @param cost everything that the step spent, penalty and forwarded Energy included
   * @param penalty the part that the dynamic energy factor added
   */
  step?(frame: TracedFrame, opcode: number, cost: number, penalty: number): void;
  /** A precompiled contract was called; `output` is undefined if it failed. */
  precompile?(
    frame: TracedFrame,
    address: bigint,
    input: Uint8Array,
    output: Uint8Array | undefined,
    energy: number,
  ): void;
  /**
   * A call, creation, self-destruct or staking opcode was recorded as an internal transaction: it happens now. What it
   * moved and whether it was rejected may be known only when the execution is over.
   */
  internal?(frame: TracedFrame, transaction: InternalTransaction): void;
  /** A log was written; it stands unless the frame or one above fails. */
  log?(frame: TracedFrame, log: Log): void;
  /**
   * A step failed while it acted (`frame.isActing`), or the one at `frame.pc` could not even be paid for. The frame's
   * Energy is still as it was then.
   */
  fault?(frame: TracedFrame, exception: TvmException): void;
  /** A frame ended: its output, `reverted` and `exception` are set. */
  exit?(frame: TracedFrame): void;
}
