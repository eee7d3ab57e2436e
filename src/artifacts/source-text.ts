/** A source as bytes, as the compiler read it, with the lines and columns of editors and the declared functions. */

import { type Declaration, declarationsOf } from './declarations.js';

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units as editors count them. */
  readonly column: number;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export class SourceText {
  /** Byte offsets of line starts. */
  readonly #lines: readonly number[];
  #declarations: readonly Declaration[] | undefined;

  constructor(private readonly bytes: Uint8Array) {
    const lines = [0];
    for (let at = 0; at < bytes.length; at++) {
      // \r\n ends one line.
      if (bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] !== NEWLINE)) lines.push(at + 1);
    }
    this.#lines = lines;
  }

  get length(): number {
    return this.bytes.length;
  }

  /** The original text. */
  get whole(): string {
    return this.#text(0, this.bytes.length);
  }

  /** @param at byte offset */
  positionAt(at: number): Position {
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: this.#text(this.#lines[low] as number, at).length + 1 };
  }

  /** Without its line end; empty beyond the last line. @param line from 1 */
  lineText(line: number): string {
    const start = this.#lines[line - 1];
    if (start === undefined) return '';
    return this.#text(start, this.#lines[line] ?? this.bytes.length).replace(/\r?\n$|\r$/, '');
  }

  /** The innermost declaration at an offset; undefined outside of all. */
  declarationAt(at: number): Declaration | undefined {
    this.#declarations ??= declarationsOf(this.bytes);
    let found: Declaration | undefined;
    for (const declaration of this.#declarations) {
      if (declaration.start > at) break;
      if (at < declaration.end) found = declaration;
    }
    return found;
  }

  #text(start: number, end: number): string {
    return Buffer.from(this.bytes.subarray(start, end)).toString('utf8');
  }
}
