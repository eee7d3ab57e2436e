/**
 * The bytes that the machine and its engine (`engine/`) share: a WebAssembly memory with programs and frames.
 *
 * ```
 * 0       keccak's state and block, the running frame, the table of steps
 * 16 KiB  programs with their jump destinations; begun anew when it is full
 * 2 MiB   frames: words of the message, stack, input, memory; a callee stands behind its caller's memory
 * ```
 *
 * Shared by all chains: a run is synchronous, and nothing of it stays here. A byte is zero only for who has zeroed it.
 */

import { Memory, type WebAssemblyMemory } from '../primitives/web-assembly.js';

const PAGE_BYTES = 65_536;
const FIRST_PAGES = 160;
/** A read of a word at the last byte of a range ends behind the range. */
const SLACK = 64;

export const PROGRAMS_AT = 16_384;
export const FRAMES_AT = 2 * 1024 * 1024;
/** In a frame, behind the words of CALLER, CALLVALUE and ADDRESS. */
export const STACK_AT = 96;
const INPUT_AT = STACK_AT + 32 * 1025;

/** Views of all of the memory; others after it has grown. */
export interface LinearMemory {
  readonly memory: WebAssemblyMemory;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView;
  /** The same bytes in the order of the processor, for what stands at a multiple of its size. */
  readonly ints: Uint32Array;
  readonly limbs: BigUint64Array;
  readonly doubles: Float64Array;
}

/** Shared by all chains: see above. Undefined until a contract runs. */
let current: LinearMemory | undefined;

function viewsOf(memory: WebAssemblyMemory): LinearMemory {
  const { buffer } = memory;
  return {
    memory,
    bytes: new Uint8Array(buffer),
    view: new DataView(buffer),
    ints: new Uint32Array(buffer),
    limbs: new BigUint64Array(buffer),
    doubles: new Float64Array(buffer),
  };
}

function create(): LinearMemory {
  return viewsOf(new Memory({ initial: FIRST_PAGES }));
}

/** The memory; do not keep it over an allocation. */
export function linearMemory(): LinearMemory {
  current ??= create();
  return current;
}

/** The memory, at least up to `end`. */
export function linearMemoryUpTo(end: number): LinearMemory {
  const present = linearMemory();
  const { length } = present.bytes;
  if (end <= length) return present;
  present.memory.grow(Math.ceil(Math.max(end - length, length / 2) / PAGE_BYTES));
  current = viewsOf(present.memory);
  return current;
}

/** Where the parts of a frame begin. */
export interface FramePlace {
  readonly start: number;
  readonly input: number;
  readonly memory: number;
}

/** Where memory stands if nothing says otherwise. */
export const FIRST_MEMORY = FRAMES_AT + INPUT_AT;

/** The place of a frame behind `start`, which the memory of its caller does not reach. */
export function framePlace(start: number, inputBytes: number): FramePlace {
  const input = start + INPUT_AT;
  return { start, input, memory: input + Math.ceil((inputBytes + SLACK) / 32) * 32 };
}
