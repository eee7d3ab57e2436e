/** Blocks of a live network up to the one that was forked, with transactions and receipts, as a node answers them. */

import type { TxId } from '../primitives/ids.js';
import { TransactionInfo } from '../protocol/generated/tron.js';
import type { EarlierBlock, HistoryPage, RemoteBlocks } from '../state/fork/earlier-blocks.js';
import { lies } from './answers.js';
import type { RemoteChain } from './remote-chain.js';
import type { RemoteClient } from './remote-client.js';
import type { RemoteWallet } from './remote-wallet.js';
import { WALLET } from './wallet-questions.js';

export class NetworkBlocks implements RemoteBlocks {
  #hasNoHistory = false;

  constructor(
    private readonly wallet: RemoteWallet,
    private readonly client: RemoteClient,
    private readonly chain: RemoteChain,
    private readonly forkedBlock: number,
  ) {}

  async block(number: number): Promise<EarlierBlock> {
    const what = `block ${number}`;
    const [found, { transactionInfo }] = await Promise.all([
      this.wallet.find(WALLET.wholeBlock, number, what),
      this.wallet.ask(WALLET.receipts, number, `the receipts of ${what}`),
    ]);
    const asked = this.wallet.asked(WALLET.wholeBlock, what);
    if (found === undefined) throw lies(asked, 'it has no such block');
    const { id, header, transactions } = found;
    if (Number(header.raw_data?.number ?? 0n) !== number) throw lies(asked, 'it gives another block');
    if (number === this.forkedBlock && id !== this.chain.forked?.id) await this.chain.check();
    const infos = new Map(transactionInfo.map((info) => [info.id as TxId, TransactionInfo.encode(info)]));
    return {
      number,
      id,
      header,
      transactions: transactions.map(({ txId, bytes }) => ({
        txId,
        transaction: bytes,
        // Transactions of the genesis block have none.
        info: infos.get(txId) ?? new Uint8Array(),
      })),
    };
  }

  async blockOf(txId: TxId): Promise<number | undefined> {
    const info = await this.wallet.find(WALLET.receipt, txId, `transaction ${txId}`);
    return info === undefined || info.id !== txId ? undefined : Number(info.blockNumber);
  }

  async history(question: string): Promise<HistoryPage | undefined> {
    if (this.#hasNoHistory) return undefined;
    const what = 'its history';
    const url = `${this.client.url}${question}`;
    const json = await this.client.get(url, what);
    // A node of java-tron alone has none.
    if (json === undefined) this.#hasNoHistory = true;
    if (json === undefined) return undefined;
    const asked = { url, what };
    const { data, meta } = Object(json) as {
      readonly data?: unknown;
      readonly meta?: { readonly fingerprint?: unknown };
    };
    if (!Array.isArray(data)) throw lies(asked, 'it gives no page');
    const fingerprint = meta?.fingerprint;
    return { data, fingerprint: typeof fingerprint === 'string' ? fingerprint : undefined };
  }
}

/** Where nobody may be asked. */
export const NO_BLOCKS: RemoteBlocks = {
  block: async () => undefined,
  blockOf: async () => undefined,
  history: async () => undefined,
};
