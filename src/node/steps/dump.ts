/**
 * A whole chain as text, a line for each step: what it was begun with, blocks, operations, and what was going on when it
 * was dumped; of a fork also what it has read of its network. Loading applies the steps again and checks every block's id, so a dump is good for every later version of
 * Sunup under whose rules it comes to the same blocks, and refused by any other.
 */

import * as v from 'valibot';
import { OperationError } from '../../errors/operation-error.js';
import { identityOf } from '../../ledger/genesis/fork-base.js';
import { genesisBlock } from '../../ledger/genesis/genesis.js';
import { type Beginning, decodeBeginning, encodeBeginning } from '../../ledger/genesis/genesis-text.js';
import { decodeOperation, encodeOperation } from '../../ledger/operations/operation.js';
import { bytesToHex, hexToBytes } from '../../primitives/hex.js';
import type { BlockId } from '../../primitives/ids.js';
import { record } from '../../primitives/record-schema.js';
import { BlockHeader } from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import { TABLES } from '../../state/tables.js';
import { WORK_VERSION } from '../../tvm/work.js';
import type { Chain } from '../chain/chain.js';
import type { PooledTransaction } from '../chain/pool.js';
import type { DumpedClock } from '../clock/clock.js';
import type { Head } from '../control.js';
import type { Stated } from '../storage/open-chain.js';
import type { SolidityLayers } from '../views/solidity-view.js';
import { type Step, type Steps, type StepWork, StoredSteps } from './steps.js';

/** More than a dump of the longest text can have, each with a block or a change in it. */
const MAX_STEPS = 2_000_000;

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hex = v.pipe(v.string(), v.regex(/^([0-9a-f]{2})*$/));
const blockId = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const decimal = v.pipe(v.string(), v.regex(/^-?\d{1,15}$/));

/** The first line. */
const HEAD = v.object({
  sunup: v.literal('dump'),
  version: v.number(),
  genesis: blockId,
  head: v.object({ number: wholeNumber, id: blockId }),
  steps: v.number(),
  begun: v.string(),
  stated: v.optional(record(v.string(), v.string())),
});
/** `begun`, as far as what it leads to is not judged elsewhere. */
const long = v.pipe(v.string(), v.regex(/^-?\d{1,19}$/));
const BEGUN = v.looseObject({
  timestampMs: long,
  parentHash: hex,
  accounts: v.array(v.looseObject({ name: v.string(), address: hex, balanceSun: long })),
  witnesses: v.array(v.looseObject({ address: hex, url: v.string(), voteCount: long })),
  contracts: v.optional(
    v.array(
      v.looseObject({
        address: hex,
        name: v.string(),
        owner: hex,
        bytecode: hex,
        code: hex,
        abi: hex,
        storage: v.array(v.tuple([hex, hex])),
      }),
    ),
  ),
  fork: v.optional(v.looseObject({ number: wholeNumber, id: blockId, header: hex })),
  longs: v.array(v.tuple([v.string(), long])),
  texts: v.array(v.tuple([v.string(), v.string()])),
  settings: v.string(),
});
/** Of a block, of a run of empty blocks, or of an operation. */
const STEP = v.object({
  to: wholeNumber,
  id: blockId,
  relaxes: v.optional(v.literal(true)),
  header: v.optional(hex),
  transactions: v.optional(v.array(hex)),
  empty: v.optional(v.pipe(wholeNumber, v.minValue(1))),
  operation: v.optional(v.string()),
});
const END = v.object({
  solidity: v.object({ merged: wholeNumber, pendingLayer: v.boolean(), head: wholeNumber, solid: wholeNumber }),
  clock: v.object({ nowMs: decimal, offsetMs: v.optional(decimal) }),
  pending: v.array(hex),
});
const FETCHED = v.union([
  v.object({ fetched: wholeNumber }),
  v.object({ table: v.string(), key: v.string(), block: wholeNumber, row: v.nullable(hex) }),
]);

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
    if (begun === undefined) throw new Error('the initial settings of the chain are missing');
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
  const line = shaped(FETCHED, text);
  if ('fetched' in line) return line.fetched;
  const { table, key, block, row } = line;
  if (!Object.hasOwn(TABLES, table)) throw new Damaged('it has a row of an unknown table');
  const value = row === null ? undefined : hexToBytes(row);
  const name = table as keyof typeof TABLES;
  if (value !== undefined) TABLES[name].decode(value);
  return { table: name, key, value, readAtBlock: block };
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
  const { to, id, relaxes = false, header, transactions = [], empty, operation } = shaped(STEP, text);
  const place = { to, id: id as BlockId, relaxes };
  if ([header, empty, operation].filter((part) => part !== undefined).length !== 1)
    throw new Damaged('it must be a block, a run of empty blocks or an operation');
  if (operation !== undefined) return { ...place, work: { operation: decodeOperation(operation) } };
  if (empty !== undefined) return { ...place, work: { emptyBlocks: empty } };
  const work: StepWork = {
    header: BlockHeader.decode(hexToBytes(header!)),
    transactions: transactions.map((one) => SignedTransaction.decode(hexToBytes(one))),
  };
  return { ...place, work };
}

