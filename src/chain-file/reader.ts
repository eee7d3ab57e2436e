/**
 * Reads a chain file line by line (docs/reference/chain-files.md), for loading. Lines about refusals are used by a
 * replay only. An unreadable line is refused at once.
 */

import type { Beginning } from '../ledger/genesis/genesis-text.js';
import { notLoadable, type SavedChain } from '../node/steps/saved-chain.js';
import type { Steps } from '../node/steps/steps.js';
import type { InitialOptions } from '../node/storage/open-chain.js';
import type { Hex } from '../primitives/hex.js';
import type { BlockId } from '../primitives/ids.js';
import type { FetchedRow } from '../state/remote-rows.js';
import { genesisIdOf, readBeginning } from './beginning.js';
import { formerForm, type Translate } from './former-forms.js';
import { RemainingSteps } from './remaining-steps.js';
import { type FileRow, rowIn } from './rows.js';
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
import { queuedIn, stepOf, transactionIn } from './step-of-line.js';

/** More steps than the longest possible file has. */
const MAX_STEPS = 2_000_000;

export interface ChainFile extends SavedChain {
  readonly about: string | undefined;
  readonly stated: InitialOptions | undefined;
}

interface Head extends Pick<ChainFile, 'genesis' | 'beginning' | 'about' | 'stated'> {
  /** Whether the file must end with a line `end`. */
  readonly ends: boolean;
}

export class ChainFileReader {
  #translate: Translate | undefined;
  #head: Head | undefined;
  #steps = new RemainingSteps(0);
  /** Lines of the file so far. */
  #lines = 0;
  #stepLines = 0;
  readonly #rows: FetchedRow[] = [];
  /** Broadcast since the last block, not yet in one. */
  #announced: Hex[] = [];
  #end: Members<'end'> | undefined;

  /** @param onLine receives each line in the current format */
  constructor(private readonly onLine: (line: string) => void = () => {}) {}

