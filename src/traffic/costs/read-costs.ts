/** Reads what accounts of a network paid: lists, receipts and prices, one transaction after another. */

import { badAnswer } from '../../fork/network/answers.js';
import { WALLET } from '../../fork/network/wallet-requests.js';
import type { Connection } from '../../fork/start/connect.js';
import type { Address } from '../../primitives/ids.js';
import { deployedContractAddress, toBase58 } from '../../protocol/address.js';
import {
  Transaction_Contract_ContractType as ContractType,
  ResourceReceipt,
  type TransactionInfo,
} from '../../protocol/generated/tron.js';
import { BlockPrices, parameterHistoryOf } from '../network-prices.js';
import { AccountList } from './account-list.js';
import { BlockScan } from './block-scan.js';
import { CostFolder, DAY_MS, dayOf } from './cost-folder.js';
import { CostsError } from './costs-error.js';
import { type Listed, type ListedTransaction, listedInWords, type TransactionParts } from './listed-transaction.js';
import { hasFailed, type PaidTransaction, paidTransaction, resultOf } from './paid-transaction.js';
import { Receipts } from './receipts.js';

/** Solidified blocks follow the head within one round of 27 producers. */
const SURELY_SOLIDIFIED = 100;
const KEPT_AT_ONCE = 32;

export interface CostRange {
  readonly fromMs: number;
  /** Included. */
  readonly toMs: number;
  /** At most so many, the newest. */
  readonly limit?: number | undefined;
}

export interface CostReading {
  readonly folder?: string | undefined;
  /** The most blocks to read on a network without the extended history. */
  readonly maxBlocks: number;
}

/** One moment of the network, from which ranges of time count. */
export interface CostsHead {
  readonly number: number;
  readonly timestampMs: number;
}

export class NetworkCosts {
  readonly #list: AccountList;
  readonly #scan: BlockScan;
  readonly #receipts: Receipts;
  #hasLists: Promise<boolean> | undefined;

  private constructor(
    private readonly connection: Connection,
    private readonly reading: CostReading,
    private readonly prices: BlockPrices,
    readonly head: CostsHead,
    /** Blocks up to this time are solidified. */
    private readonly settledMs: number,
    /** Empty without a folder. */
    private readonly genesisId: string,
    /** Time of the first block after the genesis. */
    private readonly beginMs: number,
  ) {
    this.#list = new AccountList(connection);
    this.#scan = new BlockScan(connection);
    this.#receipts = new Receipts(connection);
  }

  /** @throws RemoteError */
  static async open(connection: Connection, reading: CostReading): Promise<NetworkCosts> {
    const { chain } = connection;
    const [head, history] = await Promise.all([chain.head(), parameterHistoryOf(connection)]);
    // A lite node does not have the first block: then a range may begin at any time.
    const [settled, begin] = await Promise.all([
      chain.blockAt(Math.max(0, head.number - SURELY_SOLIDIFIED)),
      connection.wallet.find(WALLET.block, 1, 'block 1'),
    ]);
    const genesisId = reading.folder === undefined ? '' : (await chain.blockAt(0)).id;
    const at = { number: head.number, timestampMs: Number(head.timestampMs) };
    const prices = new BlockPrices(connection, history);
    const beginMs = Number(begin?.block_header?.raw_data?.timestamp ?? 0n);
    return new NetworkCosts(connection, reading, prices, at, Number(settled.timestampMs), genesisId, beginMs);
  }

  /**
   * What an account paid, oldest first.
   *
   * @throws RemoteError, CostsError
   */
  of(account: Address, range: CostRange): AsyncGenerator<PaidTransaction> {
    return this.#paidBy({ address: account, as: 'signer' }, range);
  }

  /**
   * The calls of a contract, oldest first, with their callers: what its deployer paid is a charge from `origin`.
   *
   * @throws RemoteError, CostsError
   */
  callsOf(contract: Address, range: CostRange): AsyncGenerator<PaidTransaction> {
    return this.#paidBy({ address: contract, as: 'contract' }, range);
  }

