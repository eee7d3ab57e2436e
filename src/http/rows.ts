/** All rows of the HTTP API, by topic. */

import type { WalletContext } from '../wallet/context.js';
import { accountRows } from './rows/accounts.js';
import { blockRows } from './rows/blocks.js';
import { transactionRows } from './rows/transactions.js';
import type { HttpRow } from './table.js';

export const httpRows: readonly HttpRow<WalletContext>[] = [...accountRows, ...blockRows, ...transactionRows];
