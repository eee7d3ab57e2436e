/**
 * How a remote is asked, whichever way: so many questions at once, each with a time, again with growing pauses where asking
 * again can help, as late as the node says.
 *
 * Time and chance are handed in. Libraries that retry wait by the machine's timers, which tests would have to sit through.
 */

import pLimit, { type LimitFunction } from 'p-limit';
import type { WallClock } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import { RemoteError } from './remote-error.js';

export interface PatienceOptions {
  /** For one answer, to its last byte. Default 20,000. */
  readonly timeoutMs?: number;
  /** How often one thing is asked at most. Default 6. */
  readonly attempts?: number;
  /** Questions under way at once. Default 8. */
  readonly concurrency?: number;
  /** Told of every answer: how many there are, of how many questions so far. */
  readonly onAnswer?: ((answers: number, questions: number) => void) | undefined;
}

/** Why there is no answer, and what to do. */
export interface Failure {
  readonly why: string;
  readonly advice: string;
  /** Whether asking again may help, and when the node says so. */
  readonly again: boolean;
  readonly afterMs?: number | undefined;
}

export type Outcome<Answer> = Failure | { readonly answer: Answer };

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 15_000;
/** A node that wants longer than this is not waited for. */
const LONGEST_ASKED_PAUSE_MS = 60_000;

export class Patience {
  /** Questions that were sent, those that failed too. */
  requests = 0;
  readonly #limit: LimitFunction;
  readonly #timeoutMs: number;
  readonly #attempts: number;
  #questions = 0;
  #answers = 0;

  constructor(
    private readonly options: PatienceOptions,
    private readonly clock: WallClock,
    private readonly random: Random,
  ) {
    this.#limit = pLimit(options.concurrency ?? 8);
    this.#timeoutMs = options.timeoutMs ?? 20_000;
    this.#attempts = options.attempts ?? 6;
  }

  /**
   * @param url for the error
   * @param what is asked for, for the error
   * @param ask once; the signal is aborted when it takes too long
   * @throws RemoteError
   */
  ask<Answer>(url: string, what: string, ask: (tooLate: AbortSignal) => Promise<Outcome<Answer>>): Promise<Answer> {
    this.#questions++;
    return this.#limit(async () => {
      for (let attempt = 1; ; attempt++) {
        const outcome = await this.#inTime(ask);
        if ('answer' in outcome) {
          this.options.onAnswer?.(++this.#answers, this.#questions);
          return outcome.answer;
        }
        if (!outcome.again || attempt >= this.#attempts) {
          const tries = attempt === 1 ? '' : ` (asked ${attempt} times)`;
          throw new RemoteError(url, what, `${outcome.why}${tries}`, outcome.advice);
        }
        await (outcome.afterMs === undefined ? this.backOff(attempt) : this.#pause(outcome.afterMs));
      }
    });
  }

  nowMs(): number {
    return Number(this.clock.nowMs());
  }

  async #inTime<Answer>(ask: (tooLate: AbortSignal) => Promise<Outcome<Answer>>): Promise<Outcome<Answer>> {
    this.requests++;
    const abort = new AbortController();
    const disarm = this.clock.after(this.#timeoutMs, () => abort.abort());
    try {
      const outcome = await ask(abort.signal);
      return 'answer' in outcome || !abort.signal.aborted ? outcome : this.#late();
    } finally {
      disarm();
    }
  }

  #late(): Failure {
    return {
      why: `there was no whole answer within ${this.#timeoutMs} ms`,
      advice: 'Try again, or fork another node of the network.',
      again: true,
    };
  }

  /** Waits as long as before asking for the next time. */
  backOff(times: number): Promise<void> {
    return this.#pause(this.#backOffMs(times));
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.after(ms, resolve));
  }

  /** Doubles each time; between half and all of it, so that many forks do not come back together. */
  #backOffMs(attempt: number): number {
    const full = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
    const chance = (this.random.bytes(1)[0] ?? 0) / 255;
    return Math.round(full / 2 + (full / 2) * chance);
  }
}

/** A node that says it is asked too often. @param afterMs when it wants to be asked again, if it says so */
export function askedTooOften(said: string, afterMs: number | undefined): Failure {
  const patient = afterMs === undefined || afterMs <= LONGEST_ASKED_PAUSE_MS;
  return {
    why: patient ? said : `${said}, asking to come back in ${Math.ceil((afterMs ?? 0) / 1000)} s`,
    advice: 'It limits how often it is asked: give an API key of it (--fork-api-key), or fork another node.',
    again: patient,
    afterMs,
  };
}

export function keyRefused(said: string): Failure {
  return { why: said, advice: 'Give a valid API key of it (--fork-api-key or --fork-header).', again: false };
}

export function tooLong(maxBytes: number): Failure {
  return { why: `its answer is longer than ${maxBytes} bytes`, advice: 'Is this the address of a node?', again: false };
}

export function unreachable(why: string, again: boolean): Failure {
  return { why, advice: 'Check the address and the network, and try again.', again };
}
