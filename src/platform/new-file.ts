/** A file that is written line by line, from its beginning to the end of the process or longer. */

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

export class NewFile {
  readonly #file: number;
  #bytes = 0;

  /** @throws what the file system says: EEXIST for a file that is there */
  constructor(path: string) {
    this.#file = openSync(path, 'wx');
  }

  /**
   * All of it, before anything else happens: a process that is killed afterwards has written it.
   *
   * @throws what the file system says, such as ENOSPC; then nothing of it is in the file
   */
  write(text: string): void {
    const bytes = Buffer.from(text);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
    this.#bytes += bytes.length;
  }

  close(): void {
    closeSync(this.#file);
  }
}
