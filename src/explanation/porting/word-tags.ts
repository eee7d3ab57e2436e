/**
 * Tags of the words on a frame's stack: where each word comes from. The tracer sees a step before it runs, so a result is
 * tagged at the next step, when the height of the stack is known.
 */

import type { TracedFrame } from '../../tvm/trace.js';

/** An amount of TRX (sent, or a balance), or a value computed from one. */
export const AMOUNT = 1;
/** A constant, or a value computed from constants only. */
export const CONSTANT = 2;
/** A value computed from a constant with 18 or 9 decimals. */
export const DECIMALS = 4;
/** From a place where TRON has addresses of 21 bytes. */
export const ADDRESS = 8;
export const CHAIN_ID = 16;

const STACK_WORDS = 1024;

const PUSH0 = 0x5f;
const PUSH32 = 0x7f;
const DUP1 = 0x80;
const DUP16 = 0x8f;
const SWAP16 = 0x9f;

/** Opcodes without a result on the stack, and SWAP, whose tags move at once. */
const PUSHES_NOTHING = new Set([
  ...[0x00, 0x37, 0x39, 0x3c, 0x3e, 0x50, 0x52, 0x53, 0x55, 0x56, 0x57, 0x5b, 0x5d, 0x5e],
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf3, 0xfd, 0xff],
]);

export class WordTags {
  readonly #tags = new Uint8Array(STACK_WORDS + 1);
  #pushes = false;
  #next = 0;

  /** The previous step has run: its result is on top. */
  settle(height: number): void {
    if (this.#pushes) this.#tags[height - 1] = this.#next;
    this.#pushes = false;
  }

  /** Sets the tag of the result of the step that runs next. Constants and copies need no tag from the caller. */
  expect(opcode: number, height: number, tag: number): void {
    if (opcode >= PUSH0 && opcode <= SWAP16) {
      this.#move(opcode, height);
      return;
    }
    this.#pushes = !PUSHES_NOTHING.has(opcode);
    this.#next = tag;
  }

  /** @param depth words below the top */
  at(height: number, depth: number): number {
    return this.#tags[height - 1 - depth] ?? 0;
  }

  /** Tag of the word on top. */
  add(height: number, tag: number): void {
    this.#tags[height - 1] = (this.#tags[height - 1] ?? 0) | tag;
  }

  #move(opcode: number, height: number): void {
    if (opcode > DUP16) {
      const other = height - 1 - (opcode - DUP16);
      const top = this.#tags[height - 1] ?? 0;
      this.#tags[height - 1] = this.#tags[other] ?? 0;
      this.#tags[other] = top;
      return;
    }
    this.#pushes = true;
    this.#next = opcode <= PUSH32 ? CONSTANT : this.at(height, opcode - DUP1);
  }
}

const GWEI = 10n ** 9n;
const SMALLEST = 10n ** 12n;
const LARGEST = 1n << 128n;

/**
 * Whether a constant is an amount in wei: `1 gwei`, or a multiple of 10^9 of at least a million TRX. Masks and limits of
 * types are not such multiples.
 */
export function hasDecimals(word: bigint): boolean {
  return word === GWEI || (word >= SMALLEST && word < LARGEST && word % GWEI === 0n);
}

/** Whether a word is a constant with many decimals, or computed from one. @param depth words below the top */
export function isOfDecimals(tag: number, frame: TracedFrame, depth: number): boolean {
  return (tag & DECIMALS) !== 0 || ((tag & CONSTANT) !== 0 && hasDecimals(frame.peek(depth)));
}

const ADDRESS_BITS = 160n;
const PREFIX = 0x41n;

/** Whether it is an address with TRON's prefix 0x41. */
export function isLongAddress(word: bigint): boolean {
  return word >> ADDRESS_BITS === PREFIX;
}
