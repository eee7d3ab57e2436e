/**
 * Retry policy for all requests to a remote: limited concurrency, a timeout for each attempt, exponential backoff, and
 * the node's Retry-After. Clock and random source are injected. Retry libraries use real timers, which tests would
 * have to wait for.
 */

import pLimit, { type LimitFunction } from 'p-limit';
import type { WallClock } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import { ClosedError, RemoteError } from './remote-error.js';
import { type RateLimit, Throttle } from './throttle.js';

export interface RetryOptions {
  /** Timeout for one complete answer. Default 20,000. */
  readonly timeoutMs?: number;
  /** Maximum attempts for one request. Default 6. */
  readonly attempts?: number;
  /** Maximum concurrent requests. Default 8. */
  readonly concurrency?: number;
  /** Maximum queued requests. Default 20,000: one call may need 4,096 rows at once. */
  readonly maxWaiting?: number;
  /** Maximum requests per second. Default: adaptive (`throttle.ts`). */
  readonly perSecond?: number | undefined;
  /** Called for every answer with the numbers of answers and of requests so far. */
  readonly onAnswer?: ((answers: number, questions: number) => void) | undefined;
  /** Called when the remote's rate limit causes a pause. */
  readonly onBackoff?: ((forMs: number) => void) | undefined;
}

/** A failed attempt: reason and advice. */
export interface Failure {
  readonly why: string;
  readonly advice: string;
  /** Whether a retry may help. */
  readonly again: boolean;
  /** Whether the remote never serves this: {@link closed}. */
  readonly isClosed?: boolean;
  /** Set if the remote limits the rate: its terms. */
  readonly rateLimit?: Partial<RateLimit>;
}

export type Outcome<Answer> = Failure | { readonly answer: Answer };

/** Any caller of a fork can cause requests. */
const MAX_WAITING = 20_000;

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 15_000;
/** A longer pause than this is not waited for. */
const MAX_REQUESTED_PAUSE_MS = 60_000;

export class RetryPolicy {
  /** Number of requests sent, failed ones included. */
  requests = 0;
  readonly #limit: LimitFunction;
  readonly #throttle: Throttle;
  readonly #timeoutMs: number;
  readonly #attempts: number;
  #questions = 0;
  #answers = 0;
  /** URLs of running requests, oldest first. */
  readonly #open = new Set<{ readonly url: string }>();
  /** Reason of the newest failure; undefined: none. */
  failure: string | undefined;
  /** Changes with each answer, and when the remote announces a pause. */
  heard = 0;
  #heardMs: number;

  /** @param hosts of the requests */
  constructor(
    private readonly options: RetryOptions,
    hosts: readonly string[],
    private readonly clock: WallClock,
    private readonly random: Random,
  ) {
    this.#limit = pLimit(options.concurrency ?? 8);
    this.#throttle = new Throttle(clock, hosts, options.perSecond);
    this.#timeoutMs = options.timeoutMs ?? 20_000;
    this.#attempts = options.attempts ?? 6;
    this.#heardMs = this.nowMs();
  }

  /** Time without an answer. During an announced pause it is negative: minus the rest of the pause. */
  silentMs(): number {
    return this.nowMs() - this.#heardMs;
  }

  /** URL of the oldest running request. */
  get oldestUrl(): string | undefined {
    const [oldest] = this.#open;
    return oldest?.url;
  }

