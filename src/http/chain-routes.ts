/**
 * Several chains on one port: `POST /sunup/chains` creates one, and all interfaces of the server are below `/~id/` for
 * it. A request is forwarded unparsed to the chain's own server, so limits, origins and errors are the same.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { isOfThisMachine } from '../access/access.js';
import { OperationError } from '../errors/operation-error.js';
import { errorBody, JSON_TYPE } from './errors.js';
import { asksForHtml } from './home-page.js';
import type { UpgradeTaker } from './upgrades.js';

/** A created chain, as its client sees it. */
export interface ChainReport {
  readonly id: string;
  /** Path prefix of the chain. */
  readonly path: string;
  readonly chainId: string;
  readonly genesisId: string;
  /** The forked network; absent if the chain is not a fork. */
  readonly fork?: { readonly url: string | undefined; readonly blockNumber: number };
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  readonly witnesses: readonly { readonly address: string; readonly privateKey: string | undefined }[];
}

/** Serves the requests of one chain; paths come without the chain's prefix. */
export interface ChainServer {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade: UpgradeTaker;
}

/** The chains of the port, for these routes. */
export interface HostedChains {
  /**
   * @param isLocal whether the client is a program or page of this machine: only such clients see errors of a fork's
   *   network
   * @throws OperationError for invalid options, or too many chains
   */
  create(options: unknown, isLocal: boolean): Promise<ChainReport>;
  list(): readonly ChainReport[];
  /** Whether the chain existed. */
  remove(id: string): Promise<boolean>;
  /** The server of a chain; undefined: unknown chain. */
  serverOf(id: string): ChainServer | undefined;
}

/**
 * Maximum size of a chain's options: a genesis with two thousand accounts or witnesses. Other requests wait while it is
 * parsed.
 */
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
    // Runs before the body is read: the chain's own server reads the body and checks the caller.
    const forward = async (request: FastifyRequest, reply: FastifyReply) => {
      const id = chainIdOf(request.raw);
      const server = chains.serverOf(id ?? '');
      if (server === undefined) {
        await reply
          .code(404)
          .type(JSON_TYPE)
          .send(errorBody(new UnknownChainError(id).message));
        return reply;
      }
      // Relative links of the page only work below the chain's path.
      if (isWithoutSlash(request.raw) && request.method === 'GET' && asksForHtml(request.headers.accept))
        return reply.redirect(`~${id}/`, 308);
      reply.hijack();
      // This server has taken it out of the headers (body-limit.ts).
      request.raw.headers['content-type'] = request.contentType;
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
    const forwarded = { config: { callers: 'anyone', rateLimit: false }, onRequest: forward } as const;
    for (const url of ['/~:id', '/~:id/*'])
      app.route({
        method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
        url,
        ...forwarded,
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

/** A path as the server of its chain receives it. @example pathOnItsChain('/~00ff/eth') // '/eth' */
export function pathOnItsChain(url: string): string {
  const rest = BELOW.exec(url)?.[2] ?? url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function belowItsPath(request: IncomingMessage): IncomingMessage {
  request.url = pathOnItsChain(request.url ?? '');
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
