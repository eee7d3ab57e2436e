/**
 * solc's source maps (https://docs.soliditylang.org/en/latest/internals/source_mappings.html): for each instruction
 * its source range, and whether a jump enters or leaves a function. Keyed by offset in the code, the machine's program
 * counter.
 */

/** Whether a jump enters a function, returns from one, or neither. */
export type Jump = 'in' | 'out' | 'none';

/** Byte offset in the source. */
export interface MappedRange {
  readonly start: number;
  readonly length: number;
  /** Number of the source; negative for generated code. */
  readonly file: number;
}

const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Offsets of instructions in order; the data bytes of a PUSH are none. */
function* instructions(code: Uint8Array): Iterable<number> {
  for (let pc = 0; pc < code.length; pc++) {
    yield pc;
    const opcode = code[pc] as number;
    if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1;
  }
}

/** Negative if it is not a number: no position. */
function placeIn(digits: string): number {
  return /^\d{1,15}$/.test(digits) ? Number(digits) : -1;
}

export class SourceMap {
  /** Instruction index by offset in the code; -1 if no instruction starts there or the map ends before. */
  readonly #ranges: readonly MappedRange[];
  readonly #jumps: readonly Jump[];
  readonly #instructionAt: Int32Array;

  /**
   * @param text compressed: `75:100:0:-:0;;…`; an empty field repeats the previous one
   * @param code of the map; data after the last instruction has no entry
   */
  constructor(text: string, code: Uint8Array) {
    const ranges: MappedRange[] = [];
    const jumps: Jump[] = [];
    let range: MappedRange = { start: 0, length: 0, file: -1 };
    let jump: Jump = 'none';
    this.#instructionAt = new Int32Array(code.length).fill(-1);
    // Entries are read one by one: a malicious map may have millions of extra entries.
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

  /** Numbers of the sources in the map. */
  get files(): ReadonlySet<number> {
    return new Set(this.#ranges.map(({ file }) => file).filter((file) => file >= 0));
  }

  /** The same object for all instructions with the same range. */
  rangeAt(pc: number): MappedRange | undefined {
    return this.#ranges[this.#instructionAt[pc] ?? -1];
  }

  jumpAt(pc: number): Jump {
    return this.#jumps[this.#instructionAt[pc] ?? -1] ?? 'none';
  }
}
