/** Asks recorded questions of HTTP, over real sockets. */

import { request } from 'node:http';
import { endpointRoutes } from '../../src/http/endpoint-routes.js';
import { httpEndpoints } from '../../src/http/endpoints.js';
import { type HttpSurfaces, startHttpServer } from '../../src/http/server.js';
import type { Service } from '../../src/http/table.js';
import type { Node } from '../../src/node/node.js';
import { fullContext, solidContext } from '../../src/wallet/context.js';
import type { Answer, Asker } from './asker.js';
import type { AnswerLine } from './recording.js';

/** Two servers, as java-tron has: the full node's answers nothing under `/walletsolidity`, the other nothing else. */
export function httpServices(node: Node): Readonly<Record<'http' | 'solidity', HttpSurfaces>> {
  const views = (...names: readonly Service[]) =>
    Object.fromEntries(
      names.map((name) => [name, () => (name === 'walletsolidity' ? solidContext(node) : fullContext(node))]),
    );
  const serving = (...names: readonly Service[]) => ({
    plugins: [endpointRoutes({ endpoints: httpEndpoints, views: views(...names) })],
  });
  return { http: serving('wallet', 'net', 'monitor'), solidity: serving('walletsolidity') };
}

export async function httpAsker(node: Node): Promise<Asker> {
  const services = httpServices(node);
  const full = await startHttpServer({ port: 0, ...services.http });
  const solidity = await startHttpServer({ port: 0, ...services.solidity });
  return {
    surfaces: ['http', 'solidity'],
    ask: (line) => askHttp(line.surface === 'http' ? full.port : solidity.port, line),
    close: async () => {
      await full.close();
      await solidity.close();
    },
  };
}

/** Where a recording names no content type, its client sent JSON. */
export function headersOf({ body, headers }: Pick<AnswerLine, 'body' | 'headers'>): Record<string, string> {
  return { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
}

export function askHttp(port: number, line: AnswerLine): Promise<Answer> {
  const { method, path, body } = line;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers: headersOf(line) }, (received) => {
      const parts: Buffer[] = [];
      received.on('data', (part: Buffer) => parts.push(part));
      received.on('end', () =>
        resolve({
          status: received.statusCode ?? 0,
          contentType: received.headers['content-type'],
          response: Buffer.concat(parts).toString('utf8'),
        }),
      );
      received.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
