/**
 * The newest blocks, kept up to date by `/sunup/events`. Where that path is off (`--no-dev-methods`), the head block is
 * asked for every three seconds, and transactions have no charges.
 */

import type { BlockAnswer, BlockEvent, TransactionEvent } from './answers.js';
import { AnswerError, base, nodeSettings, wallet } from './ask.js';

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
  /** The words of a node that is there and answers nothing, such as those of a quota. */
  readonly refusal?: string | undefined;
  /** Increases when blocks are removed, and when the node is back: what was read before may not be so any more. */
  readonly era: number;
}

/** Blocks that are kept, and transactions in them: memory stays bounded on a busy chain. */
export const WINDOW_BLOCKS = 300;
const MAX_TRANSACTIONS = 5_000;
const POLL_MS = 3_000;
/** After this time, the screen shows what has come of the past. */
const PAST_MS = 1_000;

const numberOf = ({ block_header: header }: BlockAnswer): number => header.raw_data.number ?? 0;

async function pendingCount(): Promise<number> {
  return (await wallet<{ readonly pendingSize?: number }>('getpendingsize')).pendingSize ?? 0;
}

export const emptyChain: LiveChain = { blocks: [], head: undefined, pending: 0, connection: 'connecting', era: 0 };

/** Calls back with the state after each change, at most once per animation frame. @returns ends it */
export function followChain(onChange: (chain: LiveChain) => void): () => void {
  let chain = emptyChain;
  let frame: number | undefined;
  let ended = false;
  let close = () => {};
  /** Blocks up to the head are on their way: none of them is the head, and no question is repeated for them. */
  let isPast = false;

  const set = (next: Partial<LiveChain>) => {
    chain = { ...chain, ...next };
    if (isPast) return;
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      if (!ended) onChange(chain);
    });
  };

  /** @param head is the last block whose transactions do not count in `pending` */
  const listen = (head: number, pending: number) => {
    const from = Math.max(0, head - WINDOW_BLOCKS + 1);
    const source = new EventSource(`${base}sunup/events?from=${from}&transactions=${MAX_TRANSACTIONS}`);
    const present = () => {
      isPast = false;
      set({});
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    close = () => {
      clearTimeout(timer);
      isPast = false;
      source.close();
    };
    // Blocks of an earlier connection stay in sight until the first one of this connection is here.
    let isFirst = true;
    const on = <Data>(name: string, act: (data: Data) => void) =>
      source.addEventListener(name, ({ data }) => act(JSON.parse(data) as Data));
    source.addEventListener('open', () => {
      set({
        connection: 'live',
        refusal: undefined,
        pending,
        era: chain.connection === 'lost' ? chain.era + 1 : chain.era,
      });
      isPast = true;
      timer = setTimeout(present, PAST_MS);
    });
    source.addEventListener('error', () => {
      if (ended) return;
      // Not left to the browser: it would ask for all blocks since the last one, or of a new chain.
      close();
      set({ connection: 'lost' });
      close = later(start);
    });
    on<BlockEvent>('block', (block) => {
      set(withBlock(isFirst ? { ...chain, blocks: [] } : chain, block));
      isFirst = false;
      if (isPast && block.number >= head) present();
      if (block.number > head) set({ pending: Math.max(0, chain.pending - block.transactions.length) });
    });
    on<TransactionEvent>('transaction', (transaction) => set(withTransaction(chain, transaction)));
    on<{ from: number }>('removed', ({ from }) => set({ ...withoutBlocks(chain, from), era: chain.era + 1 }));
    on('pending', () => set({ pending: chain.pending + 1 }));
    on('dropped', () => set({ pending: Math.max(0, chain.pending - 1) }));
  };

  const poll = async () => {
    let refused: unknown;
    const [head, pending] = await Promise.all([wallet<BlockAnswer>('getnowblock'), pendingCount()]).catch((error) => {
      refused = error;
      return [];
    });
    if (ended) return;
    if (head === undefined) set(lost(refused));
    else {
      const known = chain.head;
      const isBack = known !== undefined && head.blockID !== known.id && numberOf(head) <= known.number;
      const era = isBack || chain.connection === 'lost' ? chain.era + 1 : chain.era;
      const news = head.blockID === known?.id ? {} : withBlock(chain, blockOf(head));
      set({ ...news, pending: pending ?? 0, era, connection: 'polling', refusal: undefined });
    }
    close = later(poll);
  };

  const start = async () => {
    try {
      const [head, { devMethods, fork }, pending] = await Promise.all([
        wallet<BlockAnswer>('getnowblock'),
        nodeSettings(),
        pendingCount(),
      ]);
      if (ended) return;
      if (!devMethods) return poll();
      // Blocks of a fork's network have no events.
      if (chain.head === undefined || numberOf(head) === fork?.block) set(withBlock(chain, blockOf(head)));
      listen(numberOf(head), pending);
    } catch (error) {
      if (ended) return;
      set(lost(error));
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

function lost(error: unknown): Partial<LiveChain> {
  return { connection: 'lost', refusal: error instanceof AnswerError ? error.message : undefined };
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

function withBlock({ blocks }: LiveChain, block: BlockEvent): Partial<LiveChain> {
  const before = blocks.filter(({ number }) => number < block.number);
  const kept = bounded([{ ...block, contents: [] }, ...before]);
  return { blocks: kept, head: kept[0] };
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
