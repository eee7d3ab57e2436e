/** A transaction of an account before its receipt is read. */

import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

export interface ListedTransaction {
  readonly transaction: SignedTransaction;
  readonly blockNumber: number;
  readonly timestampMs: number;
  /** Its receipt, or the part of it that the list has: without penalty and Energy of deployers. */
  readonly info: TransactionInfo | undefined;
  /** Whether `info` has all that a cost needs: the list has it for a transaction without Energy. */
  readonly isComplete: boolean;
}

/** From the oldest to the newest, in parts that fit into memory. */
export type TransactionParts = AsyncIterable<readonly ListedTransaction[]>;
