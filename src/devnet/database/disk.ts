/**
 * Watches the disk of a stored chain while it refuses writes because it is full or failing: reports it once, and tries
 * again every second. It also watches for a removed or moved directory, even without failures: LevelDB would continue
 * to write into files that nobody can open, and that cannot be repaired. `node/storage/commits.ts` defines what the
 * chain does meanwhile.
 */

import path from 'node:path';
import type { Chain } from '../../node/chain/chain.js';
import { isNoSpace } from '../../node/storage/commits.js';
import { CHAIN_FOLDER, type FolderIdentity, folderIdentity, freeBytes } from '../../platform/data-directory.js';
import type { Log } from '../../platform/log.js';

const RETRY_INTERVAL_MS = 1_000;
const DIRECTORY_CHECK_MS = 2_000;
/** LevelDB writes a table of 4 MB when it starts a new log, possibly while it still writes another one. */
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

  /** Starts watching the directory. Call it when the database is open. */
  watch(): void {
    this.#identity = folderIdentity(this.#files);
    this.#watch = setInterval(() => this.#checkDirectory(), DIRECTORY_CHECK_MS);
    this.#watch.unref();
  }

  /** Called when the store has refused a batch. */
  refused({ cause }: Error): void {
    if (this.#checkDirectory()) return;
    const isFull = isNoSpace(cause);
    this.#why = isFull ? 'there is room in' : 'there can be written to';
    this.log?.warn(
      isFull
        ? `the disk of ${this.directory} is full: ${this.#stays()} until ${ROOM_BYTES / 2 ** 20} MB are free. Queries still work`
        : `${this.directory} cannot be written to (${messageOf(cause)}): ${this.#stays()} until it can. Queries still work`,
    );
    this.#wait();
  }

  /** Stops all attempts. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    await this.#trying;
  }

  #stays(): string {
    return `the chain stays at block ${this.chain().headNumber}`;
  }

  /** @returns whether it is gone */
  #checkDirectory(): boolean {
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
      this.#trying = this.#retry();
    }, RETRY_INTERVAL_MS);
    this.#timer.unref();
  }

  async #retry(): Promise<void> {
    if (this.#checkDirectory()) return;
    if (freeBytes(this.directory) >= ROOM_BYTES && (await this.chain().commits.retry())) {
      this.log?.warn(`${this.#why} ${this.directory} again: the chain goes on`);
    } else this.#wait();
  }
}

function messageOf(cause: unknown): string {
  const { message, cause: inner } = cause as Error;
  return inner instanceof Error ? inner.message : message;
}
