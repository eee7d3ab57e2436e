/**
 * Many chains behind one port: `POST /sunup/chains` makes one, and everything that the server has is below `/~id/` for
 * it. A request there is handed, unread, to that chain's own server, so limits, origins and errors are the same.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { isOfThisMachine } from '../access/access.js';
import { OperationError } from '../errors/operation-error.js';
import { errorBody, JSON_TYPE } from './errors.js';
import { asksForHtml } from './home-page.js';
import type { UpgradeTaker } from './upgrades.js';

/** What a client reads about a chain that it made. */
export interface ChainReport {
  readonly id: string;
  /** Path below which the chain is. */
  readonly path: string;
  readonly chainId: string;
  readonly genesisId: string;
  /** The network that it is a fork of, where it is one. */
  readonly fork?: { readonly url: string | undefined; readonly blockNumber: number };
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  readonly witnesses: readonly { readonly address: string; readonly privateKey: string | undefined }[];
}

/** Answers the requests of one chain; their paths come without the chain's prefix. */
export interface ChainServer {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade: UpgradeTaker;
}

/** The chains behind the port, as these routes need them. */
export interface HostedChains {
  /**
   * @param isLocal whether a program or page of this machine asks: only it reads what a fork's network answered
   * @throws OperationError for options that are not valid, or too many chains
   */
  create(options: unknown, isLocal: boolean): Promise<ChainReport>;
  list(): readonly ChainReport[];
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
  /** The server of a chain; undefined: there is no such chain. */
  serverOf(id: string): ChainServer | undefined;
}

/** Of the options of a chain: a genesis of two thousand accounts or witnesses, which others wait for. */
const MAX_OPTIONS_BYTES = 262_144;

class UnknownChainError extends OperationError {
  override readonly httpStatus = 404;
  constructor(id: string | undefined) {
    super(`there is no chain ${id} (POST /sunup/chains makes one)`);
  }
}

const config = { callers: 'trusted', rateLimit: false } as const;

export function chainRoutes(chains: HostedChains): FastifyPluginAsync {
  return async (app) => {
    app.post('/sunup/chains', { config }, async ({ body, raw }, reply) => {
      const text = (body as Buffer | undefined)?.toString('utf8') ?? '';
      const isLocal = isOfThisMachine(raw.headers, raw.socket.remoteAddress);
      return answer(reply, () => chains.create(text.trim() === '' ? {} : readJson(text), isLocal));
    });
    app.get('/sunup/chains', { config }, (_, reply) => answer(reply, () => chains.list()));
    app.delete<{ Params: { id: string } }>('/sunup/chains/:id', { config }, ({ params: { id } }, reply) =>
      answer(reply, async () => {
        if (!(await chains.remove(id))) throw new UnknownChainError(id);
        return { removed: true };
      }),
    );
    // Before the body is read: the chain's own server reads it. That one judges the caller, too.
    const handOver = async (request: FastifyRequest, reply: FastifyReply) => {
      const id = chainIdOf(request.raw);
      const server = chains.serverOf(id ?? '');
      if (server === undefined) {
        await reply
          .code(404)
          .type(JSON_TYPE)
          .send(errorBody(new UnknownChainError(id).message));
        return reply;
      }
      // Relative links of the page lead to this chain only from below its path.
      if (isWithoutSlash(request.raw) && request.method === 'GET' && asksForHtml(request.headers.accept))
        return reply.redirect(`~${id}/`, 308);
      reply.hijack();
      server.handle(belowItsPath(request.raw), reply.raw);
      return reply;
    };
    app.forwardUpgrades((request) => {
      const id = chainIdOf(request);
      const server = id === undefined ? undefined : chains.serverOf(id);
      if (server === undefined) return undefined;
      return (upgrade, socket, head) => {
        const { url } = upgrade;
        const taken = server.upgrade(belowItsPath(upgrade), socket, head);
        if (!taken) upgrade.url = url;
        return taken;
      };
    });
    const handedOver = { config: { callers: 'anyone', rateLimit: false }, onRequest: handOver } as const;
    for (const url of ['/~:id', '/~:id/*'])
      app.route({
        method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
        url,
        ...handedOver,
        handler: neverReached,
      });
  };
}

const BELOW = /^\/~([^/?]*)(.*)$/s;

function chainIdOf({ url = '' }: IncomingMessage): string | undefined {
  return BELOW.exec(url)?.[1];
}

function isWithoutSlash({ url = '' }: IncomingMessage): boolean {
  return !BELOW.exec(url)?.[2]?.startsWith('/');
}

/** The request as the chain's own server sees it. */
function belowItsPath(request: IncomingMessage): IncomingMessage {
  const rest = BELOW.exec(request.url ?? '')?.[2] ?? '';
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return request;
}

function neverReached(): never {
  throw new Error('a request for a chain was not handed over');
}

async function answer(reply: FastifyReply, work: () => unknown): Promise<string> {
  reply.type(JSON_TYPE);
  return `${JSON.stringify(await work())}\n`;
}

function readJson(text: string): unknown {
  if (text.length > MAX_OPTIONS_BYTES)
    throw new OperationError(`options of a chain may have ${MAX_OPTIONS_BYTES} characters, these have ${text.length}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperationError(`the body is no JSON: ${(error as Error).message}`);
  }
}
