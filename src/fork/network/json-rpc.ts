/** Storage words over a node's JSON-RPC, in batches, or singly if the node accepts no batches. */

import pLimit from 'p-limit';
import type { Address } from '../../primitives/ids.js';
import { isJsonObject, type JsonObject, type JsonValue, textMember } from '../../protocol/json/value.js';
import { badAnswer, type RequestContext } from './answers.js';
import { MAX_RETRIES_BEHIND, type RemoteChain } from './remote-chain.js';
import type { RemoteClient } from './remote-client.js';
import { RemoteError } from './remote-error.js';

export interface Slot {
  readonly contract: Address;
  readonly slot: bigint;
}

/** With two requests about the chain a hundred, the batch limit of java-tron. */
const BATCH = 98;
/** Limit of one round, so that other requests get their turn. */
const BATCHES_AT_ONCE = 8;

export interface Word {
  readonly word: bigint;
  /** The block of the word. */
  readonly block: number;
}

interface Call {
  readonly method: string;
  readonly params: readonly string[];
}

/** java-tron serves the storage of its head only, and returns an error for other blocks. */
class RefusedCall extends RemoteError {}

export class JsonRpc {
  /** Whether the node answers batches; undefined: not tried yet. */
  #batches: boolean | undefined;
  /** Whether the node serves storage of older blocks; undefined: not tried yet. */
  #older: boolean | undefined;

  constructor(
    private readonly client: RemoteClient,
    /** The chain that the words must belong to. */
    private readonly chain: RemoteChain,
  ) {}

  /**
   * Words at slots, of a block if the node serves older storage, otherwise of its head.
   *
   * @returns in the order of the slots, each with its block
   * @throws RemoteError
   */
  async storage(slots: readonly Slot[], block: number, what: string): Promise<readonly Word[]> {
    const batches: (readonly Slot[])[] = [];
    for (let from = 0; from < slots.length; from += BATCH) batches.push(slots.slice(from, from + BATCH));
    const [first = [], ...others] = batches;
    // The first request shows the node's abilities before many are sent.
    const words = await this.#batch(first, block, what);
    const limit = pLimit(BATCHES_AT_ONCE);
    return [words, ...(await Promise.all(others.map((some) => limit(() => this.#batch(some, block, what)))))].flat();
  }

  async #batch(slots: readonly Slot[], block: number, what: string): Promise<readonly Word[]> {
    if (this.#older !== false) {
      try {
        const { words } = await this.#words(slots, hex(BigInt(block)), what);
        this.#older = true;
        return words.map((word) => ({ word, block }));
      } catch (error) {
        // Also for a node that keeps the state of some recent blocks: words that were read stay those of the block.
        if (!(error instanceof RefusedCall)) throw error;
        this.#older = false;
      }
    }
    const { words, head } = await this.#words(slots, 'latest', what);
    return words.map((word) => ({ word, block: head }));
  }

  async #words(slots: readonly Slot[], at: string, what: string) {
    const asked = { url: this.client.jsonRpcUrl, what };
    const calls: readonly Call[] = [
      { method: 'eth_getBlockTransactionCountByHash', params: [`0x${this.chain.forked?.id ?? ''}`] },
      { method: 'eth_blockNumber', params: [] },
      ...slots.map(({ contract, slot }) => ({
        method: 'eth_getStorageAt',
        params: [`0x${contract.slice(2)}`, hex(slot), at] as const,
      })),
    ];
    for (let times = 1; ; times++) {
      const [known, ...answers] = await this.#call(calls, what);
      if (known === undefined || !saysUnknown(known)) {
        const [head, ...words] = answers.map((answer) => wordOf(answer, asked));
        if (Number(head) >= (this.chain.forked?.number ?? 0)) return { words, head: Number(head) };
      }
      // A node of another chain also fails on requests for its blocks; the error then names the forked block.
      await this.chain.check();
      if (times === MAX_RETRIES_BEHIND) throw badAnswer(asked, 'it does not know the forked block');
      await this.client.retryPolicy.backOff(times);
    }
  }

  /** Answers in the order of the calls. */
  async #call(calls: readonly Call[], what: string): Promise<readonly JsonValue[]> {
    const url = this.client.jsonRpcUrl;
    const asked = { url, what };
    if (this.#batches !== false) {
      const body = `[${calls.map((call, i) => text(call, i + 1)).join(',')}]`;
      const answer = await this.client.post(url, body, what);
      if (Array.isArray(answer)) {
        this.#batches = true;
        return inOrder(answer as readonly JsonValue[], calls.length, asked);
      }
      if (this.#batches) throw badAnswer(asked, 'it no longer answers batches');
      this.#batches = false;
    }
    return Promise.all(calls.map((call) => this.client.post(url, text(call, 1), what)));
  }
}

function inOrder(answers: readonly JsonValue[], count: number, asked: RequestContext): readonly JsonValue[] {
  const byId = new Map(
    answers.filter(isJsonObject).map((answer) => [Number(answer.get('id') ?? 0), answer as JsonObject]),
  );
  return Array.from({ length: count }, (_, i) => {
    const answer = byId.get(i + 1);
    if (answer === undefined) throw badAnswer(asked, 'its answer to a batch is incomplete');
    return answer;
  });
}

/** For a block by its hash. An error proves nothing: not every node has this method. */
const saysUnknown = (answer: JsonValue): boolean => isJsonObject(answer) && answer.get('result') === null;

function wordOf(answer: JsonValue, asked: RequestContext): bigint {
  if (!isJsonObject(answer)) throw badAnswer(asked, 'its answer is not a JSON object');
  const error = answer.get('error');
  if (isJsonObject(error)) {
    throw new RefusedCall(
      asked.url,
      asked.what,
      `it says "${textMember(error, 'message') ?? ''}"`,
      'Set the JSON-RPC URL of a node of the same network (--fork-jsonrpc).',
    );
  }
  const result = answer.get('result');
  if (typeof result !== 'string' || !/^0x[0-9a-f]{0,64}$/i.test(result)) throw badAnswer(asked, 'it returns no word');
  return result === '0x' ? 0n : BigInt(result);
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;

function text({ method, params }: Call, id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
