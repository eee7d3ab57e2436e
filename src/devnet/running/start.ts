/** Starts a devnet: genesis from the settings, a node on its store, and the interfaces. */

import { isOpenToOthers } from '../../access/access.js';
import type { Remote } from '../../fork/start/open-remote.js';
import type { ChainMetrics } from '../../metrics/chain-metrics.js';
import { type ChainObserver, combineObservers } from '../../node/chain/observer.js';
import type { ControlObserver } from '../../node/control.js';
import type { Node } from '../../node/node.js';
import type { Settings } from '../../options/declarations.js';
import { devAccounts, phraseOf } from '../../options/dev-accounts.js';
import { type Machine, thisMachine } from '../../platform/machine.js';
import { turn } from '../../platform/turns.js';
import { VERSION } from '../../platform/version.js';
import { SignerThreads } from '../../signers/threads.js';
import { ForkedStore } from '../../state/fork/forked-store.js';
import { openDirectory, removeAbandonedDirectories } from '../database/chain-database.js';
import { type ChainFolder, chainFolder } from '../database/chain-folder.js';
import { closeStored } from '../database/closed-mark.js';
import { Disk } from '../database/disk.js';
import type { Devnet } from '../devnet.js';
import { Events, type FailureStacks, type Traces } from '../events/events.js';
import { type ForkOpener, type ForkProgress, forkOf, openFork } from '../fork/fork.js';
import { beginning, genesisContracts, genesisFile } from '../genesis/beginning.js';
import { devnetGenesis } from '../genesis/genesis.js';
import { Chains, type HostedDevnet } from '../interfaces/hosted-chains.js';
import { type Closer, openInterfaces } from '../interfaces/interfaces.js';
import { IntervalTimer } from './interval-timer.js';
import { openNode } from './open-node.js';
import { RunningDevnet } from './running-devnet.js';

/** Follows all events of a chain from its start. */
export interface Follower {
  readonly observer: ChainObserver;
  readonly controls: ControlObserver;
  begin(node: Node): Promise<void>;
  end(): void;
}

export interface StartOptions {
  /** Absent: the machine of this process. */
  readonly machine?: Machine;
  /** The place of the chain, instead of a directory that `db` names. */
  readonly folder?: ChainFolder;
  readonly followers?: readonly Follower[];
  /** A fork makes no block and funds no accounts: results are those of the network's next block. */
  readonly withoutFirstBlocks?: boolean;
  /** Without `db`, keeps the chain in a temporary directory instead of memory, as the command does. */
  readonly temporaryDirectory?: boolean;
  /** Called while older blocks are indexed, after a use with `history: false`. */
  readonly indexProgress?: (done: number, total: number) => void;
  /** Called with the number of answers of a fork's network, also after the start. */
  readonly forkProgress?: ForkProgress;
  /** Called while a dump is applied. */
  readonly loadProgress?: (done: number, total: number) => void;
}

/** @throws OptionError for invalid settings, a port in use, a database of another chain */
export async function startDevnet(settings: Settings, options: StartOptions = {}): Promise<Devnet> {
  return (await startHosted(settings, options)).devnet;
}

interface HostOptions extends StartOptions {
  /** An open network: the fork shares its initial block. */
  readonly network?: Remote | undefined;
  /** Whether errors hide answers of the fork's network; the default depends on who may send requests. */
  readonly hidesNetwork?: boolean;
}

