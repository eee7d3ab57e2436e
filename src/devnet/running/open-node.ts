/** From settings and a genesis to a node on its store, with its clock and its first blocks. */

import type { ChainFile } from '../../chain-file/reader.js';
import { JavaException } from '../../errors/java-exception.js';
import { OperationError } from '../../errors/operation-error.js';
import { withoutCredentials } from '../../fork/network/credentials.js';
import { NETWORK_SETTINGS, type NodeSettings } from '../../ledger/config.js';
import type { Genesis } from '../../ledger/genesis/genesis.js';
import type { FilterOptions } from '../../node/chain/filters.js';
import type { ChainObserver } from '../../node/chain/observer.js';
import { ShiftedClock, VirtualClock } from '../../node/clock/clock.js';
import type { ControlObserver } from '../../node/control.js';
import { Node, type SignersAhead } from '../../node/node.js';
import { LevelStore } from '../../node/storage/level-store.js';
import { beginningOf } from '../../node/storage/stored-chain.js';
import { blockStepMsOf } from '../../options/block-step.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import { OptionError } from '../../options/option-error.js';
import { timeSpanText } from '../../options/time-span.js';
import type { WallClock } from '../../platform/clock.js';
import { systemRandom } from '../../platform/random.js';
import { Caller, turn } from '../../platform/turns.js';
import { bytesToHex } from '../../primitives/hex.js';
import { FIRST_RELEASE } from '../../primitives/release.js';
import { EarlierBlocks } from '../../state/fork/earlier-blocks.js';
import { ForkedStore } from '../../state/fork/forked-store.js';
import { MemoryStore } from '../../state/memory-store.js';
import { DamagedStoreError } from '../../state/row-checksum.js';
import type { Store } from '../../state/store.js';
import { fullBlockWork, workLimit } from '../../tvm/work.js';
import { checkClosing, holdsChain, openDatabase, refusalOf, requireFormat } from '../database/chain-database.js';
import { TableWatch } from '../database/table-watch.js';
import { beginFork, requireParameters } from '../fork/begin-fork.js';
import { type ForkOpener, type OpenFork, refuseForkOptions } from '../fork/fork.js';
import type { DevnetGenesis } from '../genesis/genesis.js';
import { dumpRefused } from '../genesis/load-dump.js';

export interface Surroundings {
  /** Where the chain is kept; undefined: in memory. */
  readonly directory: string | undefined;
  /** Keeps it in memory in a way of its own. */
  readonly memory?: Store | undefined;
  /** Undefined: the chain keeps virtual time. */
  readonly wall: WallClock | undefined;
  readonly observer: ChainObserver;
  readonly controls: ControlObserver;
  readonly signers: SignersAhead;
  /** A fork that begins; for whoever may go on with one, how it is opened; and whose accounts are funded at its beginning. */
  readonly fork?: OpenFork | undefined;
  readonly openFork?: ForkOpener | undefined;
  readonly accounts?: readonly DevAccount[];
  /** A fork that begins makes no block of its own. */
  readonly staysAtHead?: boolean | undefined;
  /** Told when the database turns out to be damaged. */
  readonly failed: (failure: Error) => void;
  readonly indexProgress: ((done: number, total: number) => void) | undefined;
  /** The chain to begin with. */
  readonly dump: ChainFile | undefined;
  readonly loadProgress: ((done: number, total: number) => void) | undefined;
}

