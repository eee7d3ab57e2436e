/** From settings and a genesis to a node on its store, with its clock and its first blocks. */

import { NETWORK_SETTINGS } from '../ledger/config.js';
import { IncompatibleDatabaseError } from '../node/chain.js';
import { ShiftedClock, VirtualClock } from '../node/clock.js';
import type { FilterOptions } from '../node/filters.js';
import { type LevelDatabase, LevelStore } from '../node/level-store.js';
import { type ControlObserver, Node, type SignersAhead } from '../node/node.js';
import type { ChainObserver } from '../node/observer.js';
import type { Settings } from '../options/declarations.js';
import { OptionError } from '../options/option-error.js';
import { timeSpanText } from '../options/time-span.js';
import type { WallClock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { systemRandom } from '../platform/random.js';
import { turns } from '../platform/turns.js';
import { bytesToHex } from '../primitives/hex.js';
import { MemoryStore } from '../state/memory-store.js';
import type { DevnetGenesis } from './genesis.js';

export interface Surroundings {
  /** Where the chain is kept; undefined: in memory. */
  readonly directory: string | undefined;
  /** Undefined: the chain keeps virtual time. */
  readonly wall: WallClock | undefined;
  readonly observer: ChainObserver;
  readonly controls: ControlObserver;
  readonly signers: SignersAhead;
}

/** @throws OptionError for a database of another chain, or one that is in use */
export async function openNode(settings: Settings, made: DevnetGenesis, around: Surroundings): Promise<Node> {
  const { directory, wall, observer, controls, signers } = around;
  const { genesis, witnessKeys } = made;
  const store = directory === undefined ? new MemoryStore() : await openLevel(directory);
  try {
    const node = await Node.open({
      chain: {
        genesis,
        store,
        poolSize: settings.poolSize,
        solidityLag: settings.solidified === 'network' ? 'network' : 'none',
        settings: { ...NETWORK_SETTINGS, vmStepBudget: settings.vmSteps },
        observer,
      },
      producer: { mode: settings.mining, fillForeignSlots: settings.unknownWitnesses === 'fill' },
      clock: wall === undefined ? new VirtualClock(genesis.timestampMs) : shiftedClock(wall, settings.log),
      witnessKeys,
      signers,
      breathe: turns(),
      controls,
      ...(wall !== undefined && { filters: filtersOf(wall) }),
    });
    if (node.chain.headNumber === 0) mineFirstBlocks(node, genesis.timestampMs);
    return node;
  } catch (error) {
    await store.close();
    if (error instanceof IncompatibleDatabaseError) throw new OptionError('db', error.message, error.hint);
    throw error;
  }
}

async function openLevel(directory: string): Promise<LevelStore> {
  const { openLevelDb, DatabaseInUseError } = await import('../platform/leveldb.js');
  try {
    return new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
  } catch (error) {
    if (!(error instanceof DatabaseInUseError)) throw error;
    throw new OptionError('db', error.message, 'Stop that one, or use another directory');
  }
}

function shiftedClock(wall: WallClock, log: Log | undefined): ShiftedClock {
  return new ShiftedClock(wall, (byMs) =>
    log?.warn(`the machine's clock was set back by ${timeSpanText(Number(byMs))}: the chain's time goes on without it`),
  );
}

/** Filters of a chain that people use: ids nobody can guess, and forgotten when nobody asks any more. */
function filtersOf(wall: WallClock): FilterOptions {
  return { newId: () => bytesToHex(systemRandom.bytes(16)), nowMs: () => wall.nowMs() };
}

/**
 * Blocks 1 and 2 at once and in the past: clients cannot read a genesis block without a number, and block 2 may not
 * come before 9 s have passed (ledger.md 6.1), for which nobody wants to wait.
 */
function mineFirstBlocks({ producer, clock }: Node, genesisTimeMs: bigint): void {
  // Then block 2 lies in the slot that runs, and nothing is due at once.
  const aheadMs = clock.nowMs() - genesisTimeMs - 9_000n;
  producer.mineAtOrBefore(aheadMs > 0n ? genesisTimeMs + aheadMs : genesisTimeMs + 3_000n);
  producer.mineAtOrBefore(clock.nowMs());
}