  /** Contracts that an account deployed, from its whole history. @throws RemoteError, CostsError */
  async contractsOf(account: Address): Promise<readonly Address[]> {
    const of: Listed = { address: account, as: 'signer' };
    if (!(await this.#hasList(of)))
      throw new CostsError(
        `${this.connection.client.url} has no extended history (/v1), so the contracts of ${toBase58(account)} are not found. Name them with --contract`,
      );
    const contracts: Address[] = [];
    for await (const part of this.#list.oldestFirst(of, { fromMs: 0, toMs: this.head.timestampMs }))
      for (const { transaction } of part)
        if (
          transaction.contractType === ContractType.CreateSmartContract &&
          !hasFailed({ result: resultOf(transaction) })
        )
          contracts.push(deployedContractAddress(transaction.txId, account));
    return contracts;
  }

  async *#paidBy(of: Listed, range: CostRange): AsyncGenerator<PaidTransaction> {
    const start = await this.#start(of, range);
    if (start === undefined) return;
    const { fromMs, first } = start;
    let isBefore = first !== undefined;
    const { folder } = this.reading;
    const all =
      folder === undefined
        ? this.#fromNetwork(of, fromMs, range.toMs)
        : this.#throughFolder(
            new CostFolder(folder, this.genesisId, of),
            of,
            fromMs,
            Math.min(range.toMs, this.head.timestampMs),
          );
    for await (const paid of all) {
      // The range of a limit starts inside of a block.
      if (paid.txid === first) isBefore = false;
      if (!isBefore && paid.timestampMs >= fromMs && paid.timestampMs <= range.toMs) yield paid;
    }
  }

  /**
   * The transactions themselves, oldest first, without receipts.
   *
   * @throws RemoteError, CostsError
   */
  async *listed(account: Address, range: CostRange): TransactionParts {
    const of: Listed = { address: account, as: 'signer' };
    const start = await this.#start(of, range);
    if (start === undefined) return;
    let isBefore = start.first !== undefined;
    for await (const part of this.#parts(of, start.fromMs, range.toMs)) {
      const at = isBefore ? part.findIndex(({ transaction: { txId } }) => txId === start.first) : 0;
      if (at < 0) continue;
      isBefore = false;
      yield part.slice(at);
    }
  }

  /** Undefined: there is no transaction. */
  async #start(of: Listed, { toMs, limit, ...range }: CostRange) {
    const fromMs = Math.max(range.fromMs, this.beginMs);
    if (limit === undefined) return { fromMs, first: undefined };
    if (!(await this.#hasList(of)))
      throw new CostsError('--limit needs a network with the extended history (/v1). Set --since or --from');
    const oldest = await this.#list.oldestOfNewest(of, limit, toMs);
    if (oldest === undefined) return undefined;
    if (oldest.timestampMs < fromMs) return { fromMs, first: undefined };
    return { fromMs: oldest.timestampMs, first: oldest.transaction.txId };
  }

  #hasList(of: Listed): Promise<boolean> {
    this.#hasLists ??= this.#list.isServed(of, this.head.timestampMs);
    return this.#hasLists;
  }

  async *#parts(of: Listed, fromMs: number, toMs: number): TransactionParts {
    if (await this.#hasList(of)) {
      yield* this.#list.oldestFirst(of, { fromMs, toMs });
      return;
    }
    const { first, last } = await this.#scan.range(fromMs, toMs);
    const blocks = last - first + 1;
    if (blocks > this.reading.maxBlocks)
      throw new CostsError(
        `${this.connection.client.url} has no extended history (/v1), so ${blocks} blocks have to be read for ${listedInWords(of)}. Set --max-blocks ${blocks}, a shorter range, or another node`,
      );
    yield* this.#scan.oldestFirst(of, first, last);
  }

  async *#fromNetwork(of: Listed, fromMs: number, toMs: number): AsyncGenerator<PaidTransaction> {
    for await (const listed of this.#parts(of, fromMs, toMs)) yield* await this.#paid(listed, of);
  }

