/**
 * What the lines of a chain file say, one after the other, also those of former formats (docs/reference/chain-files.md).
 * An unreadable line is refused at once. Keeps only the broadcasts since the last block.
 */

import type { Beginning } from '../ledger/genesis/genesis-text.js';
import { notLoadable } from '../node/steps/saved-chain.js';
import type { InitialOptions } from '../node/storage/open-chain.js';
import type { Hex } from '../primitives/hex.js';
import type { BlockId } from '../primitives/ids.js';
import { genesisIdOf, readBeginning } from './beginning.js';
import { formerForm, type Translate } from './former-forms.js';
import type { GoBack } from './rollbacks.js';
import type { FileRow } from './rows.js';
import {
  ChainFileError,
  DamagedLine,
  headIn,
  jsonIn,
  kindOf,
  LINES,
  type LineKind,
  type Members,
  shaped,
} from './shapes.js';
import type { StepLine } from './step-of-line.js';

/** The first line. */
export interface Head {
  readonly genesis: BlockId;
  readonly beginning: Beginning;
  readonly about: string | undefined;
  readonly stated: InitialOptions | undefined;
  /** Whether the file must end with a line `end`. */
  readonly ends: boolean;
}

/** For each line that says something. */
export interface LineReceiver {
  readonly head?: (head: Head) => void;
  /** @param blocks the number of its blocks; 0: an operation */
  readonly step?: (line: StepLine, blocks: number) => void;
  readonly row?: (row: FileRow) => void;
  readonly broadcast?: (transaction: Hex) => void;
  readonly goBack?: (place: GoBack) => void;
  readonly end?: (end: Members<'end'>) => void;
}

export const NO_CHAIN_FILE = 'it is not a chain file';

export class FileLines {
  #translate: Translate | undefined;
  #hasHead = false;
  #hasEnd = false;
  /** Lines of the file so far. */
  #lines = 0;
  /** Broadcast since the last block, not yet in one. */
  #announced: Hex[] = [];

  /** @param onLine receives each line in the current format */
  constructor(
    private readonly to: LineReceiver,
    private readonly onLine: (line: string) => void = () => {},
  ) {}

  get announced(): readonly Hex[] {
    return this.#announced;
  }

  /** @throws OperationError if it is not a chain file, or one that this version cannot apply */
  add(line: string): void {
    if (++this.#lines === 1) this.#translate = formerForm(line);
    const problem = this.#hasHead ? `line ${this.#lines} is damaged` : NO_CHAIN_FILE;
    readPart(problem, () => {
      for (const today of this.#translate?.(line) ?? (line === '' ? [] : [line])) {
        this.#add(today);
        this.onLine(today);
      }
    });
  }

  #add(text: string): void {
    const line = jsonIn(text);
    if (!this.#hasHead) {
      const head = readHead(line);
      this.#hasHead = true;
      this.to.head?.(head);
      return;
    }
    if (this.#hasEnd) throw new DamagedLine('nothing may follow the line end');
    const [kind, members] = kindOf(line);
    EFFECTS_OF_LINES[kind](this.#effects, shaped(LINES[kind], members) as never);
  }

  /** The effects that a line can have. */
  readonly #effects: LineEffects = {
    step: (line, blocks) => {
      this.to.step?.(line, blocks);
      if (blocks > 0) this.#announced = [];
    },
    row: (row) => this.to.row?.(row),
    broadcast: (transaction) => {
      this.to.broadcast?.(transaction);
      this.#announced.push(transaction);
    },
    drop: (transaction) => {
      this.#announced = this.#announced.filter((one) => one !== transaction);
    },
    announced: () => this.#announced,
    goBack: (place) => {
      this.#announced = [];
      this.to.goBack?.(place);
    },
    end: (end) => {
      this.to.end?.(end);
      this.#hasEnd = true;
    },
  };
}

function readHead(line: unknown): Head {
  const { genesis, begun, about, stated, ends = false } = headIn(line);
  const beginning: Beginning = readBeginning(begun);
  const id = genesisIdOf(beginning);
  if (genesis !== undefined && id !== genesis)
    throw new ChainFileError(`its initial settings give the genesis block ${id}, but its first line names ${genesis}`);
  return { genesis: id, beginning, about, stated: stated as InitialOptions | undefined, ends };
}

interface LineEffects {
  readonly step: (line: StepLine, blocks: number) => void;
  readonly row: (row: FileRow) => void;
  readonly broadcast: (transaction: Hex) => void;
  readonly drop: (transaction: Hex) => void;
  readonly announced: () => readonly Hex[];
  readonly goBack: (place: GoBack) => void;
  readonly end: (end: Members<'end'>) => void;
}

const EFFECTS_OF_LINES: {
  readonly [Kind in LineKind]: (to: LineEffects, members: Members<Kind>) => void;
} = {
  networkRow: (to, row) => to.row(row as unknown as FileRow),
  broadcast: (to, transaction) => to.broadcast(transaction),
  refused: () => {},
  dropped: (to, { transaction }) => to.drop(transaction),
  import: (to, block) => to.step(checked({ import: block }), 1),
  produce: (to, { transactions = [...to.announced()], ...production }) =>
    to.step(checked({ produce: { ...production, transactions } }), 1),
  produceEmpty: (to, run) => to.step(checked({ produceEmpty: run }), run.blocks),
  operation: (to, operation) => to.step({ operation }, 0),
  goBack: (to, place) => to.goBack(place as GoBack),
  digest: () => {},
  end: (to, end) => to.end(end),
};

/** The schema has checked the form of ids. */
function checked(line: object): StepLine {
  return line as StepLine;
}

/** @throws OperationError */
export function readPart<Part>(problem: string, read: () => Part): Part {
  try {
    return read();
  } catch (error) {
    if (error instanceof ChainFileError) throw notLoadable(error.message);
    // Decoders of bytes and of the initial settings report only a position in their code.
    throw notLoadable(error instanceof DamagedLine ? `${problem} (${error.message})` : problem);
  }
}
