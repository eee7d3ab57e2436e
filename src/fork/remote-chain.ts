/** Which chain a remote is on, where its head stands, and whether it is still the one that was forked. */

import { type BlockId, isAddress } from '../primitives/ids.js';
import { BlockHeader } from '../protocol/generated/tron.js';
import { textMember } from '../protocol/json/value.js';
import { type Asked, lies, messageOf, objectOf } from './answers.js';
import type { RemoteClient } from './remote-client.js';
import { RemoteError } from './remote-error.js';

export interface RemoteBlock {
  readonly number: number;
  readonly id: BlockId;
  readonly timestampMs: bigint;
  readonly header: BlockHeader;
}

export class RemoteChain {
  /** The newest head that was seen, and when. */
  #newest: { readonly block: RemoteBlock; readonly seenMs: number } | undefined;
  #pinned: RemoteBlock | undefined;

  constructor(private readonly client: RemoteClient) {}

  /** From now on the remote has to be the chain that this block is of. */
  pin(head: RemoteBlock): void {
    this.#pinned = head;
  }

  /** @throws RemoteError also where the remote is no longer the chain that was forked */
  async head(): Promise<RemoteBlock> {
    const block = await this.#block(undefined, 'its head');
    // One that does not follow what was seen may be another chain's: a node can be started anew at any time.
    if (this.#newest === undefined || !follows(block, this.#newest.block)) await this.check();
    this.#newest = { block, seenMs: this.client.nowMs() };
    return block;
  }

  /** The newest head that was seen, if it can still be the newest there is. */
  recentHead(slotMs: bigint): RemoteBlock | undefined {
    if (this.#newest === undefined) return undefined;
    const { block, seenMs } = this.#newest;
    return this.client.nowMs() - seenMs < Number(slotMs) / 2 ? block : undefined;
  }

  blockAt(number: number): Promise<RemoteBlock> {
    return this.#block(number, `block ${number}`);
  }

  /** The block that was forked; undefined before. */
  get forked(): RemoteBlock | undefined {
    return this.#pinned;
  }

  /** @throws RemoteError where the forked head, and so all before it, is not what it was */
  async check(): Promise<void> {
    if (this.#pinned === undefined) return;
    const { number, id: was } = this.#pinned;
    const is = (await this.#blockOrNone(number, `block ${number}`))?.id;
    if (is === was) return;
    throw new RemoteError(
      this.client.url,
      `block ${number}`,
      `it is on another chain than the one that was forked: the block was ${was} and is ${is ?? 'not there'}`,
      'Start the fork anew, or on the node that it began with; what was read so far stays as it is.',
    );
  }

  async #block(number: number | undefined, what: string): Promise<RemoteBlock> {
    const block = await this.#blockOrNone(number, what);
    if (block === undefined) throw lies(this.#asked(what), 'it gives no block');
    return block;
  }

  /** @param number undefined: the head */
  async #blockOrNone(number: number | undefined, what: string): Promise<RemoteBlock | undefined> {
    const asked = this.#asked(what);
    const which = number === undefined ? '' : `"id_or_num":"${number}",`;
    const json = objectOf(await this.client.wallet('getblock', `{${which}"detail":false}`, what), asked);
    if (json.size === 0) return undefined;
    const id = textMember(json, 'blockID') ?? '';
    const header = json.get('block_header');
    if (!/^[0-9a-f]{64}$/.test(id) || header === undefined) throw lies(asked, 'it gives no block');
    const message = messageOf(BlockHeader, header, asked);
    const said = Number(message.raw_data?.number ?? 0n);
    if (BigInt(`0x${id.slice(0, 16)}`) !== BigInt(said) || (number ?? said) !== said) {
      throw lies(asked, 'it gives another block');
    }
    return { number: said, id: id as BlockId, timestampMs: message.raw_data?.timestamp ?? 0n, header: message };
  }

  #asked(what: string): Asked {
    return { url: `${this.client.url}/wallet/getblock`, what };
  }

  /** A contract that the head block calls; undefined: it calls none. */
  async contractCalledLately(): Promise<string | undefined> {
    const asked = { url: `${this.client.url}/wallet/getnowblock`, what: 'its newest block' };
    const json = objectOf(await this.client.wallet('getnowblock', '{}', asked.what), asked);
    const text = JSON.stringify(plain(json.get('transactions') ?? []));
    const found = /"contract_address":"([0-9a-f]{42})"/.exec(text)?.[1];
    return found !== undefined && isAddress(found) ? found : undefined;
  }
}

/** Whether a head can be seen to be of one chain with another: it is the same, or the next. */
function follows(head: RemoteBlock, before: RemoteBlock): boolean {
  return head.id === before.id || head.header.raw_data?.parentHash === before.id;
}

function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? String(value) : value;
}
