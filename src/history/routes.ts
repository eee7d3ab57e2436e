/** The history interface as routes: rows, errors in its own form, and what it is where there is no index. */

import { setImmediate } from 'node:timers/promises';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { WalletContext } from '../wallet/context.js';
import { errorBody, HistoryError } from './errors.js';
import { Query } from './query.js';
import { historyRows } from './rows.js';
import type { HistoryRequest } from './table.js';

const JSON_TYPE = 'application/json;charset=utf-8';
/** A page turns this often at the most while blocks are taken back under it. */
const MAX_ATTEMPTS = 3;

export interface HistoryRoutes {
  readonly view: () => WalletContext;
  /** Whether there is an index. */
  readonly indexed: boolean;
  /** Told of failures that are ours, not the client's. */
  readonly onInternalError?: (error: unknown, path: string) => void;
}

export function historyRoutes({ view, indexed, onInternalError }: HistoryRoutes): FastifyPluginAsync {
  return async (app) => {
    const config = { callers: 'anyone' } as const;
    app.setErrorHandler((error, request, reply) => {
      if (error instanceof HistoryError) return send(reply, error.status, errorBody(error));
      onInternalError?.(error, request.url);
      return send(reply, 500, '{"success":false,"error":"Internal error","statusCode":500}');
    });
    for (const { path, answer } of historyRows(() => setImmediate())) {
      app.get(path, { config }, async (request, reply) => {
        if (!indexed) throw notIndexed();
        const asked = readRequest(request);
        return send(reply, 200, await unlessTakenBack(view, (context) => answer(context, asked)));
      });
    }
    for (const unknown of ['/v1/*', '/event/*'])
      app.get(unknown, { config }, () => {
        throw new HistoryError(404, 'Not Found');
      });
  };
}

/**
 * An answer is read from the index, which may wait, and from the state. Where blocks were taken back in between, the two
 * were not of one chain: it is read again.
 */
async function unlessTakenBack<Answer>(
  view: () => WalletContext,
  answer: (context: WalletContext) => Answer | Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const context = view();
    const { revision } = context.node.chain;
    const answered = await answer(context);
    if (context.node.chain.revision === revision || attempt === MAX_ATTEMPTS) return answered;
  }
}

function notIndexed(): HistoryError {
  return new HistoryError(503, 'This node keeps no history: it was started with --no-history');
}

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type(JSON_TYPE).send(body);
}

function readRequest({ url, params, protocol, host }: FastifyRequest): HistoryRequest {
  const mark = url.indexOf('?');
  return {
    params: params as Readonly<Record<string, string>>,
    query: new Query(mark < 0 ? '' : url.slice(mark + 1)),
    path: mark < 0 ? url : url.slice(0, mark),
    origin: `${protocol}://${host}`,
  };
}
