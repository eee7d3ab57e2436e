/** A devnet above the head of a live network: derives the genesis, and opens the source of rows. */

import type { AnswerStore } from '../../fork/network/answer-store.js';
import type { RemotePlatform } from '../../fork/network/remote-client.js';
import type { RetryOptions } from '../../fork/network/retry-policy.js';
import type { Connection } from '../../fork/start/connect.js';
import type { OpenRemoteOptions, Remote } from '../../fork/start/open-remote.js';
import type { ForkStart } from '../../fork/terms/fork-start.js';
import type { Genesis } from '../../ledger/genesis/genesis.js';
import type { Beginning } from '../../ledger/genesis/genesis-text.js';
import type { Settings } from '../../options/declarations.js';
import { OptionError } from '../../options/option-error.js';
import type { WallClock } from '../../platform/clock.js';
import { thisMachine } from '../../platform/machine.js';
import { bytesToHex, type Hex, hexToBytes } from '../../primitives/hex.js';
import { type Release, releaseOfHeader } from '../../primitives/release.js';
import { BlockHeader } from '../../protocol/generated/tron.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import type { TableSpec } from '../../state/table-spec.js';
import { TABLES } from '../../state/tables.js';
import type { DevnetGenesis } from '../genesis/genesis.js';

/** The parts of a fork that a node needs. */
export interface OpenFork {
  readonly remote: Remote;
  readonly genesis: Genesis;
  /** The release of the network's newest block. */
  readonly release: Release;
}

/** Called with the number of the network's answers, and with pauses because of its rate limits. */
export type ForkProgress = Pick<RetryOptions, 'onAnswer' | 'onBackoff'>;

/** A fork in a database or dump, with its initial settings. */
export interface KeptFork extends Beginning {
  /** The directory of its database. */
  readonly directory: string | undefined;
}

/** Opens the network of a new or a stored fork. */
export type ForkOpener = (kept?: KeptFork) => Promise<OpenFork>;

interface OpenForkOptions {
  readonly kept?: KeptFork | undefined;
  readonly progress?: ForkProgress | undefined;
  /** Whether answers of the network are only in the log. */
  readonly hidesNetwork?: boolean;
}

/** @throws OptionError if the network does not serve the data that a fork starts from */
export async function openFork(
  settings: Settings,
  made: DevnetGenesis,
  platform: RemotePlatform,
  { kept, progress, hidesNetwork }: OpenForkOptions = {},
): Promise<OpenFork> {
  if (kept !== undefined) requireSameChainId(kept, settings);
  const given = { start: kept && keptStart(kept), ...progress };
  // A stored fork without `--fork` can only be continued offline.
  const forkOffline = settings.forkOffline || settings.fork === undefined;
  const slotMs = kept === undefined ? settings.slotMs : Number(kept.settings.slotMs);
  const url = settings.fork ?? kept?.directory ?? '';
  const opened = await openNetwork({ ...settings, forkOffline, slotMs }, url, platform, given);
  const remote = hidesNetwork ? await withoutDetails(opened, settings, platform.clock) : opened;
  const fork = forkOf(remote, made, settings);
  return kept === undefined ? fork : { ...fork, genesis: kept.genesis };
}

/** Modules that read networks are loaded for forks only. */
async function withoutDetails(remote: Remote, { log }: Settings, wall: WallClock): Promise<Remote> {
  const { concealErrors } = await import('../../fork/start/concealed-errors.js');
  return concealErrors(remote, (failure) => log?.warn(failure), wall);
}

/** The initial settings of a fork of an open network. */
export function forkOf(remote: Remote, { genesis }: DevnetGenesis, { forkChainId }: Settings): OpenFork {
  return {
    remote,
    genesis: forkGenesis(remote.start, genesis, forkChainId),
    release: releaseOfHeader(remote.start.head.header.raw_data?.version ?? 0),
  };
}

/**
 * Reads the data that a new fork starts from; its modules are loaded for forks only.
 *
 * @throws OptionError if the network does not serve it
 */
export async function openNetwork(
  settings: Settings,
  url: string,
  platform: RemotePlatform,
  given: Pick<OpenRemoteOptions, 'start' | 'onAnswer'> = {},
): Promise<Remote> {
  if (!settings.forkOffline) requireHttpUrl(url);
  // Sequentially: jest 30 fails if concurrently loaded modules share a dependency ("is not in cache").
  const { openRemote } = await import('../../fork/start/open-remote.js');
  try {
    return await openRemote({ ...remoteOptions(settings, url), ...given }, platform);
  } catch (error) {
    throw await refusalOfNetwork(error);
  }
}

/** Converts the error of a network, or of the folder with its answers, while a fork starts. */
export async function refusalOfNetwork(error: unknown): Promise<unknown> {
  const { FolderError, RemoteError } = await import('../../fork/network/remote-error.js');
  if (!(error instanceof RemoteError)) return error;
  const problem = `does not give ${error.what}: ${error.why} (${error.url})`;
  const option = error instanceof FolderError ? 'forkCache' : 'fork';
  return new OptionError(option, problem, error.advice, { cause: error });
}

/**
 * A network that is only asked about its past: no fork is started. `forkCache` keeps its answers.
 *
 * @throws OptionError for what is no URL, and for `forkOffline` without `forkCache`
 */
