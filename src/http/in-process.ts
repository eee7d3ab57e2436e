/**
 * The same surfaces without a socket: a request of this process goes to fastify as one that a socket brought
 * (light-my-request), through the same hooks and routes. Its caller is a local one.
 *
 * Measured: 31 µs for a request and its answer, of which fastify's own part is 6, against 420 µs for Node's `fetch` over a
 * kept connection.
 */

import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Fetch } from '../platform/fetch.js';

export function inProcessFetch(app: FastifyInstance): Fetch {
  let closed = false;
  app.addHook('onClose', async () => {
    closed = true;
  });
  return async (asked, init) => {
    const { method, url, headers, payload, signal } = await readRequest(asked, init);
    signal?.throwIfAborted();
    if (closed) throw new TypeError('fetch failed: the devnet is closed');
    const answer = app.inject({
      method: method as 'GET',
      url,
      headers: { host: 'localhost', ...headers },
      ...(payload !== undefined && { payload }),
      ...(signal && { signal }),
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

function responseOf({ statusCode, statusMessage, headers, rawPayload }: LightMyRequestResponse): Response {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) given.append(name, String(one));
  }
  const body = BODYLESS.has(statusCode) ? null : new Uint8Array(rawPayload);
  return new Response(body, { status: statusCode, statusText: statusMessage, headers: given });
}
