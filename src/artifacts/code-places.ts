/** Maps the instructions of a compiled contract to files, lines and functions. */

import type { Declaration } from './declarations.js';
import type { Jump, MappedRange, SourceMap } from './source-map.js';
import type { SourceText } from './source-text.js';

export interface Place {
  /** The compiler's spelling of the file: `contracts/Token.sol`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The innermost enclosing function, modifier or contract. */
  readonly within: Declaration | undefined;
  readonly source: SourceText;
}

/** Why an instruction has no line. */
export type Unplaced =
  /** The compiler added it. */
  | { readonly why: 'generated'; readonly path?: undefined }
  /** It belongs to the contract as a whole: the function dispatcher, and more if code is generated through Yul. */
  | { readonly why: 'contract'; readonly place: Place; readonly path?: undefined }
  /** The source is missing, differs from the compiled one, or is ambiguous. */
  | { readonly why: 'no-source'; readonly path: string };

const GENERATED: Unplaced = { why: 'generated' };

export interface FileOfMap {
  readonly path: string;
  /** Absent if the source is missing. */
  readonly text?: SourceText;
}

export class CodePlaces {
  readonly #places = new Map<MappedRange, Place | Unplaced>();

  constructor(
    readonly contract: string,
    private readonly map: SourceMap,
    /** By the numbers of the map; undefined for sources that the compiler generated. */
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
