/**
 * The disk of a chain that is kept, while it takes nothing: full, or failing. It is said once, and looked at every second
 * until the chain can be written again. A directory that is gone, removed or moved away, does not come back: LevelDB
 * would go on writing into files that nobody finds, so that is looked for even while nothing fails. What a chain does
 * meanwhile is its own business (`node/storage/commits.ts`).
 */

import path from 'node:path';
import type { Chain } from '../../node/chain/chain.js';
import { isNoSpace } from '../../node/storage/commits.js';
import { CHAIN_FOLDER, type FolderIdentity, folderIdentity, freeBytes } from '../../platform/data-directory.js';
import type { Log } from '../../platform/log.js';

const LOOK_AGAIN_MS = 1_000;
const LOOK_FOR_DIRECTORY_MS = 2_000;
/** LevelDB writes a table of 4 MB when it begins a new log, and one more while that is on its way. */
const ROOM_BYTES = 8 * 2 ** 20;

export class Disk {
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #trying: Promise<void> | undefined;
  readonly #files: string;
  /** Undefined: not opened yet. */
  #identity: FolderIdentity | undefined;
  #isGone = false;
  #why = '';

  constructor(
    private readonly chain: () => Chain,
    private readonly directory: string,
    private readonly log: Log | undefined,
  ) {
    this.#files = path.join(directory, CHAIN_FOLDER);
  }

  /** Sees to it that the directory stays; to be called when the database in it is open. */
  watch(): void {
    this.#identity = folderIdentity(this.#files);
    this.#watch = setInterval(() => this.#lookForDirectory(), LOOK_FOR_DIRECTORY_MS);
    this.#watch.unref();
  }

  /** The store has refused a batch. */
  refused({ cause }: Error): void {
    if (this.#lookForDirectory()) return;
    const isFull = isNoSpace(cause);
    this.#why = isFull ? 'there is room in' : 'there can be written to';
    this.log?.warn(
      isFull
        ? `the disk of ${this.directory} is full: ${this.#stays()} until ${ROOM_BYTES / 2 ** 20} MB are free. Queries still work`
        : `${this.directory} cannot be written to (${messageOf(cause)}): ${this.#stays()} until it can. Queries still work`,
    );
    this.#wait();
  }

  /** Nothing is tried any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    await this.#trying;
  }

  #stays(): string {
    return `the chain stays at block ${this.chain().headNumber}`;
  }

  /** @returns whether it is gone */
  #lookForDirectory(): boolean {
    if (this.#isGone || this.#identity === undefined || folderIdentity(this.#files) === this.#identity)
      return this.#isGone;
    this.#isGone = true;
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
    this.chain().commits.endWriting(new Error(`${this.directory} is gone`));
    this.log?.warn(
      `${this.directory} no longer exists: ${this.#stays()} and is no longer stored. Save the chain with sunup dump, then stop this node`,
    );
    return true;
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#trying = this.#look();
    }, LOOK_AGAIN_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (this.#lookForDirectory()) return;
    if (freeBytes(this.directory) >= ROOM_BYTES && (await this.chain().commits.retry())) {
      this.log?.warn(`${this.#why} ${this.directory} again: the chain goes on`);
    } else this.#wait();
  }
}

function messageOf(cause: unknown): string {
  const { message, cause: inner } = cause as Error;
  return inner instanceof Error ? inner.message : message;
}
