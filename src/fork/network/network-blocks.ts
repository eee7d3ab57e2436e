/** Blocks of a live network up to the forked one, with transactions and receipts, from a node's answers. */

import { type Hex, isHex } from '../../primitives/hex.js';
import type { BlockId, TxId } from '../../primitives/ids.js';
import { blockIdOfHeader } from '../../protocol/block.js';
import { BlockHeader_raw, TransactionInfo } from '../../protocol/generated/tron.js';
import { isJsonObject, type JsonObject, type JsonValue, textMember } from '../../protocol/json/value.js';
import type {
  EarlierBlock,
  EarlierLog,
  EarlierLogQuery,
  HistoryPage,
  RemoteBlocks,
} from '../../state/fork/earlier-blocks.js';
import { badAnswer, objectOf, type RequestContext } from './answers.js';
import type { RemoteChain } from './remote-chain.js';
import type { RemoteClient } from './remote-client.js';
import { ClosedError } from './remote-error.js';
import type { RemoteWallet } from './remote-wallet.js';
import { WALLET } from './wallet-requests.js';

export class NetworkBlocks implements RemoteBlocks {
  #hasNoHistory = false;
  #keepsNoTransactions = false;
  #checking: Promise<void> | undefined;

  constructor(
    private readonly wallet: RemoteWallet,
    private readonly client: RemoteClient,
    private readonly chain: RemoteChain,
  ) {}

