/** Connections of clients at a port. Servers of HTTP accept theirs themselves. */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type Connection = Duplex & Pick<Socket, 'remoteAddress' | 'remotePort'>;

export interface ListenPlace {
  /** 0 selects a free port. */
  readonly port: number;
  readonly host: string;
}

export interface ListeningPort {
  /** The actual port. */
  readonly port: number;
  /** Accepts no more. Resolves when the accepted connections have ended. */
  close(): Promise<void>;
}

/**
 * Resolves when clients can connect.
 *
 * @throws Error with code EADDRINUSE if the port is in use
 */
export type Listen = (place: ListenPlace, accept: (connection: Connection) => void) => Promise<ListeningPort>;

export const listenOnTcp: Listen = ({ port, host }, accept) =>
  new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }, accept);
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () => new Promise((closed) => server.close(() => closed())),
      });
    });
  });
