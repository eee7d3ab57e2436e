/** Connections within a process: no round of the event loop depends on the machine. */

import { Duplex } from 'node:stream';

/** One end of a connection. What is written to it can be read from the other. */
class End extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  other: End | undefined;
  #resume: (() => void) | undefined;

  constructor(readonly remotePort: number) {
    super();
  }

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

/** @param port of the client @returns what client and server have of it */
export function memoryConnection(port = 1): readonly [client: Duplex, server: End] {
  const [client, server] = [new End(port), new End(port)];
  client.other = server;
  server.other = client;
  return [client, server];
}
