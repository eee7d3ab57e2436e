import { JavaException } from './java-exception.js';

/** The state of an old block is asked for, and is not kept any more (`--state-history`). */
export class PastStateError extends JavaException {
  /** @param from the oldest block whose state is kept */
  constructor(
    readonly height: number,
    readonly from: number,
  ) {
    super(
      'ILLEGAL_ARGUMENT',
      `the state of block ${height} is not kept: it reaches back to block ${from}. A node started with a greater --state-history, or with all, keeps more from then on`,
    );
  }
}
