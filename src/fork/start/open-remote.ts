/** Opens a live network: the start data of a fork, and the source of its rows. */

import type { RemoteBlocks } from '../../state/fork/earlier-blocks.js';
import type { CallerDeadline } from '../../state/fork/turns.js';
import type { RemoteRows } from '../../state/remote-rows.js';
import { CacheDirectory, CachedRows } from '../cache/cache-directory.js';
import { DEFAULT_CALLER_TIMEOUT_MS, SilenceTimeout } from '../network/caller-deadline.js';
import { NetworkBlocks, NO_BLOCKS } from '../network/network-blocks.js';
import type { RemoteOptions, RemotePlatform } from '../network/remote-client.js';
import { FolderError, RemoteError } from '../network/remote-error.js';
import type { LiveRows } from '../rows/live-rows.js';
import { NetworkRows } from '../rows/network-rows.js';
import type { ForkStart } from '../terms/fork-start.js';
import { termsOf } from '../terms/network-terms.js';
import { rowsInWords } from '../terms/row-names.js';
import { connect } from './connect.js';
import { readStart, type StartOptions } from './start.js';

export interface OpenRemoteOptions extends RemoteOptions, StartOptions {
  /** A folder that stores rows read from the network: `cache-directory.ts`. */
  readonly cache?: string | undefined;
  /** Whether only the folder is read, and never the network. */
  readonly offline?: boolean | undefined;
  /** The start data of a fork that continues. It is not read again. */
  readonly start?: ForkStart | undefined;
  /** How long a caller waits for a silent network. Default 10,000. */
  readonly callerTimeoutMs?: number | undefined;
}

export interface Remote {
  readonly start: ForkStart;
  readonly rows: RemoteRows;
  /** Of the network, up to the forked block. */
  readonly blocks: RemoteBlocks;
  /** Time limit of callers that wait for a row. */
  readonly deadline?: CallerDeadline;
  /** Number of requests so far, over HTTP and gRPC. */
  requests(): number;
  /** Writes unwritten rows to the folder, and closes connections. */
  close(): Promise<void>;
}

/**
 * @throws RemoteError
 * @example await openRemote({ url: 'https://api.trongrid.io' }, { fetch, clock: wallClock, random: systemRandom })
 */
export async function openRemote(options: OpenRemoteOptions, platform: RemotePlatform): Promise<Remote> {
  const { client, wallet, chain } = await connect(options, platform);
  const cache = options.cache === undefined ? undefined : new CacheDirectory(options.cache);
  const inFolder = await cache?.readStart();
  const kept = options.start ?? inFolder;
  if (kept === undefined && options.offline) {
    throw new FolderError(
      options.cache ?? options.url,
      'the start data of the fork',
      'the cache is empty, and the fork is offline',
      'Run once without --fork-offline, with --fork-cache.',
    );
  }
  const read = kept ?? (await readStart(wallet, chain, options));
  const inCache = inFolder ?? (await cache?.writeStart(read)) ?? read;
  if (cache !== undefined && options.start !== undefined) requireSame(cache.directory, inCache, options.start);
  const start = options.start ?? inCache;

  // A start that was just read needs no check.
  const isKept = start.head.id !== chain.forked?.id;
  if (isKept) chain.pin(start.head);
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
    if (isKept) await chain.check();
    return new NetworkRows(wallet, client, chain, termsOf(start, options.slotMs ?? 3_000n), start.head.number);
  };
  const remote = options.offline ? offlineRows(cache?.directory ?? options.url) : online;
  return {
    start,
    rows: cache === undefined ? remote : new CachedRows(cache, remote),
    blocks: options.offline ? NO_BLOCKS : new NetworkBlocks(wallet, client, chain),
    deadline: new SilenceTimeout(
      client.retryPolicy,
      platform.clock,
      wallet.address,
      options.callerTimeoutMs ?? DEFAULT_CALLER_TIMEOUT_MS,
    ),
    requests: () => client.retryPolicy.requests,
    close: async () => {
      wallet.close();
      await cache?.flush();
    },
  };
}

/** For an offline fork. */
function offlineRows(place: string): LiveRows {
  return {
    fetch: async (wanted) => {
      throw new RemoteError(
        place,
        rowsInWords(wanted),
        'it is not in the cache, and the fork is offline',
        'Run once with --fork, and without --fork-offline, to read it.',
      );
    },
  };
}

function requireSame(directory: string, { head }: ForkStart, { head: begun }: ForkStart): void {
  if (head.id === begun.id) return;
  throw new FolderError(
    directory,
    'the rows of the fork in the database',
    `the cache is of a fork at block ${head.number}, but the database of one at block ${begun.number}`,
    'Use another --fork-cache, or none: the database has the rows that were read.',
  );
}
