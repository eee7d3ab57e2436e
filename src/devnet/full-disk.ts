/**
 * A disk without room: it is said once, and looked at every second until there is some; then the chain goes on. What a
 * chain does without room is its own business (`node/commits.ts`).
 */

import type { Chain } from '../node/chain.js';
import { freeBytes } from '../platform/data-directory.js';
import type { Log } from '../platform/log.js';

const LOOK_AGAIN_MS = 1_000;
/** LevelDB writes a table of 4 MB when it begins a new log, and one more while that is on its way. */
const ROOM_BYTES = 8 * 2 ** 20;

export class FullDisk {
  #timer: NodeJS.Timeout | undefined;
  #trying: Promise<void> | undefined;

  constructor(
    private readonly chain: () => Chain,
    private readonly directory: string,
    private readonly log: Log | undefined,
  ) {}

  /** The store has refused a batch. */
  refused(): void {
    const { headNumber } = this.chain();
    this.log?.warn(
      `the disk of ${this.directory} is full: the chain stays at block ${headNumber} until there are ${ROOM_BYTES / 2 ** 20} MB of room. Queries are answered`,
    );
    this.#wait();
  }

  /** Nothing is tried any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#trying;
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#trying = this.#look();
    }, LOOK_AGAIN_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (freeBytes(this.directory) >= ROOM_BYTES && (await this.chain().commits.retry())) {
      this.log?.warn(`there is room in ${this.directory} again: the chain goes on`);
    } else this.#wait();
  }
}
