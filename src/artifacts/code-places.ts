/** Where the instructions of one compiled contract come from: files, lines, functions. */

import type { Declaration } from './declarations.js';
import type { Jump, MappedRange, SourceMap } from './source-map.js';
import type { SourceText } from './source-text.js';

export interface Place {
  /** As the compiler knew the file: `contracts/Token.sol`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The innermost function, modifier or contract around it. */
  readonly within: Declaration | undefined;
  readonly source: SourceText;
}

/** Why an instruction has no line. */
export type Unplaced =
  /** The compiler made it for no part of a source. */
  | { readonly why: 'generated'; readonly path?: undefined }
  /** It belongs to a contract as a whole: finding the function that is called, and more where code is made by way of Yul. */
  | { readonly why: 'contract'; readonly place: Place; readonly path?: undefined }
  /** The source is not at hand, is another one than was compiled, or cannot be told from others. */
  | { readonly why: 'no-source'; readonly path: string };

const GENERATED: Unplaced = { why: 'generated' };

export interface FileOfMap {
  readonly path: string;
  /** Absent where it is not at hand. */
  readonly text?: SourceText;
}

export class CodePlaces {
  readonly #places = new Map<MappedRange, Place | Unplaced>();

  constructor(
    readonly contract: string,
    private readonly map: SourceMap,
    /** By the numbers of the map; undefined for sources that the compiler made itself. */
    private readonly fileOf: (number: number) => FileOfMap | undefined,
  ) {}

  at(pc: number): Place | Unplaced {
    const range = this.map.rangeAt(pc);
    if (range === undefined) return GENERATED;
    let place = this.#places.get(range);
    if (place === undefined) {
      place = this.#placeOf(range);
      this.#places.set(range, place);
    }
    return place;
  }

  jumpAt(pc: number): Jump {
    return this.map.jumpAt(pc);
  }

  #placeOf({ start, length, file: number }: MappedRange): Place | Unplaced {
    const file = number < 0 ? undefined : this.fileOf(number);
    if (file === undefined) return GENERATED;
    const { path, text } = file;
    if (text === undefined || start < 0 || length < 0 || start + length > text.length)
      return { why: 'no-source', path };
    const within = text.declarationAt(start);
    const place = { path, ...text.positionAt(start), within, source: text };
    return within?.kind === 'contract' && within.start === start ? { why: 'contract', place } : place;
  }
}
