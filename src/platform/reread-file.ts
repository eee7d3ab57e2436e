/** A file that is read as a stream more than once, and is the same each time. */

import type { BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';

const PART_BYTES = 256 * 1024;

export class RereadFile {
  #first: Pick<BigIntStats, 'dev' | 'ino'> | undefined;
  /** What the first reading has read: a file that grows is as long as it was then. */
  #bytes: number | undefined;

  /** @param file its name; of a file with a size, not of a pipe or a device */
  constructor(private readonly file: string) {}

  /** @throws errors of the file system; Error if it was replaced */
  async *read(): AsyncIterable<Uint8Array> {
    const handle = await open(this.file, 'r');
    try {
      const { dev, ino } = await handle.stat({ bigint: true });
      this.#first ??= { dev, ino };
      const end = this.#bytes ?? Number.POSITIVE_INFINITY;
      let at = 0;
      while (at < end) {
        const part = Buffer.allocUnsafe(Math.min(PART_BYTES, end - at));
        const { bytesRead } = await handle.read(part, 0, part.length, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        yield part.subarray(0, bytesRead);
      }
      this.#bytes ??= at;
      if (this.#first.dev !== dev || this.#first.ino !== ino || at < this.#bytes)
        throw Object.assign(new Error('it was replaced while it was read'), { syscall: 'read', code: 'ESTALE' });
    } finally {
      await handle.close();
    }
  }
}
