/** Ports of a simulated machine, for gRPC: what listens at them is called in the same process. */

import type { Duplex } from 'node:stream';
import type { Connection, Listen } from '../../../../src/platform/listen.js';
import { memoryConnection } from './memory-connection.js';

/** Clients have ports above those of servers. */
const FIRST_CLIENT = 40_000;

export class MemoryPorts {
  readonly #accepting = new Map<number, (connection: Connection) => void>();
  #last = 0;
  #clients = 0;

  readonly listen: Listen = async ({ port: wanted }, accept) => {
    const port = wanted === 0 ? ++this.#last : wanted;
    this.#accepting.set(port, accept);
    return {
      port,
      close: async () => {
        this.#accepting.delete(port);
      },
    };
  };

  /** @throws Error nobody listens */
  connect(port: number): Duplex {
    const accept = this.#accepting.get(port);
    if (accept === undefined) throw new Error(`connect ECONNREFUSED, port ${port}`);
    const [client, server] = memoryConnection(FIRST_CLIENT + this.#clients++);
    accept(server);
    return client;
  }
}
