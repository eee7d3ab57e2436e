/** What a start would find on the disk, read by a process of its own: rows, and the chain as stored. */

import { LevelStore } from '../../../../src/node/storage/level-store.js';
import { openStored, type StoredChain, withFetchedRows } from '../../../../src/node/storage/stored-chain.js';
import { WRITTEN_KEYS_PREFIX } from '../../../../src/node/storage/written-keys.js';
import type { Shape } from '../run/shape.js';
import type { World } from '../run/world.js';
import { PLACE, VirtualDatabase } from './virtual-database.js';
import type { Rows } from './virtual-disk.js';

/** Undefined: the store does not accept now. */
export async function storedRows(world: World): Promise<Rows | undefined> {
  return (await isStored(world)) ? world.disk.image() : undefined;
}

/** Keys whose rows are not the same, in order. */
function differingKeys(one: Rows, other: Rows): readonly string[] {
  const keys: string[] = [];
  for (const [key, value] of one.entries()) {
    const there = other.get(key);
    if (there === undefined || Buffer.compare(value, there) !== 0) keys.push(key);
  }
  for (const key of other.keys()) if (!one.has(key)) keys.push(key);
  return keys.sort();
}

/**
 * Keys whose rows differ although both stores have the same chain. Pages of the index of changes may be divided in other
 * places; their contents are compared otherwise. What is kept of the past depends on the highest block that there was.
 * Written keys are those that there may be.
 */
export function differingChainRows(one: Rows, other: Rows, { options: { stateHistory } }: Shape): readonly string[] {
  const others = stateHistory === 'all' ? /^ch:/ : /^(ch|pre|kept):/;
  return differingKeys(one, other).filter((key) => !others.test(key) && !key.startsWith(WRITTEN_KEYS_PREFIX));
}

/** Waits for the store. @returns whether it has everything */
export async function isStored(world: World): Promise<boolean> {
  const outcome = await world.settle(world.node.chain.durable());
  // Until it accepts again, a part of a refused batch may be on the disk.
  return 'value' in outcome && world.node.chain.commits.isAccepting;
}

export interface Cold extends StoredChain {
  readonly database: VirtualDatabase;
}

/** The stored chain, as another process would find it. */
export async function openCold({ disk, clock }: Pick<World, 'disk' | 'clock'>): Promise<Cold> {
  const process = { isAlive: true, clock: clock.forProcess(() => true) };
  const database = new VirtualDatabase(disk.copy(), process);
  await database.open();
  const chain = await openStored(withFetchedRows(new LevelStore(database, { place: PLACE })));
  return { ...chain, database };
}
