/** A new file that is written line by line. */

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

export class NewFile {
  readonly #file: number;
  #bytes = 0;

  /** @throws errors of the file system: EEXIST if the file exists */
  constructor(path: string) {
    this.#file = openSync(path, 'wx');
  }

  /**
   * Writes synchronously: a process that is killed later has written it.
   *
   * @throws errors of the file system, such as ENOSPC; then nothing of the text is in the file
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