  /** Complete days come from the folder. Others are read whole, because the next run may want more of them. */
  async *#throughFolder(folder: CostFolder, of: Listed, fromMs: number, toMs: number): AsyncGenerator<PaidTransaction> {
    const start = (timestampMs: number) => timestampMs - (timestampMs % DAY_MS);
    for (let dayMs = start(fromMs); dayMs <= toMs; ) {
      if (folder.isComplete(dayOf(dayMs))) {
        yield* folder.read(dayOf(dayMs)).values();
        dayMs += DAY_MS;
        continue;
      }
      let endMs = dayMs;
      while (endMs <= toMs && !folder.isComplete(dayOf(endMs))) endMs += DAY_MS;
      yield* this.#daysThroughFolder(folder, of, dayMs, endMs);
      dayMs = endMs;
    }
  }

  /** @param endMs excluded; no day of the range is complete */
  async *#daysThroughFolder(
    folder: CostFolder,
    of: Listed,
    beginMs: number,
    endMs: number,
  ): AsyncGenerator<PaidTransaction> {
    let dayMs = beginMs;
    let known = folder.read(dayOf(dayMs));
    const resumeMs = [...known.values()].at(-1)?.timestampMs ?? beginMs;
    for (const [txid, paid] of known) {
      if (paid.timestampMs >= resumeMs) break;
      known.delete(txid);
      yield paid;
    }
    // From the first missing receipt or the first block that is not solidified, a day is not kept: the next run asks for
    // the rest of it again.
    let isKept = true;
    const finishUpTo = (nextMs: number) => {
      const finished: string[] = [];
      for (; dayMs < nextMs; dayMs += DAY_MS, isKept = true)
        if (isKept && dayMs + DAY_MS <= this.settledMs) finished.push(dayOf(dayMs));
      folder.setComplete(finished);
    };
    for await (const listed of this.#parts(of, resumeMs, endMs - 1)) {
      for (const part of inParts(listed)) {
        const [first] = part;
        const partMs = first === undefined ? dayMs : first.timestampMs - (first.timestampMs % DAY_MS);
        if (partMs > dayMs) {
          finishUpTo(partMs);
          known = folder.read(dayOf(partMs));
        }
        const read = await this.#paid(
          part.filter(({ transaction: { txId } }) => !known.has(txId)),
          of,
        );
        const unkept = read.findIndex(
          ({ penalty, timestampMs }) => penalty === undefined || timestampMs > this.settledMs,
        );
        if (isKept) folder.append(dayOf(dayMs), unkept < 0 ? read : read.slice(0, unkept));
        if (unkept >= 0) isKept = false;
        const byId = new Map(read.map((paid) => [paid.txid, paid]));
        for (const { transaction } of part) {
          const paid = known.get(transaction.txId) ?? byId.get(transaction.txId);
          if (paid !== undefined) yield paid;
        }
      }
    }
    finishUpTo(endMs);
  }

  async #paid(listed: readonly ListedTransaction[], of: Listed): Promise<readonly PaidTransaction[]> {
    const receipts = await this.#receipts.of(listed);
    const all: PaidTransaction[] = [];
    for (const { transaction, blockNumber, timestampMs, info, isComplete } of listed) {
      const then = await this.prices.of(blockNumber, timestampMs);
      const receipt = isComplete ? info : receipts.get(transaction.txId);
      const { wallet } = this.connection;
      const figures = receipt ?? withDeployersEnergy(info, then.long('ENERGY_FEE'));
      if (figures === undefined)
        throw badAnswer(wallet.asked(WALLET.receipt, ''), `it has no receipt of ${transaction.txId}`);
      const paid = paidTransaction(transaction, figures, then, receipt !== undefined);
      all.push(of.as === 'signer' ? paid : { ...paid, caller: toBase58(transaction.owner ?? '') });
    }
    return all;
  }
}

/** A list has no Energy of deployers: it is what caller and burned TRX did not pay. */
function withDeployersEnergy(info: TransactionInfo | undefined, priceSun: bigint): TransactionInfo | undefined {
  if (info === undefined) return undefined;
  const receipt = info.receipt ?? ResourceReceipt.empty;
  const bought = priceSun > 0n ? receipt.energy_fee / priceSun : 0n;
  const rest = receipt.energy_usage_total - receipt.energy_usage - bought;
  return { ...info, receipt: { ...receipt, origin_energy_usage: rest > 0n ? rest : 0n } };
}

/** Parts of one day that are kept at once: a run that is stopped loses one. A block is not split. */
function inParts(listed: readonly ListedTransaction[]): readonly (readonly ListedTransaction[])[] {
  const parts: ListedTransaction[][] = [];
  for (const [at, one] of listed.entries()) {
    const before = listed[at - 1];
    const part = parts.at(-1);
    const isSameDay = before !== undefined && dayOf(before.timestampMs) === dayOf(one.timestampMs);
    const mayEnd = part !== undefined && part.length >= KEPT_AT_ONCE && before?.blockNumber !== one.blockNumber;
    if (part === undefined || !isSameDay || mayEnd) parts.push([one]);
    else part.push(one);
  }
  return parts;
}
