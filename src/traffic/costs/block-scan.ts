/**
 * The transactions that an account signed, or the calls of a contract, read from all blocks of a range: for networks without
 * the extended history.
 */

import { badAnswer } from '../../fork/network/answers.js';
import { WALLET } from '../../fork/network/wallet-requests.js';
import type { Connection } from '../../fork/start/connect.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { isListed, type Listed, type ListedTransaction } from './listed-transaction.js';

/** Blocks that are read at the same time. */
const BLOCKS_AT_ONCE = 16;

export class BlockScan {
  constructor(private readonly connection: Connection) {}

  /** Blocks of a range of time, both ends included. @throws RemoteError */
  async range(fromMs: number, toMs: number): Promise<{ readonly first: number; readonly last: number }> {
    const head = await this.connection.chain.head();
    const first = await this.#firstAt(BigInt(fromMs), head.number);
    const last = (await this.#firstAt(BigInt(toMs) + 1n, head.number)) - 1;
    return { first, last };
  }

  /** The first block at or after a moment; the one after the head if there is none. */
  async #firstAt(moment: bigint, head: number): Promise<number> {
    let low = 0;
    let high = head + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { timestampMs } = await this.connection.chain.blockAt(middle);
      if (timestampMs >= moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** @throws RemoteError */
  async *oldestFirst(of: Listed, first: number, last: number): AsyncGenerator<readonly ListedTransaction[]> {
    for (let number = first; number <= last; number += BLOCKS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(BLOCKS_AT_ONCE, last - number + 1) }, (_, at) => number + at);
      const parts = await Promise.all(numbers.map((one) => this.#listedIn(one, of)));
      const listed = parts.flat();
      if (listed.length > 0) yield listed;
    }
  }

  async #listedIn(number: number, of: Listed): Promise<readonly ListedTransaction[]> {
    const { wallet } = this.connection;
    const block = await wallet.find(WALLET.wholeBlock, number, `block ${number}`);
    const found = (block?.transactions ?? [])
      .map(({ bytes }) => SignedTransaction.decode(bytes))
      .filter((transaction) => isListed(transaction, of));
    if (found.length === 0) return [];
    const { transactionInfo } = await wallet.ask(WALLET.receipts, number, `the receipts of block ${number}`);
    const infos = new Map(transactionInfo.map((info) => [info.id as string, info]));
    // Transactions of the genesis block have no receipt, and cost nothing.
    return (number === 0 ? [] : found).map((transaction) => {
      const info = infos.get(transaction.txId);
      if (info === undefined)
        throw badAnswer(wallet.asked(WALLET.receipts, `block ${number}`), `it has no receipt of ${transaction.txId}`);
      return { transaction, blockNumber: number, timestampMs: Number(info.blockTimeStamp), info, isComplete: true };
    });
  }
}
