/**
 * The same surfaces without a socket. A request of this process goes to fastify as one that a socket brought
 * (light-my-request), through the same hooks and routes. What the libraries of `clients/` send are POSTs of JSON: where
 * the route says what it answers to a body (`answerTo` in its config), it is asked for just that, and whatever of HTTP
 * could change the answer is seen to here. The caller of both is a local one.
 *
 * Measured, processor time of an `eth_chainId` and its answer: 3 µs so, 90 µs through fastify with `Response` and all.
 */

import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { type Access, LOCAL_CALLER } from '../access/access.js';
import type { Fetch, Post, PostAnswer } from '../platform/fetch.js';
import { callerOf, turn } from '../platform/turns.js';
import type { Answer } from './table.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a POST of this process with such a body is answered. */
    readonly answerTo?: AnswerTo;
    /** Whether the answer to GET goes on for as long as somebody reads it. */
    readonly streamed?: boolean;
  }
}

type AnswerTo = (body: string) => Answer | Promise<Answer>;

const JSON_BODY = { ...LOCAL_CALLER, 'content-type': 'application/json' } as const;

export interface PostRules {
  readonly access: Access;
  readonly bodyLimitBytes: number;
  /** Whether requests are counted, which fastify's routes do. */
  readonly counted: boolean;
  /** Settles when the answer may leave; undefined: it may. */
  readonly durable: (() => Promise<void> | undefined) | undefined;
  /** What is answered when it never may. */
  readonly lost: (error: unknown, path: string) => PostAnswer;
  /** What is answered when a route has failed. */
  readonly failed: (error: unknown, path: string) => PostAnswer;
}

/** To be called before there are routes. */
export function inProcessPost(app: FastifyInstance, rules: PostRules): Post {
  const answers = new Map<string, AnswerTo>();
  const isClosed = closedFlag(app);
  app.addHook('onRoute', ({ url, config: { callers, answerTo } = {} }) => {
    if (callers === undefined || answerTo === undefined || rules.counted) return;
    if (rules.access.refusal(callers, LOCAL_CALLER, url) === undefined) answers.set(url, answerTo);
  });
  // Who asks in a loop until something happens would keep the event loop from ever letting it happen.
  return async (path, body) => {
    await turn(callerOf(app));
    if (isClosed()) throw closedError();
    const answerTo = answers.get(path);
    if (answerTo === undefined || Buffer.byteLength(body) > rules.bodyLimitBytes) {
      const { statusCode, payload } = await app.inject({
        method: 'POST',
        url: path,
        headers: JSON_BODY,
        payload: body,
      });
      return { status: statusCode, text: payload };
    }
    const answer = await answerOf(answerTo, body).catch((error: unknown) => rules.failed(error, path));
    try {
      await rules.durable?.();
    } catch (error) {
      return rules.lost(error, path);
    }
    return answer;
  };
}

async function answerOf(answerTo: AnswerTo, body: string): Promise<PostAnswer> {
  const answer = await answerTo(body);
  if (typeof answer === 'string') return { status: 200, text: answer };
  let text = '';
  for await (const part of answer) text += String(part);
  return { status: 200, text };
}

function closedFlag(app: FastifyInstance): () => boolean {
  let closed = false;
  app.addHook('onClose', async () => {
    closed = true;
  });
  return () => closed;
}

function closedError(): TypeError {
  return new TypeError('fetch failed: the devnet is closed');
}

/** To be called before there are routes. */
export function inProcessFetch(app: FastifyInstance): Fetch {
  const isClosed = closedFlag(app);
  const streamed = new Set<string>();
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.streamed) streamed.add(url);
  });
  return async (asked, init) => {
    const { method, url, headers, payload, signal } = await readRequest(asked, init);
    signal?.throwIfAborted();
    if (isClosed()) throw closedError();
    const answer = app.inject({
      method: method as 'GET',
      url,
      headers: { ...LOCAL_CALLER, ...headers },
      ...(payload !== undefined && { payload }),
      ...(signal && { signal }),
      ...(method === 'GET' && streamed.has(url.split('?', 1)[0] as string) && { payloadAsStream: true }),
    });
    return responseOf(await answer.catch((error: unknown) => Promise.reject(signal?.aborted ? signal.reason : error)));
  };
}

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | Buffer | undefined;
  readonly signal: AbortSignal | null | undefined;
}

async function readRequest(asked: string | URL | Request, init: RequestInit | undefined): Promise<Asked> {
  const body = init?.body ?? undefined;
  // What most clients send: making a Request of it would cost as much as answering it.
  if (!(asked instanceof Request) && (body === undefined || typeof body === 'string')) {
    const { method = 'GET', signal } = init ?? {};
    const headers = Object.fromEntries(new Headers(init?.headers));
    if (body !== undefined) headers['content-type'] ??= 'text/plain;charset=UTF-8';
    return { method: method.toUpperCase(), url: pathOf(asked), headers, payload: body, signal };
  }
  const request = new Request(asked instanceof Request ? asked : new URL(asked, 'http://localhost'), init);
  const { method, url, headers, signal } = request;
  const payload = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  return { method, url: pathOf(url), headers: Object.fromEntries(headers), payload, signal };
}

function pathOf(url: string | URL): string {
  const { pathname, search } = typeof url === 'string' ? new URL(url, 'http://localhost') : url;
  return pathname + search;
}

/** Statuses whose answers have no body, as `Response` insists. */
const BODYLESS = new Set([204, 205, 304]);

function responseOf(answer: LightMyRequestResponse): Response {
  const { statusCode, statusMessage, headers } = answer;
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) given.append(name, String(one));
  }
  const body = BODYLESS.has(statusCode) ? null : bodyOf(answer);
  return new Response(body, { status: statusCode, statusText: statusMessage, headers: given });
}

/** Who goes on reading gets what comes; the route is told when it reads no more. */
function bodyOf({ rawPayload, stream, raw }: LightMyRequestResponse): Uint8Array<ArrayBuffer> | ReadableStream {
  // With a stream there is no payload.
  if (rawPayload !== undefined) return new Uint8Array(rawPayload);
  const payload = stream();
  payload.once('close', () => raw.res.destroy());
  // Node 20's own Readable.toWeb throws when somebody cancels while there is more.
  const chunks: AsyncIterator<Buffer> = payload[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (body) => {
      const { done, value } = await chunks.next();
      if (done) body.close();
      else body.enqueue(new Uint8Array(value));
    },
    cancel: () => {
      payload.destroy();
    },
  });
}
