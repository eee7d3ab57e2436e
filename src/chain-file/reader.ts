/**
 * Reads a chain file for loading (docs/reference/chain-files.md), without holding it: first all lines are checked, then
 * its steps and rows are read again when they are applied. Lines about refusals are used by a replay only.
 */

import { notLoadable, type SavedChain } from '../node/steps/saved-chain.js';
import type { Step } from '../node/steps/steps.js';
import type { FetchedRow } from '../state/remote-rows.js';
import { FileLines, type Head, NO_CHAIN_FILE, readPart } from './file-lines.js';
import { type RemainingStep, Rollbacks } from './rollbacks.js';
import { type FileRow, rowIn } from './rows.js';
import { DamagedLine, type Members } from './shapes.js';
import { queuedIn, stepOf, transactionIn } from './step-of-line.js';

/** The lines of a file, from the first one at each call. */
export type ReadLines = () => AsyncIterable<string> | Iterable<string>;

export interface ChainFile extends SavedChain, Pick<Head, 'about' | 'stated'> {}

/**
 * @param onLine receives each line in the current format
 * @throws OperationError if it is not a chain file, or one that this version cannot apply
 */
export async function readChainLines(lines: ReadLines, onLine?: (line: string) => void): Promise<ChainFile> {
  const checked = await check(lines, onLine);
  const { head, rollbacks, rows, end } = checked;
  const { ends, ...members } = head;
  if (ends && end === undefined) throw notLoadable('its last line is missing');
  const problem = 'its last line is damaged';
  const pending = readPart(problem, () => (end?.pending ?? checked.announced).map(transactionIn));
  const queued = readPart(problem, () => (end?.queued ?? []).map(queuedIn));
  const length = rollbacks.areNone ? rollbacks.steps : await countOf(remainingSteps(lines, rollbacks));
  return {
    ...members,
    fetched: { [Symbol.asyncIterator]: () => rowsIn(lines, rows) },
    steps: { length, [Symbol.asyncIterator]: () => stepsIn(lines, rollbacks) },
    end: endOf(end),
    pending,
    queued,
  };
}

interface Checked {
  readonly head: Head;
  readonly rollbacks: Rollbacks;
  readonly rows: number;
  readonly end: Members<'end'> | undefined;
  readonly announced: FileLines['announced'];
}

async function check(lines: ReadLines, onLine: ((line: string) => void) | undefined): Promise<Checked> {
  let head: Head | undefined;
  let rollbacks = new Rollbacks(0);
  let rows = 0;
  let end: Members<'end'> | undefined;
  const reader = new FileLines(
    {
      head: (first) => {
        head = first;
        rollbacks = new Rollbacks(first.beginning.genesis.fork?.number ?? 0);
      },
      step: (line, blocks) => {
        // Refuses now a line that cannot be applied.
        stepOf(line, 0);
        rollbacks.step(blocks);
      },
      row: (row) => {
        readRow(row);
        rows++;
      },
      broadcast: transactionIn,
      goBack: (place) => {
        if (!rollbacks.goBack(place))
          throw new DamagedLine(`there is no block ${place.block} with ${place.operations} operations after it`);
      },
      end: (last) => {
        requireEnd(last, rollbacks, rows);
        end = last;
      },
    },
    onLine,
  );
  for await (const line of lines()) reader.add(line);
  if (head === undefined) throw notLoadable(NO_CHAIN_FILE);
  return { head, rollbacks, rows, end, announced: reader.announced };
}

/** @throws DamagedLine */
function requireEnd({ steps, rows, head }: Members<'end'>, read: Rollbacks, rowsRead: number): void {
  if (steps !== read.steps) throw new DamagedLine(`${steps} steps belong to the file, there are ${read.steps}`);
  if (rows !== rowsRead) throw new DamagedLine(`${rows} rows of its network belong to the file, there are ${rowsRead}`);
  if (head.number !== read.at) throw new DamagedLine('the steps do not lead to its head');
}

function endOf(end: Members<'end'> | undefined): SavedChain['end'] {
  if (end === undefined) return undefined;
  const { nowMs, offsetMs } = end.clock;
  return { solidity: end.solidity, clock: { nowMs, ...(offsetMs !== undefined && { offsetMs }) } };
}

async function* remainingSteps(lines: ReadLines, rollbacks: Rollbacks): AsyncGenerator<RemainingStep> {
  const remaining = rollbacks.remaining();
  const steps: RemainingStep[] = [];
  const reader = new FileLines({
    step: (line, blocks) => {
      const step = remaining.step(line, blocks);
      if (step !== undefined) steps.push(step);
    },
    goBack: (place) => remaining.goBack(place),
  });
  for await (const line of lines()) {
    reader.add(line);
    yield* steps.splice(0);
  }
}

async function* stepsIn(lines: ReadLines, rollbacks: Rollbacks): AsyncGenerator<Step> {
  for await (const { line, to } of remainingSteps(lines, rollbacks))
    yield readPart('it was changed while it was loaded', () => stepOf(line, to));
}

async function countOf(all: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of all) count++;
  return count;
}

/** @param expected none: the file is not read again */
async function* rowsIn(lines: ReadLines, expected: number): AsyncGenerator<FetchedRow> {
  if (expected === 0) return;
  const rows: FetchedRow[] = [];
  const reader = new FileLines({ row: (row) => rows.push(readRow(row)) });
  for await (const line of lines()) {
    reader.add(line);
    yield* rows.splice(0);
  }
}

function readRow(row: FileRow): FetchedRow {
  try {
    const { table, key, value, readAtBlock } = rowIn(row);
    return { table, key, value, readAtBlock };
  } catch (error) {
    throw new DamagedLine((error as Error).message);
  }
}
