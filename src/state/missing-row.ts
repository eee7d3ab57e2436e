/**
 * Rows that a state does not know yet but can get: a fork asks its remote for them (design.md section 15).
 *
 * Execution is synchronous, so a read that would have to wait throws a `MissingRow` instead. It passes through everything
 * that undoes to a mark, and whoever answers a caller awaits the row and runs the work again from its beginning. Where
 * all rows are at hand nothing is thrown, nothing is awaited, and this costs one function call.
 */

/** Thrown by a `RowSource`. Like the machine's exceptions no `Error`: it is control flow. */
export class MissingRow {
  constructor(
    readonly table: string,
    readonly key: string,
    /** Gets the row, so that the next read finds it. Fails where it cannot be had. */
    readonly obtain: () => Promise<void>,
  ) {}
}

/**
 * Runs `attempt` until it misses no row. The attempt leaves nothing behind when it throws.
 *
 * @throws what `attempt` throws, and what obtaining a row fails with
 */
export function withRows<Result>(attempt: () => Result | Promise<Result>): Result | Promise<Result> {
  try {
    return attempt();
  } catch (thrown) {
    if (!(thrown instanceof MissingRow)) throw thrown;
    return obtainAndRetry(thrown, attempt);
  }
}

async function obtainAndRetry<Result>(first: MissingRow, attempt: () => Result | Promise<Result>): Promise<Result> {
  for (let missing = first; ; ) {
    await missing.obtain();
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof MissingRow)) throw thrown;
      missing = thrown;
    }
  }
}
