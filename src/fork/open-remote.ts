/** A live network, opened: what a fork starts from, and where its rows come from. */

import type { RemoteRows } from '../state/fork/remote-rows.js';
import { CacheDirectory, CachedRows } from './cache-directory.js';
import type { ForkStart } from './fork-start.js';
import { grpcAddress } from './grpc-address.js';
import { HttpWallet } from './http-wallet.js';
import type { LiveRows } from './live-rows.js';
import { NetworkRows } from './network-rows.js';
import { RemoteChain } from './remote-chain.js';
import { RemoteClient, type RemoteOptions, type RemotePlatform } from './remote-client.js';
import { RemoteError } from './remote-error.js';
import type { RemoteWallet } from './remote-wallet.js';
import { readStart, type StartOptions } from './start.js';

export interface OpenRemoteOptions extends RemoteOptions, StartOptions {
  /** A folder in which what was read is kept: `cache-directory.ts`. */
  readonly cache?: string | undefined;
  /** Whether only what the folder has is read. */
  readonly offline?: boolean | undefined;
}

export interface Remote {
  readonly start: ForkStart;
  readonly rows: RemoteRows;
  /** Questions so far, over HTTP and gRPC. */
  requests(): number;
  /** Writes what of the folder is not written yet, and ends connections. */
  close(): Promise<void>;
}

/**
 * @throws RemoteError
 * @example await openRemote({ url: 'https://api.trongrid.io' }, { fetch, clock: wallClock, random: systemRandom })
 */
export async function openRemote(options: OpenRemoteOptions, platform: RemotePlatform): Promise<Remote> {
  const client = new RemoteClient(options, platform);
  const wallet = await walletOf(client, options);
  const chain = new RemoteChain(wallet, () => client.patience.nowMs());
  const cache = options.cache === undefined ? undefined : new CacheDirectory(options.cache);
  const kept = await cache?.readStart();
  if (kept === undefined && options.offline) {
    throw new RemoteError(
      options.cache ?? options.url,
      'what the fork starts from',
      'nothing was read before, and the fork is offline',
      'Run once without --fork-offline, with --fork-cache.',
    );
  }
  const { start, terms } = kept ?? (await readStart(wallet, chain, options));
  if (kept === undefined) await cache?.writeStart(start, terms);

  let network: Promise<LiveRows> | undefined;
  const online: LiveRows = {
    fetch: async (wanted) => {
      network ??= openNetwork().catch((error: unknown) => {
        network = undefined;
        throw error;
      });
      return (await network).fetch(wanted);
    },
  };
  const openNetwork = async (): Promise<LiveRows> => {
    if (kept !== undefined) {
      chain.pin(start.head);
      await chain.check();
    }
    return new NetworkRows(wallet, client, chain, terms, start.head.number);
  };
  const remote = options.offline ? undefined : online;
  return {
    start,
    rows: cache === undefined ? online : new CachedRows(cache, remote),
    requests: () => client.patience.requests,
    close: async () => {
      wallet.close();
      await cache?.flush();
    },
  };
}

async function walletOf(client: RemoteClient, options: RemoteOptions): Promise<RemoteWallet> {
  if (options.grpc === undefined) return new HttpWallet(client);
  const address = grpcAddress(options.grpc);
  if (address === undefined) throw new Error(`${options.grpc} is no address of a gRPC interface`);
  const { GrpcWallet } = await import('./grpc-wallet.js');
  return new GrpcWallet(address, options, client.patience);
}
