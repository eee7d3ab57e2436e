/**
 * Requests for a WebSocket: judged and counted as every request is, and handed to what a path has registered for them.
 *
 * Not `@fastify/websocket`: its 15 ms, most of them for `ws`, would be part of every start, because it has to be there
 * before the routes; and it answers nothing that asks for another protocol, as Java's client of HTTP does with every POST
 * (`Upgrade: h2c`). Here `ws` is loaded by who needs it, and such requests are answered as if they had not asked.
 */

import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Access, Callers } from '../access/access.js';
import { QuotaRefusal } from '../access/quota-refusal.js';
import type { Quotas } from '../access/quotas.js';
import { errorBody, JSON_TYPE } from './errors.js';
import { pathOf } from './guard.js';

/** What a path does with a request for a WebSocket. */
export interface UpgradeRoute {
  /** Who may open one. */
  readonly callers: Callers;
  /** Takes the connection over; one that fails is cut. */
  readonly accept: (upgrade: { request: IncomingMessage; socket: Socket; head: Buffer }) => Promise<void>;
}

/** Takes a request for a WebSocket over. False, and nothing is done with it, where there is none to be had. */
export type UpgradeTaker = (request: IncomingMessage, socket: Socket, head: Buffer) => boolean;

declare module 'fastify' {
  interface FastifyInstance {
    /** To be called before the server listens. */
    acceptUpgrades(path: string, route: UpgradeRoute): void;
    /** Requests for a WebSocket whose path is another server's are handed to that one, which judges them. */
    forwardUpgrades(serverOf: (request: IncomingMessage) => UpgradeTaker | undefined): void;
    readonly takeUpgrade: UpgradeTaker;
  }
}

/** Lets plugins of `app` accept WebSockets. */
export function takeUpgrades(
  app: FastifyInstance,
  access: Access,
  quotas: Quotas | undefined,
  onInternalError: ((error: unknown, path: string) => void) | undefined,
): void {
  const routes = new Map<string, UpgradeRoute>();
  let forward: (request: IncomingMessage) => UpgradeTaker | undefined = () => undefined;
  const take: UpgradeTaker = (request, socket, head) => {
    if (!asksForWebSocket(request)) return false;
    const other = forward(request);
    if (other !== undefined) return other(request, socket, head);
    const path = pathOf({ url: request.url ?? '' });
    const route = routes.get(path);
    if (route === undefined) return false;
    // Node has taken its own listener away.
    socket.on('error', () => socket.destroy());
    const refusal = access.refusal(route.callers, request.headers, path);
    if (refusal !== undefined) {
      refuse(request, socket, 403, refusal);
      return true;
    }
    try {
      quotas?.admit(request.headers, socket.remoteAddress ?? '');
    } catch (error) {
      if (!(error instanceof QuotaRefusal)) throw error;
      refuse(request, socket, error.statusCode, error.message, error.retryAfterSeconds);
      return true;
    }
    route.accept({ request, socket, head }).catch((error: unknown) => {
      socket.destroy();
      onInternalError?.(error, path);
    });
    return true;
  };
  // A connection stays this server's, whatever its first request was about.
  const onUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!take(request, socket, head)) serveAsItWas(app, request, socket, head);
  };
  app.decorate('takeUpgrade', take);
  app.decorate('acceptUpgrades', (path: string, route: UpgradeRoute) => {
    if (routes.size === 0) app.server.on('upgrade', onUpgrade as (request: IncomingMessage) => void);
    routes.set(path, route);
  });
  app.decorate('forwardUpgrades', (serverOf: typeof forward) => {
    forward = serverOf;
  });
}

function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

function refuse(request: IncomingMessage, socket: Socket, status: number, text: string, retryAfterSeconds?: number) {
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.shouldKeepAlive = false;
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  response.on('finish', () => socket.end());
  response.writeHead(status, { 'content-type': JSON_TYPE }).end(errorBody(text));
}

/** Headers of a wish that is not granted. */
const OF_UPGRADE = new Set(['upgrade', 'http2-settings']);

/** Gives the server the request again without its wish; what follows it on the connection is read as before. */
function serveAsItWas(app: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    const lower = name.toLowerCase();
    if (lower === 'connection') lines.push(`${name}: ${withoutUpgrade(value)}`);
    else if (!OF_UPGRADE.has(lower)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  app.server.emit('connection', socket);
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !OF_UPGRADE.has(option.toLowerCase())).join(', ');
}
