/** A file that is written line by line, from its beginning to the end of the process or longer. */

import { closeSync, openSync, writeSync } from 'node:fs';

export class NewFile {
  readonly #file: number;

  /** @throws what the file system says: EEXIST for a file that is there */
  constructor(path: string) {
    this.#file = openSync(path, 'wx');
  }

  /** All of it, before anything else happens: a process that is killed afterwards has written it. */
  write(text: string): void {
    writeSync(this.#file, text);
  }

  close(): void {
    closeSync(this.#file);
  }
}
