/**
 * Clients on a separate thread: they connect and send requests while the node's event loop is busy, like clients of
 * another process. Each has its own connection.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Positions of the shared words. */
const WRITTEN = 0;
const ANSWERED = 1;

const CLIENTS = `
const { connect } = require('node:net');
const { parentPort, workerData: { port, shared } } = require('node:worker_threads');
const words = new Int32Array(shared);
const add = (word) => {
  Atomics.add(words, word, 1);
  Atomics.notify(words, word);
};
parentPort.on('message', (bodies) => {
  for (const body of bodies) {
    const socket = connect(port, '127.0.0.1', () => {
      const head = 'POST /jsonrpc HTTP/1.1\\r\\nhost: localhost\\r\\nconnection: close\\r\\ncontent-type: application/json\\r\\n';
      socket.write(head + 'content-length: ' + body.length + '\\r\\n\\r\\n' + body, () => add(${WRITTEN}));
    });
    socket.resume().on('end', () => {
      add(${ANSWERED});
      parentPort.postMessage('answered');
    });
  }
});
parentPort.postMessage('ready');
`;

export class Newcomers {
  readonly #words = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  #asked = 0;

  private constructor(port: number) {
    this.#worker = new Worker(CLIENTS, { eval: true, workerData: { port, shared: this.#words.buffer } });
  }

  static async of(port: number): Promise<Newcomers> {
    const newcomers = new Newcomers(port);
    await once(newcomers.#worker, 'message');
    return newcomers;
  }

  /** Sends each body over a new connection. Blocks the loop until all are written, so that none is accepted before. */
  ask(bodies: readonly string[]): void {
    this.#asked += bodies.length;
    this.#worker.postMessage(bodies);
    for (;;) {
      const written = Atomics.load(this.#words, WRITTEN);
      if (written === this.#asked) return;
      Atomics.wait(this.#words, WRITTEN, written);
    }
  }

  /** Resolves when all are answered. */
  async answered(): Promise<void> {
    while (Atomics.load(this.#words, ANSWERED) < this.#asked) await once(this.#worker, 'message');
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
