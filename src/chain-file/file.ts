/** A chain file as bytes: its lines, with or without gzip. Reading and writing yield to other work after each slice. */

import { createGzip } from 'node:zlib';
import { BusyError, OperationError, StoppedError } from '../errors/operation-error.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { dumpedClock } from '../node/clock/clock.js';
import type { Head } from '../node/control.js';
import type { Node } from '../node/node.js';
import type { Requester } from '../node/operations/work.js';
import { notLoadable } from '../node/steps/saved-chain.js';
import { gunzippedLines, linesOf, TooLargeError } from '../platform/bounded-text.js';
import { type ChainFile, ChainFileReader } from './reader.js';
import { SavedMoment } from './saved-moment.js';

/**
 * The largest size after decompression. The longest lines are a block of 2 MB in hex, the initial settings of a chain,
 * and the pending transactions.
 */
const BOUNDS = { text: 512 * 1024 * 1024, line: 64 * 1024 * 1024 } as const;
/** The largest file: gzip makes incompressible text hardly longer. */
export const MAX_CHAIN_FILE_BYTES = BOUNDS.text + 1024 * 1024;
/** Characters that are compressed at a time. */
const PART_LENGTH = 65_536;

export interface PackedChain {
  /** The head at the moment of the dump. */
  readonly head: Head;
  readonly parts: readonly Buffer[];
}

/**
 * Packs a node's chain as it is when all earlier requests are done. Meanwhile the node goes on with blocks and
 * broadcasts; rollback, mining on demand and other dumps wait. A slow reader of the dump does not block the node.
 *
 * @param requester cancels the dump when its client disconnects
 * @throws OperationError when the node is closed meanwhile
 * @example await writeFile('chain.dump', (await packChain(node)).parts)
 */
export function packChain(
  { chain, clock, mining }: Pick<Node, 'chain' | 'clock' | 'mining'>,
  requester?: Requester,
): Promise<PackedChain> {
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
    return { head: moment.head, parts: await packed(moment.lines(), yieldTurn) };
  });
}

async function packed(lines: AsyncIterable<string>, yieldTurn: () => Promise<void> | undefined): Promise<Buffer[]> {
  const gzip = createGzip();
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => gzip.write(text, (error) => (error ? reject(error) : resolve())));
  try {
    let text = '';
    for await (const line of lines) {
      if (line.length > BOUNDS.line)
        throw new OperationError(
          `dump: cancelled, because a line would have ${line.length} characters, more than ${BOUNDS.line}`,
        );
      text += line;
      if (text.length >= PART_LENGTH) {
        await write(text);
        text = '';
      }
      await yieldTurn();
    }
    await new Promise<void>((resolve, reject) => gzip.once('end', resolve).once('error', reject).end(text));
    return parts;
  } finally {
    gzip.destroy();
  }
}

const GZIP = [0x1f, 0x8b];

/**
 * @param onLine receives each line in the current format
 * @throws OperationError if it is not a chain file, or one that this version cannot apply
 */
export async function readChainFile(bytes: Uint8Array, onLine?: (line: string) => void): Promise<ChainFile> {
  const reader = new ChainFileReader(onLine);
  const isPacked = GZIP.every((byte, at) => bytes[at] === byte);
  try {
    for await (const line of isPacked ? gunzippedLines(bytes, BOUNDS) : linesOf(bytes, BOUNDS)) reader.add(line);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof TooLargeError) throw notLoadable(message);
    if (!String(code).startsWith('Z_')) throw error;
    throw notLoadable(`it is a damaged gzip file (${message})`);
  }
  return reader.done();
}
