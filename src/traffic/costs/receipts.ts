/** Receipts of listed transactions, each asked once: of a whole block if several of its receipts are needed. */

import { WALLET } from '../../fork/network/wallet-requests.js';
import type { Connection } from '../../fork/start/connect.js';
import type { TxId } from '../../primitives/ids.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { ListedTransaction } from './listed-transaction.js';

export class Receipts {
  /** The newest block that was read whole: the next page may go on in it. */
  #last: { readonly number: number; readonly infos: readonly TransactionInfo[] } | undefined;

  constructor(private readonly connection: Pick<Connection, 'wallet'>) {}

  /** By id; those that the node does not have are missing. @throws RemoteError */
  async of(listed: readonly ListedTransaction[]): Promise<ReadonlyMap<TxId, TransactionInfo>> {
    const byBlock = new Map<number, TxId[]>();
    for (const { transaction, blockNumber, isComplete } of listed)
      if (!isComplete) byBlock.set(blockNumber, [...(byBlock.get(blockNumber) ?? []), transaction.txId]);
    const found = new Map<TxId, TransactionInfo>();
    await Promise.all(
      [...byBlock].map(async ([number, ids]) => {
        const wanted = new Set<string>(ids);
        for (const info of await this.#inBlock(number, ids)) if (wanted.has(info.id)) found.set(info.id as TxId, info);
      }),
    );
    return found;
  }

  /** Ids of a block's transactions in its order. @throws RemoteError */
  async orderIn(number: number): Promise<readonly string[]> {
    const { transactionInfo: infos } = await this.connection.wallet.ask(
      WALLET.receipts,
      number,
      `the receipts of block ${number}`,
    );
    return infos.map(({ id }) => id);
  }

  async #inBlock(number: number, ids: readonly TxId[]): Promise<readonly TransactionInfo[]> {
    const { wallet } = this.connection;
    const [only] = ids;
    if (this.#last?.number === number) return this.#last.infos;
    if (ids.length === 1 && only !== undefined) {
      const info = await wallet.find(WALLET.receipt, only, `the receipt of ${only}`);
      return info === undefined ? [] : [info];
    }
    const { transactionInfo: infos } = await wallet.ask(WALLET.receipts, number, `the receipts of block ${number}`);
    if (this.#last === undefined || this.#last.number < number) this.#last = { number, infos };
    return infos;
  }
}
