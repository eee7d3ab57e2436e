/**
 * A gRPC port. A start only listens: @grpc/grpc-js, the services and their messages are loaded when the first client
 * connects, which on most devnets never happens. They then take over the connections accepted here.
 */

import type { Quotas } from '../access/quotas.js';
import { type Connection, type Listen, listenOnTcp } from '../platform/listen.js';
import { connected } from '../platform/turns.js';
import type { WalletContext } from '../wallet/context.js';
import type { Endpoint } from './endpoint.js';
import type { GrpcPort } from './services.js';

export interface GrpcServerOptions {
  /** 0 selects a free port. */
  readonly port: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  readonly serves: GrpcPort;
  /**
   * The view of the chain for a call; `chain`: of another chain.
   *
   * @throws StatusError
   */
  readonly view: (chain?: string) => WalletContext;
  /** Default: TCP. */
  readonly listen?: Listen;
  /** API keys and limits of callers; undefined: no limits. */
  readonly quotas?: Quotas | undefined;
  /** Awaited before an answer is sent, so that no client sees data that a crash could undo. */
  readonly durable?: () => () => Promise<void> | undefined;
  /** Called for internal errors, not for errors of the client. */
  readonly onInternalError?: (error: unknown, path: string) => void;
  /** Called for every answered call: `/protocol.Wallet/GetNowBlock`, and the name of its status. */
  readonly onAnswered?: ((path: string, status: string, tookMs: number) => void) | undefined;
}

export interface GrpcServer {
  /** `127.0.0.1:50051`, with the actual port. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, gives running calls two seconds, then cuts the remaining connections. */
  close(): Promise<void>;
}

/**
 * Listens. Resolves when clients can connect.
 *
 * @throws Error with code EADDRINUSE if the port is in use
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { host = '127.0.0.1', listen = listenOnTcp } = options;
  const waiting = new Set<Connection>();
  let endpoint: Promise<Endpoint> | undefined;
  const { port, close } = await listen({ port: options.port, host }, (connection) => {
    connected();
    waiting.add(connection);
    // For a client that disconnects before it is served.
    connection.on('error', () => {});
    connection.once('close', () => waiting.delete(connection));
    endpoint ??= loadEndpoint(options);
    endpoint.then(
      (loaded) => {
        if (waiting.delete(connection)) loaded.accept(connection);
      },
      (error: unknown) => {
        options.onInternalError?.(error, 'gRPC');
        connection.destroy();
      },
    );
  });
  return {
    url: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: async () => {
      const stopped = close();
      for (const connection of waiting) connection.destroy();
      waiting.clear();
      await endpoint?.then(
        (loaded) => loaded.close(),
        () => {},
      );
      await stopped;
    },
  };
}

async function loadEndpoint({
  serves,
  view,
  quotas,
  durable,
  onInternalError,
  onAnswered,
}: GrpcServerOptions): Promise<Endpoint> {
  const [{ createEndpoint }, { costlyMethodsOf, methodsOf, servicesOf }] = await Promise.all([
    import('./endpoint.js'),
    import('./services.js'),
  ]);
  const methods = methodsOf(serves, view);
  const costly = costlyMethodsOf(serves);
  return createEndpoint({
    methods,
    costly,
    services: servicesOf(serves),
    quotas,
    durable,
    onInternalError,
    onAnswered,
  });
}
