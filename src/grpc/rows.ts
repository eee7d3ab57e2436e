/** All rows of the gRPC API. A method that is not here is declared by its service and answers UNIMPLEMENTED. */

import { type Database_service, type Wallet_service, WalletSolidity_service } from '../protocol/generated/services.js';
import { accountRows } from './rows/accounts.js';
import { assetRows } from './rows/assets.js';
import { blockRows } from './rows/blocks.js';
import { builderRows } from './rows/builders.js';
import { chainRows } from './rows/chain.js';
import { contractRows } from './rows/contracts.js';
import { databaseRows as database } from './rows/database.js';
import { exchangeRows } from './rows/exchange.js';
import { governanceRows } from './rows/governance.js';
import { marketRows } from './rows/market.js';
import { resourceRows } from './rows/resources.js';
import { shieldedRows } from './rows/shielded.js';
import { transactionRows } from './rows/transactions.js';
import type { RowsOf } from './table.js';

export const walletRows: RowsOf<typeof Wallet_service> = {
  ...accountRows,
  ...assetRows,
  ...blockRows,
  ...builderRows,
  ...chainRows,
  ...contractRows,
  ...exchangeRows,
  ...governanceRows,
  ...marketRows,
  ...resourceRows,
  ...shieldedRows,
  ...transactionRows,
};

/** Every method of WalletSolidity is one of Wallet with the same messages, and differs in the view alone. */
export const solidityRows = Object.fromEntries(
  Object.entries(walletRows).filter(([name]) => Object.hasOwn(WalletSolidity_service.methods, name)),
) as RowsOf<typeof WalletSolidity_service>;

/** On java-tron's port for what PBFT has confirmed one method is declared and not there. */
const { GetTransactionInfoByBlockNum: _, ...confirmedRows } = solidityRows;
export const pbftRows: RowsOf<typeof WalletSolidity_service> = confirmedRows;

export const databaseRows: RowsOf<typeof Database_service> = database;
