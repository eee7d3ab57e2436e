/** A world of a real node from its beginning to its end. */

import { SHARED_FAULTS } from '../faults/faults.js';
import { checkInvariants } from '../invariants/invariants.js';
import type { Live } from '../run/orders.js';
import { type Life, type Mode, takeSteps } from '../run/steps.js';
import { People } from '../users/people.js';
import { begin } from '../users/transactions.js';
import type { SharedUser } from '../users/user.js';
import { SHARED_USERS } from '../users/users.js';
import { RealAsker } from './real-asker.js';
import { REAL_FAULTS } from './real-faults.js';
import type { RealHost, RealUser } from './real-host.js';
import { REAL_INVARIANTS } from './real-invariants.js';
import { REAL_USERS } from './real-users.js';
import { RealWorld } from './real-world.js';
import { recover } from './recovery.js';

const STEPS_TO_REST = 15;
const FAULT_CHANCE = 0.25;

type Act = SharedUser | RealUser;

const USERS: Mode<Act>['users'] = [...SHARED_USERS, ...REAL_USERS];
const FAULTS: Mode<Act>['faults'] = [...SHARED_FAULTS, ...REAL_FAULTS];

/** @param command the bundled command @param order seed, steps, and who is told: as in `takeSteps` */
export async function live(command: string, ...order: Parameters<Live>): Promise<Life> {
  const world = new RealWorld(order[0], command);
  const host: RealHost = { world, asker: new RealAsker(world), people: new People(world) };
  const mode: Mode<Act> = {
    users: USERS,
    faults: FAULTS,
    faultChance: FAULT_CHANCE,
    stepsToRest: STEPS_TO_REST,
    begin: async () => {
      await world.mustStart();
      host.people.meet();
      await world.look();
      await begin(host);
    },
    act: async (act) => {
      await world.learn(host.asker);
      await act(host);
    },
    startAgain: async () => {
      if (world.hasFailed) world.checkProcess();
      await world.mustStart();
    },
    check: () => checkInvariants(REAL_INVARIANTS, host, 'step', () => world.look()),
    rest: () => rest(host),
    end: async () => {
      await world.settleDown(() => checkInvariants(REAL_INVARIANTS, host, 'end', () => world.look()));
      if (world.isRunning) await world.close();
    },
  };
  const failure = await takeSteps(world, mode, ...order).finally(() => world.remove());
  return { digest: world.digest.hex, failure, counts: world.counts, chainMs: 0, machineMs: 0 };
}

/** The disk works and no block comes: everything is looked at. */
async function rest(host: RealHost): Promise<void> {
  const { world } = host;
  await recover(world);
  await world.learn(host.asker);
  await world.settleDown(async () => {
    await world.head();
    const cold = await world.look();
    await checkInvariants(REAL_INVARIANTS, host, 'step', async () => cold);
    await checkInvariants(REAL_INVARIANTS, host, 'rest', async () => cold);
  });
}
