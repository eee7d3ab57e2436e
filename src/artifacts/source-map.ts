/**
 * solc's source maps (https://docs.soliditylang.org/en/latest/internals/source_mappings.html): for each instruction the
 * part of a source that it was made for, and whether a jump goes into a function or out of one. By places in the code,
 * because that is what a machine knows of an instruction.
 */

/** Whether a jump enters a function, returns from one, or does neither. */
export type Jump = 'in' | 'out' | 'none';

/** In bytes of a source. */
export interface MappedRange {
  readonly start: number;
  readonly length: number;
  /** The number of the source; negative for code that belongs to none. */
  readonly file: number;
}

const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Instructions of the code in order, each by where it begins: the bytes that a PUSH takes along are none. */
function* instructions(code: Uint8Array): Iterable<number> {
  for (let pc = 0; pc < code.length; pc++) {
    yield pc;
    const opcode = code[pc] as number;
    if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1;
  }
}

/** Negative for what is no number of a compiler's: it is nowhere. */
function placeIn(digits: string): number {
  return /^\d{1,15}$/.test(digits) ? Number(digits) : -1;
}

export class SourceMap {
  /** By instruction; `#instructionAt` by place in the code, -1 where none begins or the map says nothing. */
  readonly #ranges: readonly MappedRange[];
  readonly #jumps: readonly Jump[];
  readonly #instructionAt: Int32Array;

  /**
   * @param text compressed, as compilers write it: `75:100:0:-:0;;…`; what a field leaves out is that of the one before
   * @param code whose map it is; data behind the last instruction has no place in it
   */
  constructor(text: string, code: Uint8Array) {
    const ranges: MappedRange[] = [];
    const jumps: Jump[] = [];
    let range: MappedRange = { start: 0, length: 0, file: -1 };
    let jump: Jump = 'none';
    this.#instructionAt = new Int32Array(code.length).fill(-1);
    // An entry for each instruction, read one by one: a map may have millions of entries more than there are.
    let from = 0;
    for (const pc of instructions(code)) {
      if (from > text.length) break;
      const semicolon = text.indexOf(';', from);
      const end = semicolon < 0 ? text.length : semicolon;
      const [start = '', length = '', file = '', mark = ''] = text.slice(from, end).split(':', 4);
      from = end + 1;
      if (start !== '' || length !== '' || file !== '') {
        range = {
          start: start === '' ? range.start : placeIn(start),
          length: length === '' ? range.length : placeIn(length),
          file: file === '' ? range.file : placeIn(file),
        };
      }
      if (mark !== '') jump = mark === 'i' ? 'in' : mark === 'o' ? 'out' : 'none';
      this.#instructionAt[pc] = ranges.push(range) - 1;
      jumps.push(jump);
    }
    this.#ranges = ranges;
    this.#jumps = jumps;
  }

  /** The numbers of the sources that it names. */
  get files(): ReadonlySet<number> {
    return new Set(this.#ranges.map(({ file }) => file).filter((file) => file >= 0));
  }

  /** The same object for all instructions that the map gives one range. */
  rangeAt(pc: number): MappedRange | undefined {
    return this.#ranges[this.#instructionAt[pc] ?? -1];
  }

  jumpAt(pc: number): Jump {
    return this.#jumps[this.#instructionAt[pc] ?? -1] ?? 'none';
  }
}
