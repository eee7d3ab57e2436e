/**
 * Time limit of a caller for a silent network. Requests continue and their results are kept; the caller gets an error
 * with the missing row and the URL. A slow network, or one that has announced a pause, is not silent.
 */

import type { WallClock } from '../../platform/clock.js';
import type { CallerDeadline, WaitTarget } from '../../state/fork/turns.js';
import { rowsInWords } from '../terms/row-names.js';
import { RemoteError } from './remote-error.js';
import type { RetryPolicy } from './retry-policy.js';

export const DEFAULT_CALLER_TIMEOUT_MS = 10_000;

export class SilenceTimeout implements CallerDeadline {
  /** @param url of the network, if no request is running */
  constructor(
    private readonly retryPolicy: RetryPolicy,
    private readonly clock: WallClock,
    private readonly url: string,
    private readonly limitMs: number,
  ) {}

  within<Result>(wanted: WaitTarget, work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const wait = (delayMs: number) => {
        const { heard } = this.retryPolicy;
        return this.clock.after(delayMs, () => {
          if (this.retryPolicy.heard === heard) reject(this.#silent(wanted));
          else disarm = wait(Math.max(1, this.limitMs - this.retryPolicy.silentMs()));
        });
      };
      let disarm = wait(this.limitMs);
      work.then(resolve, reject).finally(() => disarm());
    });
  }

  #silent(wanted: WaitTarget): RemoteError {
    const { oldestUrl = this.url, failure } = this.retryPolicy;
    return new RemoteError(
      oldestUrl,
      typeof wanted === 'string' ? wanted : rowsInWords(wanted),
      `no answer within ${this.limitMs} ms${failure === undefined ? '' : ` (${failure})`}`,
      'The request is still running. Try again, or wait longer with --fork-timeout.',
    );
  }
}
