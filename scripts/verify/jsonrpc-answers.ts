/** Asks recorded questions of JSON-RPC: on a port of its own for each view, as java-tron has them. */

import { type HttpSurfaces, startHttpServer } from '../../src/http/server.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import type { Node } from '../../src/node/node.js';
import type { Asker } from './asker.js';
import { askHttp } from './http-answers.js';

/** The recorded nodes made their blocks with keys that were not theirs: no coinbase. */
export function jsonRpcService(node: Node, view: 'full' | 'solid'): HttpSurfaces {
  const failed = (error: unknown) => process.stderr.write(`${(error as Error).stack ?? error}\n`);
  return { plugins: [jsonRpcRoute({ node, view, onInternalError: failed })], onInternalError: failed };
}

export async function jsonRpcAsker(node: Node): Promise<Asker> {
  const [full, solid] = await Promise.all(
    (['full', 'solid'] as const).map((view) => startHttpServer({ port: 0, ...jsonRpcService(node, view) })),
  );
  return {
    surfaces: ['jsonrpc', 'jsonrpcSolidity'],
    ask: (line) => askHttp((line.surface === 'jsonrpc' ? full : solid)!.port, line),
    close: async () => {
      await Promise.all([full!.close(), solid!.close()]);
    },
  };
}