/** With the node and the server, for those who serve the devnet's interfaces themselves. */
export async function startHosted(
  given: Settings,
  {
    machine = thisMachine,
    folder: givenFolder,
    temporaryDirectory = false,
    indexProgress,
    forkProgress,
    loadProgress,
    withoutFirstBlocks,
    followers = [],
    network,
    hidesNetwork = isOpenToOthers(given),
  }: HostOptions = {},
): Promise<HostedDevnet<Devnet>> {
  const settings = { ...given, mnemonic: await phraseOf(given) };
  const accounts = await devAccounts(settings);
  const file = await genesisFile(settings.genesis);
  const contracts = await genesisContracts(settings, accounts);
  // A hosted chain may have thousands of accounts: yields to other chains.
  await turn();
  const own = devnetGenesis(settings, accounts, file, contracts);
  await turn();
  const { dump, genesis } = await beginning(settings, own);
  const folder =
    givenFolder ??
    (settings.db !== undefined || temporaryDirectory ? chainFolder(openDirectory(settings.db)) : undefined);
  const closers: Closer[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  if (folder !== undefined) closers.push(() => folder.release());
  try {
    const wall = settings.clock === 'virtual' ? undefined : settings.clock === 'wall' ? machine.clock : settings.clock;
    let isOpen = false;
    const events: Events = new Events(
      () => node.chain,
      () => node.mining.busy,
      settings.log,
      // Before, the start ends with the refusal.
      (refusal) => isOpen && disk?.refused(refusal),
      settings.trace ? await traces(() => node) : undefined,
      settings.artifacts.length > 0 ? await failureStacks(() => node) : undefined,
    );
    const disk = folder && new Disk(() => node.chain, folder, machine.clock, settings.log);
    let remote = network;
    const opener: ForkOpener = async (kept) => {
      const platform = { ...machine, clock: wall ?? machine.clock };
      const fork = await openFork(settings, genesis, platform, { kept, progress: forkProgress, hidesNetwork });
      closers.push(() => fork.remote.close());
      remote = fork.remote;
      return fork;
    };
    const signers = new SignerThreads();
    closers.push(() => signers.close());
    const metrics = settings.metrics ? await chainMetrics() : undefined;
    const observers = [...followers, metrics].flatMap((one) => one?.observer ?? []);
    const observer = observers.length === 0 ? events.observer : combineObservers(...observers, events.observer);
    let timer: IntervalTimer | undefined;
    const controls: ControlObserver = {
      ...events.controls,
      refused: (...refused) => {
        for (const { controls } of followers) controls.refused?.(...refused);
        metrics?.controls.refused(...refused);
        events.controls.refused?.(...refused);
      },
      mined: (...mined) => {
        timer?.schedule();
        events.controls.mined?.(...mined);
      },
      productionChanged: () => timer?.schedule(),
      branched: (how) => {
        timer?.schedule();
        metrics?.controls.branched();
        events.controls.branched?.(how);
      },
      snapshotReverted: (id) => {
        timer?.schedule();
        metrics?.controls.snapshotReverted();
        events.controls.snapshotReverted?.(id);
      },
    };
    const failed = (failure: Error) => events.failed(failure);
    const node: Node = await openNode(settings, genesis, {
      folder,
      random: machine.random,
      wall,
      observer,
      controls,
      signers,
      openFork: opener,
      fork: network && forkOf(network, genesis, settings),
      accounts,
      withoutFirstBlocks,
      indexProgress,
      dump,
      loadProgress,
      failed,
    });
    isOpen = true;
    disk?.watch();
    // Ends when the chain is closed.
    closers.push(() => {
      for (const follower of followers) follower.end();
    });
    closers.push(
      () => (folder === undefined || folder.temporary ? node.close() : closeStored(node, folder)),
      () => disk?.stop(),
    );
    await node.chain.durable();
    await turn();
    for (const follower of followers) await follower.begin(node);
    metrics?.show(node, { version: VERSION, poolSize: settings.poolSize });
    const { witnesses } = node.chain.ledger.state.tables;
    const coinbase = [...genesis.witnessKeys.keys()].find((witness) => witnesses.has(witness));
    const { store } = node.chain;
    const shared = remote && store instanceof ForkedStore ? { ...remote, rows: store } : undefined;
    const chains = new Chains(
      settings,
      (own, network, hidesNetwork) =>
        startHosted(own, { machine, network, hidesNetwork: hidesNetwork || isOpenToOthers(own) }),
      shared,
      machine,
    );
    closers.push(() => chains.close());
    const interfaces = await openInterfaces(node, settings, coinbase, accounts, closers, chains, machine, metrics);
    timer = new IntervalTimer(node, wall, settings.log, failed);
    timer.schedule();
    if (folder?.temporary) {
      const removing = removeAbandonedDirectories(settings.log);
      closers.push(() => removing);
    }
    closers.push(
      () => timer?.stop(),
      // Before the interfaces: clients that wait for blocks get the progress.
      () => node.mining.stop(),
    );
    const dataDirectory = folder && { path: folder.path, temporary: folder.temporary };
    const devnet = new RunningDevnet(interfaces, accounts, settings, genesis, dataDirectory, node, events, closeAll);
    return { devnet, node, server: interfaces.server };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function traces(node: () => Node): Promise<Traces> {
  const { traceOfCall, tracesOfBlock } = await import('../../explanation/calls/trace.js');
  return {
    ofBlock: tracesOfBlock,
    ofCall: (call, txId) => traceOfCall(node().calls, node().chain.ledger, call, txId),
  };
}

/** Metrics are loaded only on request. */
async function chainMetrics(): Promise<ChainMetrics> {
  const { ChainMetrics } = await import('../../metrics/chain-metrics.js');
  return new ChainMetrics();
}

/** Modules for sources are loaded only if there are artifacts. */
async function failureStacks(node: () => Node): Promise<FailureStacks> {
  const { stackInBlock, stackOfCall } = await import('../../explanation/calls/failure-stack.js');
  return {
    inBlock: (block, index) => stackInBlock(node().chain, block, index),
    ofCall: (call, txId) => stackOfCall(node().calls, node().chain.ledger, call, txId),
  };
}