  async block(number: number): Promise<EarlierBlock> {
    const what = `block ${number}`;
    const [found, { transactionInfo }] = await Promise.all([
      this.wallet.find(WALLET.wholeBlock, number, what),
      this.wallet.ask(WALLET.receipts, number, `the receipts of ${what}`),
      this.#isSameChain(),
    ]);
    const asked = this.wallet.asked(WALLET.wholeBlock, what);
    if (found === undefined) throw badAnswer(asked, 'it has no such block');
    const { id, header, transactions } = found;
    if (Number(header.raw_data?.number ?? 0n) !== number) throw badAnswer(asked, 'it returns another block');
    if (blockIdOfHeader(header.raw_data ?? BlockHeader_raw.empty) !== id)
      throw badAnswer(asked, 'its header does not match its id');
    const ids = new Set<string>(transactions.map(({ txId }) => txId));
    if (transactionInfo.some((info) => !ids.has(info.id) || Number(info.blockNumber) !== number))
      throw badAnswer(this.wallet.asked(WALLET.receipts, what), 'it returns receipts of other transactions');
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
    if (this.#keepsNoTransactions) return undefined;
    const finding = this.wallet.find(WALLET.receipt, txId, `transaction ${txId}`).catch((error: unknown) => {
      // A client may poll for a transaction that does not exist yet: that does not mean that the node has no history.
      if (!(error instanceof ClosedError)) throw error;
      this.#keepsNoTransactions = true;
      return undefined;
    });
    const [info] = await Promise.all([finding, this.#isSameChain()]);
    return info === undefined || info.id !== txId ? undefined : Number(info.blockNumber);
  }

  async logs({ from, to, addresses, topics }: EarlierLogQuery): Promise<readonly EarlierLog[]> {
    const what = `logs of blocks ${from} to ${to}`;
    const asked = { url: this.client.jsonRpcUrl, what };
    const criteria = {
      fromBlock: hex(from),
      toBlock: hex(to),
      address: addresses.map((address) => `0x${address}`),
      topics: topics.map((any) => (any.length === 0 ? null : any.map((topic) => `0x${topic}`))),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [criteria] });
    const [answer] = await Promise.all([this.client.post(asked.url, body, what), this.#isSameChain()]);
    const logs = listOf(answer, asked).map((log) => logOf(log, asked));
    if (!logs.every((log) => log.blockNumber >= from && log.blockNumber <= to && isWanted(log, addresses, topics)))
      throw badAnswer(asked, 'it returns logs that were not requested');
    const untimed = new Set(logs.filter(({ timeMs }) => timeMs === undefined).map(({ blockNumber }) => blockNumber));
    const times = new Map(
      await Promise.all(
        [...untimed].map(async (number) => [number, (await this.chain.blockAt(number)).timestampMs] as const),
      ),
    );
    return logs.map(({ timeMs, ...log }) => ({
      ...log,
      blockTimestampMs: timeMs ?? times.get(log.blockNumber) ?? 0n,
    }));
  }

  async history(question: string): Promise<HistoryPage | undefined> {
    if (this.#hasNoHistory) return undefined;
    const what = 'its history';
    const url = `${this.client.url}${question}`;
    const [json] = await Promise.all([this.client.get(url, what), this.#isSameChain()]);
    // A plain java-tron node has no `/v1`.
    if (json === undefined) this.#hasNoHistory = true;
    if (json === undefined) return undefined;
    const asked = { url, what };
    const { data, meta } = Object(json) as {
      readonly data?: unknown;
      readonly meta?: { readonly fingerprint?: unknown };
    };
    if (!Array.isArray(data)) throw badAnswer(asked, 'it returns no page');
    const fingerprint = meta?.fingerprint;
    if (data.some((item) => typeof item !== 'object' || item === null))
      throw badAnswer(asked, 'its list has an entry that is not an object');
    if (typeof fingerprint === 'string' && !/^.{0,500}$/.test(fingerprint))
      throw badAnswer(asked, 'its cursor is not valid');
    return { data, fingerprint: typeof fingerprint === 'string' ? fingerprint : undefined };
  }

  /** A node can be restarted on another chain at any time. Concurrent requests share one check. */
  #isSameChain(): Promise<void> {
    this.#checking ??= this.chain.check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }
}

const hex = (number: number): string => `0x${number.toString(16)}`;

function listOf(answer: JsonValue, asked: RequestContext): readonly JsonObject[] {
  const answered = objectOf(answer, asked);
  const error = answered.get('error');
  if (isJsonObject(error)) throw badAnswer(asked, `it says "${textMember(error, 'message') ?? ''}"`);
  const result = answered.get('result');
  if (!Array.isArray(result)) throw badAnswer(asked, 'it returns no logs');
  return result.map((log: JsonValue) => objectOf(log, asked));
}

function isWanted(
  log: Pick<EarlierLog, 'address' | 'topics'>,
  addresses: EarlierLogQuery['addresses'],
  topics: EarlierLogQuery['topics'],
): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false;
  return topics.every((any, i) => any.length === 0 || any.includes(log.topics[i] ?? ('' as Hex)));
}

/** Only later releases have the time. */
function logOf(
  log: JsonObject,
  asked: RequestContext,
): Omit<EarlierLog, 'blockTimestampMs'> & { readonly timeMs: bigint | undefined } {
  const bytes = (value: JsonValue | undefined, what: string, length?: number): Hex => {
    const text = typeof value === 'string' ? value.replace(/^0x/, '').toLowerCase() : undefined;
    if (text === undefined || !isHex(text)) throw badAnswer(asked, `${what} of a log is not hex`);
    if (length !== undefined && text.length !== 2 * length)
      throw badAnswer(asked, `${what} of a log is not ${length} bytes long`);
    return text;
  };
  const number = (name: string): number => {
    const read = Number.parseInt(bytes(evenly(log.get(name)), name), 16);
    if (!Number.isSafeInteger(read)) throw badAnswer(asked, `${name} of a log is not a number`);
    return read;
  };
  const topics = log.get('topics');
  const time = log.get('blockTimestamp');
  return {
    address: bytes(log.get('address'), 'address', 20),
    topics: Array.isArray(topics) ? topics.map((topic: JsonValue) => bytes(topic, 'topic', 32)) : [],
    data: bytes(log.get('data'), 'data'),
    blockNumber: number('blockNumber'),
    blockId: bytes(log.get('blockHash'), 'blockHash', 32) as BlockId,
    txId: bytes(log.get('transactionHash'), 'transactionHash', 32) as TxId,
    transactionIndex: number('transactionIndex'),
    logIndex: number('logIndex'),
    timeMs:
      time === undefined || time === null ? undefined : BigInt(`0x${bytes(evenly(time), 'blockTimestamp')}`) * 1_000n,
  };
}

/** Quantities have no leading zeros, bytes have two digits each. */
function evenly(quantity: JsonValue | undefined): JsonValue | undefined {
  if (typeof quantity !== 'string') return quantity;
  const digits = quantity.replace(/^0x/, '');
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

/** For a fork without a network connection. */
export const NO_BLOCKS: RemoteBlocks = {
  block: async () => undefined,
  blockOf: async () => undefined,
  logs: async () => [],
  history: async () => undefined,
};
