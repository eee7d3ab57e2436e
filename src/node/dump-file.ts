/** A dump as bytes: its lines, compressed with gzip, so that `zcat` shows it to a person. */

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { OperationError } from '../errors/operation-error.js';
import type { Chain } from './chain.js';
import { type Clock, dumpedClock } from './clock.js';
import { type Dump, dumpLines, readDump, readDumpHead } from './dump.js';

/** What a few kilobytes may not grow into. */
const MAX_BYTES = 512 * 1024 * 1024;

/** @example await writeFile('chain.dump', await packDump(node.chain, node.clock)) */
export async function packDump(chain: Chain, clock: Clock): Promise<Uint8Array> {
  return promisify(gzip)([...dumpLines(chain, dumpedClock(clock)), ''].join('\n'));
}

/** @throws OperationError for what is no dump, or one that this version cannot apply */
export async function unpackDump(bytes: Uint8Array): Promise<Dump> {
  let text: Buffer;
  try {
    text = await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const why = isTooLong
      ? `it holds more than ${MAX_BYTES} bytes`
      : `it is no gzip file (${(error as Error).message})`;
    throw new OperationError(`the dump cannot be loaded: ${why}`);
  }
  const { steps } = readDumpHead(text.subarray(0, Math.max(text.indexOf('\n'), 0)).toString('utf8'));
  // What little grows into much is not cut into more lines than it says it has.
  return readDump(
    text
      .toString('utf8')
      .replace(/\n$/, '')
      .split('\n', steps + 3),
  );
}
