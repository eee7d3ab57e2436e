/**
 * Answers of a node as files: the newest answer to each question, over HTTP and gRPC. `sunup explain --fork` keeps them
 * with `--fork-cache` and reads them with `--fork-offline`, so an explanation can be repeated without the network.
 */

import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AnswerStore, Question } from '../network/answer-store.js';
import { FolderError } from '../network/remote-error.js';

/** Beside the rows of a fork in its folder. */
const FOLDER = 'answers';
const NAME_DIGITS = 32;

export class KeptAnswers implements AnswerStore {
  readonly #folder: string;
  #writes = 0;

  /** @param isOffline whether only the folder is read */
  constructor(
    readonly place: string,
    readonly isOffline: boolean,
  ) {
    this.#folder = path.join(place, FOLDER);
  }

  async find(question: Question): Promise<Buffer | undefined> {
    const file = this.#fileOf(question);
    try {
      return await readFile(file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      throw new FolderError(file, 'an answer', message, 'Make the file readable, or set another --fork-cache.');
    }
  }

  async keep(question: Question, answer: Uint8Array): Promise<void> {
    const file = this.#fileOf(question);
    // Several processes may use the folder, and one may ask a question twice at the same time.
    const written = `${file}.${process.pid}.${this.#writes++}`;
    try {
      await mkdir(this.#folder, { recursive: true });
      await this.#requireInside();
      await rm(written, { force: true });
      await writeFile(written, answer, { flag: 'wx' });
      await rename(written, file);
    } catch (error) {
      const { message } = error as Error;
      throw new FolderError(file, 'an answer', message, 'Free some space, or set another --fork-cache.');
    }
  }

  /** A folder from foreign sources may contain links: nothing outside of it is written. */
  async #requireInside(): Promise<void> {
    if ((await realpath(this.#folder)) !== path.join(await realpath(this.place), FOLDER))
      throw new Error(`${this.#folder} is a link to another place`);
  }

  #fileOf({ text, form }: Question): string {
    const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS);
    return path.join(this.#folder, `${name}.${form === 'json' ? 'json' : 'pb'}`);
  }
}
