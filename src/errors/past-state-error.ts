import { JavaException } from './java-exception.js';

/** The state of an old block is not kept any more (`--state-history`). */
export class PastStateError extends JavaException {
  /**
   * @param from the oldest block whose state is kept
   * @param beginsAt the block before the chain's first one: on a fork, a block of its network
   */
  constructor(
    readonly height: number,
    readonly from: number,
    beginsAt: number,
  ) {
    super(
      'ILLEGAL_ARGUMENT',
      height < beginsAt
        ? `block ${height} is a block of the forked network. A fork has only the state of block ${beginsAt} and of its own blocks`
        : `the state of block ${height} is not kept; the oldest kept state is that of block ${from}. To keep more from now on, start the node with a larger --state-history, or with --state-history all`,
    );
  }
}
