/**
 * Explains transactions of a network from what its node serves: receipt, block, prices of that moment, contracts.
 * Nothing is run, and no fork is started.
 */

import { NotExplainableError } from '../explanation/model/not-explainable.js';
import type { RecordedExplanation, Today } from '../explanation/model/recorded-explanation.js';
import { explainReceipt } from '../explanation/recorded/explain-receipt.js';
import type { ParameterHistory } from '../explanation/recorded/parameter-history.js';
import { WALLET } from '../fork/network/wallet-requests.js';
import type { Connection } from '../fork/start/connect.js';
import type { Address, TxId } from '../primitives/ids.js';
import type { TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType, type TransactionInfo } from '../protocol/generated/tron.js';
import { SignedTransaction } from '../protocol/transaction.js';
import { NetworkContracts } from './network-contracts.js';
import { parameterHistoryOf } from './network-prices.js';
import { todayOf } from './today.js';

/** Contracts whose events are named; a receipt may have thousands. */
const MAX_NAMED_CONTRACTS = 20;

export interface ExplanationInParts {
  /** Without `today`. */
  readonly history: RecordedExplanation;
  readonly today: Promise<Today>;
  readonly transaction: SignedTransaction;
}

export class NetworkTransactions {
  readonly #contracts: NetworkContracts;
  #history: Promise<ParameterHistory> | undefined;

  constructor(private readonly connection: Connection) {
    this.#contracts = new NetworkContracts(connection);
  }

  /**
   * @param txid 64 hex digits
   * @throws NotExplainableError if the network has no such transaction in a block, RemoteError
   */
  async explain(txid: TxId): Promise<RecordedExplanation> {
    const { history, today } = await this.explainInParts(txid);
    return { ...history, today: await today };
  }

  /** {@link explain} with the history first: two rounds of questions, one more for a proxy. */
  async explainInParts(txid: TxId): Promise<ExplanationInParts> {
    const { wallet, chain } = this.connection;
    // Only the part of today needs it.
    const head = chain.head();
    head.catch(() => {});
    const [info, prices] = await Promise.all([
      wallet.find(WALLET.receipt, txid, `transaction ${txid}`),
      this.#prices(),
    ]);
    if (info === undefined || info.id !== txid) {
      throw new NotExplainableError(
        `the network has no receipt of transaction ${txid}: it is pending, of another network, or older than what this node keeps (${wallet.address})`,
        { httpStatus: 404 },
      );
    }
    const number = Number(info.blockNumber);
    const [whole, parent] = await Promise.all([
      wallet.find(WALLET.wholeBlock, number, `block ${number}`),
      chain.blockAt(Math.max(0, number - 1)),
      this.#contracts.learn(contractsIn(info)),
    ]);
    const index = whole?.transactions.findIndex((one) => one.txId === txid) ?? -1;
    const found = whole?.transactions[index];
    if (whole === undefined || found === undefined) {
      throw new NotExplainableError(`block ${number} of ${wallet.address} does not have transaction ${txid}`, {
        httpStatus: 404,
      });
    }
    const transaction = SignedTransaction.decode(found.bytes);
    const call =
      transaction.contractType === ContractType.TriggerSmartContract
        ? (transaction.contract as unknown as TriggerSmartContract)
        : undefined;
    const today = head.then((newest) => todayOf(this.connection, transaction, info, newest, this.#contracts));
    // Whoever awaits the history first must not lose the error of the other part.
    today.catch(() => {});
    if (call !== undefined) await this.#contracts.learnImplementation(call.contract_address as Address, call.data);
    const history = await explainReceipt({
      transaction,
      info,
      block: {
        number,
        index,
        transactions: whole.transactions.length,
        timestampMs: Number(info.blockTimeStamp),
      },
      parameters: prices.inBlockAfter(parent.timestampMs),
      contracts: this.#contracts,
    });
    return { history, today, transaction };
  }

  /** Asked once: they only grow. */
  #prices(): Promise<ParameterHistory> {
    this.#history ??= parameterHistoryOf(this.connection).catch((error: unknown) => {
      this.#history = undefined;
      throw error;
    });
    return this.#history;
  }
}

function contractsIn({ contract_address, log }: TransactionInfo): readonly Address[] {
  const ofLogs = log.slice(0, MAX_NAMED_CONTRACTS).map(({ address }) => `41${address}` as Address);
  return contract_address === '' ? ofLogs : [contract_address as Address, ...ofLogs];
}
