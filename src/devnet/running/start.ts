/** A devnet put together: a genesis from the settings, a node on its store, the interfaces in front of it. */

import { isOpenToOthers } from '../../access/access.js';
import type { Remote } from '../../fork/start/open-remote.js';
import { countsCreations } from '../../ledger/accounts/ethereum.js';
import type { ChainMetrics } from '../../metrics/chain-metrics.js';
import type { Chain } from '../../node/chain/chain.js';
import { type ChainObserver, combineObservers } from '../../node/chain/observer.js';
import type { ControlObserver } from '../../node/control.js';
import type { Node } from '../../node/node.js';
import type { Settings } from '../../options/declarations.js';
import { devAccounts, phraseOf } from '../../options/dev-accounts.js';
import { wallClock } from '../../platform/clock.js';
import { turn } from '../../platform/turns.js';
import { VERSION } from '../../platform/version.js';
import { SignerThreads } from '../../signers/threads.js';
import { ForkedStore } from '../../state/fork/forked-store.js';
import { closeKept, openDirectory, removeAbandonedDirectories } from '../database/chain-database.js';
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

/** Follows all that happens to the chain, from when it is there. */
export interface Follower {
  readonly observer: ChainObserver;
  readonly controls: ControlObserver;
  begin(chain: Chain): Promise<void>;
  end(): void;
}

export interface StartOptions {
  readonly follower?: Follower | undefined;
  /** A fork makes no block of its own and funds nobody: what is worked out there is what the network's next block does. */
  readonly staysAtHead?: boolean;
  /** Without `db`: keep the chain in a temporary directory rather than in memory, as the command does. */
  readonly temporaryDirectory?: boolean;
  /** Told while blocks are indexed that a database got with `history: false`. */
  readonly indexProgress?: (done: number, total: number) => void;
  /** Told while the network of a fork is read: answers, and questions so far. Also after the start, whenever rows are. */
  readonly forkProgress?: ForkProgress;
  /** Told while the chain of a dump is applied. */
  readonly loadProgress?: (done: number, total: number) => void;
}

/** @throws OptionError for settings that cannot be, a port in use, a database of another chain */
export async function startDevnet(settings: Settings, options: StartOptions = {}): Promise<Devnet> {
  return (await startHosted(settings, options)).devnet;
}

interface HostOptions extends StartOptions {
  /** That is open already: the fork begins where others did. */
  readonly network?: Remote | undefined;
  /** Whether nobody is told what the network of a fork has answered; by default where others may ask. */
  readonly hidesNetwork?: boolean;
}

