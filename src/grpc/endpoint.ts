/**
 * The gRPC protocol over HTTP/2 connections that somebody else has accepted: paths to methods, messages in, messages and
 * a status out. Owns the transport's answers (unknown methods, compression, size, protocol mistakes) with the texts of
 * java-tron's grpc-java; knows neither messages nor services.
 *
 * Written on node:http2 rather than with @grpc/grpc-js: every method of a node is unary, so the protocol is this file.
 * grpc-js costs 40 ms and 11 MB when it is loaded against 8 ms and 3 MB (Node 20, measured), and the texts and statuses
 * of unknown methods and of requests that are too long or not protobuf could not be java-tron's. Tests use its client.
 */

import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { type Compression, FrameReader, frame, MessageTooLong } from './frames.js';
import { applicationError, methodNotFound, Status, StatusError } from './status.js';

/** `node.rpc.maxMessageSize` of java-tron. */
export const MAX_REQUEST_BYTES = 4_194_304;
/** grpc-java's flow-control window. */
const WINDOW_BYTES = 1_048_576;
/** How long calls under way may hold up {@link Endpoint.close}. */
const CLOSE_GRACE_MS = 2_000;

const CONTENT_TYPE = 'application/grpc';

/** One request, one reply. Throws StatusError for any other status than OK; what else it throws is our bug. */
export type UnaryMethod = (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A reply for each request as it comes, until the client has no more. */
export interface StreamingMethod {
  readonly replies: (request: Uint8Array) => Promise<Uint8Array>;
}

export interface EndpointOptions {
  /** `/<service>/<method>` → method. */
  readonly methods: ReadonlyMap<string, UnaryMethod | StreamingMethod>;
  /** Told of failures that are ours, not the client's. */
  readonly onInternalError?: ((error: unknown, path: string) => void) | undefined;
}

export interface Endpoint {
  /** Takes a connection over. */
  accept(socket: Socket): void;
  /** Lets calls under way finish for two seconds, then cuts what is left. */
  close(): Promise<void>;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const server = createServer({ settings: { initialWindowSize: WINDOW_BYTES } });
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let closing = false;
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.setLocalWindowSize(WINDOW_BYTES);
    if (closing) session.destroy();
  });
  // A connection that is broken or does not speak HTTP/2 ends by itself; there is nobody left to tell.
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers) => {
    // A client that goes away in the middle of its call.
    stream.on('error', () => {});
    new Call(stream, headers, options).start();
  });
  return {
    accept: (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      server.emit('connection', socket);
    },
    close: async () => {
      closing = true;
      const cut = setTimeout(() => {
        // Also that of a session which has ended and whose client does not say goodbye.
        for (const socket of sockets) socket.destroy();
      }, CLOSE_GRACE_MS);
      await Promise.all([...sessions].map(closed));
      clearTimeout(cut);
    },
  };
}

function closed(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    session.once('close', resolve);
    session.close();
  });
}

class Call {
  readonly #path: string;
  #requests = 0;
  /** Replies leave in the order of their requests. */
  #last: Promise<void> = Promise.resolve();
  #unaryRequest: Uint8Array | undefined;
  #ended = false;

  constructor(
    private readonly stream: ServerHttp2Stream,
    private readonly headers: IncomingHttpHeaders,
    private readonly options: EndpointOptions,
  ) {
    this.#path = String(headers[constants.HTTP2_HEADER_PATH]);
  }

