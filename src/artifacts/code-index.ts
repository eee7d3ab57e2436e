/**
 * Artifacts by the code on the chain. What a deployment writes into the code is left out of the comparison: values of
 * immutable variables, addresses of libraries, a library's own address; and so is the metadata behind it, which changes
 * with every comment of the source.
 */

import { hexToBytes } from '../primitives/hex.js';
import type { CompiledCode, Range } from './artifact.js';

interface Entry<Of> {
  readonly of: Of;
  readonly code: Uint8Array;
  readonly unknown: readonly Range[];
}

export class CodeIndex<Of> {
  /** By the length of the code without metadata. */
  readonly #byLength = new Map<number, Entry<Of>[]>();

  /** What has no code (interfaces, abstract contracts) is passed over. */
  add({ object, links, immutables }: CompiledCode, of: Of): void {
    const whole = hexToBytes(object);
    if (whole.length === 0) return;
    const code = whole.subarray(0, lengthWithoutMetadata(whole));
    const unknown = [...links, ...(immutables ?? zeroWords(code)), ...ownAddress(code)];
    const entries = this.#byLength.get(code.length);
    if (entries === undefined) this.#byLength.set(code.length, [{ of, code, unknown }]);
    else entries.push({ of, code, unknown });
  }

  /** What was added first, of what fits. */
  find(code: Uint8Array): Of | undefined {
    const length = lengthWithoutMetadata(code);
    return this.#byLength.get(length)?.find((entry) => fits(entry, code))?.of;
  }

  /** The longest that a code begins with: behind init code stand the arguments of the constructor. */
  findBeginning(code: Uint8Array): Of | undefined {
    const lengths = [...this.#byLength.keys()].filter((length) => length <= code.length).sort((a, b) => b - a);
    for (const length of lengths) {
      const found = this.#byLength.get(length)?.find((entry) => fits(entry, code));
      if (found !== undefined) return found.of;
    }
    return undefined;
  }
}

function fits({ code, unknown }: Entry<unknown>, given: Uint8Array): boolean {
  // Where bytes differ, they have to be some that are not known; the known ones are compared as one.
  for (let at = 0; at < code.length; at++) {
    if (code[at] === given[at]) continue;
    const range = unknown.find(({ start, length }) => at >= start && at < start + length);
    if (range === undefined) return false;
    at = range.start + range.length - 1;
  }
  return true;
}

const PUSH20 = 0x73;
const PUSH32 = 0x7f;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;

/** Where the tool does not say, an immutable value is taken to be where a word of zeros is pushed: nobody writes one. */
function zeroWords(code: Uint8Array): readonly Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at + WORD_BYTES < code.length; at++) {
    if (code[at] !== PUSH32 || !isZero(code, at + 1, WORD_BYTES)) continue;
    ranges.push({ start: at + 1, length: WORD_BYTES });
    at += WORD_BYTES;
  }
  return ranges;
}

/** The code of a library begins with its own address, so that it can tell whether it was called directly. */
function ownAddress(code: Uint8Array): readonly Range[] {
  return code[0] === PUSH20 && isZero(code, 1, ADDRESS_BYTES) ? [{ start: 1, length: ADDRESS_BYTES }] : [];
}

function isZero(code: Uint8Array, start: number, length: number): boolean {
  return code.subarray(start, start + length).every((byte) => byte === 0);
}

const LENGTH_BYTES = 2;
/** CBOR: a map of one to four members, the first of which is named by four to eight letters (`ipfs`, `bzzr0`, `solc`). */
const isMap = (byte: number | undefined) => byte !== undefined && byte >= 0xa1 && byte <= 0xa4;
const isShortText = (byte: number | undefined) => byte !== undefined && byte >= 0x64 && byte <= 0x6c;

/** What the compiler appends says in its last two bytes how long it is. */
function lengthWithoutMetadata(code: Uint8Array): number {
  const { length } = code;
  if (length < LENGTH_BYTES) return length;
  const metadata = ((code[length - 2] as number) << 8) | (code[length - 1] as number);
  const start = length - LENGTH_BYTES - metadata;
  return start >= 0 && isMap(code[start]) && isShortText(code[start + 1]) ? start : length;
}
