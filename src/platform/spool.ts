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

const [readFile, writeFile, closeFile] = [promisify(read), promisify(write), promisify(close)];

export class Spool {
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #file: number | undefined;
  #fileBytes = 0;
  readonly #folders: string[];
  /** The last operation on the file: it is closed afterwards. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param folders for the file: the first one that accepts it, and the next one when its disk is full */
  constructor(folders: readonly string[]) {
    this.#folders = [...folders];
  }

  /** @throws errors of the file system: ENOSPC */
  async write(part: Uint8Array): Promise<void> {
    this.#held.push(part);
    this.#heldBytes += part.length;
    if (this.#file === undefined && this.#heldBytes <= HELD_BYTES) return;
    this.#file ??= openWithoutName(this.#folders);
    this.#heldBytes = 0;
    for (let [first] = this.#held; first !== undefined; [first] = this.#held) {
      try {
        await this.#writeAt(this.#file, first, this.#fileBytes);
        this.#fileBytes += first.length;
        this.#held.shift();
      } catch (error) {
        this.#file = await this.#moved(this.#file, error);
      }
    }
  }

  async #writeAt(file: number, part: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < part.length; ) {
      const from = at;
      const write = () => writeFile(file, part, from, part.length - from, position + from);
      at += (await this.#next(write)).bytesWritten;
    }
  }

  /** @returns a file with the same bytes in another folder @throws the error if there is none */
  async #moved(from: number, error: unknown): Promise<number> {
    if (this.#isClosed || this.#folders.length === 0) throw error;
    const to = openWithoutName(this.#folders);
    try {
      let at = 0;
      for await (const part of this.#parts(from)) {
        await this.#writeAt(to, part, at);
        at += part.length;
      }
    } catch (failure) {
      await closeFile(to);
      throw failure;
    }
    await closeFile(from);
    return to;
  }

  /** What was written, in parts. @throws errors of the file system; Error after `close` */
  async *read(): AsyncIterable<Uint8Array> {
    if (this.#file === undefined) yield* this.#held;
    else yield* this.#parts(this.#file);
  }

  async *#parts(file: number): AsyncIterable<Uint8Array> {
    for (let at = 0; at < this.#fileBytes; ) {
      const part = Buffer.allocUnsafe(Math.min(PART_BYTES, this.#fileBytes - at));
      const from = at;
      const { bytesRead } = await this.#next(() => readFile(file, part, 0, part.length, from));
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
    if (this.#file !== undefined) await closeFile(this.#file);
  }
}

/** @param folders those that do not accept it are removed, and the one that does @throws the error of the last one */
function openWithoutName(folders: string[]): number {
  let failure: unknown = new Error('no folder for a temporary file');
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
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
