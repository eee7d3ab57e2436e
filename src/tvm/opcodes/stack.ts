/** The stack: POP, PUSH, DUP, SWAP. */

import type { TvmFlags } from '../flags.js';
import { type Operation, operation } from './operation.js';

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

export function stack(flags: TvmFlags): Operation[] {
  const rows = [operation(0x50, 'POP', 1, 0, 2, (frame) => frame.drop(1)), ...pushes(), ...duplicates(), ...swaps()];
  if (flags.shanghai) rows.push(operation(0x5f, 'PUSH0', 0, 1, 2, (frame) => frame.push(0n)));
  return rows;
}
