/** The history interface as routes, with errors in its own form, and an error if there is no index. */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { QuotaRefusal } from '../access/quota-refusal.js';
import { OperationError } from '../errors/operation-error.js';
import { callerOf, turn } from '../platform/turns.js';
import type { WalletContext } from '../wallet/context.js';
import { PASSED_ON } from '../wallet/known-blocks.js';
import type { Answers } from './answers.js';
import { errorBody, HistoryError } from './errors.js';
import { jsonText } from './json.js';
import { HISTORY_PATHS } from './paths.js';
import { Query } from './query.js';
import type { HistoryRequest } from './table.js';

const JSON_TYPE = 'application/json;charset=utf-8';

export interface HistoryRoutes {
  readonly view: () => WalletContext;
  /** Whether the index exists. */
  readonly indexed: boolean;
  /** Called for internal errors, not for errors of the client. */
  readonly onInternalError?: (error: unknown, path: string) => void;
}

export function historyRoutes({ view, indexed, onInternalError }: HistoryRoutes): FastifyPluginAsync {
  let answers: Promise<Answers> | undefined;
  const config = { callers: 'anyone' } as const;
  const errorHandler = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof HistoryError) return send(reply, error.status, errorBody(error));
    // The error of a fork's network names the failed request.
    if (error instanceof OperationError)
      return send(reply, 502, jsonText({ success: false, error: error.message, statusCode: 502 }));
    if (error instanceof QuotaRefusal) {
      const { statusCode, historyMessage } = error;
      return send(reply, statusCode, jsonText({ success: false, error: historyMessage, statusCode }));
    }
    onInternalError?.(error, request.url);
    return send(reply, 500, '{"success":false,"error":"Internal error","statusCode":500}');
  };
  return async (app) => {
    for (const path of indexed ? HISTORY_PATHS : [])
      app.get<{ Params: HistoryRequest['params'] }>(path, { config, errorHandler }, async (request, reply) => {
        answers ??= import('./answers.js').then(({ historyAnswers }) => historyAnswers(view));
        return send(reply, 200, await (await answers)(path, readRequest(request, reply)));
      });
    for (const path of ['/v1/*', '/event/*'])
      app.get(path, { config, errorHandler }, async () => {
        throw indexed ? new HistoryError(404, 'Not Found') : notIndexed();
      });
  };
}

function notIndexed(): HistoryError {
  return new HistoryError(503, 'This node keeps no history: it was started with --no-history');
}

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type(JSON_TYPE).send(body);
}

function readRequest(
  { url, params, protocol, host, raw }: FastifyRequest<{ Params: HistoryRequest['params'] }>,
  reply: FastifyReply,
): HistoryRequest {
  const mark = url.indexOf('?');
  const caller = callerOf(raw.socket);
  return {
    params,
    query: new Query(mark < 0 ? '' : url.slice(mark + 1)),
    path: mark < 0 ? url : url.slice(0, mark),
    origin: `${protocol}://${host}`,
    turn: () => turn(caller, true),
    markAnswer: (mark) => void reply.header(PASSED_ON, mark),
  };
}
