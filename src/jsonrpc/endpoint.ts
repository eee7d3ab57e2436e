/** JSON-RPC as the HTTP server serves it: one path, POST only (json-rpc.md A.1, A.2). */

import type { Node } from '../node/node.js';
import type { Address } from '../primitives/ids.js';
import { fullContext, solidContext } from '../wallet/context.js';
import { answerJsonRpc, type OnInternalError } from './dispatch.js';

export interface JsonRpcOptions {
  readonly node: Node;
  /** `full` reads the head, `solid` what is solidified: java-tron has a port for each. */
  readonly view: 'full' | 'solid';
  /** The witness whose key makes our blocks; none: a node that only follows. */
  readonly coinbase?: Address | undefined;
  readonly onInternalError?: OnInternalError;
}

/** The form in which the HTTP server takes a path where documents are posted. */
export interface JsonRpcEndpoint {
  readonly path: string;
  readonly servlet: string;
  readonly contentType: string;
  readonly answer: (body: Buffer) => string;
}

/** @example startHttpServer({ port: 8545, rows: [], views: {}, posts: [jsonRpcEndpoint({ node, view: 'full' })] }) */
export function jsonRpcEndpoint({ node, view, coinbase, onInternalError }: JsonRpcOptions): JsonRpcEndpoint {
  const contextOf = view === 'full' ? fullContext : solidContext;
  const filters = node.filters[view];
  return {
    path: '/jsonrpc',
    servlet: 'org.tron.core.services.jsonrpc.JsonRpcServlet',
    contentType: 'application/json-rpc',
    answer: (body) =>
      answerJsonRpc(body.toString('utf8'), { wallet: contextOf(node), filters, coinbase }, onInternalError),
  };
}
