/** Accounts and their balance history (protocol/grpc.md#accounts-and-resources). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import { getAccount, getAccountById } from '../../wallet/accounts.js';
import { getAccountBalance, getBlockBalance } from '../../wallet/balance-history.js';
import { getAccountNet, getAccountResource } from '../../wallet/resources.js';
import { type MethodsOf, query, unknown } from '../table.js';

export const accountMethods = {
  GetAccount: query(getAccount),
  GetAccountById: query(getAccountById),
  GetAccountNet: query(getAccountNet),
  GetAccountResource: query(getAccountResource),
  GetAccountBalance: query(getAccountBalance, unknown),
  GetBlockBalanceTrace: query(getBlockBalance, unknown),
} satisfies MethodsOf<typeof Wallet_service>;
