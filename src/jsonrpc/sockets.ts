/** The WebSockets of one JSON-RPC endpoint. Loaded with the first WebSocket. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { FollowedView } from '../node/chain/feed.js';
import type { Node } from '../node/node.js';
import { type Machine, repeatedly } from '../platform/machine.js';
import { callerOf } from '../platform/turns.js';
import { Connection, GOING_AWAY, TRY_AGAIN_LATER } from './connection.js';
import type { Dialect } from './dialect.js';
import type { OnInternalError } from './dispatch.js';
import { Subscriptions } from './subscriptions.js';
import type { Subscriber } from './table.js';

export interface SocketLimits {
  readonly connections: number;
  /** Maximum size of a message; the same as for a body. */
  readonly messageBytes: number;
  /** Interval of checks whether a client is still connected. */
  readonly checkMs: number;
}

export const SOCKET_LIMITS: SocketLimits = { connections: 1_000, messageBytes: 4_194_304, checkMs: 30_000 };

/** Time that a client has for the closing handshake. */
const CLOSE_GRACE_MS = 1_000;

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export interface SocketDialect {
  readonly dialect: Dialect;
  /** @param isGone whether the client has disconnected */
  readonly answer: (message: string, subscriber: Subscriber, isGone: () => boolean) => string | Promise<string>;
}

export class Sockets {
  readonly #server: WebSocketServer;
  readonly #subscriptions: Subscriptions;
  readonly #connections = new Set<Connection>();
  #stopChecks: (() => void) | undefined;
  #isClosing = false;

  constructor(
    private readonly node: Node,
    view: FollowedView,
    private readonly limits: SocketLimits,
    private readonly machine: Pick<Machine, 'clock' | 'random'>,
    private readonly onInternalError: OnInternalError | undefined,
  ) {
    this.#subscriptions = new Subscriptions(node, view);
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: limits.messageBytes,
      // Other clients get turns between the messages of one client.
      allowSynchronousEvents: false,
    });
  }

  /** Accepts the WebSocket request, and answers its messages. */
  accept({ request, socket, head }: Upgrade, { dialect, answer }: SocketDialect): void {
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const isGone = () => webSocket.readyState !== webSocket.OPEN;
      const connection = new Connection(webSocket, {
        dialect,
        subscriptions: this.#subscriptions,
        caller: callerOf(socket),
        random: this.machine.random,
        answer: (message, subscriber) => answer(message, subscriber, isGone),
        durable: () => this.node.chain.durability(),
        onInternalError: (error) => this.onInternalError?.(error, request.url ?? ''),
      });
      socket.on('data', (chunk: Buffer) => connection.comes(chunk.length));
      this.#connections.add(connection);
      webSocket.on('close', () => this.#left(connection));
      if (this.#connections.size > this.limits.connections) connection.close(TRY_AGAIN_LATER, 'too many connections');
      this.#stopChecks ??= repeatedly(this.machine.clock, this.limits.checkMs, () => {
        for (const each of this.#connections) each.check();
      });
    });
  }

  /** Closes all connections; resolves when all are closed. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const leaving = [...this.#connections];
    const cut = setTimeout(() => {
      for (const connection of leaving) connection.terminate();
    }, CLOSE_GRACE_MS);
    await Promise.all(
      leaving.map((connection) => {
        connection.close(GOING_AWAY, 'the node is being closed');
        return connection.closed;
      }),
    );
    clearTimeout(cut);
  }

  #left(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    this.#stopChecks?.();
    this.#stopChecks = undefined;
  }
}
