/** A client of gRPC over a given connection: Node's HTTP/2, and the frames of gRPC. */

import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import type { Duplex } from 'node:stream';
import { StatusError } from '../../../../src/grpc/status.js';

/** A flag for compression, and the length of the message. */
const PREFIX_BYTES = 5;

export class GrpcClient {
  readonly #session: ClientHttp2Session;

  constructor(connection: Duplex) {
    this.#session = connect('http://localhost', { createConnection: () => connection });
    showAddresses(this.#session.socket);
    // A call that is under way says it.
    this.#session.on('error', () => {});
  }

  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /**
   * @param path `/protocol.Wallet/GetNowBlock`
   * @throws StatusError what the server says
   */
  call(path: string, request: Uint8Array, metadata: Readonly<Record<string, string>> = {}): Promise<Uint8Array> {
    const stream = this.#session.request({
      ...{ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' },
      ...metadata,
    });
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(request.length, 1);
    stream.end(Buffer.concat([prefix, request]));
    const parts: Buffer[] = [];
    let status: IncomingHttpHeaders = {};
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('response', (headers) => (status = { ...status, ...headers }));
    stream.on('trailers', (trailers) => (status = { ...status, ...trailers }));
    return new Promise((resolve, reject) => {
      stream.once('error', reject);
      stream.once('close', () => {
        const code = status['grpc-status'];
        if (code === undefined) reject(new Error(`${path}: the connection has ended`));
        else if (code === '0') resolve(Buffer.concat(parts).subarray(PREFIX_BYTES));
        else reject(new StatusError(Number(code), decodeURIComponent(String(status['grpc-message'] ?? ''))));
      });
    });
  }

  close(): void {
    this.#session.destroy();
  }
}

/** Node wraps what is no socket of the system, and the wrapper has no address: limits of callers would count no caller. */
function showAddresses(socket: ClientHttp2Session['socket']): void {
  const wrapper = Object.getPrototypeOf(socket) as object;
  // One of all connections.
  if (Object.hasOwn(wrapper, 'remoteAddress')) return;
  for (const name of ['remoteAddress', 'remotePort'] as const)
    Object.defineProperty(wrapper, name, {
      get(this: { readonly stream: Record<typeof name, unknown> }) {
        return this.stream[name];
      },
    });
}