/** How far a step leads. */
function blocksOf({ work }: Step): number {
  return 'operation' in work ? 0 : 'emptyBlocks' in work ? work.emptyBlocks : 1;
}

/** Reads a dump line by line; a line that cannot be is refused when it comes. */
export class DumpReader {
  #head: DumpHead | undefined;
  #beginning: Beginning | undefined;
  #end: Pick<Dump, 'end' | 'pending'> | undefined;
  /** As they are written: a transaction takes four times as much when it is decoded. */
  readonly #steps: string[] = [];
  /** Where the steps have led. */
  #at = 0;
  readonly #fetched: FetchedRow[] = [];
  /** How many they are, which the last line of a fork says. */
  #fetchedCount: number | undefined;

  /** @throws OperationError for what is no dump, or is one that this version cannot apply */
  add(line: string): void {
    if (this.#head === undefined) {
      this.#head = readDumpHead(line);
      this.#beginning = readBeginning(this.#head);
      this.#at = this.#beginning.genesis.fork?.number ?? 0;
    } else if (this.#steps.length < this.#head.steps) {
      const number = this.#steps.length + 2;
      const step = readPart(`line ${number} is damaged`, () => decodeStep(line));
      this.#at += blocksOf(step);
      if (step.to !== this.#at) throw notReadable(`line ${number} is not the step that belongs there`);
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
    if (this.#head === undefined || this.#beginning === undefined) throw notReadable('it is not a dump of a chain');
    if (this.#end === undefined) throw this.#linesMissing(String(this.#steps.length + 1));
    if (this.#at !== this.#head.head.number) throw notReadable('its steps do not lead to its head');
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

function readBeginning({ begun, genesis }: DumpHead): Beginning {
  const beginning = readPart('its first line is damaged', () => {
    shaped(BEGUN, begun);
    return decodeBeginning(begun);
  });
  const { fork } = beginning.genesis;
  const id = readPart('its first line is damaged', () =>
    fork === undefined ? genesisBlock(beginning.genesis).id : identityOf(fork),
  );
  if (id !== genesis) throw notReadable(`what it was begun with makes genesis ${id}, and it is of ${genesis}`);
  const weights = beginning.settings.vmLimit?.weights;
  if (weights !== undefined && weights !== WORK_VERSION)
    throw notReadable(
      `its chain was begun with version ${Number(weights)} of the table that says how long a contract may run, this Sunup has version ${WORK_VERSION}`,
    );
  return beginning;
}

function readEnd(line: string): Pick<Dump, 'end' | 'pending'> {
  return readPart('its last line is damaged', () => {
    const { clock, ...others } = shaped(END, line);
    const { nowMs, offsetMs } = clock;
    const end: DumpEnd = { ...others, clock: { nowMs, ...(offsetMs !== undefined && { offsetMs }) } };
    return { end, pending: end.pending.map((one) => SignedTransaction.decode(hexToBytes(one))) };
  });
}

function readDumpHead(line: string): DumpHead {
  const head = readPart('it is not a dump of a chain', () => shaped(HEAD, line));
  if (head.version !== DUMP_VERSION && head.version !== FORK_VERSION)
    throw notReadable(`it has version ${head.version}, this Sunup reads versions ${DUMP_VERSION} and ${FORK_VERSION}`);
  if (!(head.steps >= 0 && head.steps <= MAX_STEPS))
    throw notReadable(`it has ${head.steps} steps, and may have ${MAX_STEPS}`);
  return head as DumpHead;
}

/** A line, or a part of it, that is none; the message says so in words. */
class Damaged extends Error {}

/** @throws Damaged for what is no JSON, or of another shape */
function shaped<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Damaged('it is no JSON');
  }
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  const place = v.getDotPath(issues[0]);
  throw new Damaged(place === null ? 'it has the form of another line' : `its ${place} has the wrong form`);
}

/** @throws OperationError */
function readPart<Part>(problem: string, read: () => Part): Part {
  try {
    return read();
  } catch (error) {
    // Decoders of bytes and of what a chain was begun with say only where in their code they ended.
    throw notReadable(error instanceof Damaged ? `${problem} (${error.message})` : problem);
  }
}

export function notReadable(why: string, cause?: unknown): OperationError {
  return new OperationError(`the dump cannot be loaded: ${why}`, { cause });
}

/** Whether a dump's chain was begun as this one was. */
export function isOfChain({ beginning }: Dump, chain: Chain): boolean {
  return encodeBeginning(beginning) === chain.ledger.state.tables.meta.get('begun');
}
