/** Memory: MLOAD, MSTORE, MSTORE8, MSIZE, MCOPY. The price of growth is in `energy-cost.ts`. */

import { copyCost, memoryGrowth, rangeEnd } from '../energy-cost.js';
import type { TvmFlags } from '../flags.js';
import type { Frame } from '../frame.js';
import { type Operation, operation } from './operation.js';

const COPY_BASE = 3;

function memoryCopyCost(frame: Frame): number {
  const to = frame.peek(0);
  const from = frame.peek(1);
  const length = frame.peek(2);
  return memoryGrowth(frame.memory, rangeEnd(to > from ? to : from, length), 'MCOPY') + copyCost(length);
}

function memoryCopy(frame: Frame): void {
  const to = frame.pop();
  const from = frame.pop();
  const length = frame.pop();
  if (length !== 0n) frame.memory.copy(Number(to), Number(from), Number(length));
}

const wordAccess = (name: string, bytes: number) => (frame: Frame) =>
  memoryGrowth(frame.memory, Number(frame.peek(0)) + bytes, name);

function load(frame: Frame): void {
  frame.poke(0, frame.memory.loadWord(Number(frame.peek(0))));
}

function store(frame: Frame): void {
  frame.memory.storeWord(Number(frame.pop()), frame.pop());
}

function storeByte(frame: Frame): void {
  frame.memory.storeByte(Number(frame.pop()), Number(frame.pop() & 0xffn));
}

export function memory(flags: TvmFlags): Operation[] {
  const accessBase = flags.higherCpuLimit ? 1 : 0;
  const rows = [
    operation(0x51, 'MLOAD', 1, 1, wordAccess('MLOAD', 32), load, accessBase),
    operation(0x52, 'MSTORE', 2, 0, wordAccess('MSTORE', 32), store, accessBase),
    operation(0x53, 'MSTORE8', 2, 0, wordAccess('MSTORE8', 1), storeByte, accessBase),
    operation(0x59, 'MSIZE', 0, 1, 2, (frame) => frame.push(BigInt(frame.memory.size))),
  ];
  if (flags.cancun) rows.push(operation(0x5e, 'MCOPY', 3, 0, memoryCopyCost, memoryCopy, COPY_BASE));
  return rows;
}
