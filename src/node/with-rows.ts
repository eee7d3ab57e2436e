/**
 * Runs work that may miss rows (`state/missing-row.ts`): fetches the rows and repeats the work. If all rows are
 * present, nothing is thrown or awaited, and it costs one function call.
 */

import { MissingRow } from '../state/missing-row.js';

/**
 * Runs `attempt` until no row is missing. A failed attempt must leave no changes.
 *
 * @throws errors of `attempt`, and errors of fetching a row
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

/** Runs all steps. @throws MissingRow if one would have to wait */
export function atOnce(steps: Iterable<unknown>): void {
  for (const step of steps) if (step instanceof MissingRow) throw step;
}

/**
 * A step of longer work that is atomic. Yields the missing row, and repeats the work when it is resumed.
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
