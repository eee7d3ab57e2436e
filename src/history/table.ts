/** Definition of a history endpoint, and the two forms of answers (protocol/v1.md#envelope). */

import { solidContext, type Turn, type WalletContext } from '../wallet/context.js';
import type { Page, PlaceQuery } from '../wallet/history/pages.js';
import { windowOf } from '../wallet/history/window.js';
import { type Cursor, readCursor, writeCursor } from './cursor.js';
import { type Json, jsonText } from './json.js';
import { mergedPage, type PageSource } from './network-pages.js';
import type { HistoryPath } from './paths.js';
import type { Query } from './query.js';

export interface HistoryRequest {
  /** Parts of the path by name, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The path of the request. */
  readonly path: string;
  /** `http://127.0.0.1:9090`, as the client addressed the node. */
  readonly origin: string;
  /** Called with the mark for an answer that contains data of a fork's network. */
  readonly markAnswer: (mark: string) => void;
  /** Awaited before each contract call, and repeatedly in long answers, so that other work gets its turn. */
  readonly turn: Turn;
}

export interface HistoryEndpoint {
  readonly path: HistoryPath;
  /** One sentence for the docs. */
  readonly about: string;
  /** Parameters in addition to the common ones. */
  readonly answer: (context: WalletContext, request: HistoryRequest) => string | Promise<string>;
}

/** The state for a request: with `only_confirmed` that of the solidified block. */
export function viewOf(context: WalletContext, { confirmation }: Query): WalletContext {
  return confirmation === 'confirmed' ? solidContext(context.node) : context;
}

/** A complete answer: no cursor, no further page. */
export function wholeAnswer({ node }: WalletContext, data: readonly Json[], meta: Readonly<Record<string, Json>> = {}) {
  return jsonText({
    data,
    success: true,
    meta: { at: node.clock.nowMs(), page_size: data.length, ...meta },
  });
}

/** Parameters common to all lists. */
export type Span = Omit<PlaceQuery, 'lists'> & { readonly limit: number };

export interface ListOptions<Item> {
  /** Only this block. */
  readonly block?: number | undefined;
  readonly descending?: boolean;
  readonly read: (span: Span) => Promise<Page<Item>>;
  readonly print: (item: Item) => Json | Promise<Json>;
}

/** A page of a list of the chain: range, order, cursor and links. */
export async function listAnswer<Item>(
  context: WalletContext,
  request: HistoryRequest,
  { block, descending, read, print }: ListOptions<Item>,
): Promise<string> {
  const { query } = request;
  const order = query.order(['block_timestamp', 'timestamp', 'block_number'], 'desc');
  const inOrder = descending ?? order.descending;
  const own = async (limit: number, fingerprint: string | undefined): Promise<PageSource> => {
    const cursor = fingerprint === undefined ? undefined : readCursor(questionOf(request), fingerprint);
    const upTo = cursor?.upTo ?? context.ledger.headNumber;
    const window = windowOf(context.node, {
      minTimestampMs: query.number('min_timestamp'),
      maxTimestampMs: query.number('max_timestamp'),
      confirmation: query.confirmation,
      block,
      upTo,
    });
    const { items, last } = await read({ ...window, limit, descending: inOrder, after: cursor?.after });
    const data: Json[] = [];
    for (const item of items) data.push(await print(item));
    return { data, next: last && fingerprintOf(request, { upTo, after: last }) };
  };
  const fingerprint = query.text('fingerprint');
  const { limit } = query;
  const { data, next } =
    context.node.chain.networkBlocks === undefined
      ? await own(limit, fingerprint)
      : await mergedPage(context, request, { descending: inOrder, limit, fingerprint, block, own });
  return pageAnswer(context, request, data, next);
}

/**
 * End of the page before this one; undefined for the first page.
 *
 * @throws HistoryError if it is not a cursor, or belongs to another request
 */
export function cursorOf(request: HistoryRequest): Cursor | undefined {
  const fingerprint = request.query.text('fingerprint');
  return fingerprint === undefined ? undefined : readCursor(questionOf(request), fingerprint);
}

/** The cursor of the next page. */
export function fingerprintOf(request: HistoryRequest, cursor: Cursor): string {
  return writeCursor(questionOf(request), cursor);
}

/** Everything that determines a list's answer, except the cursor. */
function questionOf({ path, query }: HistoryRequest): string {
  return JSON.stringify([path, query.entries()]);
}

/** @param next the cursor of the next page, if there is one */
export function pageAnswer(
  { node }: WalletContext,
  request: HistoryRequest,
  data: readonly Json[],
  next: string | undefined,
  meta: Readonly<Record<string, Json>> = {},
): string {
  return jsonText({
    data,
    success: true,
    meta: {
      at: node.clock.nowMs(),
      ...(next !== undefined && { fingerprint: next, links: { next: linkTo(request, next) } }),
      page_size: data.length,
      ...meta,
    },
  });
}

function linkTo({ origin, path, query }: HistoryRequest, fingerprint: string): string {
  const parameters = new URLSearchParams([
    ...query.entries().map(([name, value]): [string, string] => [name, value]),
    ['fingerprint', fingerprint],
  ]);
  return `${origin}${path}?${parameters}`;
}
