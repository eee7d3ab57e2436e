/** All listeners of one process of a real node, and the comparison of what they were told with the chain. */

import { Violation } from '../run/violation.js';
import type { Head } from '../users/target.js';
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

  /** @param onBlock called for each line of a block @param onNews called for all that any listener is told */
  constructor(
    private readonly onBlock: () => void,
    private readonly onNews: () => void,
  ) {}

  /** @param head of the node, which makes no blocks meanwhile */
  async attend(process: CommandProcess, ready: ReadyEvent, head: number): Promise<void> {
    const onNews = () => {
      this.onNews();
      this.#wake();
    };
    const lines = followLines(process, () => {
      this.onBlock();
      onNews();
    });
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

  /** The others go. */
  keepOnly(names: RegExp): void {
    for (const follower of this.#followers) if (!names.test(follower.name)) follower.close();
    this.#followers = this.#followers.filter(({ name }) => names.test(name));
  }

  mayGoBack(): void {
    for (const follower of this.#followers) follower.mayGoBack();
  }

  /** Of any listener: blocks that it was told above this one, and that are not gone. */
  newsAbove(height: number): (readonly [number, string])[] {
    return this.#followers.flatMap((follower) => [...follower.newsAbove(height)]);
  }

  /** Waits until every listener was told of a block that was just made. @throws Violation if one is not */
  untilAllKnow({ number, id }: Pick<Head, 'number' | 'id'>): Promise<void> {
    return this.#until(() => {
      const late = this.#followers.find((follower) => follower.idOf(number) !== id);
      return late && `${late.name} was not told of block ${number} ${id}`;
    });
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
  compare(head: number, idAt: (number: number) => string | undefined): Promise<void> {
    return this.#until(() => this.#followers.map((follower) => follower.difference(head, idAt)).find(Boolean));
  }

  /** @param missing what news that are under way have to put right @throws Violation if they do not */
  async #until(missing: () => string | undefined): Promise<void> {
    const untilMs = Date.now() + LONGEST_NEWS_MS;
    for (;;) {
      this.check();
      const difference = missing();
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
