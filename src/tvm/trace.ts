/**
 * The one hook through which observers see an execution: struct logs, call trees, fee attribution, `console.log`.
 *
 * Every method is optional work for the observer and none for the machine when there is no tracer. A tracer only looks:
 * it must not change frames.
 */

import type { Frame } from './frame.js';

export interface Tracer {
  /** A frame is about to run. `frame.parent` is undefined for the top one. */
  enter?(frame: Frame): void;
  /**
   * One step, after its Energy was charged and before it acts. `frame.pc` still points at the opcode.
   *
   * @param cost everything that the step spent, penalty and forwarded Energy included
   * @param penalty the part that the dynamic energy factor added
   */
  step?(frame: Frame, opcode: number, cost: number, penalty: number): void;
  /** A precompiled contract was called; `output` is undefined if it failed. */
  precompile?(frame: Frame, address: bigint, input: Uint8Array, output: Uint8Array | undefined, energy: number): void;
  /** A frame ended: its output, `reverted` and `exception` are set. */
  exit?(frame: Frame): void;
}