  #hear(restMs = 0): void {
    this.heard++;
    this.#heardMs = this.nowMs() + restMs;
  }

  /**
   * @param url for the error
   * @param what the request in words, for the error
   * @param ask one attempt; the signal is aborted at the timeout
   * @throws RemoteError
   */
  ask<Answer>(url: string, what: string, ask: (tooLate: AbortSignal) => Promise<Outcome<Answer>>): Promise<Answer> {
    const { maxWaiting = MAX_WAITING } = this.options;
    if (this.#limit.pendingCount >= maxWaiting) {
      const why = `${maxWaiting} requests are already waiting`;
      return Promise.reject(new RemoteError(url, what, why, 'Try again later.'));
    }
    this.#questions++;
    const open = { url };
    this.#open.add(open);
    return this.#limit(() => this.#askUntil(url, what, ask)).finally(() => this.#open.delete(open));
  }

  async #askUntil<Answer>(
    url: string,
    what: string,
    ask: (tooLate: AbortSignal) => Promise<Outcome<Answer>>,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      await this.#throttle.turn();
      const outcome = await this.#inTime(ask);
      if ('answer' in outcome) {
        this.#throttle.answered();
        this.#hear();
        this.failure = undefined;
        this.options.onAnswer?.(++this.#answers, this.#questions);
        return outcome.answer;
      }
      this.failure = outcome.why;
      if (!outcome.again || attempt >= this.#attempts) {
        const tries = attempt === 1 ? '' : ` (${attempt} attempts)`;
        const kind = outcome.isClosed ? ClosedError : RemoteError;
        throw new kind(url, what, `${outcome.why}${tries}`, outcome.advice);
      }
      if (outcome.rateLimit === undefined) await this.backOff(attempt);
      else this.#rest(outcome.rateLimit, attempt);
    }
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
      why: `no complete answer within ${this.#timeoutMs} ms`,
      advice: 'Try again, or use another node of the network (--fork).',
      again: true,
    };
  }

  /** The next attempt comes after the pause, like all requests. */
  #rest({ forMs, perSecond }: Partial<RateLimit>, attempt: number): void {
    const restMs = forMs ?? this.#backOffMs(attempt);
    this.#hear(restMs);
    if (this.#throttle.rest({ forMs: restMs, perSecond })) this.options.onBackoff?.(restMs);
  }

  /** Waits the pause before the next attempt. */
  backOff(times: number): Promise<void> {
    return this.#pause(this.#backOffMs(times));
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.after(ms, resolve));
  }

  /** Doubles each time, with jitter between half and all of it, so that many forks do not retry together. */
  #backOffMs(attempt: number): number {
    const full = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
    const chance = (this.random.bytes(1)[0] ?? 0) / 255;
    return Math.round(full / 2 + (full / 2) * chance);
  }
}

/**
 * Whether a text reports a rate limit. TronGrid does so with status 403, 429 or 503, or in a normal answer:
 * `{"Error":"The key exceeds the frequency limit(15), and the query server is suspended for 30s"}`.
 */
export function isRateLimitText(text: string): boolean {
  return /frequency|rate limit|allowed_rps|too many requests/i.test(text);
}

/**
 * The failure for a rate limit.
 *
 * @param said for the error
 * @param text the answer
 * @param afterMs pause from a header, if any
 */
export function rateLimited(said: string, text: string, afterMs?: number): Failure {
  const seconds = numberIn(text, /suspended for (\d+)/i);
  const forMs = afterMs ?? (seconds === undefined ? undefined : seconds * 1000);
  const perSecond = numberIn(text, /(?:limit|allowed_rps) ?\((\d+)\)/i);
  const isShort = forMs === undefined || forMs <= MAX_REQUESTED_PAUSE_MS;
  return {
    why: isShort ? said : `${said}, retry after ${Math.ceil(forMs / 1000)} s`,
    advice:
      'It limits the request rate. Use an API key (--fork-api-key), lower the rate (--fork-rate), or use another node (--fork).',
    again: isShort,
    rateLimit: { ...(forMs !== undefined && { forMs }), ...(perSecond !== undefined && { perSecond }) },
  };
}

function numberIn(text: string, at: RegExp): number | undefined {
  const found = Number(at.exec(text)?.[1]);
  return found > 0 ? found : undefined;
}

/** java-tron's answers for disabled methods, and for nodes with state but without history. */
export function closed(said: string): Failure {
  const advice = /lite/.test(said)
    ? 'It is a lite node without history. Use a full node (--fork), or one with openHistoryQueryWhenLiteFN.'
    : 'The node has this endpoint disabled. Use another node of the network (--fork).';
  return { why: said, advice, again: false, isClosed: true };
}

export const CLOSED = /this API is (closed|unavailable)/;

export function keyRefused(said: string): Failure {
  return { why: said, advice: 'Set a valid API key (--fork-api-key or --fork-header).', again: false };
}

export function tooLong(maxBytes: number): Failure {
  return {
    why: `its answer is longer than ${maxBytes} bytes`,
    advice: 'Check that this is the URL of a node.',
    again: false,
  };
}

export function unreachable(why: string, again: boolean): Failure {
  return { why, advice: 'Check the address and the network, and try again.', again };
}
