/**
 * A whole chain as text, a line for each step: what it was begun with, blocks, operations, and what was going on when it
 * was dumped; of a fork also what it has read of its network. Loading applies the steps again and checks every block's id, so a dump is good for every later version of
 * Sunup under whose rules it comes to the same blocks, and refused by any other.
 */

import { OperationError } from '../errors/operation-error.js';
import { type Beginning, decodeBeginning, encodeBeginning } from '../ledger/genesis/genesis-text.js';
import { decodeOperation, encodeOperation } from '../ledger/operations/operation.js';
import { bytesToHex, hexToBytes } from '../primitives/hex.js';
import type { BlockId } from '../primitives/ids.js';
import { BlockHeader } from '../protocol/generated/tron.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { FetchedRow } from '../state/remote-rows.js';
import { TABLES } from '../state/tables.js';
import { WORK_VERSION } from '../tvm/work.js';
import type { Chain } from './chain.js';
import type { DumpedClock } from './clock.js';
import type { Head } from './control.js';
import type { Stated } from './opening.js';
import type { PooledTransaction } from './pool.js';
import type { SolidityLayers } from './solidity-view.js';
import { type Step, type Steps, type StepWork, StoredSteps } from './steps.js';

/** More than a dump of the longest text can have, each with a block or a change in it. */
const MAX_STEPS = 2_000_000;

/** Counts incompatible changes of the lines. Forks have lines that other chains have not. */
const DUMP_VERSION = 1;
const FORK_VERSION = 2;

/** The first line. */
export interface DumpHead {
  readonly sunup: 'dump';
  readonly version: number;
  readonly genesis: BlockId;
  readonly head: { readonly number: number; readonly id: BlockId };
  /** How many lines with steps follow. */
  readonly steps: number;
  /** `encodeBeginning`. */
  readonly begun: string;
  readonly stated?: Stated;
}

/** The line after the steps: what is the node's own, and a transaction that is in no block yet. The last but of forks. */
export interface DumpEnd {
  /** What is merged of `/walletsolidity`. */
  readonly solidity: SolidityLayers;
  readonly clock: DumpedClock;
  /** Signed transactions, hex. */
  readonly pending: readonly string[];
}

/** A dump, read. */
export interface Dump {
  readonly head: DumpHead;
  readonly beginning: Beginning;
  /** Of a fork: what was read of its network. */
  readonly fetched: readonly FetchedRow[];
  readonly steps: Steps;
  readonly end: DumpEnd;
  readonly pending: readonly SignedTransaction[];
}

/** What a dump says, as the chain is at one moment: it may go on while the lines are written. */
export class DumpMoment {
  readonly head: Head;
  readonly steps: StoredSteps;
  readonly #first: Omit<DumpHead, 'steps'>;
  readonly #last: Omit<DumpEnd, 'pending'>;
  readonly #pending: readonly PooledTransaction[];
  /** What is read of the network later makes no difference to what was done by now. */
  readonly #fetched: AsyncIterable<FetchedRow> | undefined;

