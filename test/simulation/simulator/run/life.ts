/** A simulated world from its beginning to its end. */

import { UnreadableStoreError } from '../../../../src/node/storage/level-store.js';
import { Choices } from '../../wild-messages.js';
import { type Cold, isStored, openCold } from '../disk/stored-rows.js';
import { FAULTS, recover } from '../faults/faults.js';
import { checkInvariants, INVARIANTS } from '../invariants/invariants.js';
import { Asker } from '../users/asker.js';
import { People } from '../users/people.js';
import { begin } from '../users/transactions.js';
import type { Host, User } from '../users/user.js';
import { USERS } from '../users/users.js';
import type { Live } from './orders.js';
import { shapeOf } from './shape.js';
import { type Life, type Mode, takeSteps } from './steps.js';
import { World } from './world.js';

const STEPS_TO_REST = 40;
const FAULT_CHANCE = 0.02;

export async function live(...[seed, steps, begins]: Parameters<Live>): Promise<Life> {
  const world = new World(seed, shapeOf(new Choices(seed)));
  const host: Host = { world, asker: new Asker(world), people: new People(world) };
  // The scheduler of requests measures the process; here the process is the simulated machine's.
  const restore = replaceMeasure(() => world.clock.passedMs);
  const mode: Mode<User> = {
    users: USERS,
    faults: FAULTS,
    faultChance: FAULT_CHANCE,
    stepsToRest: STEPS_TO_REST,
    begin: async () => {
      await world.openNetwork();
      await world.mustStart();
      host.people.meet();
      world.network.town?.tell(host.people);
      await begin(host);
    },
    act: (act) =>
      act(host).catch((error: unknown) => {
        // Of what users read in rows themselves, nothing can be read while LevelDB cannot be opened again.
        if (!(error instanceof UnreadableStoreError && world.diskFails)) throw error;
      }),
    startAgain: () => world.mustStart(),
    check: () => check(host, 'step'),
    rest: () => rest(host),
    end: async () => {
      if (world.isRunning) await check(host, 'end');
    },
  };
  const failure = await takeSteps(world, mode, seed, steps, begins).finally(restore);
  // After a failure, the store may be one that answers nothing.
  const headTimeMs = failure === undefined && world.isRunning ? Number(world.node.chain.headTimeMs) : 0;
  if (world.isRunning) world.process.end();
  return {
    digest: world.digest.hex,
    failure,
    counts: world.counts,
    chainMs: Math.max(0, headTimeMs - world.shape.startMs),
    machineMs: world.clock.passedMs,
  };
}

/** Nothing is under way, the disk works: everything is looked at. */
async function rest(host: Host): Promise<void> {
  const { world } = host;
  world.disk.onCall = undefined;
  await recover(world);
  if (!(await isStored(world))) throw new Error('the store does not accept what it should');
  world.told.decided();
  await world.quiet();
  await check(host, 'step');
  await check(host, 'rest');
}

function check(host: Host, when: 'step' | 'rest' | 'end'): Promise<void> {
  const { world } = host;
  let opened: Cold | undefined;
  return checkInvariants<Host>(INVARIANTS, host, when, async () => {
    // While an invariant asks, a block may come by the clock.
    const isNew = opened === undefined || (world.isRunning && opened.ledger.headId !== world.node.chain.headId);
    if (isNew && world.isRunning) await isStored(world);
    if (isNew || opened === undefined) opened = await openCold(world);
    return opened;
  });
}

/** @returns puts the machine's measure back */
function replaceMeasure(nowMs: () => number): () => void {
  const { now } = performance;
  performance.now = nowMs;
  return () => {
    performance.now = now;
  };
}
