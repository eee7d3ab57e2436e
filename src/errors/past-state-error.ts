import { JavaException } from './java-exception.js';

/** The state of an old block is asked for, and is not kept any more (`--state-history`). */
export class PastStateError extends JavaException {
  /**
   * @param from the oldest block whose state is kept
   * @param beginsAt the block that the chain follows: of a fork one of its network
   */
  constructor(
    readonly height: number,
    readonly from: number,
    beginsAt: number,
  ) {
    super(
      'ILLEGAL_ARGUMENT',
      height < beginsAt
        ? `block ${height} is of the network that this chain is a fork of, and a fork has the state of block ${beginsAt} and of its own alone`
        : `the state of block ${height} is not kept: it reaches back to block ${from}. A node started with a greater --state-history, or with all, keeps more from then on`,
    );
  }
}
