/**
 * Bytes that are written once, and then read once by a client that may be slow: nothing waits for the client, and the
 * memory does not grow. The first megabytes are held; more go into a file without a name, which the system frees when
 * the process ends in whatever way.
 */

import { randomUUID } from 'node:crypto';
import { close, openSync, read, unlinkSync, write } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const HELD_BYTES = 8 * 1024 * 1024;
const PART_BYTES = 64 * 1024;

export class Spool {
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #file: number | undefined;
  #fileBytes = 0;
  /** The last operation on the file: it is closed afterwards. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param folders for the file: the first one that accepts it */
  constructor(private readonly folders: readonly string[]) {}

  /** @throws errors of the file system: ENOSPC */
  async write(part: Uint8Array): Promise<void> {
    this.#held.push(part);
    this.#heldBytes += part.length;
    if (this.#file === undefined && this.#heldBytes <= HELD_BYTES) return;
    this.#file ??= openWithoutName(this.folders);
    this.#heldBytes = 0;
    for (const one of this.#held.splice(0)) await this.#append(this.#file, one);
  }

  async #append(file: number, part: Uint8Array): Promise<void> {
    for (let at = 0; at < part.length; ) {
      const { bytesWritten } = await this.#next(() =>
        promisify(write)(file, part, at, part.length - at, this.#fileBytes),
      );
      at += bytesWritten;
      this.#fileBytes += bytesWritten;
    }
  }

  /** What was written, in parts. @throws errors of the file system; Error after `close` */
  async *read(): AsyncIterable<Uint8Array> {
    if (this.#file === undefined) yield* this.#held;
    else
      for (let at = 0; at < this.#fileBytes; ) {
        const part = Buffer.allocUnsafe(Math.min(PART_BYTES, this.#fileBytes - at));
        const file = this.#file;
        const { bytesRead } = await this.#next(() => promisify(read)(file, part, 0, part.length, at));
        if (bytesRead === 0) throw new Error('a temporary file was cut short');
        at += bytesRead;
        yield part.subarray(0, bytesRead);
      }
  }

  #next<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new Error('a temporary file is closed'));
    const result = operation();
    this.#last = result.catch(() => {});
    return result;
  }

  /** Frees the bytes. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#held = [];
    await this.#last;
    if (this.#file !== undefined) await promisify(close)(this.#file);
  }
}

/** @throws the error of the last folder */
function openWithoutName(folders: readonly string[]): number {
  let failure: unknown = new Error('no folder for a temporary file');
  for (const folder of folders) {
    try {
      const name = path.join(folder, `.sunup-${randomUUID()}`);
      const file = openSync(name, 'wx+', 0o600);
      // At once: a killed process leaves nothing.
      unlinkSync(name);
      return file;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