  constructor(chain: Chain, clock: DumpedClock) {
    const { meta } = chain.ledger.state.tables;
    const begun = meta.get('begun');
    if (begun === undefined) throw new Error('the chain does not say what it was begun with');
    const stated = meta.get('stated');
    const { solidity, pending } = chain.back.snapshot();
    this.head = chain.head;
    this.#fetched = chain.store.fetchedRows?.();
    this.steps = new StoredSteps(chain);
    this.#first = {
      sunup: 'dump',
      version: this.#fetched === undefined ? DUMP_VERSION : FORK_VERSION,
      genesis: chain.config.genesisId,
      head: { number: chain.headNumber, id: chain.headId },
      begun,
      ...(stated !== undefined && { stated: JSON.parse(stated) as Stated }),
    };
    this.#last = { solidity, clock };
    this.#pending = pending;
  }

  /** Lines without their newlines. */
  *lines(): Iterable<string> {
    const { begun, stated, ...first } = this.#first;
    const head: DumpHead = { ...first, steps: this.steps.length, begun, ...(stated !== undefined && { stated }) };
    yield JSON.stringify(head);
    for (const step of this.steps) yield encodeStep(step);
    const pending = this.#pending.map(({ transaction }) => bytesToHex(transaction.encode()));
    const end: DumpEnd = { ...this.#last, pending };
    yield JSON.stringify(end);
  }

  /** Those that follow of a fork: what was read of its network, and how many rows that is. */
  async *fetchedLines(): AsyncIterable<string> {
    if (this.#fetched === undefined) return;
    let rows = 0;
    for await (const row of this.#fetched) {
      rows++;
      yield encodeFetched(row);
    }
    yield JSON.stringify({ fetched: rows } satisfies FetchedEnd);
  }
}

interface FetchedLine {
  readonly table: string;
  readonly key: string;
  /** Of the network, at which it was read. */
  readonly block: number;
  /** Hex; null: the network had none. */
  readonly row: string | null;
}

/** The last line of a fork's dump. */
interface FetchedEnd {
  readonly fetched: number;
}

function encodeFetched({ table, key, value, readAtBlock }: FetchedRow): string {
  const line: FetchedLine = { table, key, block: readAtBlock, row: value === undefined ? null : bytesToHex(value) };
  return JSON.stringify(line);
}

/** @returns how many rows there are where that is the line */
function decodeFetched(text: string): FetchedRow | number {
  const { table = '', key, block, row, fetched } = JSON.parse(text) as Partial<FetchedLine & FetchedEnd>;
  if (fetched !== undefined) return fetched;
  if (!Object.hasOwn(TABLES, table) || typeof key !== 'string' || !Number.isSafeInteger(block))
    throw new Error('it has a row of no table');
  const value = typeof row === 'string' ? hexToBytes(row) : undefined;
  const name = table as keyof typeof TABLES;
  if (value !== undefined) TABLES[name].decode(value);
  return { table: name, key, value, readAtBlock: block as number };
}

interface StepLine {
  readonly to: number;
  readonly id: BlockId;
  readonly relaxes?: true;
  readonly header?: string;
  readonly transactions?: readonly string[];
  readonly empty?: number;
  readonly operation?: string;
}

function encodeStep({ to, id, relaxes, work }: Step): string {
  const place = { to, id, ...(relaxes && { relaxes: true as const }) };
  let line: StepLine;
  if ('operation' in work) line = { ...place, operation: encodeOperation(work.operation) };
  else if ('emptyBlocks' in work) line = { ...place, empty: work.emptyBlocks };
  else {
    const header = bytesToHex(BlockHeader.encode(work.header));
    line = { ...place, header, transactions: work.transactions.map((one) => bytesToHex(one.encode())) };
  }
  return JSON.stringify(line);
}

function decodeStep(text: string): Step {
  const { to, id, relaxes = false, header, transactions = [], empty, operation } = JSON.parse(text) as StepLine;
  if (!Number.isSafeInteger(to) || typeof id !== 'string') throw new Error('it says not where it leads');
  let work: StepWork;
  if (operation !== undefined) work = { operation: decodeOperation(operation) };
  else if (empty !== undefined) work = { emptyBlocks: empty };
  else {
    work = {
      header: BlockHeader.decode(hexToBytes(header ?? '')),
      transactions: transactions.map((one) => SignedTransaction.decode(hexToBytes(one))),
    };
  }
  return { to, id, relaxes, work };
}

/** Reads a dump line by line; a line that cannot be is refused when it comes. */
export class DumpReader {
  #head: DumpHead | undefined;
  #beginning: Beginning | undefined;
  #end: Pick<Dump, 'end' | 'pending'> | undefined;
  /** As they are written: a transaction takes four times as much when it is decoded. */
  readonly #steps: string[] = [];
  readonly #fetched: FetchedRow[] = [];
  /** How many they are, which the last line of a fork says. */
  #fetchedCount: number | undefined;

  /** @throws OperationError for what is no dump, or is one that this version cannot apply */
  add(line: string): void {
    if (this.#head === undefined) {
      this.#head = readDumpHead(line);
      this.#beginning = readBeginning(this.#head);
    } else if (this.#steps.length < this.#head.steps) {
      const number = this.#steps.length + 2;
      readPart(`line ${number} is damaged`, () => decodeStep(line));
      this.#steps.push(line);
    } else if (this.#end === undefined) this.#end = readEnd(line);
    else if (this.#head.version === FORK_VERSION && this.#fetchedCount === undefined) this.#addFetched(line);
    else throw this.#linesMissing('more');
  }

  #addFetched(line: string): void {
    const number = this.#steps.length + this.#fetched.length + 3;
    const fetched = readPart(`line ${number} is damaged`, () => decodeFetched(line));
    if (typeof fetched === 'number') this.#fetchedCount = fetched;
    else this.#fetched.push(fetched);
  }

  /** @throws OperationError for one that is cut short */
  done(): Dump {
    if (this.#head === undefined || this.#beginning === undefined) throw notReadable('it is no dump of a chain');
    if (this.#end === undefined) throw this.#linesMissing(String(this.#steps.length + 1));
    if (this.#head.version === FORK_VERSION && this.#fetchedCount !== this.#fetched.length)
      throw notReadable('rows of its network are missing');
    const lines = this.#steps;
    const steps: Steps = {
      length: lines.length,
      *[Symbol.iterator]() {
        for (const line of lines) yield decodeStep(line);
      },
    };
    return { head: this.#head, beginning: this.#beginning, fetched: this.#fetched, steps, ...this.#end };
  }

  #linesMissing(are: string): OperationError {
    return notReadable(`${this.#head!.steps + 2} lines belong to it, there are ${are}`);
  }
}

function readBeginning({ begun }: DumpHead): Beginning {
  const beginning = readPart('its first line is damaged', () => decodeBeginning(begun));
  const weights = beginning.settings.vmLimit?.weights;
  if (weights !== undefined && weights !== WORK_VERSION)
    throw notReadable(
      `its chain was begun with version ${weights} of the table that says how long a contract may run, this Sunup has version ${WORK_VERSION}`,
    );
  return beginning;
}

function readEnd(line: string): Pick<Dump, 'end' | 'pending'> {
  const end = readLine<DumpEnd>(line, 'its last line is damaged');
  const pending = readPart('its last line is damaged', () =>
    end.pending.map((one) => SignedTransaction.decode(hexToBytes(one))),
  );
  return { end, pending };
}

function readDumpHead(line: string): DumpHead {
  const head = readLine<DumpHead>(line, 'it is no dump of a chain');
  if (head.sunup !== 'dump') throw notReadable('it is no dump of a chain');
  if (head.version !== DUMP_VERSION && head.version !== FORK_VERSION)
    throw notReadable(`it has version ${head.version}, this Sunup reads versions ${DUMP_VERSION} and ${FORK_VERSION}`);
  if (!(head.steps >= 0 && head.steps <= MAX_STEPS))
    throw notReadable(`it has ${head.steps} steps, and may have ${MAX_STEPS}`);
  return head;
}

function readPart<Part>(problem: string, read: () => Part): Part {
  try {
    return read();
  } catch (error) {
    throw notReadable(`${problem} (${(error as Error).message})`);
  }
}

function readLine<Line>(line: string, problem: string): Line {
  try {
    const value = JSON.parse(line) as Line;
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw notReadable(problem);
}

function notReadable(why: string): OperationError {
  return new OperationError(`the dump cannot be loaded: ${why}`);
}

/** Whether a dump's chain was begun as this one was. */
export function isOfChain({ beginning }: Dump, chain: Chain): boolean {
  return encodeBeginning(beginning) === chain.ledger.state.tables.meta.get('begun');
}
