/**
 * WebSockets to a server in the same process, over streams in memory: Node's HTTP parser and `ws` work as over a socket,
 * and no round of the event loop depends on the machine.
 */

import { createServer, type Server } from 'node:http';
import { WebSocket } from 'ws';
import type { ChainServer } from '../../../../src/http/chain-routes.js';
import { memoryConnection } from './memory-connection.js';

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
    const [client, server] = memoryConnection();
    this.#server.emit('connection', server);
    return new WebSocket(`ws://localhost${path}`, {
      createConnection: () => client as never,
      // Compression works on threads.
      perMessageDeflate: false,
    });
  }
}
