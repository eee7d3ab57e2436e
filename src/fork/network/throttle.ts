/**
 * Limits the request rate to a remote. Unlimited until the remote reports a rate limit; then all requests pause for
 * the requested time, and afterwards run one by one at the allowed rate. TronGrid answers nothing for up to 30 s after
 * too many requests, of any kind. So the limit of one request holds for all.
 */

import type { WallClock } from '../../platform/clock.js';

/** A rate limit reported by a remote. */
export interface RateLimit {
  /** Pause before the next request. */
  readonly forMs: number;
  /** Allowed requests per second; undefined: not reported. */
  readonly perSecond?: number | undefined;
}

/** Fraction of the allowed rate: the remote's seconds start at other times. */
const SHARE = 0.9;
/** Without a reported rate: an initial guess, halved at each further limit, and slightly raised by each answer. */
const FIRST_GUESS_PER_SECOND = 10;
const SLOWEST_PER_SECOND = 0.5;
const MORE_PER_ANSWER = 1.02;
/** At this rate the guess ends. */
const MAX_PER_SECOND = 100;

/** Limits that are known in advance: https://developers.tron.network/reference/rate-limits */
const KNOWN: readonly { readonly host: RegExp; readonly perSecond: number }[] = [
  { host: /(^|\.)trongrid\.io$/i, perSecond: 15 },
];

export class Throttle {
  #turns: Promise<void> = Promise.resolve();
  #rest: Promise<void> | undefined;
  #perSecond: number;
  readonly #max: number;
  #isGuess = false;

  /** @param perSecond maximum rate. Default: unlimited, except for known hosts */
  constructor(
    private readonly clock: Pick<WallClock, 'after'>,
    hosts: readonly string[],
    perSecond: number | undefined,
  ) {
    const known = KNOWN.find(({ host }) => hosts.some((one) => host.test(one)));
    this.#max = perSecond ?? (known === undefined ? Number.POSITIVE_INFINITY : known.perSecond * SHARE);
    this.#perSecond = this.#max;
  }

  /** Resolves when the next request may be sent. */
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

  /** @returns false if a pause is already running: concurrent requests get the same answer */
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
    this.#perSecond = more > MAX_PER_SECOND ? this.#max : Math.min(more, this.#max);
  }
}
