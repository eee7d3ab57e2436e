/**
 * Finds artifacts by code on the chain. The comparison ignores what a deployment writes into the code (values of
 * immutable variables, addresses of libraries, a library's own address) and the metadata at the end, which changes
 * with every comment of the source.
 */

import { hexToBytes } from '../primitives/hex.js';
import type { CompiledCode, Range } from './artifact.js';

interface Entry<Of> {
  readonly of: Of;
  readonly code: Uint8Array;
  readonly metadata: Uint8Array;
  readonly unknown: readonly Range[];
}

export class CodeIndex<Of> {
  /** By the length of the code without metadata. */
  readonly #byLength = new Map<number, Entry<Of>[]>();

  /** Artifacts without code (interfaces, abstract contracts) are skipped. */
  add({ object, links, immutables }: CompiledCode, of: Of): void {
    const whole = hexToBytes(object);
    if (whole.length === 0) return;
    const code = whole.subarray(0, lengthWithoutMetadata(whole));
    const metadata = whole.subarray(code.length);
    const unknown = [...links, ...(immutables ?? zeroWords(code)), ...ownAddress(code)];
    const entries = this.#byLength.get(code.length);
    if (entries === undefined) this.#byLength.set(code.length, [{ of, code, metadata, unknown }]);
    else entries.push({ of, code, metadata, unknown });
  }

  /**
   * The first added artifact that fits; one with the same metadata before others. Different sources may have the same
   * code: contracts without functions, or with other names of variables.
   */
  find(code: Uint8Array): Of | undefined {
    const length = lengthWithoutMetadata(code);
    const metadata = code.subarray(length);
    const fitting = (this.#byLength.get(length) ?? []).filter((entry) => fits(entry, code));
    return (fitting.find((entry) => Buffer.compare(entry.metadata, metadata) === 0) ?? fitting[0])?.of;
  }

  /** The longest code that is a prefix: the constructor's arguments follow creation code. */
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
  // Differing bytes must be at ignored positions.
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

/**
 * If the tool omits the positions, a pushed word of zeros counts as an immutable value; source code never pushes one.
 */
function zeroWords(code: Uint8Array): readonly Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at + WORD_BYTES < code.length; at++) {
    if (code[at] !== PUSH32 || !isZero(code, at + 1, WORD_BYTES)) continue;
    ranges.push({ start: at + 1, length: WORD_BYTES });
    at += WORD_BYTES;
  }
  return ranges;
}

/** A library's code starts with its own address, to detect direct calls. */
function ownAddress(code: Uint8Array): readonly Range[] {
  return code[0] === PUSH20 && isZero(code, 1, ADDRESS_BYTES) ? [{ start: 1, length: ADDRESS_BYTES }] : [];
}

function isZero(code: Uint8Array, start: number, length: number): boolean {
  return code.subarray(start, start + length).every((byte) => byte === 0);
}

const LENGTH_BYTES = 2;
/** CBOR: a map of one to four members, the first with a key of four to eight letters (`ipfs`, `bzzr0`, `solc`). */
const isMap = (byte: number | undefined) => byte !== undefined && byte >= 0xa1 && byte <= 0xa4;
const isShortText = (byte: number | undefined) => byte !== undefined && byte >= 0x64 && byte <= 0x6c;

/** The last two bytes of the metadata are its length. */
function lengthWithoutMetadata(code: Uint8Array): number {
  const { length } = code;
  if (length < LENGTH_BYTES) return length;
  const metadata = ((code[length - 2] as number) << 8) | (code[length - 1] as number);
  const start = length - LENGTH_BYTES - metadata;
  return start >= 0 && isMap(code[start]) && isShortText(code[start + 1]) ? start : length;
}
