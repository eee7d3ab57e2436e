/** JSON-RPC as a plugin of the HTTP server: one path, POST only (json-rpc.md A.1, A.2). */

import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { Access } from '../access/access.js';
import type { Node } from '../node/node.js';
import type { Address } from '../primitives/ids.js';
import { fullContext, solidContext } from '../wallet/context.js';
import { answerJsonRpc, type OnInternalError } from './dispatch.js';
import { methods as allMethods } from './methods.js';
import type { Method } from './table.js';

export interface JsonRpcOptions {
  readonly node: Node;
  /** `full` reads the head, `solid` what is solidified: java-tron has a port for each. */
  readonly view: 'full' | 'solid';
  /** The witness whose key makes our blocks; none: a node that only follows. */
  readonly coinbase?: Address | undefined;
  /** Judges who may call a method. */
  readonly access?: Access;
  /** Default: all of them. */
  readonly methods?: ReadonlyMap<string, Method>;
  readonly onInternalError?: OnInternalError;
}

/** @example startHttpServer({ port: 8545, plugins: [jsonRpcRoute({ node, view: 'full' })] }) */
export function jsonRpcRoute(options: JsonRpcOptions): FastifyPluginAsync {
  const { node, view, coinbase, access = new Access(), methods = allMethods, onInternalError } = options;
  const contextOf = view === 'full' ? fullContext : solidContext;
  const filters = node.filters[view];
  const config = { callers: 'anyone', servlet: 'org.tron.core.services.jsonrpc.JsonRpcServlet' } as const;
  return async (app) => {
    app.post('/jsonrpc', { config }, ({ body, raw: { headers } }, reply) => {
      const refusal: Refusal = ({ callers, name }) => access.refusal(callers, headers, name);
      const context = { wallet: contextOf(node), filters, coinbase, methods, refusal };
      const text = (body as Buffer | undefined)?.toString('utf8') ?? '';
      return send(reply, answerJsonRpc(text, context, onInternalError));
    });
    // Batches have their own answer to a failure; what is left is a body that is too big or was cut short.
    app.setErrorHandler<Error & { readonly statusCode?: number }>((error, _request, reply) => {
      if (error.statusCode === undefined) onInternalError?.(error, '/jsonrpc');
      reply.removeHeader('connection').code(error.statusCode ?? 500);
      send(reply, '');
    });
  };
}

type Refusal = (method: Method) => string | undefined;

/** With a serializer of its own, because fastify would add a charset to the type. */
function send(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json-rpc').serializer(asItIs).send(text);
}

const asItIs = (text: unknown): string => text as string;
