/**
 * Work that may miss rows (`state/missing-row.ts`): whoever answers a caller awaits them and runs it again. Where all rows
 * are at hand nothing is thrown, nothing is awaited, and this costs one function call.
 */

import { MissingRow } from '../state/missing-row.js';

/**
 * Runs `attempt` until it misses no row. The attempt leaves nothing behind when it throws.
 *
 * @throws what `attempt` throws, and what obtaining a row fails with
 */
export function withRows<Result>(attempt: () => Result | Promise<Result>): Result | Promise<Result> {
  try {
    const result = attempt();
    return result instanceof Promise ? result.catch((thrown: unknown) => obtainAndRetry(thrown, attempt)) : result;
  } catch (thrown) {
    if (!(thrown instanceof MissingRow)) throw thrown;
    return obtainAndRetry(thrown, attempt);
  }
}

async function obtainAndRetry<Result>(first: unknown, attempt: () => Result | Promise<Result>): Promise<Result> {
  for (let thrown = first; ; ) {
    if (!(thrown instanceof MissingRow)) throw thrown;
    await thrown.obtain();
    try {
      return await attempt();
    } catch (again) {
      thrown = again;
    }
  }
}
