/** A world from its beginning to its end, step by step. Which steps, the caller says: a shrunk history has some of them. */

import { Choices } from '../../wild-messages.js';
import { type Cold, isStored, openCold } from '../disk/stored-rows.js';
import { FAULTS, recover } from '../faults/faults.js';
import { checkInvariants, INVARIANTS } from '../invariants/invariants.js';
import { Asker } from '../users/asker.js';
import { People } from '../users/people.js';
import { begin } from '../users/transactions.js';
import type { Host } from '../users/user.js';
import { USERS } from '../users/users.js';
import { shapeOf } from './shape.js';
import { choicesOf, count, type Failure, failureOf, type Life, weighted } from './steps.js';
import { World } from './world.js';

/** So many steps lie between two looks at everything. */
const STEPS_TO_REST = 40;
const FAULT_CHANCE = 0.02;

interface Deed {
  readonly name: string;
  readonly isFault: boolean;
  readonly act: (host: Host) => Promise<void>;
}

/**
 * @param steps numbers of the steps to take, ascending
 * @param begins called before the start, each step, and the look at everything after the last one
 */
export async function live(
  seed: number,
  steps: Iterable<number>,
  begins: (step: number, action: string) => void,
): Promise<Life> {
  const world = new World(seed, shapeOf(new Choices(seed)));
  const host: Host = { world, asker: new Asker(world), people: new People(world) };
  // The scheduler of requests measures the process; here the process is the simulated machine's.
  const restore = replaceMeasure(() => world.clock.passedMs);
  let at = -1;
  let action = 'start';
  let failure: Failure | undefined;
  begins(at, action);
  try {
    await world.openNetwork();
    await world.mustStart();
    host.people.meet();
    await begin(host);
    await rest(host);
    let since = 0;
    for (at of steps) {
      world.choices = choicesOf(seed, at);
      const deed = deedOf(world.choices);
      action = deed.name;
      begins(at, action);
      world.digest.add('step', `${at} ${action}`);
      count(world.counts.steps, action);
      if (deed.isFault) world.fault(action);
      await deed.act(host);
      if (!world.isRunning) {
        await world.mustStart();
        await rest(host);
        since = 0;
        continue;
      }
      await check(host, 'step');
      if (++since < STEPS_TO_REST) continue;
      since = 0;
      await rest(host);
    }
    action = 'end';
    begins(at, action);
    await rest(host);
    if (world.isRunning) await check(host, 'end');
  } catch (error) {
    failure = failureOf(error, { seed, step: at, action });
  } finally {
    restore();
  }
  const headTimeMs = world.isRunning ? Number(world.node.chain.headTimeMs) : 0;
  if (world.isRunning) world.process.end();
  return {
    digest: world.digest.hex,
    failure,
    counts: world.counts,
    chainMs: Math.max(0, headTimeMs - world.shape.startMs),
    machineMs: world.clock.passedMs,
  };
}

function deedOf(choices: Choices): Deed {
  if (choices.chance(FAULT_CHANCE)) return { ...weighted(choices, FAULTS), isFault: true };
  return { ...weighted(choices, USERS), isFault: false };
}

/** Nothing is under way, the disk works: everything is looked at. */
async function rest(host: Host): Promise<void> {
  const { world } = host;
  world.disk.onCall = undefined;
  await recover(world);
  if (!(await isStored(world))) throw new Error('the store does not accept what it should');
  await world.quiet();
  await check(host, 'step');
  await check(host, 'rest');
}

function check(host: Host, when: 'step' | 'rest' | 'end'): Promise<void> {
  let opened: Promise<Cold> | undefined;
  return checkInvariants<Host>(INVARIANTS, host, when, () => {
    opened ??= openCold(host.world);
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
