/** The counter, the ways to end, and logs: 0x00, 0x56–0x58, 0x5a, 0x5b, 0xa0–0xa4, 0xf3, 0xfd. */

import { bytesToHex } from '../../primitives/hex.js';
import { memoryGrowth, rangeEnd } from '../energy.js';
import { badJumpDestination, notEnoughOperationEnergy, outOfLongRange } from '../errors.js';
import type { Frame } from '../frame.js';
import { MAX_LONG, wordToHex } from '../words.js';
import { OUTPUT_BYTE } from '../work.js';
import { type Operation, operation } from './operation.js';

const LOG_BASE = 375;
const LOG_TOPIC = 375;
const LOG_BYTE = 8n;

/** The text shows −1 for what has more than four bytes, else the destination as a signed 32-bit number. */
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

/** The range that RETURN and REVERT name. */
function popRange(frame: Frame, operation: string): Uint8Array {
  const offset = frame.pop();
  const length = frame.pop();
  frame.execution.spend(OUTPUT_BYTE * Number(length), operation);
  return frame.memory.read(length === 0n ? 0 : Number(offset), Number(length));
}

/** The data's price is compared with the Energy left before anything else, the memory limit included. */
const logCost = (name: string, topics: number) => (frame: Frame) => {
  const length = frame.peek(1);
  const data = LOG_BYTE * length;
  if (data > MAX_LONG) throw outOfLongRange();
  if (data > frame.energyLeft) throw notEnoughOperationEnergy(name, data, frame.energyLeft);
  const growth = memoryGrowth(frame.memory, rangeEnd(frame.peek(0), length), name);
  return LOG_BASE + LOG_TOPIC * topics + Number(data) + growth;
};

const log = (topicCount: number) => (frame: Frame) => {
  frame.refuseInStaticCall();
  const offset = frame.pop();
  const length = frame.pop();
  const topics: string[] = [];
  for (let i = 0; i < topicCount; i++) topics.push(wordToHex(frame.pop()));
  const data = bytesToHex(frame.memory.view(length === 0n ? 0 : Number(offset), Number(length)));
  frame.execution.substate.logs.push({ address: frame.context.slice(2), topics, data });
};

export function control(): Operation[] {
  return [
    operation(0x00, 'STOP', 0, 0, 0, (frame) => frame.stop()),
    operation(0x56, 'JUMP', 1, 0, 8, (frame) => jump(frame, frame.pop())),
    operation(0x57, 'JUMPI', 2, 0, 10, jumpIf),
    operation(0x58, 'PC', 0, 1, 2, (frame) => frame.push(BigInt(frame.pc - 1))),
    operation(0x5a, 'GAS', 0, 1, 2, (frame) => frame.push(BigInt(frame.energyLeft))),
    operation(0x5b, 'JUMPDEST', 0, 0, 1, () => {}),
    ...Array.from({ length: 5 }, (_, i) => operation(0xa0 + i, `LOG${i}`, i + 2, 0, logCost(`LOG${i}`, i), log(i))),
    operation(0xf3, 'RETURN', 2, 0, rangeGrowth('RETURN'), (frame) => frame.stop(popRange(frame, 'RETURN'))),
    operation(0xfd, 'REVERT', 2, 0, rangeGrowth('REVERT'), (frame) => frame.revert(popRange(frame, 'REVERT'))),
  ];
}
