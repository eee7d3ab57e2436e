/**
 * How fast a remote is asked. As fast as it answers, until it says that this is too much: then nobody asks until it wants
 * to be asked again, and from there on questions go one by one, with as much time between them as it wants.
 *
 * TronGrid answers nothing for up to 30 s to whoever asks more often than it allows, whatever is asked. So what one
 * question is told holds for all.
 */

import type { WallClock } from '../../platform/clock.js';

/** What a remote says that is asked too often. */
export interface RateLimit {
  /** Before it is asked again. */
  readonly forMs: number;
  /** Questions a second that it takes; undefined: it does not say. */
  readonly perSecond?: number | undefined;
}

/** Of what a remote says that it takes: its seconds do not begin with ours. */
const SHARE = 0.9;
/** Where it does not say: so many at first, half of it each time it happens again, and a little more with each answer. */
const FIRST_GUESS_PER_SECOND = 10;
const SLOWEST_PER_SECOND = 0.5;
const MORE_PER_ANSWER = 1.02;
/** A guess as good as none. */
const MOST_PER_SECOND = 100;

/** Limits that are known before they are met: https://developers.tron.network/reference/rate-limits */
const KNOWN: readonly { readonly host: RegExp; readonly perSecond: number }[] = [
  { host: /(^|\.)trongrid\.io$/i, perSecond: 15 },
];

export class Throttle {
  #turns: Promise<void> = Promise.resolve();
  #rest: Promise<void> | undefined;
  #perSecond: number;
  readonly #most: number;
  #isGuess = false;

  /** @param perSecond questions at most. Default: as many as it takes, of what is known by its host so many */
  constructor(
    private readonly clock: Pick<WallClock, 'after'>,
    hosts: readonly string[],
    perSecond: number | undefined,
  ) {
    const known = KNOWN.find(({ host }) => hosts.some((one) => host.test(one)));
    this.#most = perSecond ?? (known === undefined ? Number.POSITIVE_INFINITY : known.perSecond * SHARE);
    this.#perSecond = this.#most;
  }

  /** Resolves when the next question may go. */
  async turn(): Promise<void> {
    const before = this.#turns;
    let next = () => {};
    this.#turns = new Promise((resolve) => {
      next = resolve;
    });
    await before;
    while (this.#rest !== undefined) await this.#rest;
    if (this.#perSecond === Number.POSITIVE_INFINITY) next();
    else this.clock.after(Math.ceil(1000 / this.#perSecond), next);
  }

  /** @returns false where everybody rests already: what was under way when it began is told the same */
  rest({ forMs, perSecond }: RateLimit): boolean {
    if (this.#rest !== undefined) return false;
    this.#rest = new Promise((resolve) => {
      this.clock.after(forMs, () => {
        this.#rest = undefined;
        resolve();
      });
    });
    this.#isGuess = perSecond === undefined;
    const slower = perSecond === undefined ? Math.min(this.#perSecond / 2, FIRST_GUESS_PER_SECOND) : perSecond * SHARE;
    this.#perSecond = Math.max(Math.min(this.#perSecond, slower), SLOWEST_PER_SECOND);
    return true;
  }

  answered(): void {
    if (!this.#isGuess) return;
    const more = this.#perSecond * MORE_PER_ANSWER;
    this.#perSecond = more > MOST_PER_SECOND ? this.#most : Math.min(more, this.#most);
  }
}
