/**
 * `/sunup/events`: chain events as server-sent events, for pages (`EventSource`) and scripts (`curl -N`). Sunup's own
 * interface; docs/reference/push.md.
 */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Node } from '../node/node.js';
import type { MachineClock } from '../platform/machine.js';
import type { BlockId } from '../primitives/ids.js';
import { getBlockNumberById, getBlockOutline, headNumber } from '../wallet/blocks.js';
import { fullContext } from '../wallet/context.js';
import { EVENTS, type EventName } from './event-names.js';
import type { StreamRequest } from './stream.js';
import type { Streams } from './streams.js';

const JSON_TYPE = 'application/json; charset=utf-8';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would buffer the stream.
  'x-accel-buffering': 'no',
} as const;

export interface PushRoutes {
  readonly node: Node;
  /** For checks whether clients read. */
  readonly clock: MachineClock;
  /** Receives internal failures, not client errors. */
  readonly onInternalError?: (error: unknown, path: string) => void;
}

/** Blocks whose transactions are counted for a request: it takes no longer on a long chain. */
const MAX_COUNTED_BLOCKS = 1_000;

/** A request that cannot be served. */
class BadQuestion extends Error {}

export function pushRoutes({ node, clock, onInternalError }: PushRoutes): FastifyPluginAsync {
  return async (app) => {
    let streams: Streams | undefined;
    app.addHook('preClose', async () => streams?.close());
    const config = { callers: 'trusted', rateLimit: false, streamed: true } as const;
    app.get('/sunup/events', { config }, async (request, reply) => {
      const { Streams } = await import('./streams.js');
      streams ??= new Streams(node, clock, onInternalError);
      let wanted: StreamRequest;
      try {
        wanted = readWanted(node, request);
      } catch (error) {
        if (!(error instanceof BadQuestion)) throw error;
        return refuse(reply, 400, error.message);
      }
      // The chain will never have events.
      if (request.method === 'HEAD') return reply.headers(HEADERS).send('');
      if (streams.isFull) return refuse(reply, 503, 'too many listeners: close some');
      reply.hijack();
      reply.raw.writeHead(200, { ...reply.getHeaders(), ...HEADERS } as Record<string, string>);
      streams.open(reply.raw, wanted);
      return reply;
    });
  };
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .type(JSON_TYPE)
    .send(`${JSON.stringify({ Error: message })}\n`);
}

/** @throws BadQuestion */
function readWanted(node: Node, { query, headers }: FastifyRequest): StreamRequest {
  const { events, from, transactions } = query as Readonly<Record<string, unknown>>;
  const wanted = new Set(events === undefined ? EVENTS : String(events).split(',').map(readEvent));
  // A reconnecting client repeats its `from`, which may be above the head now.
  const place = placeOf(node, headers['last-event-id']);
  if (place !== undefined) return { events: wanted, ...place };
  const most = transactions === undefined ? Number.POSITIVE_INFINITY : readCount(String(transactions));
  const after = from === undefined ? headNumber(fullContext(node)) : readFrom(node, String(from)) - 1;
  return { events: wanted, after: newestWith(node, most, Math.max(after, beforeFirst(node))) };
}

function readEvent(name: string): EventName {
  const known = EVENTS.find((event) => event === name.trim());
  if (known === undefined)
    throw new BadQuestion(`events: expected some of ${EVENTS.join(',')}, got ${name.slice(0, 40)}`);
  return known;
}

function readCount(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BadQuestion(`transactions: expected a number, got ${text.slice(0, 40)}`);
}

/** @returns the last block before the newest ones that together have at most `most` transactions; not below `after` */
function newestWith(node: Node, most: number, after: number): number {
  if (most === Number.POSITIVE_INFINITY) return after;
  const context = fullContext(node);
  const head = headNumber(context);
  const lowest = Math.max(after, head - MAX_COUNTED_BLOCKS);
  let left = most;
  for (let number = head; number > lowest; number--) {
    left -= getBlockOutline(context, number)?.transactionIds.length ?? 0;
    if (left < 0) return Math.min(number, head - 1);
  }
  return lowest;
}

function readFrom(node: Node, text: string): number {
  const next = headNumber(fullContext(node)) + 1;
  const from = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (from < 0 || from > next) {
    throw new BadQuestion(`from: expected the number of a block, at most ${next}, got ${text.slice(0, 40)}`);
  }
  return from;
}

/**
 * The resume position of a client that knows a block. If the block is not on this chain, the common ancestor is
 * unknown: the chain may belong to a restarted node. Then all blocks count as removed, and the present ones follow.
 *
 * @param id undefined or invalid: the client knows no block
 */
function placeOf(node: Node, id: string | string[] | undefined): Pick<StreamRequest, 'after' | 'gone'> | undefined {
  if (typeof id !== 'string' || !/^[0-9a-f]{64}$/.test(id)) return undefined;
  // An id starts with the number of its block.
  const number = Number.parseInt(id.slice(0, 16), 16);
  const first = beforeFirst(node);
  if (number <= first) return { after: first };
  const after = getBlockNumberById(fullContext(node), id as BlockId);
  if (after !== undefined) return { after };
  return Number.isSafeInteger(number) ? { after: first, gone: number } : undefined;
}

/** The block before the first event. A fork's network blocks are not on the chain, so they have no events. */
function beforeFirst({ chain }: Node): number {
  return chain.networkBlocks?.last ?? -1;
}
