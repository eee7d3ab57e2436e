/** Opens a node from settings and a genesis: its store, its clock, and its first blocks. */

import { tmpdir } from 'node:os';
import { inSpool, keepingIn } from '../../chain-file/kept-chain.js';
import type { ChainFile } from '../../chain-file/reader.js';
import { JavaException } from '../../errors/java-exception.js';
import { OperationError } from '../../errors/operation-error.js';
import { withoutCredentials } from '../../fork/network/credentials.js';
import { countsCreations } from '../../ledger/accounts/ethereum.js';
import { NETWORK_SETTINGS, type NodeSettings } from '../../ledger/config.js';
import type { Genesis } from '../../ledger/genesis/genesis.js';
import type { FilterOptions } from '../../node/chain/filters.js';
import type { ChainObserver } from '../../node/chain/observer.js';
import { ShiftedClock, VirtualClock } from '../../node/clock/clock.js';
import type { ControlObserver } from '../../node/control.js';
import { Node } from '../../node/node.js';
import type { SignersAhead } from '../../node/steps/signers-ahead.js';
import { LevelStore } from '../../node/storage/level-store.js';
import { beginningOf } from '../../node/storage/stored-chain.js';
import { blockStepMsOf } from '../../options/block-step.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import { OptionError } from '../../options/option-error.js';
import { timeSpanText } from '../../options/time-span.js';
import type { WallClock } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import { Spool } from '../../platform/spool.js';
import { Caller, turn } from '../../platform/turns.js';
import { bytesToHex } from '../../primitives/hex.js';
import { FIRST_RELEASE } from '../../primitives/release.js';
import { EarlierBlocks } from '../../state/fork/earlier-blocks.js';
import { ForkedStore } from '../../state/fork/forked-store.js';
import { MemoryStore } from '../../state/memory-store.js';
import { DamagedStoreError } from '../../state/row-checksum.js';
import type { Store } from '../../state/store.js';
import { fullBlockWork, workLimit } from '../../tvm/work.js';
import { isEmpty, refusalOf, requireFormat } from '../database/chain-database.js';
import type { ChainFolder } from '../database/chain-folder.js';
import { checkClosing, requireNeverClosed } from '../database/closed-mark.js';
import { beginFork, requireParameters } from '../fork/begin-fork.js';
import { type ForkOpener, type OpenFork, refusalOfNetwork, refuseForkOptions } from '../fork/fork.js';
import type { DevnetGenesis } from '../genesis/genesis.js';
import { dumpRefused } from '../genesis/load-dump.js';
import { bringBack } from './cut-off-load.js';

export interface NodeParts {
  /** The folder of the chain; undefined: in memory. */
  readonly folder: ChainFolder | undefined;
  /** Another store in memory. */
  readonly memory?: Store | undefined;
  /** For ids that only clients see. Absent: they are reproducible. */
  readonly random?: Random;
  /** Undefined: virtual time. */
  readonly wall: WallClock | undefined;
  readonly observer: ChainObserver;
  readonly controls: ControlObserver;
  readonly signers: SignersAhead;
  /** `fork`: a new fork. `openFork`: opens a new or stored one. `accounts`: funded at its start. */
  readonly fork?: OpenFork | undefined;
  readonly openFork?: ForkOpener | undefined;
  readonly accounts?: readonly DevAccount[];
  /** A new fork makes no block of its own. */
  readonly withoutFirstBlocks?: boolean | undefined;
  /** Called when the database is found damaged. */
  readonly failed: (failure: Error) => void;
  readonly indexProgress: ((done: number, total: number) => void) | undefined;
  /** The initial chain. */
  readonly dump: ChainFile | undefined;
  readonly loadProgress: ((done: number, total: number) => void) | undefined;
}

/** @throws OptionError for a database of another chain, one in use, or a directory whose files cannot be used */
export async function openNode(settings: Settings, created: DevnetGenesis, parts: NodeParts): Promise<Node> {
  try {
    return await openIn(settings, created, parts);
  } catch (error) {
    // The first blocks of a fork read rows of its network.
    const refusal = refusalOf(await refusalOfNetwork(error), parts.folder?.path ?? '');
    throw parts.dump === undefined ? refusal : refusalOfDump(refusal);
  }
}