  start(): void {
    try {
      this.#begin();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @throws StatusError */
  #begin(): void {
    const { headers, options } = this;
    if (headers[constants.HTTP2_HEADER_METHOD] !== 'POST') {
      this.#refuse(405, 'Method not allowed');
      return;
    }
    const contentType = headers['content-type'];
    if (contentType !== CONTENT_TYPE && !/^application\/grpc[+;]/.test(contentType ?? '')) {
      this.#refuse(415, `Content-Type '${contentType ?? ''}' is not supported`);
      return;
    }
    const method = options.methods.get(this.#path);
    if (method === undefined) throw methodNotFound(this.#path);
    const compression = compressionOf(headers);
    if (compression === undefined) {
      const name = String(headers['grpc-encoding']);
      throw new StatusError(Status.UNIMPLEMENTED, `Can't find decompressor for ${name}`);
    }
    this.#read(method, new FrameReader(MAX_REQUEST_BYTES, compression));
  }

  #read(method: UnaryMethod | StreamingMethod, reader: FrameReader): void {
    this.stream.on('data', (chunk: Uint8Array) => {
      if (this.#ended) return;
      try {
        for (const message of reader.push(chunk)) {
          if (typeof method === 'function') this.#keep(message);
          else this.#replyTo(method, message);
        }
      } catch (error) {
        this.#fail(error);
      }
    });
    this.stream.on('end', () => {
      if (this.#ended) return;
      if (reader.incomplete) this.#fail(new StatusError(Status.INTERNAL, 'Encountered end-of-stream mid-frame'));
      else if (typeof method !== 'function') this.#last.then(() => this.#finish());
      else if (this.#unaryRequest === undefined) {
        this.#fail(new StatusError(Status.INTERNAL, 'Half-closed without a request'));
      } else this.#answer(method, this.#unaryRequest);
    });
  }

  #keep(message: Uint8Array): void {
    if (++this.#requests > 1) throw new StatusError(Status.INTERNAL, 'Too many requests');
    this.#unaryRequest = message;
  }

  async #answer(method: UnaryMethod, request: Uint8Array): Promise<void> {
    try {
      const reply = await method(request);
      if (this.#gone) return;
      this.#respond();
      this.#ended = true;
      this.stream.end(frame(reply));
    } catch (error) {
      this.#fail(error);
    }
  }

  #replyTo(method: StreamingMethod, request: Uint8Array): void {
    this.#last = this.#last.then(async () => {
      try {
        const reply = await method.replies(request);
        if (this.#gone) return;
        this.#respond();
        this.stream.write(frame(reply));
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  get #gone(): boolean {
    return this.#ended || this.stream.destroyed || this.stream.aborted;
  }

  /** Headers of a reply; the status follows in the trailers. */
  #respond(): void {
    if (this.stream.headersSent) return;
    this.stream.on('wantTrailers', () => this.stream.sendTrailers({ 'grpc-status': String(Status.OK) }));
    this.stream.respond(
      { ':status': 200, 'content-type': CONTENT_TYPE, 'grpc-encoding': 'identity', 'grpc-accept-encoding': 'gzip' },
      { waitForTrailers: true },
    );
  }

  #finish(): void {
    if (this.#gone) return;
    this.#ended = true;
    this.#respond();
    this.stream.end();
  }

  /** Ends the call with the status of an error. */
  #fail(error: unknown): void {
    if (this.#gone) return;
    this.#ended = true;
    if (error instanceof MessageTooLong) {
      this.stream.close(constants.NGHTTP2_CANCEL);
      return;
    }
    if (!(error instanceof StatusError)) this.options.onInternalError?.(error, this.#path);
    const { code, details } = error instanceof StatusError ? error : applicationError();
    this.#end({ ':status': 200, 'content-type': CONTENT_TYPE, ...status(code, details) });
  }

  /** A request that is not gRPC at all. */
  #refuse(httpStatus: number, details: string): void {
    this.#ended = true;
    this.#end({ ':status': httpStatus, ...status(Status.INTERNAL, details) });
  }

  #end(headers: OutgoingHttpHeaders): void {
    if (this.stream.headersSent) {
      this.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      return;
    }
    this.stream.respond(headers, { endStream: true });
    // What the client still sends is read and thrown away, so that it gets its answer.
    this.stream.resume();
  }
}

function status(code: number, details: string): OutgoingHttpHeaders {
  return { 'grpc-status': String(code), ...(details === '' ? {} : { 'grpc-message': percentEncoded(details) }) };
}

/** gRPC's encoding of a status message: everything but printable ASCII, and the percent sign itself. */
function percentEncoded(text: string): string {
  return text.replaceAll(/[^\x20-\x24\x26-\x7e]+/gu, (run) =>
    Buffer.from(run, 'utf8').reduce(
      (encoded, byte) => `${encoded}%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      '',
    ),
  );
}

function compressionOf(headers: IncomingHttpHeaders): Compression | undefined {
  const name = headers['grpc-encoding'];
  return name === undefined || name === 'identity' ? 'identity' : name === 'gzip' ? 'gzip' : undefined;
}
