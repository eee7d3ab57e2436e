/**
 * Generated programs: storage, logs, loops, calls of one another, creations in creations, ends of all kinds. The call data
 * bounds the depth of calls: its first word counts down. What a program does besides depends on its second word.
 */

import type { Choices } from '../../wild-messages.js';
import { bytesIn, type Code, creationOf, OP, push, pushPlace } from './assembler.js';

/** A part of a program, which leaves the stack as it was. @param at its place in the code, for jumps */
type Part = (choices: Choices, at: number, known: readonly string[]) => Code;

const DEPTH = push(0) + OP.CALLDATALOAD;
const ARGUMENT = push(32) + OP.CALLDATALOAD;
/** Few slots, so that they meet. */
const slot = (choices: Choices) => push(choices.below(4));

const VALUES: readonly ((choices: Choices) => Code)[] = [
  () => ARGUMENT,
  (choices) => push(choices.below(2) * choices.below(1_000)),
  (choices) => slot(choices) + OP.SLOAD + push(1) + OP.ADD,
  (choices) => slot(choices) + OP.TLOAD,
  () => OP.NUMBER,
  () => OP.TIMESTAMP,
  () => OP.COINBASE,
  () => OP.CALLER,
  () => OP.CALLVALUE,
  () => OP.SELFBALANCE,
  () => OP.RETURNDATASIZE,
  () => OP.CALLER + OP.BALANCE,
  () => push(1) + OP.NUMBER + OP.SUB + OP.BLOCKHASH,
  () => push(64) + push(0) + OP.SHA3,
  (choices) => ARGUMENT + push(choices.below(4)) + OP.EXP,
  () => push(7) + ARGUMENT + OP.DIV,
];
const value = (choices: Choices) => choices.of(VALUES)(choices);

/** A contract of the present world, or one that is none. */
function target(choices: Choices, known: readonly string[]): Code {
  if (known.length === 0 || choices.chance(0.1)) return choices.of([OP.CALLER, OP.ADDRESS, push(choices.below(20))]);
  return push({ hex: choices.of(known).slice(2) });
}

/** The depth, one less, and the argument as call data at 0. */
const CALL_DATA = push(1) + DEPTH + OP.SUB + push(0) + OP.MSTORE + ARGUMENT + push(32) + OP.MSTORE;

const call: Part = (choices, _, known) => {
  const to = target(choices, known);
  const kind = choices.of(['CALL', 'CALL', 'DELEGATECALL', 'STATICCALL'] as const);
  const amount = kind === 'CALL' ? push(choices.of([0, 0, 1, 1_000])) : '';
  const gas = choices.chance(0.2) ? push(30_000) : push(choices.of([2, 3])) + OP.GAS + OP.DIV;
  const result = choices.chance(0.5) ? slot(choices) + OP.SSTORE : OP.POP;
  return CALL_DATA + push(32) + push(64) + push(64) + push(0) + amount + to + gas + OP[kind] + result;
};

/** A small contract that ends itself, logs, or stores when it is called. */
function child(choices: Choices): Code {
  return choices.of([
    OP.CALLER + OP.SUICIDE,
    push(1) + push(0) + OP.SSTORE,
    push(7) + push(0) + push(0) + OP.LOG1 + OP.STOP,
    OP.STOP,
  ]);
}

/** The initial code is in the code of the program, behind a jump; it may create another contract itself. */
const create: Part = (choices, at) => {
  const failed = push(9) + push(0) + OP.SSTORE + push(0) + push(0) + choices.of([OP.REVERT, OP.INVALID]);
  if (choices.chance(0.2)) return createFrom(failed, at, choices);
  const inner = creationOf(child(choices), choices.chance(0.5) ? push(9) + push(choices.below(3)) + OP.SSTORE : '');
  const initial = choices.chance(0.4) ? creationOf(child(choices), createFrom(inner, 0, choices)) : inner;
  return createFrom(initial, at, choices);
};