async function openIn(settings: Settings, created: DevnetGenesis, parts: NodeParts): Promise<Node> {
  const { folder, random, wall, observer, controls, signers, indexProgress, dump, loadProgress } = parts;
  const directory = folder?.path;
  const { witnessKeys, stated, earlier } = created;
  await folder?.load?.discardEarlier(dump !== undefined);
  let existed = folder?.holdsChain() === true;
  if (folder !== undefined && !existed) requireNeverClosed(folder);
  // All work of the node counts as one caller's.
  const slices = new Caller();
  // Opened first: without an answer of the network, no directory is created.
  let begins = parts.fork ?? (existed ? undefined : await newFork(settings, parts));
  // Undefined: what is in the folder must stay.
  let load = existed ? undefined : dump && folder?.load;
  load?.begin();
  // A temporary folder may lie in memory. That of the chain may be gone, or its disk full.
  const newSpool = () => new Spool([...(directory === undefined ? [] : [directory]), tmpdir()]);
  const own = await ownStore(parts).catch((error: unknown) => {
    discardAfter(load);
    throw error;
  });
  let store: Store = own;
  let opened: Node | undefined;
  try {
    if (existed && folder !== undefined && (await isEmpty(own))) {
      requireNeverClosed(folder);
      existed = false;
      begins ??= await newFork(settings, parts);
      load = dump && folder.load;
      load?.begin();
    }
    if (existed && dump !== undefined)
      throw new OptionError(
        'loadState',
        `creates a chain, but ${directory} already has one`,
        'Remove --load-state to continue that chain, or use another --db directory',
      );
    const begun = existed ? beginningOf(own) : undefined;
    const fork =
      begun !== undefined && continuesFork(settings, begun.genesis, directory)
        ? await parts.openFork?.({ ...begun, directory })
        : begins;
    if (fork !== undefined)
      store = new ForkedStore(
        own,
        fork.remote.rows,
        (rows) => observer.rowsFetched?.(rows),
        fork.remote.deadline,
        (cause) => opened?.chain.commits.diskRefused(cause),
      );
    const genesis = fork?.genesis ?? created.genesis;
    const firstBlocks = async (node: Node) => {
      if (fork === undefined) node.producer.mineFirstBlocks();
      else await beginFork(node, parts.accounts ?? [], settings, parts.withoutFirstBlocks);
      countCreations(node, settings);
    };
    const node = await Node.open({
      chain: {
        genesis,
        // The initial state of a fork is that of its network, not of the options.
        ...(fork === undefined && { stated, earlier }),
        store,
        ...(fork && {
          networkBlocks: new EarlierBlocks(fork.remote.blocks, genesis.fork?.number ?? 0, fork.remote.deadline),
        }),
        poolSize: settings.poolSize,
        poolWork: fullBlockWork(workLimit(settings.vmLimitMs)),
        ignoresShielded: settings.shieldedTransactions === 'ignore',
        history: settings.history,
        stateHistory: settings.stateHistory === 'all' ? undefined : settings.stateHistory,
        ...(indexProgress && { indexProgress }),
        solidityLag: settings.solidified === 'network' ? 'network' : 'none',
        settings: {
          ...(dump?.beginning.settings ?? nodeSettings(settings, begun?.settings.release ?? fork?.release)),
          knownContracts: await knownContracts(settings),
        },
        observer,
      },
      producer: {
        mode: settings.mining,
        fillForeignSlots: fork !== undefined || settings.unknownWitnesses === 'fill',
        stepMs: blockStepMsOf(settings),
        ...(settings.blockTime !== undefined && { blockTimeMs: settings.blockTime }),
      },
      clock: wall === undefined ? new VirtualClock(genesis.timestampMs) : shiftedClock(wall, settings),
      witnessKeys,
      firstBlocks,
      ...(fork && { networkUrl: settings.fork && withoutCredentials(settings.fork).url }),
      signers,
      spool: newSpool,
      keep: keepingIn(async () =>
        folder === undefined || folder.temporary ? inSpool(newSpool()) : folder.beforeLoad.begin(),
      ),
      yieldTurn: () => turn(slices),
      controls,
      constantEnergy: settings.constantEnergy,
      ...(settings.constantCallMs !== undefined && { constantLimit: workLimit(settings.constantCallMs) }),
      emulatesTre: settings.tre,
      ...(random && { instance: bytesToHex(random.bytes(32)) }),
      ...(random && wall && { filters: filtersOf(wall, random) }),
    });
    opened = node;
    if (existed && folder !== undefined) checkClosing(folder, node.chain, settings.log);
    folder?.beforeLoad.discardPart();
    if (dump !== undefined) {
      await node.loader.loadFirst(dump, loadProgress);
      await node.chain.durable();
      load?.finish();
      folder?.beforeLoad.discard();
    } else if (folder?.beforeLoad.isKept()) {
      await bringBack(node, folder, settings.log, loadProgress);
    } else if (node.chain.headNumber === node.chain.config.beginsAt) {
      await firstBlocks(node);
    }
    if (fork !== undefined && (existed || dump !== undefined)) requireParameters(node, settings);
    // A chain that was stored or loaded may have begun without.
    countCreations(node, settings);
    return node;
  } catch (error) {
    await store.close();
    discardAfter(load);
    throw error;
  }
}

