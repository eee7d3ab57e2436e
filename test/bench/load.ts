/** A client that keeps connections busy, in this process or, so that it does not take the server's core, in another. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly bodies: readonly string[];
  readonly connections: number;
}

export interface LoadResult {
  /** By the machine's clock, when the first request left: starting the process and handing it the load came before. */
  readonly startedAtMs: number;
  readonly seconds: number;
  readonly requests: number;
  /** Milliseconds. */
  readonly medianLatency: number;
  readonly p99Latency: number;
  readonly lastBody: string;
}

/** Sends each body once, over so many connections, one request at a time on each. */
export async function runLoad({ port, path, bodies, connections }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let next = 0;
  let lastBody = '';
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await Connection.open(port);
      for (let at = next++; at < bodies.length; at = next++) {
        const from = performance.now();
        lastBody = await connection.post(path, bodies[at] as string);
        latencies.push(performance.now() - from);
      }
      connection.close();
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    startedAtMs: performance.timeOrigin + started,
    seconds,
    requests: bodies.length,
    medianLatency: latencies[Math.floor(latencies.length / 2)] ?? 0,
    p99Latency: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    lastBody,
  };
}

/** The same from a process of its own. */
export async function runLoadElsewhere(load: Load): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('./load-process.js', import.meta.url)), { execArgv: [] });
  child.send(load);
  const [result] = (await once(child, 'message')) as [LoadResult];
  child.kill();
  return result;
}

/**
 * HTTP/1.1 with a connection kept alive, over a bare socket: Node's own client costs more than the server that it would
 * measure. Knows answers with a content-length, and chunked ones that come in one chunk.
 */
class Connection {
  #received = '';
  #arrived: ((body: string) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(
    private readonly port: number,
    private readonly socket: ReturnType<typeof connect>,
  ) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: unknown) => this.#read(text as string));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(port, socket);
  }

  post(path: string, body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#arrived = resolve;
      this.#failed = reject;
      const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.port}\r\ncontent-type: application/json\r\n`;
      this.socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd).toLowerCase();
    const length = /content-length: (\d+)/.exec(head)?.[1];
    const bodyAt = headEnd + 4;
    const body = this.#received.slice(bodyAt);
    if (length === undefined ? !body.endsWith('0\r\n\r\n') : body.length < Number(length)) return;
    this.#received = '';
    if (!head.startsWith('http/1.1 200')) this.#failed?.(new Error(`${head}\n\n${body}`));
    else this.#arrived?.(length === undefined ? body.slice(body.indexOf('\r\n') + 2, -7) : body);
  }
}
