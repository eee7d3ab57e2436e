/**
 * gRPC over connections that another server has accepted: @grpc/grpc-js with methods that accept and return message
 * bytes, because Sunup's codec reads and writes messages (`protocol/`: exact bytes, int64 as bigint). Owns the limits
 * of a connection; knows neither messages nor services.
 */

import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerErrorResponse,
  type ServerInterceptingCall,
  type ServiceDefinition,
  setLogger,
  status,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import type { Quotas } from '../access/quotas.js';
import type { Connection } from '../platform/listen.js';
import { stderrLog } from '../platform/log.js';
import { type Caller, callerOf, nextTurn, takeTurn } from '../platform/turns.js';
import type { Mark } from '../wallet/known-blocks.js';
import { quotaStatus } from './quota-status.js';
import { reflection } from './reflection.js';
import { applicationError, type StatusError, statusOfRefusal } from './status.js';
import { UnfinishedMessages } from './unfinished-messages.js';
import { UnreadReplies } from './unread-replies.js';

/** `node.rpc.maxMessageSize` of java-tron. */
export const MAX_REQUEST_BYTES = 4_194_304;
/** The minimum that HTTP/2 recommends. Further calls wait at the client, so the data that it sends are bounded. */
export const MAX_CONCURRENT_CALLS = 100;
/** Time that running calls may delay {@link Endpoint.close}. */
const CLOSE_GRACE_MS = 2_000;

/**
 * The package writes to the terminal and quotes data of clients: its warnings about ignored metadata are dropped, and
 * control characters of other lines are escaped.
 */
const say = (...words: readonly unknown[]): void => {
  const line = words.map(String).join(' ');
  if (!line.startsWith('Failed to add metadata entry')) stderrLog.warn(line);
};
setLogger({ error: say, info: say, debug: say });

/** One request, one reply. Throws StatusError or OperationError; other exceptions are internal errors. */
/** @param chain the id of another chain of this process that the call is for */
export type UnaryMethod = (
  request: Uint8Array,
  chain?: string,
  marked?: (mark: Mark) => void,
) => Uint8Array | Promise<Uint8Array>;

/** Metadata that selects a chain of the process. */
const CHAIN_KEY = 'sunup-chain';

export interface EndpointOptions {
  /** `/<service>/<method>` → method. */
  readonly methods: ReadonlyMap<string, UnaryMethod>;
  /** Methods whose answers may take long: they execute a contract. */
  readonly costly?: ReadonlySet<string>;
  /** Full names of the services, for reflection. */
  readonly services: readonly string[];
  /** API keys and limits of callers; undefined: no limits. */
  readonly quotas?: Quotas | undefined;
  /** Awaited before an answer is sent. */
  readonly durable?: (() => () => Promise<void> | undefined) | undefined;
  /** Called for internal errors, not for errors of the client. */
  readonly onInternalError?: ((error: unknown, path: string) => void) | undefined;
  /** Called for every answered call, with the name of its status. */
  readonly onAnswered?: ((path: string, status: string, tookMs: number) => void) | undefined;
}

/** A connection's caller, and the bytes stored for it: incomplete requests, unread replies. */
class GrpcConnection {
  readonly unread: UnreadReplies;
  readonly unfinished: UnfinishedMessages;

  constructor(
    readonly caller: Caller | undefined,
    cut: () => void,
  ) {
    this.unread = new UnreadReplies(cut);
    this.unfinished = new UnfinishedMessages(cut);
  }
}

