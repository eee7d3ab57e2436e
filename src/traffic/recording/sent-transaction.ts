/** A transaction of an account with its receipt. */

import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { ListedTransaction } from '../costs/listed-transaction.js';

export interface SentTransaction {
  readonly listed: ListedTransaction;
  readonly info: TransactionInfo;
}