function createFrom(initial: Code, at: number, choices: Choices): Code {
  const size = bytesIn(initial);
  const salt = choices.chance(0.5) ? push(choices.below(3)) : '';
  const amount = push(choices.of([0, 0, 0, 5]));
  const from = at + bytesIn(pushPlace(0) + OP.JUMP);
  const end = from + size;
  const made = salt === '' ? OP.CREATE : OP.CREATE2;
  return (
    pushPlace(end) +
    OP.JUMP +
    initial +
    OP.JUMPDEST +
    pushPlace(size) +
    pushPlace(from) +
    push(0) +
    OP.CODECOPY +
    (salt + pushPlace(size) + push(0) + amount + made + OP.POP)
  );
}

const log: Part = (choices) => {
  const topics = choices.below(5);
  const words = Array.from({ length: topics }, () => (choices.chance(0.7) ? push(choices.below(3)) : value(choices)));
  const data = push(choices.of([0, 32, 33])) + push(choices.of([0, 32]));
  return words.join('') + data + (0xa0 + topics).toString(16);
};

/** Unless the condition holds, the end is passed over. */
const end: Part = (choices, at) => {
  const ends = [
    OP.STOP,
    push(0) + push(0) + OP.REVERT,
    push(32) + push(0) + OP.REVERT,
    push(32) + push(0) + OP.RETURN,
    OP.INVALID,
    OP.CALLER + OP.SUICIDE,
    push(choices.below(20)) + OP.SUICIDE,
    OP.ADDRESS + OP.SUICIDE,
    // Less on the stack than the operation takes; a jump to no destination.
    OP.POP + OP.POP + OP.POP,
    push(1) + OP.JUMP,
  ];
  const chosen = choices.of(ends);
  const head = ARGUMENT + push(choices.of([3, 5, 9])) + OP.LT + pushPlace(0) + OP.JUMPI;
  const skip = at + bytesIn(head) + bytesIn(chosen);
  return head.replace(pushPlace(0) + OP.JUMPI, pushPlace(skip) + OP.JUMPI) + chosen + OP.JUMPDEST;
};

const SIMPLE: readonly Part[] = [
  (choices) => value(choices) + slot(choices) + OP.SSTORE,
  (choices) => push(0) + slot(choices) + OP.SSTORE,
  (choices) => value(choices) + slot(choices) + OP.TSTORE,
  (choices) => value(choices) + push(choices.of([0, 32, 64])) + OP.MSTORE,
  (choices, _, known) =>
    target(choices, known) + choices.of([OP.BALANCE, OP.EXTCODESIZE, OP.EXTCODEHASH]) + slot(choices) + OP.SSTORE,
  () => push(32) + push(32) + push(0) + OP.MCOPY,
  log,
  log,
];

/** Some parts, several times. The counter stays on the stack. */
const loop: Part = (choices, at, known) => {
  const head = push(1 + choices.below(12)) + OP.JUMPDEST;
  const body = partsOf(choices, at + bytesIn(head), known, SIMPLE, 1 + choices.below(3));
  const start = at + bytesIn(head) - 1;
  return head + body + push(1) + OP.SWAP1 + OP.SUB + OP.DUP1 + pushPlace(start) + OP.JUMPI + OP.POP;
};

const PARTS: readonly Part[] = [...SIMPLE, ...SIMPLE, loop, loop, call, call, call, call, create, end, end];

function partsOf(choices: Choices, at: number, known: readonly string[], parts: readonly Part[], count: number): Code {
  let code = '';
  for (let i = 0; i < count; i++) code += choices.of(parts)(choices, at + bytesIn(code), known);
  return code;
}

/** @param known contracts that it may call @returns the code that creates it */
export function programOf(choices: Choices, known: readonly string[]): Code {
  // At depth 0 it does nothing.
  const guard = DEPTH + pushPlace(0) + OP.JUMPI + OP.STOP + OP.JUMPDEST;
  const begin = bytesIn(guard) - 1;
  const head = guard.replace(pushPlace(0) + OP.JUMPI, pushPlace(begin) + OP.JUMPI);
  const runtime = head + partsOf(choices, bytesIn(head), known, PARTS, 3 + choices.below(8));
  const before = choices.chance(0.3) ? push(3) + push(choices.below(4)) + OP.SSTORE : '';
  return creationOf(runtime, before);
}

/** The data of a call. */
export function programCall(choices: Choices): string {
  const word = (number: number) => number.toString(16).padStart(64, '0');
  return word(1 + choices.below(3)) + word(choices.of([0, 1, 2, 3, 4, 6, 8, 10, 255]));
}
