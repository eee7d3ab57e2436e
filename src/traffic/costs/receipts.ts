/** Receipts of listed transactions, each asked once: of a whole block if several of its receipts are needed. */

import { WALLET } from '../../fork/network/wallet-requests.js';
import type { Connection } from '../../fork/start/connect.js';
import type { TxId } from '../../primitives/ids.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { ListedTransaction } from './listed-transaction.js';

/** By id; those that the node does not have are missing. @throws RemoteError */
export async function receiptsOf(
  { wallet }: Connection,
  listed: readonly ListedTransaction[],
): Promise<ReadonlyMap<TxId, TransactionInfo>> {
  const byBlock = new Map<number, TxId[]>();
  for (const { transaction, blockNumber, isComplete } of listed)
    if (!isComplete) byBlock.set(blockNumber, [...(byBlock.get(blockNumber) ?? []), transaction.txId]);
  const found = new Map<TxId, TransactionInfo>();
  await Promise.all(
    [...byBlock].map(async ([number, ids]) => {
      const [only] = ids;
      const infos =
        ids.length === 1 && only !== undefined
          ? [await wallet.find(WALLET.receipt, only, `the receipt of ${only}`)]
          : (await wallet.ask(WALLET.receipts, number, `the receipts of block ${number}`)).transactionInfo;
      const wanted = new Set<string>(ids);
      for (const info of infos) if (info !== undefined && wanted.has(info.id)) found.set(info.id as TxId, info);
    }),
  );
  return found;
}
