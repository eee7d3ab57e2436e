/** A devnet above the head of a live network: from settings to a genesis that is no block of ours, and where rows come from. */

import type { ForkStart } from '../fork/fork-start.js';
import type { OpenRemoteOptions, Remote } from '../fork/open-remote.js';
import type { Genesis } from '../ledger/blocks/genesis.js';
import { readAheadStandby } from '../ledger/epoch/rewards.js';
import type { Node } from '../node/node.js';
import { withRows } from '../node/with-rows.js';
import type { Settings } from '../options/declarations.js';
import type { DevAccount } from '../options/dev-accounts.js';
import { OptionError } from '../options/option-error.js';
import type { WallClock } from '../platform/clock.js';
import { systemRandom } from '../platform/random.js';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import { type Release, releaseOfHeader } from '../primitives/release.js';
import { BlockHeader } from '../protocol/generated/tron.js';
import { TABLES } from '../state/tables.js';
import type { DevnetGenesis } from './genesis.js';

/** What a node needs to be one of a fork. */
export interface OpenFork {
  readonly remote: Remote;
  readonly genesis: Genesis;
  /** By whose rules the network's newest block was made. */
  readonly release: Release;
}

/** @throws OptionError where the network does not give what a fork starts from */
export async function openFork(
  settings: Settings,
  url: string,
  made: DevnetGenesis,
  wall: WallClock,
): Promise<OpenFork> {
  refuseBeginnings(settings);
  return forkOf(await openNetwork(settings, url, wall), made, settings);
}

/** The beginning of a fork of a network that is open. */
export function forkOf(remote: Remote, { genesis }: DevnetGenesis, { forkChainId }: Settings): OpenFork {
  return {
    remote,
    genesis: above(remote.start, genesis, forkChainId),
    release: releaseOfHeader(remote.start.head.header.raw_data?.version ?? 0),
  };
}

/**
 * Reads what a fork starts from; what reads it is loaded for forks only.
 *
 * @throws OptionError where the network does not give it
 */
export async function openNetwork(settings: Settings, url: string, wall: WallClock): Promise<Remote> {
  const [{ openRemote }, { RemoteError }] = await Promise.all([
    import('../fork/open-remote.js'),
    import('../fork/remote-error.js'),
  ]);
  try {
    return await openRemote(remoteOptions(settings, url), { fetch, clock: wall, random: systemRandom });
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    throw new OptionError('fork', `does not give ${error.what}: ${error.why}`, error.advice);
  }
}

function remoteOptions(settings: Settings, url: string): OpenRemoteOptions {
  const { forkJsonrpc, forkGrpc, forkApiKey, forkHeader, forkCache, forkOffline, slotMs } = settings;
  return {
    url,
    slotMs: BigInt(slotMs),
    offline: forkOffline,
    ...(forkJsonrpc !== undefined && { jsonRpcUrl: forkJsonrpc }),
    ...(forkGrpc !== undefined && { grpc: forkGrpc }),
    ...(forkApiKey !== undefined && { apiKey: forkApiKey }),
    ...(forkCache !== undefined && { cache: forkCache }),
    headers: Object.fromEntries(forkHeader.map((line) => line.split(/:\s*(.*)/s, 2) as [string, string])),
  };
}

/**
 * The genesis of a fork that is gone on with, which is the one that it was begun with.
 *
 * @throws OptionError where the database holds something else
 */
export function keptFork(
  kept: Genesis | undefined,
  { genesis }: OpenFork,
  { forkChainId }: Settings,
  directory: string,
): Genesis {
  if (kept?.fork === undefined)
    throw new OptionError(
      'fork',
      `is for a new chain, and ${directory} holds one that is no fork`,
      'Use another --db directory',
    );
  if (kept.fork.genesisId !== genesis.fork?.genesisId)
    throw new OptionError('fork', `is of another network than the chain in ${directory}`, 'Use another --db directory');
  if (forkChainId !== undefined && forkChainId !== kept.fork.chainId)
    throw new OptionError(
      'forkChainId',
      `is another one than the chain in ${directory} was begun with`,
      'Leave it out, or use another --db directory',
    );
  return kept;
}

/**
 * What makes a fork one to work on: its accounts have their balances, and there is a block that transactions can refer
 * to. Whatever rows that takes are awaited.
 */
export async function beginFork(node: Node, accounts: readonly DevAccount[]): Promise<void> {
  const { ledger } = node.chain;
  await withRows(() =>
    ledger.state.gathering(() => {
      ledger.state.readAhead('accounts', () => accounts.map(({ addressHex }) => addressHex));
      if (ledger.on('CHANGE_DELEGATION')) readAheadStandby(ledger);
    }),
  );
  for (const { addressHex, balanceSun } of accounts) {
    const setBalance = { address: addressHex, balanceSun };
    await withRows(() => void node.chain.operate({ name: 'setBalance', arguments: setBalance }));
  }
  await withRows(() => void node.producer.mineAtOrBefore(node.clock.nowMs()));
}

/** What a chain of our own begins with has no place in one that goes on. */
function refuseBeginnings(settings: Settings): void {
  for (const name of ['genesis', 'load', 'predeploy', 'parameters'] as const) {
    if (settings[name] !== undefined)
      throw new OptionError(
        name,
        'is for a chain that begins with a genesis block',
        'Leave it out, or leave out --fork',
      );
  }
}

/** The genesis of a fork of what was read; of `genesis` only where burned coin goes. */
export function above(
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
