/**
 * The compression of BLAKE2b as EIP-152 has it, with any number of rounds: no package offers it, since a hash has
 * twelve. Owns the working vector; the rounds are WebAssembly (`assembly/blake2f.ts`).
 */

import { Instance, Memory, Module } from '../../primitives/web-assembly.js';
import { BLAKE2F_MODULE } from './blake2f-module.js';

/** In the input: rounds, the state, the message, two counters, whether the block is the last. */
export const BLAKE2F_BYTES = 213;
const STATE_IN_INPUT = 4;
const STATE_BYTES = 64;
const MESSAGE_IN_INPUT = STATE_IN_INPUT + STATE_BYTES;
const MESSAGE_BYTES = 128;
const COUNTERS_IN_INPUT = MESSAGE_IN_INPUT + MESSAGE_BYTES;
const COUNTERS_BYTES = 16;
const LAST_IN_INPUT = BLAKE2F_BYTES - 1;

/** In the module's memory, as in `assembly/blake2f.ts`; the vector is the state and as many further words. */
const MESSAGE = 128;
const PERMUTATIONS = 256;
const CONSTANTS = STATE_BYTES;
/** Words of the vector's second half that the counters and the mark of the last block change. */
const COUNTERS = CONSTANTS + 4 * 8;
const LAST = CONSTANTS + 6 * 8;

/** RFC 7693, section 2.6: of SHA-512, little-endian. */
const INITIAL = Buffer.from(
  '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
    'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b',
  'hex',
);
/** RFC 7693, section 2.7: the words of the message in the order of each round, a hexadecimal digit each. */
const ORDERS = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
];

interface Rounds {
  rounds(from: number, end: number): void;
}

/** V8 optimises a function when it is called again: long compressions are done in parts. */
const ROUNDS_AT_ONCE = 4096;

class Blake2f {
  readonly #rounds: Rounds['rounds'];
  readonly #memory: Uint8Array;

  constructor() {
    const memory = new Memory({ initial: 1 });
    const { exports } = new Instance(new Module(Buffer.from(BLAKE2F_MODULE, 'base64')), { env: { memory } });
    this.#rounds = (exports as Rounds).rounds;
    this.#memory = new Uint8Array(memory.buffer);
    const offsets = ORDERS.flatMap((order) => [...order].map((digit) => 8 * Number.parseInt(digit, 16)));
    this.#memory.set(offsets, PERMUTATIONS);
  }

  /** @param input of {@link BLAKE2F_BYTES}, its last byte 0 or 1 */
  compress(input: Uint8Array, rounds: number): Uint8Array {
    const memory = this.#memory;
    const state = input.subarray(STATE_IN_INPUT, MESSAGE_IN_INPUT);
    memory.set(state, 0);
    memory.set(INITIAL, CONSTANTS);
    memory.set(input.subarray(MESSAGE_IN_INPUT, COUNTERS_IN_INPUT), MESSAGE);
    for (let i = 0; i < COUNTERS_BYTES; i++) {
      memory[COUNTERS + i] = (memory[COUNTERS + i] as number) ^ (input[COUNTERS_IN_INPUT + i] as number);
    }
    if (input[LAST_IN_INPUT] === 1) for (let i = LAST; i < LAST + 8; i++) memory[i] = ~(memory[i] as number);
    for (let from = 0; from < rounds; from += ROUNDS_AT_ONCE) {
      this.#rounds(from, Math.min(from + ROUNDS_AT_ONCE, rounds));
    }
    const output = new Uint8Array(STATE_BYTES);
    for (let i = 0; i < STATE_BYTES; i++) {
      output[i] = (state[i] as number) ^ (memory[i] as number) ^ (memory[CONSTANTS + i] as number);
    }
    return output;
  }
}

/** Shared by all chains: nothing of a compression stays. */
let loaded: Blake2f | undefined;

/** Compiled with the first call. */
export function blake2f(): Blake2f {
  loaded ??= new Blake2f();
  return loaded;
}
