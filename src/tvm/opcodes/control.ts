/** Program counter, jumps, and ends of a program: 0x00, 0x56–0x58, 0x5a, 0x5b, 0xf3, 0xfd. */

import { memoryGrowth, rangeEnd } from '../energy-cost.js';
import { badJumpDestination } from '../errors.js';
import type { Frame } from '../frame.js';
import { OUTPUT_BYTE } from '../work.js';
import { type Operation, operation } from './operation.js';

/** The error text has −1 for a destination of more than four bytes, otherwise the signed 32-bit number. */
function jump(frame: Frame, destination: bigint): void {
  if (destination > 0xffff_ffffn) throw badJumpDestination(-1);
  const pc = Number(destination);
  if (!frame.analysis.isJumpDestination(pc)) throw badJumpDestination(pc | 0);
  frame.pc = pc;
}

function jumpIf(frame: Frame): void {
  const destination = frame.pop();
  if (frame.pop() !== 0n) jump(frame, destination);
}

const rangeGrowth = (name: string) => (frame: Frame) =>
  memoryGrowth(frame.memory, rangeEnd(frame.peek(0), frame.peek(1)), name);

/** The range of RETURN and REVERT. */
function popRange(frame: Frame, operation: string): Uint8Array {
  const offset = frame.pop();
  const length = frame.pop();
  frame.execution.spend(OUTPUT_BYTE * Number(length), operation);
  return frame.memory.read(length === 0n ? 0 : Number(offset), Number(length));
}

export function control(): Operation[] {
  return [
    operation(0x00, 'STOP', 0, 0, 0, (frame) => frame.stop()),
    operation(0x56, 'JUMP', 1, 0, 8, (frame) => jump(frame, frame.pop())),
    operation(0x57, 'JUMPI', 2, 0, 10, jumpIf),
    operation(0x58, 'PC', 0, 1, 2, (frame) => frame.push(BigInt(frame.pc - 1))),
    operation(0x5a, 'GAS', 0, 1, 2, (frame) => frame.push(BigInt(frame.energyLeft))),
    operation(0x5b, 'JUMPDEST', 0, 0, 1, () => {}),
    operation(0xf3, 'RETURN', 2, 0, rangeGrowth('RETURN'), (frame) => frame.stop(popRange(frame, 'RETURN'))),
    operation(0xfd, 'REVERT', 2, 0, rangeGrowth('REVERT'), (frame) => frame.revert(popRange(frame, 'REVERT'))),
  ];
}
