/** Replaces the chain by another. */

import type { Head } from '../../node/control.js';

/** All throw OperationError if the change is not possible. */
export interface BranchControl {
  /**
   * Removes the last blocks and their transactions. Snapshots of these blocks are used up.
   *
   * @param depth default 1
   */
  rollback(depth?: number): Promise<Head>;
  /**
   * Replaces the last blocks, as a network does when branches meet: the head's number stays, ids and times change, and
   * log subscribers learn of the removed logs.
   *
   * @param depth number of blocks; default 1
   * @param keep whether their valid transactions go into the new blocks; default true
   * @param transactions additional ones, as hex of `protocol.Transaction`, each with the index of its new block, from
   * 0
   * @example await devnet.reorg(3, false) // a confirmed payment disappears
   */
  reorg(
    depth?: number,
    keep?: boolean,
    transactions?: readonly (readonly [hex: string, block: number])[],
  ): Promise<Head>;
  /** Resets the chain to its first state. The chain id stays; snapshots are used up. */
  reset(): Promise<Head>;
}
