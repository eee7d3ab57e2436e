/**
 * Faults that come together, and faults in the middle of work that is rare. One fault leaves something behind, another
 * one meets it; chosen independently they would hardly ever follow one another.
 */

import { DamagedStoreError } from '../../../../src/state/row-checksum.js';
import { ERRORS, type Remains } from '../disk/virtual-disk.js';
import type { World } from '../run/world.js';
import { workAtOnce } from '../users/at-once.js';
import { decree, mine, replaceBlocks, reset, restart, revert, takeSnapshot } from '../users/developers.js';
import { dump, dumpAndLoad, load } from '../users/dumps.js';
import { whileMining } from '../users/promises.js';
import { burst } from '../users/transactions.js';
import type { User } from '../users/user.js';
import type { Fault } from './faults.js';

/** A batch that is written and refused is the worst. */
const REMAINS: readonly Remains[] = ['nothing', 'half', 'all', 'all', 'all'];

const WRITING: readonly User[] = [burst, decree, mine, replaceBlocks, revert, reset];
/** They read and write much, and seldom. */
const RARE: readonly User[] = [restart, restart, reset, dump, load, revert, replaceBlocks, takeSnapshot];
const REPLACING: readonly User[] = [reset, reset, load, revert, replaceBlocks];
/** Calls of the disk, twice each, in which a start, an end or a reset is done. */
const MOST_CALLS = 16;

function crashAtCall(world: World, how: 'kill' | 'power'): void {
  const { choices, disk } = world;
  const last = disk.calls + 1 + choices.below(MOST_CALLS);
  disk.onCall = () => {
    if (disk.calls >= last) world.crash(how);
  };
}

/** Something goes wrong at one of the next calls of the disk. */
function somethingGoesWrong(world: World): void {
  const { choices, disk } = world;
  const how = choices.of(['kill', 'kill', 'power', 'write', 'write', 'table', 'open', 'file'] as const);
  if (how === 'kill' || how === 'power') {
    crashAtCall(world, how);
    return;
  }
  world.diskFails = true;
  const [error, remains] = [choices.of(ERRORS), choices.of(REMAINS)];
  disk.faults.push({ what: how, error, calls: 1 + choices.below(2), after: choices.below(4), remains });
  if (how !== 'write' && how !== 'file') disk.faults.push({ what: 'write', error, calls: 1, remains });
}

const troubleAtRareWork: User = async (host) => {
  somethingGoesWrong(host.world);
  await host.world.choices.of(RARE)(host);
};

/** What replaces the chain is refused as a whole: the node has the chain of before, in memory and on the disk. */
const refusedAtRareWork: User = async (host) => {
  const { world } = host;
  const { choices, disk } = world;
  world.diskFails = true;
  const remains = choices.of(REMAINS);
  disk.faults.push({ what: 'write', error: choices.of(ERRORS), calls: 1, after: choices.below(2), remains });
  await choices.of(REPLACING)(host);
  // The node looks every second whether it can write again.
  if (world.isRunning) await world.pass(2_000);
};

/** A node that starts after a fault meets the next one, up to three times. */
const troubleAgain: User = async ({ world }) => {
  for (let times = 1 + world.choices.below(3); times > 0; times--) {
    world.crash(world.choices.of(['kill', 'power']));
    somethingGoesWrong(world);
    await world.startOrRepair();
  }
};

/** The node puts back what was refused, and goes on: that has to be on the platter first. */
const powerFailsAfterARefusal: User = async (host) => {
  const { world } = host;
  const { choices, disk } = world;
  const error = choices.of(ERRORS);
  world.diskFails = true;
  // Where LevelDB cannot begin a new log, it is opened again, and reads what it has refused.
  if (choices.chance(0.7)) disk.faults.push({ what: 'table', error, calls: 1, remains: 'nothing' });
  disk.faults.push({ what: 'write', error, calls: 1, remains: choices.of(REMAINS) });
  await choices.of(WRITING)(host);
  if (!world.isRunning) return;
  const last = disk.accepted + 1 + choices.below(3);
  disk.onCall = () => {
    if (disk.accepted >= last) world.crash('power');
  };
  await world.pass(choices.of([1_000, 3_000]));
};

/** What was told before an orderly end survives, unless the disk has lied. */
const powerFailsAfterTheEnd: User = async ({ world }) => {
  if (world.diskFails || world.disk.lies || !(await world.close())) return;
  world.losePower();
  await world.mustStart();
};

/** What was refused is taken back with reads, which fail, too: the node goes on, or ends and names the damage. */
const readsFailWithWrites: User = async (host) => {
  const { world } = host;
  const { choices, disk } = world;
  if (world.diskFails) return;
  world.diskFails = true;
  const error = choices.of(ERRORS);
  disk.faults.push({ what: 'write', error, calls: 1, remains: choices.of(REMAINS) });
  disk.onRefusal = () =>
    disk.faults.push({ what: 'read', error, calls: 1, after: choices.below(6), remains: 'nothing' });
  await choices.of(WRITING)(host);
  if (!world.isRunning) return;
  await world.pass(choices.of([10, 3_000]));
  const { failure } = world.process;
  if (failure !== undefined && !(failure instanceof DamagedStoreError)) throw failure;
  world.crash('kill');
};

/** Their requests take long. What is compared afterwards is asked without time. */
const LONG: readonly User[] = [
  reset,
  revert,
  replaceBlocks,
  replaceBlocks,
  workAtOnce,
  dumpAndLoad,
  dumpAndLoad,
  mine,
  burst,
];

/** Blocks of the clock come while a request is in the middle of its work. */
const workTakesTime: User = async (host) => {
  const { world } = host;
  const { choices } = world;
  const work = choices.of(LONG);
  world.msARound = choices.of([20, 300, 1_000]);
  try {
    await (choices.chance(0.7) ? whileMining('interval', work) : work)(host);
  } finally {
    world.msARound = 0;
  }
};

export const COINCIDENCES: readonly Fault[] = [
  { name: 'something goes wrong at rare work', weight: 4, act: troubleAtRareWork },
  { name: 'what replaces blocks is refused', weight: 3, act: refusedAtRareWork },
  { name: 'work takes its time', weight: 14, act: workTakesTime },
  { name: 'something goes wrong again', weight: 2, act: troubleAgain },
  { name: 'the power fails after a refused write', weight: 3, act: powerFailsAfterARefusal },
  { name: 'reads fail with writes', weight: 2, act: readsFailWithWrites },
  { name: 'the power fails after the end', weight: 1, act: powerFailsAfterTheEnd },
];
