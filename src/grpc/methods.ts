/** All methods of the gRPC API. Other methods of the services answer UNIMPLEMENTED. */

import { type Database_service, type Wallet_service, WalletSolidity_service } from '../protocol/generated/services.js';
import { accountMethods } from './methods/accounts.js';
import { assetMethods } from './methods/assets.js';
import { blockMethods } from './methods/blocks.js';
import { builderMethods } from './methods/builders.js';
import { chainMethods } from './methods/chain.js';
import { contractMethods } from './methods/contracts.js';
import { databaseMethods as database } from './methods/database.js';
import { exchangeMethods } from './methods/exchange.js';
import { governanceMethods } from './methods/governance.js';
import { marketMethods } from './methods/market.js';
import { resourceMethods } from './methods/resources.js';
import { shieldedMethods } from './methods/shielded.js';
import { transactionMethods } from './methods/transactions.js';
import type { MethodsOf } from './table.js';

export const walletMethods: MethodsOf<typeof Wallet_service> = {
  ...accountMethods,
  ...assetMethods,
  ...blockMethods,
  ...builderMethods,
  ...chainMethods,
  ...contractMethods,
  ...exchangeMethods,
  ...governanceMethods,
  ...marketMethods,
  ...resourceMethods,
  ...shieldedMethods,
  ...transactionMethods,
};

/** Every method of WalletSolidity exists in Wallet with the same messages; only the view differs. */
export const solidityMethods = Object.fromEntries(
  Object.entries(walletMethods).filter(([name]) => Object.hasOwn(WalletSolidity_service.methods, name)),
) as MethodsOf<typeof WalletSolidity_service>;

/** java-tron's PBFT port declares one method that it does not implement. */
const { GetTransactionInfoByBlockNum: _, ...confirmedMethods } = solidityMethods;
export const pbftMethods: MethodsOf<typeof WalletSolidity_service> = confirmedMethods;

export const databaseMethods: MethodsOf<typeof Database_service> = database;
