/** All rows of the HTTP API: java-tron's that Sunup answers, and its own. What is not here is an unknown path. */

import type { WalletContext } from '../wallet/context.js';
import { accountRows } from './rows/accounts.js';
import { assetRows } from './rows/assets.js';
import { blockRows } from './rows/blocks.js';
import { builderRows } from './rows/builders.js';
import { chainRows } from './rows/chain.js';
import { contractRows } from './rows/contracts.js';
import { devnetRows } from './rows/devnet.js';
import { exchangeRows } from './rows/exchange.js';
import { explainRows } from './rows/explain.js';
import { governanceRows } from './rows/governance.js';
import { marketRows } from './rows/market.js';
import { resourceRows } from './rows/resources.js';
import { transactionRows } from './rows/transactions.js';
import type { HttpRow } from './table.js';

export const httpRows: readonly HttpRow<WalletContext>[] = [
  ...accountRows,
  ...assetRows,
  ...blockRows,
  ...builderRows,
  ...chainRows,
  ...contractRows,
  ...devnetRows,
  ...exchangeRows,
  ...explainRows,
  ...governanceRows,
  ...marketRows,
  ...resourceRows,
  ...transactionRows,
];
