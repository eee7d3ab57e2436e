/**
 * The chain of a node in the format before the present one. A node refuses it, `sunup upgrade` converts it, also if it
 * was killed before, and the chain is the same.
 */

import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { FRESH_FOLDER } from '../../../../src/devnet/database/chain-database.js';
import { WRITTEN_KEYS_PREFIX } from '../../../../src/node/storage/written-keys.js';
import { CHAIN_FOLDER } from '../../../../src/platform/data-directory.js';
import { openLevelDb } from '../../../../src/platform/leveldb.js';
import { CHANGES_PREFIX } from '../../../../src/state/row-changes.js';
import { withChecksum } from '../../../../src/state/row-checksum.js';
import { FORMAT_KEY } from '../../../../src/state/tables.js';
import { differingChainRows } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import { CommandProcess } from './command-process.js';
import { diskOf } from './machine-folder.js';
import type { RealUser } from './real-host.js';

const INVARIANT = 'an upgraded database is the same chain';
const OLDER_FORMAT = 3;

/** Format 3 had no index of changes and no filters of keys; its other rows are the same. */
async function makeOlder(directory: string): Promise<void> {
  const level = await openLevelDb(directory);
  const batch = level.batch();
  for (const prefix of [CHANGES_PREFIX, WRITTEN_KEYS_PREFIX])
    for (const key of await level.keys({ gte: prefix, lt: `${prefix}\x7f` }).all()) batch.del(key);
  batch.put(FORMAT_KEY, Buffer.from(withChecksum(FORMAT_KEY, Buffer.from(String(OLDER_FORMAT)))));
  await batch.write({ sync: true });
  await level.close();
}

export const upgrade: RealUser = async ({ world }) => {
  // That version kept all states.
  if (world.shape.options.stateHistory !== 'all' || world.diskFails) return;
  const { data } = world.folder;
  await world.close();
  const before = (await diskOf(data)).image();
  await makeOlder(data);
  const refusal = await world.start();
  if (refusal?.message.includes(`has format ${OLDER_FORMAT}`) !== true)
    throw new Violation(INVARIANT, `a node does not refuse the older format: ${refusal?.message}`);
  world.afterEnd();
  const words = ['upgrade', data, '--json'];
  for (let kills = world.choices.below(3); kills > 0; kills--) {
    const process = new CommandProcess(world.command, words);
    // Before that it has done nothing.
    while (process.exit === undefined && !existsSync(path.join(data, FRESH_FOLDER))) await world.pass(5);
    await world.pass(world.choices.below(300));
    await process.kill();
  }
  const { code, output, errors } = await world.run(...words);
  if (code !== 0) throw new Violation(INVARIANT, `sunup upgrade: ${code} ${output}${errors}`);
  // Pre-images have been made again, without those of blocks that were replaced.
  const differing = differingChainRows(before, (await diskOf(data)).image(), world.shape).filter(
    (key) => !key.startsWith('pre:'),
  );
  if (differing.length > 0)
    throw new Violation(INVARIANT, `${differing.length} rows differ: ${differing.slice(0, 5).join(', ')}`);
  // A kill between its last two moves leaves the new database beside the place of the old one.
  if (world.choices.chance(0.5)) renameSync(path.join(data, CHAIN_FOLDER), path.join(data, FRESH_FOLDER));
  await world.mustStart();
};
