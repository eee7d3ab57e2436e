/** Stack, memory, storage and transient storage: 0x50–0x55, 0x59, 0x5c–0x5f, PUSH, DUP, SWAP. */

import { copyCost, memoryGrowth, rangeEnd } from '../energy.js';
import type { TvmFlags } from '../flags.js';
import type { Frame } from '../frame.js';
import type { Slot } from '../storage.js';
import { NEW_ROW } from '../work.js';
import { type Operation, operation } from './operation.js';

const SLOAD = 50;
const SSTORE_NEW = 20_000;
const SSTORE_SET = 5_000;
const TRANSIENT = 100;

/** A slot; the first time, its row is read. */
function slotOf(frame: Frame, key: bigint, operation: string): Slot {
  const slot = frame.storage.slot(key);
  if (slot.isNew) {
    slot.isNew = false;
    frame.execution.spend(NEW_ROW, operation);
  }
  return slot;
}

/** 20,000 only for a row that does not exist yet and gets a value; zeroes count as existing once they were written. */
function storeCost(frame: Frame): number {
  return frame.peek(1) !== 0n && !slotOf(frame, frame.peek(0), 'SSTORE').exists ? SSTORE_NEW : SSTORE_SET;
}

function store(frame: Frame): void {
  frame.refuseInStaticCall();
  const slot = slotOf(frame, frame.pop(), 'SSTORE');
  frame.execution.substate.write(slot, frame.pop());
}

function memoryCopyCost(frame: Frame): number {
  const to = frame.peek(0);
  const from = frame.peek(1);
  const length = frame.peek(2);
  return 3 + memoryGrowth(frame.memory, rangeEnd(to > from ? to : from, length), 'MCOPY') + copyCost(length);
}

function memoryCopy(frame: Frame): void {
  const to = frame.pop();
  const from = frame.pop();
  const length = frame.pop();
  if (length !== 0n) frame.memory.copy(Number(to), Number(from), Number(length));
}

const wordAccess = (name: string, base: number, bytes: number) => (frame: Frame) =>
  base + memoryGrowth(frame.memory, Number(frame.peek(0)) + bytes, name);

function pushes(): Operation[] {
  return Array.from({ length: 32 }, (_, i) => {
    const bytes = i + 1;
    return operation(0x60 + i, `PUSH${bytes}`, 0, 1, 3, (frame) => {
      frame.push(frame.analysis.constant(frame.pc, bytes));
      frame.pc += bytes;
    });
  });
}

function duplicates(): Operation[] {
  return Array.from({ length: 16 }, (_, i) =>
    operation(0x80 + i, `DUP${i + 1}`, i + 1, i + 2, 3, (frame) => frame.push(frame.peek(i))),
  );
}

function swaps(): Operation[] {
  return Array.from({ length: 16 }, (_, i) => {
    const depth = i + 1;
    return operation(0x90 + i, `SWAP${depth}`, depth + 1, depth + 1, 3, (frame) => {
      const top = frame.peek(0);
      frame.poke(0, frame.peek(depth));
      frame.poke(depth, top);
    });
  });
}

export function memoryAndStorage(flags: TvmFlags): Operation[] {
  const accessBase = flags.higherCpuLimit ? 1 : 0;
  const rows = [
    operation(0x50, 'POP', 1, 0, 2, (frame) => frame.drop(1)),
    operation(0x51, 'MLOAD', 1, 1, wordAccess('MLOAD', accessBase, 32), (frame) =>
      frame.poke(0, frame.memory.loadWord(Number(frame.peek(0)))),
    ),
    operation(0x52, 'MSTORE', 2, 0, wordAccess('MSTORE', accessBase, 32), (frame) =>
      frame.memory.storeWord(Number(frame.pop()), frame.pop()),
    ),
    operation(0x53, 'MSTORE8', 2, 0, wordAccess('MSTORE8', accessBase, 1), (frame) =>
      frame.memory.storeByte(Number(frame.pop()), Number(frame.pop() & 0xffn)),
    ),
    operation(0x54, 'SLOAD', 1, 1, SLOAD, (frame) => frame.poke(0, slotOf(frame, frame.peek(0), 'SLOAD').value)),
    operation(0x55, 'SSTORE', 2, 0, storeCost, store),
    operation(0x59, 'MSIZE', 0, 1, 2, (frame) => frame.push(BigInt(frame.memory.size))),
    ...pushes(),
    ...duplicates(),
    ...swaps(),
  ];
  if (flags.cancun) {
    rows.push(
      operation(0x5c, 'TLOAD', 1, 1, TRANSIENT, (frame) =>
        frame.poke(0, frame.execution.substate.transientValue(frame.context, frame.peek(0))),
      ),
      operation(0x5d, 'TSTORE', 2, 0, TRANSIENT, (frame) => {
        frame.refuseInStaticCall();
        frame.execution.substate.writeTransient(frame.context, frame.pop(), frame.pop());
      }),
      operation(0x5e, 'MCOPY', 3, 0, memoryCopyCost, memoryCopy),
    );
  }
  if (flags.shanghai) rows.push(operation(0x5f, 'PUSH0', 0, 1, 2, (frame) => frame.push(0n)));
  return rows;
}