export interface Endpoint {
  /** Takes over a connection. */
  accept(connection: Connection): void;
  /** Gives running calls two seconds, then cuts the remaining connections. */
  close(): Promise<void>;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const connections = new Map<string, GrpcConnection>();
  const server = new Server({
    interceptors: [
      (_method, call) => {
        connections.get(call.getPeer())?.unfinished.watch(call);
        return call as ServerInterceptingCall;
      },
    ],
    'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
    'grpc.max_concurrent_streams': MAX_CONCURRENT_CALLS,
    'grpc.enable_channelz': 0,
  });
  const definition: Record<string, ServiceDefinition[string]> = {};
  const handlers: Record<string, UntypedHandleCall> = {};
  for (const [path, method] of options.methods) {
    definition[path] = bytesMethod(path);
    handlers[path] = handler(path, method, options, (peer) => connections.get(peer));
  }
  server.addService(definition, handlers);
  reflection(options.services, options.onInternalError).addTo(server);

  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = new Set<Connection>();
  return {
    accept: (socket) => {
      // grpc-js names the connection of a call this way.
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      sockets.add(socket);
      connections.set(peer, new GrpcConnection(callerOf(socket), () => socket.destroy()));
      socket.once('close', () => {
        sockets.delete(socket);
        connections.delete(peer);
      });
      injector.injectConnection(socket);
    },
    close: async () => {
      const ended = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      injector.drain(CLOSE_GRACE_MS);
      const cut = setTimeout(() => {
        // Also a connection whose session has ended, but whose client does not close it.
        for (const socket of sockets) socket.destroy();
      }, CLOSE_GRACE_MS);
      await Promise.all(ended);
      clearTimeout(cut);
      server.forceShutdown();
    },
  };
}

/** Encodes and decodes in the handler: only then undecodable requests get java-tron's status. */
function bytesMethod(path: string): ServiceDefinition[string] {
  const same = (bytes: Buffer) => bytes;
  return {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

function handler(
  path: string,
  method: UnaryMethod,
  { quotas, durable, onInternalError, onAnswered, costly }: EndpointOptions,
  connectionOf: (peer: string) => GrpcConnection | undefined,
): handleUnaryCall<Buffer, Buffer> {
  const answer: (...call: Parameters<handleUnaryCall<Buffer, Buffer>>) => Promise<void> = async (call, respond) => {
    // The connection is already closed: nobody reads the answer.
    const { caller, unread } = connectionOf(call.getPeer()) ?? new GrpcConnection(undefined, () => {});
    const room = unread.turn();
    if (room !== undefined) {
      await room;
      await nextTurn(caller);
    }
    try {
      // The client has disconnected: no work for it.
      if (call.cancelled) return unread.pass();
      const untilDurable = durable?.();
      let metadata: Metadata | undefined;
      const made = method(call.request, call.metadata.get(CHAIN_KEY)[0]?.toString(), ({ name, value }) => {
        metadata ??= new Metadata();
        metadata.set(name, value);
      });
      // Awaits only if necessary: the next call must see the unread bytes of this one.
      const reply = made instanceof Promise ? await made : made;
      if (call.cancelled) return unread.pass();
      // Called at the end of a call in any case.
      call.once('cancelled', unread.add(reply.length));
      await untilDurable?.();
      if (metadata !== undefined) call.sendMetadata(metadata);
      respond(null, Buffer.from(reply.buffer, reply.byteOffset, reply.length));
    } catch (error) {
      unread.pass();
      const refusal = statusOfRefusal(error);
      if (refusal === undefined) onInternalError?.(error, path);
      respond(statusOf(refusal ?? applicationError()));
    }
  };
  const timed: typeof answer = (call, respond) => {
    const sinceMs = performance.now();
    return answer(call, (error, ...reply) => {
      onAnswered?.(path, status[error?.code ?? status.OK], performance.now() - sinceMs);
      respond(error, ...reply);
    });
  };
  const isCostly = costly?.has(path);
  const answerInTurn = onAnswered === undefined ? answer : timed;
  return (call, respond) => {
    const refusal = quotas && quotaStatus(quotas, call);
    if (refusal !== undefined) respond(refusal);
    else takeTurn(() => void answerInTurn(call, respond), connectionOf(call.getPeer())?.caller, isCostly);
  };
}

/** Text that is not Unicode is not allowed in a header. */
function statusOf({ code, details }: StatusError): Partial<ServerErrorResponse> {
  return { code, details: Buffer.from(details).toString() };
}
