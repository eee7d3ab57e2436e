/**
 * Prices of the virtual machine, and the arithmetic of memory growth (protocol/opcodes.md; java-tron EnergyCost).
 *
 * Energy is a JS number: limits are far below 2^53. Only prices that several opcodes use are here; fixed prices of
 * single opcodes are in their table entries.
 */

import { outOfMemory } from './errors.js';
import { MEMORY_LIMIT, type Memory } from './memory.js';

export const CALL_BASE = 40;
/** Added to a call with value. */
export const CALL_VALUE = 9_000;
/** Activation: added when a call with value, a FREEZE or a SELFDESTRUCT credits an account that does not exist. */
export const NEW_ACCOUNT = 25_000;
/** Energy that a callee gets in addition to the forwarded Energy if the call has value. */
export const CALL_STIPEND = 2_300;
export const CREATE_BASE = 32_000;
/** Per byte of runtime code. */
export const CODE_DEPOSIT = 200;
/** Unit of the dynamic energy factor: 10,000 is the base price. */
export const FACTOR_UNIT = 10_000;

const KECCAK_WORD = 6;
const COPY_WORD = 3;

/** End of a memory range given by two operands; an empty range needs no memory. */
export function rangeEnd(offset: bigint, length: bigint): number {
  return length === 0n ? 0 : Number(offset) + Number(length);
}

/**
 * Energy for memory growth to `end` bytes. `end` may be any number: precision is lost only far above the limit.
 *
 * @throws OUT_OF_MEMORY above 3 MiB, independent of the remaining Energy and of the present size.
 */
export function memoryGrowth(memory: Memory, end: number, operation: string): number {
  if (end > MEMORY_LIMIT) throw outOfMemory(operation);
  if (end <= memory.size) return 0;
  const words = Math.ceil(end / 32);
  const present = memory.size / 32;
  return 3 * words + Math.floor((words * words) / 512) - (3 * present + Math.floor((present * present) / 512));
}

/** Energy for a copy. Call it after the check that the range fits into memory. */
export function copyCost(length: bigint): number {
  return COPY_WORD * Math.ceil(Number(length) / 32);
}

/** Energy for hashing, in addition to the base price. Call it after the check that the range fits into memory. */
export function hashCost(length: bigint): number {
  return KECCAK_WORD * Math.ceil(Number(length) / 32);
}

/**
 * The penalty of the dynamic energy model: the addition of the contract's factor to the price of a step, `cost × factor
 * / 10,000 − cost` in integer arithmetic. `resources/dynamic-energy.ts` computes the factor.
 *
 * @param factor in units of 1/10,000; 10,000 is the base price
 * @example penaltyOf(50, 12_000) // 10
 */
export function penaltyOf(cost: number, factor: number): number {
  return Math.floor((cost * factor) / FACTOR_UNIT) - cost;
}
