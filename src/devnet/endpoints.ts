/** Where the interfaces of a devnet are: what whoever uses the library sees of them. */

import type { Fetch, Post } from '../platform/fetch.js';

/** Where an interface listens. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:9090`, for gRPC `127.0.0.1:50051`. */
  readonly url: string;
}

export interface Interfaces {
  /** Undefined: no port was wanted. */
  readonly http: Endpoint | undefined;
  /** Those that are undefined otherwise, too, were given no port of their own. */
  readonly httpSolidity: Endpoint | undefined;
  readonly httpPbft: Endpoint | undefined;
  readonly jsonrpc: Endpoint | undefined;
  readonly eth: Endpoint | undefined;
  readonly jsonrpcSolidity: Endpoint | undefined;
  readonly jsonrpcPbft: Endpoint | undefined;
  readonly grpc: Endpoint | undefined;
  readonly grpcSolidity: readonly Endpoint[];
  readonly grpcPbft: Endpoint | undefined;
  /** Where the event queue is bound, e.g. `tcp://127.0.0.1:5555`; undefined where there is none. */
  readonly eventQueue: string | undefined;
  /**
   * What the HTTP server answers, without a socket. As the global `fetch`, and takes a path too; what stands before the
   * path is not looked at: `http://devnet/jsonrpc` is `/jsonrpc`.
   *
   * @throws TypeError for a URL that is none, or when the devnet is closed; the signal's reason when it is aborted
   * @example const block = await (await devnet.fetch('/wallet/getnowblock')).json();
   */
  readonly fetch: Fetch;
  /**
   * What the HTTP server answers to a POST with a JSON text as its body, with no HTTP around it: what the providers of
   * `sunup/testing` ask. Status and text are those that `fetch` gives.
   *
   * @throws TypeError when the devnet is closed
   * @example const { status, text } = await devnet.post('/wallet/getblockbynum', '{"num":0}');
   */
  readonly post: Post;
}
