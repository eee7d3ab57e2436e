/**
 * The transactions that an account signed, or the calls of a contract, by the extended history
 * (protocol/v1.md#get-v1accountsaddresstransactions).
 */

import { badAnswer, type RequestContext } from '../../fork/network/answers.js';
import type { Connection } from '../../fork/start/connect.js';
import { hexToBytes, isHex } from '../../primitives/hex.js';
import { toBase58 } from '../../protocol/address.js';
import {
  ResourceReceipt,
  Transaction_Result_contractResult_type,
  TransactionInfo,
  Transaction_Result as TransactionResult,
} from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { isListed, type Listed, type ListedTransaction, listedInWords } from './listed-transaction.js';

/** The largest page that the managed service has. */
const PAGE = 200;

/** Ids are compared with those of the last pages: a page may repeat entries. */
const REMEMBERED_IDS = 4 * PAGE;

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly fingerprint: string | undefined;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export class AccountList {
  constructor(private readonly connection: Pick<Connection, 'client'>) {}

  /** Whether the network has such a list. @throws RemoteError */
  async isServed(of: Listed, headMs: number): Promise<boolean> {
    return (await this.#page(of, { fromMs: 0, toMs: headMs }, 'desc', undefined, 1)) !== undefined;
  }

  /**
   * Transactions in solidified blocks, oldest first. A provider may end a long list early, so another request with a
   * later start follows until nothing new comes.
   *
   * @throws RemoteError
   */
  async *oldestFirst(of: Listed, { fromMs, toMs }: Span): AsyncGenerator<readonly ListedTransaction[]> {
    const known = new RecentIds();
    let lastMs = fromMs;
    for (let isNew = true; isNew; ) {
      const startMs = lastMs;
      isNew = false;
      let pages = 0;
      let fingerprint: string | undefined;
      do {
        const page = await this.#page(of, { fromMs: startMs, toMs }, 'asc', fingerprint);
        pages++;
        fingerprint = page?.fingerprint;
        const listed = this.#listed(page, of).filter((one) => known.add(one));
        const last = listed.at(-1);
        if (last === undefined) continue;
        if (listed.some(({ timestampMs }, at) => timestampMs < (listed[at - 1]?.timestampMs ?? lastMs)))
          throw badAnswer(this.#asked(of), 'its list is not in the order of time');
        lastMs = last.timestampMs;
        isNew = pages > 1 || (page?.data.length ?? 0) >= PAGE;
        yield listed;
      } while (fingerprint !== undefined);
    }
  }

  /** The oldest of the newest `count` transactions; undefined: there is none. @throws RemoteError */
  async oldestOfNewest(of: Listed, count: number, toMs: number): Promise<ListedTransaction | undefined> {
    const known = new Set<string>();
    let oldest: ListedTransaction | undefined;
    let fingerprint: string | undefined;
    do {
      const page = await this.#page(of, { fromMs: 0, toMs }, 'desc', fingerprint, Math.min(PAGE, count));
      fingerprint = page?.fingerprint;
      for (const listed of this.#listed(page, of)) {
        if (known.size === count) return oldest;
        if (!known.has(listed.transaction.txId)) oldest = listed;
        known.add(listed.transaction.txId);
      }
    } while (fingerprint !== undefined && known.size < count);
    return oldest;
  }

  #asked(of: Listed): RequestContext {
    const address = toBase58(of.address);
    const { url } = this.connection.client;
    return { url: `${url}/v1/accounts/${address}/transactions`, what: listedInWords(of) };
  }

  /** Undefined: the network has no extended history. */
  async #page(
    of: Listed,
    { fromMs, toMs }: Span,
    order: 'asc' | 'desc',
    fingerprint: string | undefined,
    limit = PAGE,
  ): Promise<Page | undefined> {
    const asked = this.#asked(of);
    const terms = new URLSearchParams({
      only_confirmed: 'true',
      [of.as === 'signer' ? 'only_from' : 'only_to']: 'true',
      limit: String(limit),
      order_by: `block_timestamp,${order}`,
      min_timestamp: String(fromMs),
      max_timestamp: String(toMs),
      ...(fingerprint !== undefined && { fingerprint }),
    });
    const json = await this.connection.client.get(`${asked.url}?${terms}`, asked.what);
    if (json === undefined) return undefined;
    const { data, meta } = Object(json) as { readonly data?: unknown; readonly meta?: unknown };
    if (!Array.isArray(data) || data.some((item) => typeof item !== 'object' || item === null))
      throw badAnswer(asked, 'it returns no page');
    const { fingerprint: next } = Object(meta) as { readonly fingerprint?: unknown };
    return { data, fingerprint: typeof next === 'string' && next !== '' ? next : undefined };
  }

  /** Without transactions of the other side, which a provider may list in spite of the request. */
  #listed(page: Page | undefined, of: Listed): readonly ListedTransaction[] {
    return (page?.data ?? [])
      .filter((entry) => entry.internal_tx_id === undefined)
      .map((entry) => listedTransaction(entry, this.#asked(of)))
      .filter(({ transaction }) => isListed(transaction, of));
  }
}

/** Ids of the last pages, and all of the newest block. */
class RecentIds {
  readonly #times = new Map<string, number>();

  /** Whether it is new. */
  add({ transaction: { txId }, timestampMs }: ListedTransaction): boolean {
    if (this.#times.has(txId)) return false;
    this.#times.set(txId, timestampMs);
    for (const [oldest, oldestMs] of this.#times) {
      if (this.#times.size <= REMEMBERED_IDS || oldestMs === timestampMs) break;
      this.#times.delete(oldest);
    }
    return true;
  }
}

const FIGURES = ['net_usage', 'net_fee', 'energy_usage', 'energy_fee', 'energy_usage_total'] as const;

function listedTransaction(entry: Readonly<Record<string, unknown>>, asked: RequestContext): ListedTransaction {
  const { raw_data_hex: raw, signature, ret, txID, blockNumber, block_timestamp: timestampMs } = entry;
  const [outcome] = Array.isArray(ret) ? (ret as readonly Readonly<Record<string, unknown>>[]) : [];
  if (typeof raw !== 'string' || !isHex(raw)) throw badAnswer(asked, 'a transaction has no raw_data_hex');
  const signatures = (Array.isArray(signature) ? signature : []).filter(
    (one): one is string => typeof one === 'string' && isHex(one),
  );
  const { numberOf } = Transaction_Result_contractResult_type;
  const contractRet = numberOf(String(outcome?.contractRet ?? 'DEFAULT')) ?? numberOf('UNKNOWN');
  const result = { ...TransactionResult.empty, contractRet } as TransactionResult;
  const transaction = SignedTransaction.ofParts(hexToBytes(raw), signatures as never, [result]);
  if (transaction.txId !== txID) throw badAnswer(asked, `the bytes of transaction ${String(txID)} have another id`);
  if (!isCount(blockNumber) || !isCount(timestampMs))
    throw badAnswer(asked, `transaction ${txID} has no block or no time`);
  const info = infoOf(transaction, outcome?.fee, entry);
  const isComplete = info?.receipt?.energy_usage_total === 0n;
  return { transaction, blockNumber, timestampMs, info, isComplete };
}

/** Undefined: old entries of a provider may lack figures. */
function infoOf(
  { txId }: SignedTransaction,
  fee: unknown,
  entry: Readonly<Record<string, unknown>>,
): TransactionInfo | undefined {
  if (!isCount(fee) || !FIGURES.every((name) => isCount(entry[name]))) return undefined;
  const figures = Object.fromEntries(FIGURES.map((name) => [name, BigInt(entry[name] as number)]));
  return {
    ...(TransactionInfo.empty as TransactionInfo),
    id: txId,
    blockNumber: BigInt(entry.blockNumber as number),
    blockTimeStamp: BigInt(entry.block_timestamp as number),
    fee: BigInt(fee),
    receipt: { ...ResourceReceipt.empty, ...figures },
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
