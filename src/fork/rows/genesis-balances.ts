/**
 * Accounts that may have a negative balance: those with one in the genesis block (Blackhole), so that burned TRX can
 * be sent there. Read when an answer has a negative balance, and verified by the id of the block.
 */

import { blockIdOfHeader } from '../../protocol/block.js';
import { unpackContract } from '../../protocol/contract-types.js';
import { merkleRoot } from '../../protocol/merkle.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { badAnswer } from '../network/answers.js';
import type { RemoteWallet } from '../network/remote-wallet.js';
import { WALLET } from '../network/wallet-requests.js';
import type { NetworkTerms } from '../terms/network-terms.js';

export class GenesisBalances {
  #negative: Promise<ReadonlySet<string>> | undefined;

  constructor(
    private readonly wallet: RemoteWallet,
    private readonly terms: Pick<NetworkTerms, 'genesisId'>,
  ) {}

  /** @throws RemoteError */
  async isNegativeInGenesis(address: string): Promise<boolean> {
    this.#negative ??= this.#read().catch((error: unknown) => {
      this.#negative = undefined;
      throw error;
    });
    return (await this.#negative).has(address);
  }

  async #read(): Promise<ReadonlySet<string>> {
    const what = 'the genesis block';
    const block = await this.wallet.find(WALLET.wholeBlock, 0, what);
    const transactions = block?.transactions.map(({ bytes }) => SignedTransaction.decode(bytes)) ?? [];
    const raw = block?.header.raw_data;
    // The id is the hash of the header, which contains the root of the transactions.
    const isProved =
      raw !== undefined &&
      blockIdOfHeader(raw) === this.terms.genesisId &&
      merkleRoot(transactions.map((transaction) => transaction.leafHash())) === raw.txTrieRoot;
    if (!isProved)
      throw badAnswer(
        this.wallet.asked(WALLET.wholeBlock, what),
        'it returns another genesis block than that of its chain',
      );
    return new Set(
      transactions
        .flatMap(({ raw: { contract } }) => contract.map(unpackContract))
        .flatMap((given) =>
          given !== undefined && 'to_address' in given && 'amount' in given && given.amount < 0n
            ? [given.to_address]
            : [],
        ),
    );
  }
}