async function startHosted(
  given: Settings,
  {
    temporaryDirectory = false,
    indexProgress,
    forkProgress,
    loadProgress,
    staysAtHead,
    follower,
    network,
    hidesNetwork = isOpenToOthers(given),
  }: HostOptions = {},
): Promise<HostedDevnet<Devnet>> {
  const settings = { ...given, mnemonic: await phraseOf(given) };
  const accounts = await devAccounts(settings);
  const file = await genesisFile(settings.genesis);
  const contracts = await genesisContracts(settings, accounts);
  // A chain beside others, with thousands of accounts, is made while the others are answered.
  await turn();
  const own = devnetGenesis(settings, accounts, file, contracts);
  await turn();
  const { dump, made } = await beginning(settings, own);
  const directory = settings.db !== undefined || temporaryDirectory ? openDirectory(settings.db) : undefined;
  const closers: Closer[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  if (directory !== undefined) closers.push(() => directory.release());
  try {
    const wall = settings.clock === 'virtual' ? undefined : settings.clock === 'wall' ? wallClock : settings.clock;
    const events: Events = new Events(
      () => node.chain,
      () => node.mining.busy,
      settings.log,
      (refusal) => disk?.refused(refusal),
      settings.trace ? await traces(() => node) : undefined,
      settings.artifacts.length > 0 ? await failureStacks(() => node) : undefined,
    );
    const disk = directory && new Disk(() => node.chain, directory.path, settings.log);
    let remote = network;
    const opener: ForkOpener = async (kept) => {
      const fork = await openFork(settings, made, wall ?? wallClock, { kept, told: forkProgress, hidesNetwork });
      closers.push(() => fork.remote.close());
      remote = fork.remote;
      return fork;
    };
    const signers = new SignerThreads();
    closers.push(() => signers.close());
    const metrics = settings.metrics ? await chainMetrics() : undefined;
    const followers = [follower?.observer, metrics?.observer].filter((told) => told !== undefined);
    const observer = followers.length === 0 ? events.observer : combineObservers(...followers, events.observer);
    let timer: IntervalTimer | undefined;
    const controls: ControlObserver = {
      ...events.controls,
      refused: (...refused) => {
        follower?.controls.refused?.(...refused);
        metrics?.refused(...refused);
        events.controls.refused?.(...refused);
      },
      mined: (...mined) => {
        timer?.schedule();
        events.controls.mined?.(...mined);
      },
      productionChanged: () => timer?.schedule(),
      branched: (how) => {
        timer?.schedule();
        events.controls.branched?.(how);
      },
      wentBack: (id) => {
        timer?.schedule();
        events.controls.wentBack?.(id);
      },
    };
    const failed = (failure: Error) => events.failed(failure);
    const node: Node = await openNode(settings, made, {
      directory: directory?.path,
      wall,
      observer,
      controls,
      signers,
      openFork: opener,
      fork: network && forkOf(network, made, settings),
      accounts,
      staysAtHead,
      indexProgress,
      dump,
      loadProgress,
      failed,
    });
    disk?.watch();
    // Ends when the chain has come to its end.
    closers.push(() => follower?.end());
    closers.push(
      () => (directory === undefined || directory.temporary ? node.close() : closeKept(node, directory.path)),
      () => disk?.stop(),
    );
    if (settings.createNonces && !countsCreations(node.chain.ledger))
      node.operations.apply('countCreations', { on: true });
    await node.chain.durable();
    await turn();
    await follower?.begin(node.chain);
    metrics?.show(node, { version: VERSION, poolSize: settings.poolSize });
    const { witnesses } = node.chain.ledger.state.tables;
    const coinbase = [...made.witnessKeys.keys()].find((witness) => witnesses.has(witness));
    const { store } = node.chain;
    const shared = remote && store instanceof ForkedStore ? { ...remote, rows: store } : undefined;
    const chains = new Chains(
      settings,
      (own, network, hidesNetwork) => startHosted(own, { network, hidesNetwork: hidesNetwork || isOpenToOthers(own) }),
      shared,
    );
    closers.push(() => chains.close());
    const interfaces = await openInterfaces(node, settings, coinbase, accounts, closers, chains, metrics);
    timer = new IntervalTimer(node, wall, settings.log, failed);
    timer.schedule();
    if (directory?.temporary) {
      const removing = removeAbandonedDirectories(settings.log);
      closers.push(() => removing);
    }
    closers.push(
      () => timer?.stop(),
      // Before the interfaces, so that who waits for blocks is told how far they came.
      () => node.mining.stop(),
    );
    const devnet = new RunningDevnet(interfaces, accounts, settings, made, directory, node, events, closeAll);
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

/** What counts is loaded only where somebody wants to know. */
async function chainMetrics(): Promise<ChainMetrics> {
  const { ChainMetrics } = await import('../../metrics/chain-metrics.js');
  return new ChainMetrics();
}

/** What looks into sources is loaded only where there are some. */
async function failureStacks(node: () => Node): Promise<FailureStacks> {
  const { stackInBlock, stackOfCall } = await import('../../explanation/calls/failure-stack.js');
  return {
    inBlock: (block, index) => stackInBlock(node().chain, block, index),
    ofCall: (call, txId) => stackOfCall(node().calls, node().chain.ledger, call, txId),
  };
}
