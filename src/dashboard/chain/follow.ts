/**
 * The newest blocks, kept up to date by `/sunup/events`. Where that path is off (`--no-dev-methods`), the head block is
 * asked for every three seconds, and transactions have no charges.
 */

import type { BlockAnswer, BlockEvent, TransactionEvent } from './answers.js';
import { base, nodeSettings, wallet } from './ask.js';

export interface LiveBlock extends BlockEvent {
  /** As far as their events have come. */
  readonly contents: readonly TransactionEvent[];
}

export interface LiveChain {
  /** Newest first. */
  readonly blocks: readonly LiveBlock[];
  readonly head: LiveBlock | undefined;
  readonly pending: number;
  readonly connection: 'connecting' | 'live' | 'polling' | 'lost';
  /** Increases with each change: queries of older answers are repeated. */
  readonly version: number;
}

/** Blocks that are kept, and transactions in them: memory stays bounded on a busy chain. */
export const WINDOW_BLOCKS = 300;
const MAX_TRANSACTIONS = 5_000;
const POLL_MS = 3_000;

export const emptyChain: LiveChain = { blocks: [], head: undefined, pending: 0, connection: 'connecting', version: 0 };

/** Calls back with the state after each change, at most once per animation frame. @returns ends it */
export function followChain(onChange: (chain: LiveChain) => void): () => void {
  let chain = emptyChain;
  let frame: number | undefined;
  let ended = false;
  let close = () => {};

  const set = (next: Partial<LiveChain>) => {
    chain = { ...chain, ...next, version: chain.version + 1 };
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      if (!ended) onChange(chain);
    });
  };

  const listen = (from: number) => {
    const source = new EventSource(`${base}sunup/events?from=${from}`);
    close = () => source.close();
    source.addEventListener('open', () => set({ connection: 'live' }));
    source.addEventListener('error', () => {
      // A closed stream was refused and does not come back by itself.
      if (source.readyState !== EventSource.CLOSED) set({ connection: 'lost' });
      else if (!ended) close = later(start);
    });
    const on = <Data>(name: string, act: (data: Data) => void) =>
      source.addEventListener(name, ({ data }) => act(JSON.parse(data) as Data));
    on<BlockEvent>('block', (block) => set(withBlock(chain, block)));
    on<TransactionEvent>('transaction', (transaction) => set(withTransaction(chain, transaction)));
    on<{ from: number }>('removed', ({ from }) => set(withoutBlocks(chain, from)));
    on('pending', () => set({ pending: chain.pending + 1 }));
    on('dropped', () => set({ pending: Math.max(0, chain.pending - 1) }));
  };

  const poll = async () => {
    const head = await wallet<BlockAnswer>('getnowblock').catch(() => undefined);
    if (ended) return;
    if (head === undefined) set({ connection: 'lost' });
    else if (head.blockID !== chain.head?.id) set({ ...withBlock(chain, blockOf(head)), connection: 'polling' });
    close = later(poll);
  };

  const start = async () => {
    try {
      const [head, { devMethods }] = await Promise.all([wallet<BlockAnswer>('getnowblock'), nodeSettings()]);
      if (ended) return;
      if (!devMethods) return poll();
      listen(Math.max(0, (head.block_header.raw_data.number ?? 0) - WINDOW_BLOCKS + 1));
    } catch {
      if (ended) return;
      set({ connection: 'lost' });
      close = later(start);
    }
  };

  start();
  return () => {
    ended = true;
    if (frame !== undefined) cancelAnimationFrame(frame);
    close();
  };
}

function later(act: () => void): () => void {
  const timer = setTimeout(act, POLL_MS);
  return () => clearTimeout(timer);
}

export function blockOf({ blockID, block_header: { raw_data: header }, transactions = [] }: BlockAnswer): BlockEvent {
  return {
    number: header.number ?? 0,
    id: blockID,
    parentId: header.parentHash,
    timestampMs: header.timestamp ?? 0,
    witness: header.witness_address ?? '',
    transactions: transactions.map(({ txID }) => txID),
  };
}

function withBlock({ blocks, pending }: LiveChain, block: BlockEvent): Partial<LiveChain> {
  const before = blocks.filter(({ number }) => number < block.number);
  const kept = bounded([{ ...block, contents: [] }, ...before]);
  return { blocks: kept, head: kept[0], pending: Math.max(0, pending - block.transactions.length) };
}

function withTransaction({ blocks }: LiveChain, transaction: TransactionEvent): Partial<LiveChain> {
  const next = blocks.map((block) =>
    block.number === transaction.block && block.contents.length <= transaction.index
      ? { ...block, contents: [...block.contents, transaction] }
      : block,
  );
  return { blocks: next, head: next[0] };
}

function withoutBlocks({ blocks }: LiveChain, from: number): Partial<LiveChain> {
  const kept = blocks.filter(({ number }) => number < from);
  return { blocks: kept, head: kept[0] };
}

function bounded(blocks: readonly LiveBlock[]): readonly LiveBlock[] {
  let transactions = 0;
  const end = blocks.findIndex(({ contents }, at) => {
    transactions += contents.length;
    return at >= WINDOW_BLOCKS || transactions > MAX_TRANSACTIONS;
  });
  return end < 0 ? blocks : blocks.slice(0, Math.max(1, end));
}
