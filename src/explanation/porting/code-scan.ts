/**
 * Finds opcodes that behave differently in code that a run of tests has not executed, but that can be reached. solc
 * appends data and metadata to the code; nothing jumps there, so they are not searched.
 */

import type { DifferenceId } from './differences.js';

export const GAS = 0x5a;
const JUMP = 0x56;
const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** Maximum size of a pushed jump destination. */
const MAX_DESTINATION_BYTES = 4;

/** Calls take their Energy from the top of the stack: a GAS just before them passes on all of it. */
export const CALLS: ReadonlySet<number> = new Set([0xd0, 0xf1, 0xf2, 0xf4, 0xfa]);
const POP = 0x50;

/** Opcodes that behave differently wherever they run. */
export const BY_OPCODE: ReadonlyMap<number, DifferenceId> = new Map([
  [0x3a, 'gas-price'],
  [0x40, 'block-hash'],
  [0x41, 'coinbase'],
  [0x43, 'block-number'],
  [0x44, 'prevrandao'],
  [0x45, 'block-gas-limit'],
  [0x48, 'base-fee'],
  [0x49, 'blobs'],
  [0x4a, 'blobs'],
  [0xf0, 'create-address'],
  [0xf5, 'create2-address'],
  [0xff, 'selfdestruct'],
]);

/** Whether the GAS at an offset is used for more than the Energy of the next call. */
export function computesWithGas(code: Uint8Array, pc: number): boolean {
  const next = code[pc + 1] ?? POP;
  return next !== POP && !CALLS.has(next);
}

/** STOP, JUMP, RETURN, REVERT, SELFDESTRUCT, and undefined opcodes. */
function ends(opcode: number): boolean {
  return opcode === 0x00 || opcode === JUMP || opcode === 0xf3 || opcode === 0xfd || opcode === 0xfe || opcode === 0xff;
}

/**
 * Follows the code from offset 0 and from every pushed jump destination, to the end of each basic block. The result has
 * more than the reachable code, but no data.
 */
export function differencesInCode(code: Uint8Array): ReadonlyMap<number, DifferenceId> {
  const destinations = jumpDestinations(code);
  const found = new Map<number, DifferenceId>();
  const seen = new Set<number>();
  const waiting = [0];
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    for (let pc = start; pc < code.length && !seen.has(pc); pc++) {
      seen.add(pc);
      const opcode = code[pc] as number;
      const id = opcode === GAS ? (computesWithGas(code, pc) ? 'gas-left' : undefined) : BY_OPCODE.get(opcode);
      if (id !== undefined) found.set(pc, id);
      if (opcode >= PUSH1 && opcode <= PUSH32) {
        const bytes = opcode - PUSH1 + 1;
        if (bytes <= MAX_DESTINATION_BYTES) {
          const to = code.subarray(pc + 1, pc + 1 + bytes).reduce((sum, byte) => sum * 256 + byte, 0);
          if (destinations.has(to)) waiting.push(to);
        }
        pc += bytes;
      } else if (ends(opcode)) break;
    }
  }
  return found;
}

function jumpDestinations(code: Uint8Array): ReadonlySet<number> {
  const found = new Set<number>();
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc] as number;
    if (opcode === JUMPDEST) found.add(pc);
    else if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1;
  }
  return found;
}
