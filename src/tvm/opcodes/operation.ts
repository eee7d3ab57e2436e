/** What one opcode is: a row of the table, written down by the files of this folder, read by the machine's loop. */

import type { Frame } from '../frame.js';

/** Energy of a step beyond what is fixed; may throw what the step's cost check throws. Does not touch the stack. */
export type CostOf = (frame: Frame) => number;

/** What the opcode does, after its Energy was charged. `frame.pc` already points behind it. */
export type Action = (frame: Frame) => void;

export interface Operation {
  readonly opcode: number;
  /** java-tron's name: it appears in error texts (`SHA3`, `SUICIDE`). */
  readonly name: string;
  /** Words taken from the stack; with fewer there the step fails. */
  readonly inputs: number;
  readonly outputs: number;
  readonly cost: number | CostOf;
  /** The cost function takes the Energy from the frame itself (calls, whose forwarded part carries no penalty). */
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
): Operation {
  return { opcode, name, inputs, outputs, cost, act };
}
