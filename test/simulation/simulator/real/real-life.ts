/** A world of a real node from its beginning to its end, step by step. */

import { SHARED_FAULTS } from '../faults/faults.js';
import { checkInvariants } from '../invariants/invariants.js';
import type { Live } from '../run/orders.js';
import { choicesOf, count, type Failure, failureOf, type Life, weighted } from '../run/steps.js';
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

/** So many steps lie between two looks at everything. */
const STEPS_TO_REST = 15;
const FAULT_CHANCE = 0.12;

const USERS: readonly { readonly name: string; readonly weight: number; readonly act: SharedUser | RealUser }[] = [
  ...SHARED_USERS,
  ...REAL_USERS,
];
const FAULTS: typeof USERS = [...SHARED_FAULTS, ...REAL_FAULTS];

/** @param command the bundled command */
export async function live(command: string, ...[seed, steps, begins]: Parameters<Live>): Promise<Life> {
  const world = new RealWorld(seed, command);
  const host: RealHost = { world, asker: new RealAsker(world), people: new People(world) };
  let at = -1;
  let action = 'start';
  let failure: Failure | undefined;
  begins(at, action);
  try {
    await world.mustStart();
    host.people.meet();
    await world.look();
    await begin(host);
    await rest(host);
    let since = 0;
    for (at of steps) {
      world.choices = choicesOf(seed, at);
      const isFault = world.choices.chance(FAULT_CHANCE);
      const deed = weighted(world.choices, isFault ? FAULTS : USERS);
      action = deed.name;
      begins(at, action);
      world.digest.add('step', `${at} ${action}`);
      count(world.counts.steps, action);
      if (isFault) world.fault(action);
      await world.learn(host.asker);
      await deed.act(host);
      if (!world.isRunning) {
        if (world.hasFailed) world.checkProcess();
        await world.mustStart();
        await rest(host);
        since = 0;
        continue;
      }
      await checkInvariants(REAL_INVARIANTS, host, 'step', () => world.look());
      if (++since < STEPS_TO_REST) continue;
      since = 0;
      await rest(host);
    }
    action = 'end';
    begins(at, action);
    await rest(host);
    await world.settleDown(() => checkInvariants(REAL_INVARIANTS, host, 'end', () => world.look()));
    if (world.isRunning) await world.close();
  } catch (error) {
    failure = failureOf(error, { seed, step: at, action });
  } finally {
    await world.remove();
  }
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