  /** @throws OperationError if it is not a chain file, or one that this version cannot apply */
  add(line: string): void {
    if (++this.#lines === 1) this.#translate = formerForm(line);
    const problem = this.#head === undefined ? NO_CHAIN_FILE : `line ${this.#lines} is damaged`;
    readPart(problem, () => {
      for (const today of this.#translate?.(line) ?? (line === '' ? [] : [line])) {
        this.#add(today);
        this.onLine(today);
      }
    });
  }

  #add(text: string): void {
    const line = jsonIn(text);
    if (this.#head === undefined) {
      this.#head = readHead(line);
      this.#steps = new RemainingSteps(this.#head.beginning.genesis.fork?.number ?? 0);
      return;
    }
    if (this.#end !== undefined) throw new DamagedLine('nothing may follow the line end');
    const [kind, members] = kindOf(line);
    EFFECTS_OF_LINES[kind](this.#effects, shaped(LINES[kind], members) as never, text);
  }

  /** The effects that a line can have. */
  readonly #effects: LineEffects = {
    step: (text, blocks) => {
      if (++this.#stepLines > MAX_STEPS) throw new DamagedLine(`a file may have ${MAX_STEPS} steps`);
      // Refuses now a line that cannot be applied.
      stepOf(JSON.parse(text), 0);
      this.#steps.add(text, blocks);
      if (blocks > 0) this.#announced = [];
    },
    row: (row) => this.#rows.push(row),
    announce: (transaction) => this.#announced.push(transaction),
    drop: (transaction) => {
      this.#announced = this.#announced.filter((one) => one !== transaction);
    },
    announced: () => this.#announced,
    goBack: ({ block, operations, id }) => {
      this.#announced = [];
      if (!this.#steps.rollBackTo(block, operations, id as BlockId | undefined))
        throw new DamagedLine(`there is no block ${block} with ${operations} operations after it`);
    },
    end: (end) => {
      if (end.steps !== this.#stepLines)
        throw new DamagedLine(`${end.steps} steps belong to the file, there are ${this.#stepLines}`);
      if (end.rows !== this.#rows.length)
        throw new DamagedLine(`${end.rows} rows of its network belong to the file, there are ${this.#rows.length}`);
      if (end.head.number !== this.#steps.at) throw new DamagedLine('the steps do not lead to its head');
      this.#end = end;
    },
  };

  /** @throws OperationError if the end of the file is missing */
  done(): ChainFile {
    if (this.#head === undefined) throw notLoadable(NO_CHAIN_FILE);
    const { ends, ...head } = this.#head;
    if (ends && this.#end === undefined) throw notLoadable('its last line is missing');
    const beginsAt = head.beginning.genesis.fork?.number ?? 0;
    const pending = readPart('its last line is damaged', () =>
      (this.#end?.pending ?? this.#announced).map(transactionIn),
    );
    const queued = readPart('its last line is damaged', () => (this.#end?.queued ?? []).map(queuedIn));
    const steps = stepsOf(this.#steps, beginsAt);
    return { ...head, fetched: this.#rows, steps, end: endOf(this.#end), pending, queued };
  }
}

const NO_CHAIN_FILE = 'it is not a chain file';

function readHead(line: unknown): Head {
  const { genesis, begun, about, stated, ends = false } = headIn(line);
  const beginning: Beginning = readBeginning(begun);
  const id = genesisIdOf(beginning);
  if (genesis !== undefined && id !== genesis)
    throw new ChainFileError(`its initial settings give the genesis block ${id}, but its first line names ${genesis}`);
  return { genesis: id, beginning, about, stated: stated as InitialOptions | undefined, ends };
}

function endOf(end: Members<'end'> | undefined): SavedChain['end'] {
  if (end === undefined) return undefined;
  const { nowMs, offsetMs } = end.clock;
  return { solidity: end.solidity, clock: { nowMs, ...(offsetMs !== undefined && { offsetMs }) } };
}

interface LineEffects {
  readonly step: (text: string, blocks: number) => void;
  readonly row: (row: FetchedRow) => void;
  readonly announce: (transaction: Hex) => void;
  readonly drop: (transaction: Hex) => void;
  readonly announced: () => readonly Hex[];
  readonly goBack: (place: Members<'goBack'>) => void;
  readonly end: (end: Members<'end'>) => void;
}

const EFFECTS_OF_LINES: {
  readonly [Kind in LineKind]: (to: LineEffects, members: Members<Kind>, text: string) => void;
} = {
  networkRow: (to, row) => to.row(readRow(row as unknown as FileRow)),
  broadcast: (to, transaction) => {
    transactionIn(transaction);
    to.announce(transaction);
  },
  refused: () => {},
  dropped: (to, { transaction }) => to.drop(transaction),
  import: (to, _, text) => to.step(text, 1),
  produce(to, { transactions = to.announced(), ...production }) {
    to.step(JSON.stringify({ produce: { ...production, transactions } }), 1);
  },
  produceEmpty: (to, { blocks }, text) => to.step(text, blocks),
  operation: (to, _, text) => to.step(text, 0),
  goBack: (to, place) => to.goBack(place),
  digest: () => {},
  end: (to, end) => to.end(end),
};

function readRow(row: FileRow): FetchedRow {
  try {
    const { table, key, value, readAtBlock } = rowIn(row);
    return { table, key, value, readAtBlock };
  } catch (error) {
    throw new DamagedLine((error as Error).message);
  }
}

function stepsOf(kept: RemainingSteps, beginsAt: number): Steps {
  return {
    length: kept.length,
    *[Symbol.iterator]() {
      let to = beginsAt;
      for (const { text, blocks } of kept) {
        to += blocks;
        yield stepOf(JSON.parse(text), to);
      }
    },
  };
}

/** @throws OperationError */
function readPart<Part>(problem: string, read: () => Part): Part {
  try {
    return read();
  } catch (error) {
    if (error instanceof ChainFileError) throw notLoadable(error.message);
    // Decoders of bytes and of the initial settings report only a position in their code.
    throw notLoadable(error instanceof DamagedLine ? `${problem} (${error.message})` : problem);
  }
}
