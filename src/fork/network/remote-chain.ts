/** The chain and head of a remote, and whether it is still the forked chain. */

import type { Address, BlockId } from '../../primitives/ids.js';
import { LAST_MOMENT_MS } from '../../primitives/moment.js';
import type { BlockHeader } from '../../protocol/generated/tron.js';
import { badAnswer, type RequestContext } from './answers.js';
import { RemoteError } from './remote-error.js';
import type { RemoteWallet } from './remote-wallet.js';
import type { RetryPolicy } from './retry-policy.js';
import { WALLET } from './wallet-requests.js';

export interface RemoteBlock {
  readonly number: number;
  readonly id: BlockId;
  readonly timestampMs: bigint;
  readonly header: BlockHeader;
}

/** Several nodes can share an address, and one of them may be behind: number of retries. */
export const MAX_RETRIES_BEHIND = 3;

export class RemoteChain {
  /** The newest seen head, and its time. */
  #newest: { readonly block: RemoteBlock; readonly seenMs: number } | undefined;
  #pinned: RemoteBlock | undefined;

  constructor(
    private readonly wallet: RemoteWallet,
    private readonly retryPolicy: Pick<RetryPolicy, 'nowMs' | 'backOff'>,
  ) {}

  /** From now on the remote must be on the chain of this block. */
  pin(head: RemoteBlock): void {
    this.#pinned = head;
  }

  /** @throws RemoteError also if the remote is no longer on the forked chain */
  async head(): Promise<RemoteBlock> {
    const block = await this.#headNotBehind();
    // A head that does not follow the last one may belong to another chain: a node can be restarted at any time.
    if (this.#newest === undefined || !follows(block, this.#newest.block)) await this.check();
    this.#newest = { block, seenMs: this.retryPolicy.nowMs() };
    return block;
  }

  /** Answers of a node behind the forked block are older than the fork's rows. */
  async #headNotBehind(): Promise<RemoteBlock> {
    for (let times = 1; ; times++) {
      const block = await this.#block(undefined, 'its head');
      const forked = this.#pinned?.number ?? 0;
      if (block.number >= forked) return block;
      if (times === MAX_RETRIES_BEHIND) {
        await this.check(1);
        const asked = this.wallet.asked(WALLET.block, 'its head');
        throw badAnswer(asked, `it is at block ${block.number}, below the forked block ${forked}`);
      }
      await this.retryPolicy.backOff(times);
    }
  }

  /** The newest seen head, if it can still be the newest. */
  recentHead(slotMs: bigint): RemoteBlock | undefined {
    if (this.#newest === undefined) return undefined;
    const { block, seenMs } = this.#newest;
    return this.retryPolicy.nowMs() - seenMs < Number(slotMs) / 2 ? block : undefined;
  }

  nowMs(): number {
    return this.retryPolicy.nowMs();
  }

  blockAt(number: number): Promise<RemoteBlock> {
    return this.#block(number, `block ${number}`);
  }

  /** The forked block; undefined before. */
  get forked(): RemoteBlock | undefined {
    return this.#pinned;
  }

  /** @throws RemoteError if the forked head, and so its history, has changed */
  async check(tries = MAX_RETRIES_BEHIND): Promise<void> {
    if (this.#pinned === undefined) return;
    const { number, id: was } = this.#pinned;
    let is: BlockId | undefined;
    for (let times = 1; times <= tries && is === undefined; times++) {
      if (times > 1) await this.retryPolicy.backOff(times - 1);
      is = (await this.#blockOrNone(number, `block ${number}`))?.id;
    }
    if (is === was) return;
    throw new RemoteError(
      this.wallet.address,
      `block ${number}`,
      `it is on another chain than the one that was forked: the block was ${was} and is ${is ?? 'missing'}`,
      'Start a new fork (with another --fork-cache), or use the first node again. The rows read so far do not change.',
    );
  }

  async #block(number: number | undefined, what: string): Promise<RemoteBlock> {
    const block = await this.#blockOrNone(number, what);
    if (block === undefined) throw this.#noBlock(this.wallet.asked(WALLET.block, what));
    return block;
  }

  /** A node without blocks from the start may belong to another kind of network. */
  #noBlock(asked: RequestContext): RemoteError {
    if (this.#newest !== undefined) return badAnswer(asked, 'it returns no block');
    const advice = 'Is this a java-tron node? Set the URL of its HTTP interface, such as https://api.trongrid.io.';
    return new RemoteError(asked.url, asked.what, 'it returns no block', advice);
  }

  /** @param number undefined: the head */
  async #blockOrNone(number: number | undefined, what: string): Promise<RemoteBlock | undefined> {
    const asked = this.wallet.asked(WALLET.block, what);
    const block = await this.wallet.find(WALLET.block, number, what);
    if (block === undefined) return undefined;
    const { blockid: id, block_header: header } = block;
    if (!/^[0-9a-f]{64}$/.test(id) || header === undefined) throw this.#noBlock(asked);
    const said = Number(header.raw_data?.number ?? 0n);
    if (BigInt(`0x${id.slice(0, 16)}`) !== BigInt(said) || (number ?? said) !== said) {
      throw badAnswer(asked, 'it returns another block');
    }
    const timestampMs = header.raw_data?.timestamp ?? 0n;
    if (timestampMs < 0n || timestampMs > LAST_MOMENT_MS) throw badAnswer(asked, `its time is ${timestampMs} ms`);
    return { number: said, id: id as BlockId, timestampMs, header };
  }

  /** A contract that the head block calls; undefined: none. */
  contractCalledLately(): Promise<Address | undefined> {
    return this.wallet.ask(WALLET.calledContract, undefined, 'its newest block');
  }
}

/** Whether two heads can be checked to be on one chain: equal or consecutive. */
function follows(head: RemoteBlock, before: RemoteBlock): boolean {
  return head.id === before.id || head.header.raw_data?.parentHash === before.id;
}
