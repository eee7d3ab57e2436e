/**
 * Transactions, receipts and the pending pool; broadcasting and signatures (protocol/grpc.md#protocolwallet,
 * #multi-signature-queries, #pending-state).
 */

import { illegalArgumentException } from '../../errors/java-exception.js';
import { byteLength } from '../../primitives/hex.js';
import type { BytesMessage } from '../../protocol/generated/api.js';
import { NumberMessage } from '../../protocol/generated/api.js';
import type { Wallet_service } from '../../protocol/generated/services.js';
import type { WalletContext } from '../../wallet/context.js';
import { getTransactionApprovedList, getTransactionSignWeight } from '../../wallet/signatures.js';
import {
  broadcastArrived,
  getPendingSize,
  getTransactionById,
  getTransactionFromPending,
  getTransactionInfoByBlockNum,
  getTransactionInfoById,
  getTransactionListFromPending,
} from '../../wallet/transactions.js';
import { encodedTransaction } from '../encoded.js';
import { costly, encodedQuery, internal, type MethodsOf, query, transactionQuery, unknown } from '../table.js';

const TRANSACTION_ID_BYTES = 32;

function fromPending(view: WalletContext, request: BytesMessage) {
  if (byteLength(request.value) !== TRANSACTION_ID_BYTES) throw illegalArgumentException(null);
  return getTransactionFromPending(view, request);
}

export const transactionMethods = {
  BroadcastTransaction: costly(transactionQuery(broadcastArrived)),
  GetTransactionSignWeight: transactionQuery(getTransactionSignWeight),
  GetTransactionApprovedList: transactionQuery(getTransactionApprovedList),
  GetTransactionById: encodedQuery(getTransactionById, encodedTransaction),
  GetTransactionInfoById: query(getTransactionInfoById),
  GetTransactionInfoByBlockNum: query(getTransactionInfoByBlockNum, internal),
  GetTransactionFromPending: encodedQuery(fromPending, encodedTransaction, unknown),
  GetTransactionListFromPending: query(getTransactionListFromPending, unknown),
  GetPendingSize: query(getPendingSize, unknown),
  // java-tron's counter is always 0.
  TotalTransaction: query(() => NumberMessage.empty),
} satisfies MethodsOf<typeof Wallet_service>;
