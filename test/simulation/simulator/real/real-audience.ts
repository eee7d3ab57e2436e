/** All listeners of one process of a real node, and the comparison of what they were told with the chain. */

import { Violation } from '../run/violation.js';
import type { CommandProcess, ReadyEvent } from './command-process.js';
import { type Follower, followLines, followQueue, followSocket, followStream } from './followers.js';

const INVARIANT = 'listeners are told what happened, in order, once';
/** News take this long at most, on a busy machine. */
const LONGEST_NEWS_MS = 60_000;

export class RealAudience {
  #followers: readonly Follower[] = [];
  #wake: () => void = () => {};
  /** Written by users who replace blocks; followers learn of it by `mayGoBack`. */
  rollsBack = false;

  constructor(private readonly onBlock: () => void) {}

  /** @param head of the node, which makes no blocks meanwhile */
  async attend(process: CommandProcess, ready: ReadyEvent, head: number): Promise<void> {
    const onNews = () => this.#wake();
    const lines = followLines(process, this.onBlock);
    const queue = followQueue(ready, onNews);
    this.#followers = [lines, queue];
    this.#followers = [
      ...this.#followers,
      await followStream(ready, head, onNews),
      await followSocket(ready, '/eth', onNews),
      await followSocket(ready, '/jsonrpc', onNews),
    ];
  }

  leave(): void {
    for (const follower of this.#followers) follower.close();
    this.#followers = [];
  }

  mayGoBack(): void {
    for (const follower of this.#followers) follower.mayGoBack();
  }

  /** @throws Violation what a listener was told wrongly */
  check(): void {
    for (const { wrong } of this.#followers) if (wrong !== undefined) throw new Violation(INVARIANT, wrong);
  }

  /**
   * Waits for news that are under way, and compares what was told with the chain.
   *
   * @throws Violation
   */
  async compare(head: number, idAt: (number: number) => string | undefined): Promise<void> {
    const untilMs = Date.now() + LONGEST_NEWS_MS;
    for (;;) {
      this.check();
      const difference = this.#followers.map((follower) => follower.difference(head, idAt)).find(Boolean);
      if (difference === undefined) return;
      if (Date.now() >= untilMs) throw new Violation(INVARIANT, difference);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, untilMs - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
