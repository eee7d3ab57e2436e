/**
 * Rows that a state does not know yet but can get: a fork asks its remote for them (design.md section 15).
 *
 * Execution is synchronous, so a read that would have to wait throws a `MissingRow` instead. It passes through everything
 * that undoes to a mark, and whoever answers a caller awaits the row and runs the work again from its beginning
 * (`node/with-rows.ts`).
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
