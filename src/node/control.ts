/** Types and errors of chain control. Separate from the implementation, because the library's types refer to them. */

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

/** The head after new blocks or a lapse of time. */
export interface Mined extends Head {
  /** Number of new blocks. */
  readonly blocks: number;
  /** Number of epochs that ended, by the clock. */
  readonly epochs: number;
  /** Number of the blocks with maintenance: fewer than epochs if a block ended several, as after an outage. */
  readonly maintenances: number;
  /**
   * After an advance of time: how much later the head is than requested. 0, except on a strict chain, whose blocks are
   * on the network's slots.
   */
  readonly lateMs?: number;
  /** Interval mining: how far the head is ahead of the clock. The next block follows when the clock has caught up. */
  readonly aheadMs?: number;
}

/** The node is closing, or the request was cancelled. Blocks made until then are kept. */
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

/** Thrown by `revert` for an unknown id, or one that an earlier revert has used up. */
export class UnknownSnapshotError extends Error {
  override readonly name = 'UnknownSnapshotError';
  readonly httpStatus = 404;
  constructor(readonly id: string) {
    super(`no snapshot ${id}`);
  }
}

/** How the chain was replaced: `depth` blocks were rolled back or replaced; it was reset; a dump was loaded. */
export type Branching =
  | { readonly kind: 'rollback' | 'reorg'; readonly depth: number }
  | { readonly kind: 'reset' | 'load' };

/** Receives changes of the chain other than by transactions, after each change. */
export interface ControlObserver {
  mined?(request: MiningRequest, mined: Mined): void;
  snapshotTaken?(id: string): void;
  snapshotReverted?(snapshotId: string): void;
  /** The chain was replaced by another with the same genesis. */
  branched?(how: Branching): void;
  /** A transaction was not accepted. */
  refused?(transaction: SignedTransaction, reason: JavaException): void;
  /** The mode or interval of block production changed. */
  productionChanged?(): void;
  /** Log lines were turned on or off. */
  loggingSet?(on: boolean): void;
  /** A request was carried out with another value than the requested one. */
  warned?(message: string): void;
}
