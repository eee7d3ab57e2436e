/**
 * Sources as a reader sees them: whole files, and for one call the functions that it ran with the Energy of their lines.
 * Positions refer to files by number, so that a file is there once.
 */

import type { Declaration } from '../../artifacts/declarations.js';
import type { SourceText } from '../../artifacts/source-text.js';
import type { FileLines } from './source-spending.js';

export interface SourceFileText {
  /** The compiler's path: `contracts/Token.sol`. */
  readonly path: string;
  readonly text: string;
}

/** The part of the sources that one call ran, without the calls below it. */
export interface CallSource {
  /** The entered function first. */
  readonly functions: readonly SourceFunction[];
  readonly lines: readonly CallLine[];
}

export interface SourceFunction {
  /** `Token.transfer` */
  readonly name: string;
  /** Index into `files`. */
  readonly file: number;
  /** From 1. */
  readonly line: number;
  readonly endLine: number;
}

export interface CallLine {
  /** Index into `files`. */
  readonly file: number;
  readonly line: number;
  readonly energy: bigint;
  readonly penalty: bigint;
}

/** Numbers the files that are met. */
export class NumberedFiles {
  readonly #files = new Map<SourceText, { readonly number: number; readonly path: string }>();

  numberOf(source: SourceText, path: string): number {
    const known = this.#files.get(source);
    if (known !== undefined) return known.number;
    const number = this.#files.size;
    this.#files.set(source, { number, path });
    return number;
  }

  get texts(): readonly SourceFileText[] {
    return [...this.#files].map(([source, { path }]) => ({ path, text: source.whole }));
  }
}

/** @returns undefined if none of its code has a line */
export function callSource(spent: FileLines, files: NumberedFiles): CallSource | undefined {
  if (spent.size === 0) return undefined;
  const parts = [...spent].map(([source, { path, lines, functions }]) => {
    const file = files.numberOf(source, path);
    return {
      functions: [...functions].map((declaration) => functionOf(declaration, source, file)),
      lines: [...lines]
        .sort(([a], [b]) => a - b)
        .map(([line, { energy, penalty }]) => ({ file, line, energy: BigInt(energy), penalty: BigInt(penalty) })),
    };
  });
  return {
    functions: parts.flatMap(({ functions }) => functions),
    lines: parts.flatMap(({ lines }) => lines),
  };
}

function functionOf({ name, contract, start, end }: Declaration, source: SourceText, file: number): SourceFunction {
  return {
    name: contract === undefined ? name : `${contract}.${name}`,
    file,
    line: source.positionAt(start).line,
    endLine: source.positionAt(Math.max(start, end - 1)).line,
  };
}
