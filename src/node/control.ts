/**
 * Controlling a chain from outside of it: what is answered, what is refused, and who is told. Apart from what does it,
 * because the library's types mention it.
 */

import type { JavaException } from '../errors/java-exception.js';
import { StoppedError } from '../errors/operation-error.js';
import type { BlockId } from '../primitives/ids.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { MiningRequest } from './clock/mine-request.js';

/** The head of the chain. */
export interface Head {
  readonly number: number;
  readonly id: BlockId;
  readonly timestampMs: number;
}

/** The head after blocks were made, or time has passed. */
export interface Mined extends Head {
  /** How many blocks were made. */
  readonly blocks: number;
  /** How many epochs ended on the way, by the clock. */
  readonly epochs: number;
  /** How many of the blocks ended one: fewer than epochs where a block jumped over some, as after an outage. */
  readonly maintenances: number;
  /**
   * Where time was let pass: by how much the head is later than was asked for. 0, except on a strict chain, whose blocks
   * lie on the slots of the network.
   */
  readonly lateMs?: number;
  /** Interval mining: by how much the head is ahead of the clock. The next block comes when that has caught up. */
  readonly aheadMs?: number;
}

/** The node is being closed, or nobody waits for the blocks any more. What was made until then is kept. */
export class MiningStoppedError extends StoppedError {
  override readonly name = 'MiningStoppedError';
  constructor(
    readonly mined: Mined,
    asked: string,
    why: string,
  ) {
    super(`mine: stopped ${asked}, ${why}. The head is block ${mined.number}; the new blocks are kept`);
  }
}

/** Raised by `revert` for an id that never was, or was used up by reverting to it or to an earlier one. */
export class UnknownSnapshotError extends Error {
  override readonly name = 'UnknownSnapshotError';
  readonly httpStatus = 404;
  constructor(readonly id: string) {
    super(`there is no snapshot ${id}`);
  }
}

/** How a chain was left for another: `depth` blocks were taken back, or replaced; it began anew; a dump took its place. */
export type Branching =
  | { readonly kind: 'rollback' | 'reorg'; readonly depth: number }
  | { readonly kind: 'reset' | 'load' };

/** Told, after it happened, of what was done to the chain from outside other than by transactions. */
export interface ControlObserver {
  mined?(request: MiningRequest, mined: Mined): void;
  snapshotTaken?(id: string): void;
  wentBack?(snapshotId: string): void;
  /** The chain was left for another with the same genesis. */
  branched?(how: Branching): void;
  /** A transaction was not accepted. */
  refused?(transaction: SignedTransaction, reason: JavaException): void;
  /** Blocks come at other times than before. */
  paceChanged?(): void;
  /** Somebody wants the lines about what happens, or wants them no more. */
  loggingSet?(on: boolean): void;
}