export async function connectNetwork(settings: Settings, progress: ForkProgress = {}): Promise<Connection> {
  const url = settings.fork ?? '';
  requireHttpUrl(url);
  const { connect } = await import('../../fork/start/connect.js');
  const answers = await keptAnswers(settings);
  return connect({ ...remoteOptions(settings, url), ...progress }, { ...thisMachine, answers });
}

async function keptAnswers({ forkCache, forkOffline }: Settings): Promise<AnswerStore | undefined> {
  if (forkCache === undefined) {
    if (!forkOffline) return undefined;
    throw new OptionError('forkOffline', 'needs --fork-cache', 'Set --fork-cache to the folder with the answers');
  }
  const { KeptAnswers } = await import('../../fork/cache/kept-answers.js');
  return new KeptAnswers(forkCache, forkOffline);
}

function requireHttpUrl(url: string): void {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return;
  throw new OptionError(
    'fork',
    `is not an HTTP URL: ${url}`,
    'Set the HTTP URL of a node of the network, such as https://api.trongrid.io',
  );
}

function remoteOptions(settings: Settings, url: string): OpenRemoteOptions {
  const {
    forkJsonrpc,
    forkGrpc,
    forkApiKey,
    forkHeader,
    forkCache,
    forkOffline,
    forkRate,
    forkTimeout,
    forkBrokerages,
    slotMs,
  } = settings;
  return {
    url,
    slotMs: BigInt(slotMs),
    offline: forkOffline,
    brokerages: forkBrokerages,
    callerTimeoutMs: forkTimeout,
    ...(forkJsonrpc !== undefined && { jsonRpcUrl: forkJsonrpc }),
    ...(forkGrpc !== undefined && { grpc: forkGrpc }),
    ...(forkApiKey !== undefined && { apiKey: forkApiKey }),
    ...(forkRate !== undefined && { perSecond: forkRate }),
    ...(forkCache !== undefined && { cache: forkCache }),
    headers: Object.fromEntries(forkHeader.map((line) => line.split(/:\s*(.*)/s, 2) as [string, string])),
  };
}

function requireSameChainId({ genesis: { fork }, directory }: KeptFork, { forkChainId }: Settings): void {
  if (fork !== undefined && forkChainId !== undefined && forkChainId !== fork.chainId)
    throw new OptionError(
      'forkChainId',
      `is not the one that the chain in ${directory} was created with`,
      'Remove it, or use another --db directory',
    );
}

/** The initial data of a fork; undefined for another chain. */
export function keptStart({ genesis: { fork, timestampMs, properties } }: Beginning): ForkStart | undefined {
  if (fork === undefined) return undefined;
  const header = BlockHeader.decode(hexToBytes(fork.header));
  const rowsOf = (table: 'longs' | 'texts', values: ReadonlyMap<string, unknown>): FetchedRow[] =>
    [...values].map(([key, value]) => ({
      table,
      key,
      value: (TABLES[table] as unknown as TableSpec<unknown>).encode(value),
      readAtBlock: fork.number,
    }));
  return {
    head: { number: fork.number, id: fork.id, timestampMs: header.raw_data?.timestamp ?? 0n, header },
    genesis: { id: fork.genesisId, timestampMs },
    rows: [
      ...rowsOf('longs', properties.longs),
      ...rowsOf('texts', properties.texts),
      ...fork.rows.map(([table, key, value]) => ({ table, key, value: hexToBytes(value), readAtBlock: fork.number })),
    ],
    assumptions: fork.assumptions ?? [],
  };
}

/** Refuses options that have no effect without a fork. Keys and rate limits are valid for any network. */
export function refuseForkOptions(settings: Settings): void {
  for (const name of ['forkOffline', 'forkCache', 'forkJsonrpc', 'forkGrpc', 'forkBrokerages', 'forkChainId'] as const)
    if (settings[name] !== undefined && settings[name] !== false)
      throw new OptionError(name, 'needs a fork', 'Set --fork to the URL of a network, or remove this option');
}

/** The genesis of a fork; of `genesis`, only the blackhole account is used. */
export function forkGenesis(
  { head, genesis, rows, assumptions }: ForkStart,
  { accounts, parentHash }: Genesis,
  chainId: Hex | undefined,
): Genesis {
  const decoded = <Value>(table: 'longs' | 'texts') =>
    new Map(
      rows.flatMap((row) =>
        row.table === table && row.value !== undefined
          ? [[row.key, TABLES[table].decode(row.value) as Value] as const]
          : [],
      ),
    );
  return {
    timestampMs: genesis.timestampMs,
    parentHash,
    accounts: accounts.filter(({ name }) => name === 'Blackhole'),
    witnesses: [],
    properties: { longs: decoded('longs'), texts: decoded('texts') } as unknown as Genesis['properties'],
    fork: {
      number: head.number,
      id: head.id,
      header: bytesToHex(BlockHeader.encode(head.header)),
      genesisId: genesis.id,
      ...(chainId !== undefined && { chainId }),
      assumptions,
      rows: rows.flatMap(({ table, key, value }) =>
        table === 'longs' || table === 'texts' || value === undefined ? [] : [[table, key, bytesToHex(value)] as const],
      ),
    },
  };
}
