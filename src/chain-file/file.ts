/** A chain file as bytes: its lines, with or without gzip. Reading and writing yield to other work after each slice. */

import { createGzip } from 'node:zlib';
import { BusyError, OperationError, StoppedError } from '../errors/operation-error.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { dumpedClock } from '../node/clock/clock.js';
import type { Head } from '../node/control.js';
import type { Node } from '../node/node.js';
import type { Requester } from '../node/operations/work.js';
import { notLoadable } from '../node/steps/saved-chain.js';
import {
  gunzippedLines,
  type LineBounds,
  linesOf,
  type Parts,
  partsOf,
  TooLargeError,
} from '../platform/bounded-text.js';
import { type ChainFile, readChainLines } from './reader.js';
import { SavedMoment } from './saved-moment.js';

/** The longest lines are a block of 2 MB in hex, the initial settings of a chain, and the pending transactions. */
const MAX_LINE = 64 * 1024 * 1024;
/** The largest size after decompression of a file that comes from others, or that is held in memory. */
const HELD_BOUNDS: LineBounds = { text: 512 * 1024 * 1024, line: MAX_LINE };
/** The largest such file: gzip makes incompressible text hardly longer. */
export const MAX_HELD_FILE_BYTES = HELD_BOUNDS.text + 1024 * 1024;
/** Characters that are written together. */
const PART_LENGTH = 65_536;

/** Takes a file in parts. It must not wait for a client: meanwhile the chain cannot be rolled back. */
export interface Sink {
  /** @throws errors of the file system */
  readonly write: (part: Uint8Array) => void | Promise<void>;
}

/**
 * Packs a node's chain as it is when all earlier requests are done. Meanwhile the node goes on with blocks and
 * broadcasts; rollback, mining on demand and other dumps wait.
 *
 * @param requester cancels the dump when its client disconnects
 * @returns the head at the moment of the dump
 * @throws OperationError when the node is closed meanwhile, or the sink fails
 */
export function packChain(
  { chain, clock, mining }: Pick<Node, 'chain' | 'clock' | 'mining'>,
  sink: Sink,
  requester?: Requester,
): Promise<Head> {
  return mining.inTurn({ name: 'dump', requester }, async (work) => {
    const moment = new SavedMoment(chain, dumpedClock(clock));
    const { number, id } = moment.head;
    const yieldTurn = (): Promise<void> =>
      mining.yieldTurn(work).then((why) => {
        if (why !== undefined) throw new StoppedError(`dump: cancelled, ${why}`);
        // A store that is out of space has undone the last blocks.
        if (blockIdAt(chain.ledger, number) !== id)
          throw new BusyError(`dump: cancelled, because block ${number} was rolled back meanwhile`);
      });
    await moment.steps.count(yieldTurn);
    let done = 0;
    work.progress = () => ({ done: Math.min(done, moment.steps.length), total: moment.steps.length, unit: 'steps' });
    await pack(moment.lines(), sink, () => {
      done++;
      return yieldTurn();
    });
    return moment.head;
  });
}

/**
 * The same for a caller that needs all of it.
 *
 * @throws OperationError also if it is larger than `mostBytes`
 */
export async function packedChain(
  node: Parameters<typeof packChain>[0],
  { requester, mostBytes = Number.POSITIVE_INFINITY }: { requester?: Requester | undefined; mostBytes?: number } = {},
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const write = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > mostBytes)
      throw new OperationError(`dump: it has more than ${mostBytes} bytes. Write it to a file with sunup dump FILE`);
    parts.push(part);
  };
  await packChain(node, { write }, requester);
  return Buffer.concat(parts, bytes);
}

async function pack(lines: AsyncIterable<string>, sink: Sink, yieldTurn: () => Promise<void>): Promise<void> {
  const gzip = createGzip();
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  const passOn = async () => {
    for (const part of parts.splice(0)) await passTo(sink, part);
  };
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => gzip.write(text, (error) => (error ? reject(error) : resolve())));
  try {
    for await (const part of inParts(readable(lines), yieldTurn)) {
      await write(part);
      await passOn();
    }
    await new Promise<void>((resolve, reject) => gzip.once('end', resolve).once('error', reject).end());
    await passOn();
  } finally {
    gzip.destroy();
  }
}

/** @throws OperationError for a line that would be refused when it is read */
async function* readable(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) {
    if (line.length > MAX_LINE)
      throw new OperationError(
        `dump: cancelled, because a line would have ${line.length} characters, more than ${MAX_LINE}`,
      );
    yield line;
  }
}

/** Joins lines. @param yieldTurn called after each */
export async function* inParts(lines: AsyncIterable<string>, yieldTurn: () => Promise<void>): AsyncIterable<string> {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length >= PART_LENGTH) {
      yield text;
      text = '';
    }
    await yieldTurn();
  }
  if (text !== '') yield text;
}

async function passTo(sink: Sink, part: Uint8Array): Promise<void> {
  try {
    await sink.write(part);
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw new StoppedError(`dump: cancelled, because it cannot be written (${(error as Error).message})`);
  }
}

/** The bytes of a chain file, which are read more than once. */
export interface ChainFileBytes {
  /** From the first one at each call. @throws errors of the file system */
  readonly read: () => Parts;
  readonly bounds: LineBounds;
}

/** A file in memory, for example from a client. */
export function heldFile(bytes: Uint8Array): ChainFileBytes {
  return { read: () => partsOf(bytes), bounds: HELD_BOUNDS };
}

/** A file that is read in parts: of any size, but its lines are bounded. */
export function streamedFile(read: ChainFileBytes['read']): ChainFileBytes {
  return { read, bounds: { text: Number.POSITIVE_INFINITY, line: MAX_LINE } };
}

/**
 * Checks all lines of a file. It is read again when its steps are applied.
 *
 * @param onLine receives each line in the current format
 * @throws OperationError if it is not a chain file, or one that this version cannot apply
 */
export function readChainFile(file: ChainFileBytes, onLine?: (line: string) => void): Promise<ChainFile> {
  return readChainLines(() => linesIn(file), onLine);
}

const GZIP = [0x1f, 0x8b];

async function* linesIn({ read, bounds }: ChainFileBytes): AsyncIterable<string> {
  try {
    const { isPacked, parts } = await begun(read());
    yield* isPacked ? gunzippedLines(parts, bounds) : linesOf(parts, bounds);
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (error instanceof TooLargeError || syscall !== undefined) throw notLoadable(message);
    if (!String(code).startsWith('Z_')) throw error;
    throw notLoadable(`it is a damaged gzip file (${message})`);
  }
}

/** Whether the first bytes are those of gzip, and all parts. */
async function begun(parts: Parts): Promise<{ readonly isPacked: boolean; readonly parts: Parts }> {
  const others = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  const first = await others.next();
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (!first.done) yield first.value;
      for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
    } finally {
      await others.return?.();
    }
  }
  return { isPacked: GZIP.every((byte, at) => first.value?.[at] === byte), parts: all() };
}
