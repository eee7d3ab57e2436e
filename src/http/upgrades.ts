/**
 * Requests for a WebSocket: checked and counted like all requests, then passed to the handler registered for the path.
 *
 * Not `@fastify/websocket`: it must be loaded before the routes, which adds 15 ms to every start, most of them for
 * `ws`. It also leaves requests for other protocols unanswered, such as every POST of Java's HTTP client (`Upgrade:
 * h2c`). Here the handler loads `ws`, and such requests are answered without the upgrade.
 */

import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Access, Callers } from '../access/access.js';
import { QuotaRefusal } from '../access/quota-refusal.js';
import type { Quotas } from '../access/quotas.js';
import { errorBody, JSON_TYPE } from './errors.js';
import { pathOf } from './guard.js';

/** WebSocket handler of a path. */
export interface UpgradeRoute {
  /** Who may open a WebSocket. */
  readonly callers: Callers;
  /** Takes over the connection, which is cut if the handler fails. */
  readonly accept: (upgrade: { request: IncomingMessage; socket: Socket; head: Buffer }) => Promise<void>;
}

/** Takes over a request for a WebSocket. Returns false, without effect, if the path has none. */
export type UpgradeTaker = (request: IncomingMessage, socket: Socket, head: Buffer) => boolean;

declare module 'fastify' {
  interface FastifyInstance {
    /** Call it before the server listens. */
    acceptUpgrades(path: string, route: UpgradeRoute): void;
    /** Forwards requests for a WebSocket to the server of their path, which checks them. */
    forwardUpgrades(serverOf: (request: IncomingMessage) => UpgradeTaker | undefined): void;
    readonly takeUpgrade: UpgradeTaker;
  }
}

/** Adds WebSocket support for plugins of `app`. */
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
    // Node has removed its own listener.
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
  // A connection stays at this server, independent of its first request.
  const onUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!take(request, socket, head)) serveWithoutUpgrade(app, request, socket, head);
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

/** Headers of an upgrade that is not granted. */
const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings']);

/** Repeats the request without its upgrade headers; further data on the connection are read as usual. */
function serveWithoutUpgrade(app: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    const lower = name.toLowerCase();
    if (lower === 'connection') lines.push(`${name}: ${withoutUpgrade(value)}`);
    else if (!UPGRADE_HEADERS.has(lower)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  app.server.emit('connection', socket);
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !UPGRADE_HEADERS.has(option.toLowerCase())).join(', ');
}
