/** Definition of an opcode: an entry of the table, from the files of this folder, for the machine's loop. */

import type { Frame } from '../frame.js';

/**
 * Energy of a step that depends on its operands, in addition to its fixed part. May throw the exceptions of the step's cost check. Does not change
 * the stack.
 */
export type CostOf = (frame: Frame) => number;

/** Effect of the opcode, after its Energy was charged. `frame.pc` already points behind it. */
export type Action = (frame: Frame) => void;

export interface Operation {
  readonly opcode: number;
  /** java-tron's name, for error texts (`SHA3`, `SUICIDE`). */
  readonly name: string;
  /** Words taken from the stack; with fewer words the step fails. */
  readonly inputs: number;
  readonly outputs: number;
  readonly cost: number | CostOf;
  /** The fixed part of a computed cost. */
  readonly base: number;
  /** The cost function charges the Energy itself (calls, whose forwarded Energy has no penalty). */
  readonly spendsItself?: boolean;
  readonly act: Action;
}

export function operation(
  opcode: number,
  name: string,
  inputs: number,
  outputs: number,
  cost: number | CostOf,
  act: Action,
  base = 0,
): Operation {
  return { opcode, name, inputs, outputs, cost, act, base };
}
