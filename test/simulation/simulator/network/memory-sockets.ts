/**
 * WebSockets to a server in the same process, over streams in memory: Node's HTTP parser and `ws` work as over a socket,
 * and no round of the event loop depends on the machine.
 */

import { createServer, type Server } from 'node:http';
import { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { ChainServer } from '../../../../src/http/chain-routes.js';

/** One end of a connection. What is written to it can be read from the other. */
class End extends Duplex {
  other: End | undefined;
  #resume: (() => void) | undefined;

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    process.nextTick(() => {
      const { other } = this;
      if (other === undefined || other.destroyed || other.push(chunk)) done();
      else other.#resume = done;
    });
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { other } = this;
    process.nextTick(() => {
      if (other !== undefined && !other.destroyed && !other.readableEnded) other.push(null);
    });
    done(error);
  }

  // What HTTP asks of a socket.
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

export class MemorySockets {
  readonly #server: Server;

  constructor({ handle, upgrade }: ChainServer) {
    this.#server = createServer(handle);
    this.#server.on('upgrade', (request, socket, head) => {
      if (!upgrade(request, socket as never, head)) socket.destroy();
    });
  }

  /** @param path `/eth` */
  open(path: string): WebSocket {
    const [client, server] = [new End(), new End()];
    client.other = server;
    server.other = client;
    this.#server.emit('connection', server);
    return new WebSocket(`ws://localhost${path}`, {
      createConnection: () => client as never,
      // Compression works on threads.
      perMessageDeflate: false,
    });
  }
}
