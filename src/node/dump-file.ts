/**
 * A dump as bytes: its lines, compressed with gzip, so that `zcat` shows it to a person. Written and read in slices,
 * between which others have their turn.
 */

import { createGzip } from 'node:zlib';
import { BusyError, OperationError, StoppedError } from '../errors/operation-error.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { gunzippedLines, TooLargeError } from '../platform/bounded-text.js';
import { dumpedClock } from './clock/clock.js';
import type { Head } from './control.js';
import type { Node } from './node.js';
import type { Asker } from './operations/work.js';
import { type Dump, DumpMoment, DumpReader, notReadable } from './steps/dump.js';

/**
 * What a few kilobytes may not grow into. The longest lines are a block of 2 MB in hex, what a chain was begun with, and
 * the pending transactions.
 */
const BOUNDS = { text: 512 * 1024 * 1024, line: 64 * 1024 * 1024 } as const;
/** Of a file: gzip makes text hardly longer. */
export const MOST_DUMP_BYTES = BOUNDS.text + 1024 * 1024;
/** So much text is given to gzip at a time. */
const PART_LENGTH = 65_536;

export interface PackedDump {
  /** Of the chain when it was dumped. */
  readonly head: Head;
  readonly parts: readonly Buffer[];
}

/**
 * The chain as it is when everything that was asked for before is done. Blocks go on being made and broadcasts taken
 * meanwhile; going back, mining on demand and other dumps wait. Whoever is slow to read the dump makes nobody wait.
 *
 * @param asker when it is gone, the dump is given up
 * @throws OperationError when the node is closed meanwhile
 * @example await writeFile('chain.dump', (await packDump(node)).parts)
 */
export function packDump(
  { chain, clock, mining }: Pick<Node, 'chain' | 'clock' | 'mining'>,
  asker?: Asker,
): Promise<PackedDump> {
  return mining.inTurn({ name: 'dump', asker }, async (work) => {
    const moment = new DumpMoment(chain, dumpedClock(clock));
    const { number, id } = moment.head;
    const giveWay = (): Promise<void> =>
      mining.giveWay(work).then((why) => {
        if (why !== undefined) throw new StoppedError(`dump: cancelled, ${why}`);
        // A store without room has refused the last blocks.
        if (blockIdAt(chain.ledger, number) !== id)
          throw new BusyError(`dump: cancelled, because block ${number} was rolled back meanwhile`);
      });
    await moment.steps.count(giveWay);
    return { head: moment.head, parts: await packed([moment.lines(), moment.fetchedLines()], giveWay) };
  });
}

async function packed(
  texts: readonly (Iterable<string> | AsyncIterable<string>)[],
  giveWay: () => Promise<void> | undefined,
): Promise<Buffer[]> {
  const gzip = createGzip();
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => gzip.write(text, (error) => (error ? reject(error) : resolve())));
  try {
    let text = '';
    for (const lines of texts)
      for await (const line of lines) {
        if (line.length > BOUNDS.line)
          throw new OperationError(
            `dump: cancelled, because a line would have ${line.length} characters, more than ${BOUNDS.line}`,
          );
        text += `${line}\n`;
        if (text.length >= PART_LENGTH) {
          await write(text);
          text = '';
        }
        await giveWay();
      }
    await new Promise<void>((resolve, reject) => gzip.once('end', resolve).once('error', reject).end(text));
    return parts;
  } finally {
    gzip.destroy();
  }
}

/** @throws OperationError for what is no dump, or one that this version cannot apply */
export async function unpackDump(bytes: Uint8Array): Promise<Dump> {
  const reader = new DumpReader();
  try {
    for await (const line of gunzippedLines(bytes, BOUNDS)) reader.add(line);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof TooLargeError) throw notReadable(message);
    if (!String(code).startsWith('Z_')) throw error;
    throw notReadable(`it is not a gzip file (${message})`);
  }
  return reader.done();
}