/** After a failure, which may be that of the same disk: the next start removes what is left. */
function discardAfter(load: ChainFolder['load']): void {
  try {
    load?.discard();
  } catch {
    // The failure before is told.
  }
}

async function ownStore({ folder, memory, failed }: NodeParts): Promise<Store> {
  return folder === undefined ? (memory ?? new MemoryStore()) : openStore(folder, failed);
}

/** Converts an error during the loading of a dump: our own code threw it because of the dump's values. */
function refusalOfDump(error: unknown): unknown {
  if (error instanceof OperationError) return dumpRefused(error);
  if (
    error instanceof JavaException ||
    [Error, TypeError, RangeError, SyntaxError].includes((error as Error).constructor as never)
  )
    return dumpRefused(new OperationError('the initial settings in its first line are not valid', { cause: error }));
  return error;
}

/** @throws OptionError for the dump of another chain if a fork is requested */
async function newFork(settings: Settings, { dump, openFork }: NodeParts): Promise<OpenFork | undefined> {
  const { fork, forkOffline, forkCache } = settings;
  if (dump?.beginning.genesis.fork !== undefined) return openFork?.({ ...dump.beginning, directory: 'the dump' });
  if (dump !== undefined && fork !== undefined)
    throw new OptionError('fork', 'cannot be used: the chain in the dump is not a fork', 'Remove --fork');
  // A folder of rows suffices without a network; then its URL is not needed.
  if (fork !== undefined || (forkOffline && forkCache !== undefined)) return openFork?.();
  refuseForkOptions(settings);
  return undefined;
}

/** @throws OptionError if the database and the options contradict each other */
function continuesFork(settings: Settings, kept: Genesis, directory = ''): boolean {
  const { fork, forkOffline } = settings;
  if (kept.fork !== undefined) {
    if (fork !== undefined || forkOffline) return true;
    throw new OptionError(
      'db',
      `is ${directory}, which holds a fork`,
      'Start with --fork and the URL of its network, or with --fork-offline',
    );
  }
  if (fork === undefined) {
    refuseForkOptions(settings);
    return false;
  }
  throw new OptionError(
    'fork',
    `needs a new chain, but the chain in ${directory} is not a fork`,
    'Use another --db directory',
  );
}

function countCreations({ chain }: Node, { createNonces }: Settings): void {
  if (createNonces && !countsCreations(chain.ledger))
    chain.operate({ name: 'countCreations', arguments: { on: true } });
}

/** The settings of java-tron's configuration file, for a devnet. */
export function nodeSettings({ nodeVersion, slotMs, vmLimitMs }: Settings, release = FIRST_RELEASE): NodeSettings {
  return {
    ...NETWORK_SETTINGS,
    release: nodeVersion ?? release,
    slotMs: BigInt(slotMs),
    vmLimit: workLimit(vmLimitMs),
  };
}

/** Modules for artifacts are loaded only if there are some. */
async function knownContracts({ artifacts, log }: Settings): Promise<NodeSettings['knownContracts']> {
  if (artifacts.length === 0) return undefined;
  const { ArtifactFolders } = await import('../artifacts/artifact-folders.js');
  return new ArtifactFolders(artifacts, log);
}

/** @throws OptionError for a store that cannot be used */
export async function openStore(folder: ChainFolder, onDamage: (damage: Error) => void): Promise<LevelStore> {
  const { database, format, unverified } = await folder.openDatabase();
  const directory = folder.path;
  const damaged = (what: string) => {
    store.damaged(new DamagedStoreError(directory, what));
  };
  const endWatch = folder.watchTables(damaged);
  const store: LevelStore = new LevelStore(database, {
    place: directory,
    onDamage,
    unverified,
    onClose: () => {
      endWatch();
      unverified?.stop();
    },
  });
  try {
    requireFormat(format, directory);
    void unverified?.verifyRest(damaged);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function shiftedClock(wall: WallClock, settings: Settings): ShiftedClock {
  const onSetBack = (byMs: bigint) =>
    settings.log?.warn(
      `the clock of the machine was set back by ${timeSpanText(Number(byMs))}. The time of the chain does not go back`,
    );
  return new ShiftedClock(wall, onSetBack, blockStepMsOf(settings) >= 1_000n);
}

/** Filters for clients: random ids, and expiry. */
function filtersOf(wall: WallClock, random: Random): FilterOptions {
  return { newId: () => bytesToHex(random.bytes(16)), nowMs: () => wall.nowMs() };
}
