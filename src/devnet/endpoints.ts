/** The addresses of a devnet's interfaces, for users of the library. */

import type { Fetch, Post } from '../platform/fetch.js';

/** The address of an interface. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:9090`, for gRPC `127.0.0.1:50051`. */
  readonly url: string;
}

export interface Interfaces {
  /** Undefined: it has no port. */
  readonly http: Endpoint | undefined;
  /** This and the following are undefined if they have no port of their own. */
  readonly httpSolidity: Endpoint | undefined;
  readonly httpPbft: Endpoint | undefined;
  readonly jsonrpc: Endpoint | undefined;
  readonly eth: Endpoint | undefined;
  readonly jsonrpcSolidity: Endpoint | undefined;
  readonly jsonrpcPbft: Endpoint | undefined;
  readonly grpc: Endpoint | undefined;
  readonly grpcSolidity: readonly Endpoint[];
  readonly grpcPbft: Endpoint | undefined;
  /** The address of the event queue, e.g. `tcp://127.0.0.1:5555`; undefined if there is none. */
  readonly eventQueue: string | undefined;
  /**
   * Sends a request to the HTTP server without a socket. Like the global `fetch`, but also takes a path. Scheme and
   * host of a URL are ignored: `http://devnet/jsonrpc` is `/jsonrpc`.
   *
   * @throws TypeError for an invalid URL, or if the devnet is closed; the signal's reason if it is aborted
   * @example const block = await (await devnet.fetch('/wallet/getnowblock')).json();
   */
  readonly fetch: Fetch;
  /**
   * Sends a POST with a JSON body to the HTTP server, without the overhead of HTTP: the providers of `sunup/testing`
   * use it. Status and text are the same as with `fetch`.
   *
   * @throws TypeError if the devnet is closed
   * @example const { status, text } = await devnet.post('/wallet/getblockbynum', '{"num":0}');
   */
  readonly post: Post;
}
