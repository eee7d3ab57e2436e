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
    await thrown.obtain('caller');
    try {
      return await attempt();
    } catch (again) {
      thrown = again;
    }
  }
}

/** Takes all steps. @throws MissingRow where one would have to wait */
export function atOnce(steps: Iterable<unknown>): void {
  for (const step of steps) if (step instanceof MissingRow) throw step;
}

/**
 * As a step of something longer: does something that is done whole or not at all. Yields the row that it waits for, and
 * does it again when it goes on.
 */
export function* whole<Result>(work: () => Result): Generator<MissingRow, Result> {
  for (;;) {
    let missing: MissingRow;
    try {
      return work();
    } catch (thrown) {
      if (!(thrown instanceof MissingRow)) throw thrown;
      missing = thrown;
    }
    yield missing;
  }
}
