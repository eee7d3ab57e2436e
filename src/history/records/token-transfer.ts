/**
 * A transfer or an approval of a token: exactly these keys, because some clients check them
 * (protocol/v1.md#get-v1accountsaddresstransactionstrc20).
 */

import { toBase58 } from '../../protocol/address.js';
import type { TokenTransfer } from '../../wallet/history/account-history.js';
import type { TokenInfo } from '../../wallet/history/token-calls.js';
import type { Json } from '../json.js';
import { transactionRecord, unconfirmed } from './transaction.js';

export function tokenTransferRecord(
  transfer: TokenTransfer,
  { symbol, name, decimals }: TokenInfo,
  detail: boolean,
): Json {
  const { transaction } = transfer;
  return {
    transaction_id: transaction.txId,
    token_info: { symbol, address: toBase58(transfer.token), decimals, name },
    block_timestamp: transaction.timestampMs,
    from: toBase58(transfer.from),
    to: toBase58(transfer.to),
    type: transfer.type,
    value: String(transfer.value),
    ...(detail && { detail: transactionRecord(transaction) }),
    ...unconfirmed(transaction),
  };
}