/** @throws OptionError for a database of another chain, or one that is in use */
export async function openNode(settings: Settings, made: DevnetGenesis, around: Surroundings): Promise<Node> {
  const { directory, memory, wall, observer, controls, signers, failed, indexProgress, dump, loadProgress } = around;
  const { witnessKeys, stated, earlier } = made;
  const existed = directory !== undefined && holdsChain(directory);
  // What the node does step by step counts as that of one caller.
  const slices = new Caller();
  if (existed && dump !== undefined)
    throw new OptionError(
      'loadState',
      `creates a chain, but ${directory} already has one`,
      'Remove --load-state to continue that chain, or use another --db directory',
    );
  // A network that does not answer leaves no directory behind.
  const begins = around.fork ?? (existed ? undefined : await forkThatBegins(settings, around));
  const own = directory === undefined ? (memory ?? new MemoryStore()) : await openStore(directory, failed);
  let store: Store = own;
  try {
    const begun = existed ? beginningOf(own) : undefined;
    const fork =
      begun !== undefined && goesOnWithFork(settings, begun.genesis, directory)
        ? await around.openFork?.({ ...begun, directory })
        : begins;
    if (fork !== undefined)
      store = new ForkedStore(own, fork.remote.rows, (rows) => observer.rowsFetched?.(rows), fork.remote.deadline);
    const genesis = fork?.genesis ?? made.genesis;
    const firstBlocks = (node: Node) => beginFork(node, around.accounts ?? [], settings, around.staysAtHead);
    const node = await Node.open({
      chain: {
        genesis,
        // What a fork begins with is what was read of its network, whatever the options are.
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
      ...(fork && { firstBlocks, networkUrl: settings.fork && withoutCredentials(settings.fork).url }),
      signers,
      yieldTurn: () => turn(slices),
      controls,
      constantEnergy: settings.constantEnergy,
      ...(settings.constantCallMs !== undefined && { constantLimit: workLimit(settings.constantCallMs) }),
      emulatesTre: settings.tre,
      instance: bytesToHex(systemRandom.bytes(32)),
      ...(wall !== undefined && { filters: filtersOf(wall) }),
    });
    if (directory !== undefined && existed) checkClosing(directory, node.chain, settings.log);
    if (dump !== undefined) await node.branches.load(dump, loadProgress);
    else if (node.chain.headNumber === node.chain.config.beginsAt) {
      if (fork === undefined) node.producer.mineFirstBlocks();
      else await firstBlocks(node);
    }
    if (fork !== undefined && (existed || dump !== undefined)) requireParameters(node, settings);
    return node;
  } catch (error) {
    await store.close();
    const refusal = refusalOf(error, directory ?? '');
    throw dump === undefined ? refusal : refusalOfDump(refusal);
  }
}

/** What went wrong with a chain of a dump: what was thrown by our own code had its values from there. */
function refusalOfDump(error: unknown): unknown {
  if (error instanceof OperationError) return dumpRefused(error);
  if (
    error instanceof JavaException ||
    [Error, TypeError, RangeError, SyntaxError].includes((error as Error).constructor as never)
  )
    return dumpRefused(new OperationError('a chain cannot be begun as its first line says', { cause: error }));
  return error;
}

/** @throws OptionError for the dump of another chain where a fork is wanted */
async function forkThatBegins(settings: Settings, { dump, openFork }: Surroundings): Promise<OpenFork | undefined> {
  const { fork, forkOffline, forkCache } = settings;
  if (dump?.beginning.genesis.fork !== undefined) return openFork?.({ ...dump.beginning, directory: 'the dump' });
  if (dump !== undefined && fork !== undefined)
    throw new OptionError('fork', 'cannot be used: the chain in the dump is not a fork', 'Remove --fork');
  // Without a network, from a folder of its rows: nobody needs to know its address.
  if (fork !== undefined || (forkOffline && forkCache !== undefined)) return openFork?.();
  refuseForkOptions(settings);
  return undefined;
}

/** @throws OptionError where the chain of the database and the options do not agree */
function goesOnWithFork(settings: Settings, kept: Genesis, directory = ''): boolean {
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

/** What java-tron has in its configuration file, for a devnet. */
export function nodeSettings({ nodeVersion, slotMs, vmLimitMs }: Settings, release = FIRST_RELEASE): NodeSettings {
  return {
    ...NETWORK_SETTINGS,
    release: nodeVersion ?? release,
    slotMs: BigInt(slotMs),
    vmLimit: workLimit(vmLimitMs),
  };
}

/** What reads artifacts is loaded only where there are some. */
async function knownContracts({ artifacts, log }: Settings): Promise<NodeSettings['knownContracts']> {
  if (artifacts.length === 0) return undefined;
  const { ArtifactFolders } = await import('../artifacts/artifact-folders.js');
  return new ArtifactFolders(artifacts, log);
}

/** @throws OptionError for one that cannot be gone on with */
export async function openStore(directory: string, onDamage: (damage: Error) => void): Promise<LevelStore> {
  const { database, format } = await openDatabase(directory);
  const watch: TableWatch = new TableWatch(directory, (what) => {
    store.damaged(new DamagedStoreError(directory, what));
  });
  const store: LevelStore = new LevelStore(database, {
    place: directory,
    isNew: format === undefined,
    onDamage,
    onClose: () => watch.stop(),
  });
  try {
    requireFormat(format, directory);
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

/** Filters of a chain that people use: ids nobody can guess, and forgotten when nobody asks any more. */
function filtersOf(wall: WallClock): FilterOptions {
  return { newId: () => bytesToHex(systemRandom.bytes(16)), nowMs: () => wall.nowMs() };
}
