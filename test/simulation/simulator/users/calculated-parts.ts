/**
 * What the parts of a calculation share: words and places at borders, and parts that end badly: creations that revert or
 * fail, and what a static call must not do.
 */

import type { Choices } from '../../wild-messages.js';
import type { Code } from './assembler.js';
import type { ModelledProgram } from './modelled-program.js';
import type { Known } from './precompiled.js';

/** Words at the borders of the arithmetic. */
const EDGES = [0n, 1n, 2n, 7n, 30n, 31n, 32n, 127n, 255n, 256n, 257n].flatMap((n) => [n, (1n << 256n) - 1n - n]);
export const anyWord = (choices: Choices): bigint =>
  choices.of([
    () => choices.of(EDGES),
    () => choices.of(EDGES),
    () => 1n << BigInt(choices.below(256)),
    () => (1n << BigInt(choices.below(256))) - 1n,
    () => BigInt(`0x${choices.hex(1 + choices.below(32))}`),
  ])();

/** Few, and two that a row of the disk does not tell apart. */
export const SLOTS = [0n, 1n, 2n, (1n << 128n) + 1n, (1n << 256n) - 1n];
/** The first word of memory stays zero: code must not begin with 0xef. */
export const MEMORY_FROM = 32;
const MEMORY_PLACES = 600;
export const MOST_ON_STACK = 30;
export const DEEPEST = 2;

export interface Writing {
  readonly program: ModelledProgram;
  readonly known: Known;
  readonly on: (parameter: string) => boolean;
  readonly depth: number;
  readonly isStatic: boolean;
}

export type Part = (writing: Writing) => void;

export const place = (choices: Choices): number => MEMORY_FROM + choices.below(MEMORY_PLACES);
export const length = (choices: Choices): number => choices.of([0, 1, 31, 32, 33, 64, 100]);

export function need({ program, known: { choices } }: Writing, words: number): void {
  while (program.stack.length < words) program.push(anyWord(choices), choices.of([0, 0, 32]));
}

/** A creation whose code reverts or fails. It may be handed all Energy: what is left then depends on the contract's version. */
export const failedCreation: Part = (writing) => {
  const { program, known, depth } = writing;
  const { choices } = known;
  const salt = choices.chance(0.5) ? BigInt(choices.below(4)) : undefined;
  const keeps = program.keepsOfAll;
  if (keeps !== undefined && depth === 0 && choices.chance(0.3))
    return program.createInVain('fe', place(choices), salt);
  const size = choices.of([0, 1, 32, 33, 70]);
  // Zeros: not all data may be given back.
  program.createReverting(size, place(choices), salt);
};

/** A creation whose address nobody reads. What calls before it have returned is seen after it. */
export const creation: Part = ({ program, known: { choices } }) => {
  program.create('5f5ff3', place(choices), choices.chance(0.7) ? BigInt(`0x${choices.hex(8)}`) : undefined);
  program.pop();
  program.returnDataSize();
};

/** Steps that change something: code, after which nothing else runs. Values are there. */
const FORBIDDEN: readonly Code[] = [
  ...['5f5f55', '5f5f5d', '5f5fa0', '5f5f5fa1', '5f5f5f5f5f5fa4', '5f5f5ff0', '5f5f5f5ff5', '5fff'],
  // CALL and CALLTOKEN with a value.
  ...['5f5f5f5f600160995af1', '5f5f5f5f620f4241600160995ad0'],
  ...['5f5f5f5fd8', 'd9', '5f5fda', '5f5fdb', 'dc', 'dd', '5f5f5fde', '5f5f5fdf'],
];

export const forbiddenInStatic = ({ known: { choices } }: Writing): Code => choices.of(FORBIDDEN);
