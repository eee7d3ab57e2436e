/** Leaving the chain that there is for another one. */

import type { Head } from '../../node/control.js';

/** All throw OperationError for what cannot be. */
export interface BranchControl {
  /**
   * Takes the last blocks back; their transactions are gone. Snapshots that were taken in them are used up.
   *
   * @param depth default 1
   */
  rollback(depth?: number): Promise<Head>;
  /**
   * Puts other blocks in the place of the last ones, as a network does where two branches meet: the head's number stays,
   * the ids are others, later by the clock, and who watches logs is told of those that are gone.
   *
   * @param depth how many blocks; default 1
   * @param keep whether their transactions come into the new blocks as far as they are valid; default true
   * @param transactions further ones, as hex of `protocol.Transaction`, each with the new block that it is for, from 0
   * @example await devnet.reorg(3, false) // a payment that was seen is gone
   */
  reorg(
    depth?: number,
    keep?: boolean,
    transactions?: readonly (readonly [hex: string, block: number])[],
  ): Promise<Head>;
  /** Makes the chain what it was when it began. The chain id stays, snapshots are used up. */
  reset(): Promise<Head>;
}
