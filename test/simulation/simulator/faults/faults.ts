/**
 * The faults of a simulated machine, one entry for each. A fault acts at its step, or waits for a later call; the run
 * starts a new process after one that has ended.
 */

import { isStored } from '../disk/stored-rows.js';
import type { ErrorName, Remains } from '../disk/virtual-disk.js';
import { WIRE_FAULTS } from '../network/simulated-network.js';
import { Violation } from '../run/violation.js';
import type { World } from '../run/world.js';
import type { Host, SharedHost, SharedUser, User } from '../users/user.js';

export interface Fault<Act = User> {
  readonly name: string;
  /** How often it is chosen, beside the others. */
  readonly weight: number;
  readonly act: Act;
}

const ERRORS: readonly ErrorName[] = ['ENOSPC', 'EIO', 'EMFILE'];
const REMAINS: readonly Remains[] = ['nothing', 'half', 'all'];

/** In both modes; a real node has its own others (`real/faults.ts`). */
export const SHARED_FAULTS: readonly Fault<SharedUser>[] = [
  {
    name: 'the process is killed',
    weight: 3,
    act: async ({ world }) => world.crash('kill'),
  },
];

export const FAULTS: readonly Fault[] = [
  ...SHARED_FAULTS,
  {
    name: 'the process is killed at a call of the disk',
    weight: 4,
    act: async ({ world }) => {
      const last = world.disk.calls + 1 + world.choices.below(8);
      const moment = world.choices.of(['before', 'after'] as const);
      world.disk.onCall = (now) => {
        if (world.disk.calls >= last && now === moment) world.crash('kill');
      };
    },
  },
  {
    name: 'the power fails',
    weight: 2,
    act: async ({ world }) => world.crash('power'),
  },
  {
    name: 'the power fails at a call of the disk',
    weight: 2,
    act: async ({ world }) => {
      const last = world.disk.calls + 1 + world.choices.below(8);
      world.disk.onCall = () => {
        if (world.disk.calls >= last) world.crash('power');
      };
    },
  },
  {
    name: 'writes fail',
    weight: 4,
    act: async ({ world }) => {
      const { choices, disk } = world;
      world.diskFails = true;
      const remains = choices.of(REMAINS);
      disk.faults.push({ what: 'write', error: choices.of(ERRORS), calls: 1 + choices.below(3), remains });
    },
  },
  {
    name: 'a table cannot be written',
    weight: 2,
    act: async ({ world }) => {
      const { choices, disk } = world;
      world.diskFails = true;
      disk.faults.push({ what: 'table', error: choices.of(ERRORS), calls: 1 + choices.below(2), remains: 'nothing' });
      disk.faults.push({ what: 'write', error: choices.of(ERRORS), calls: 1, remains: choices.of(REMAINS) });
    },
  },
  {
    name: 'the database cannot be opened again',
    weight: 1,
    act: async ({ world }) => {
      const { choices, disk } = world;
      world.diskFails = true;
      for (const what of ['table', 'write', 'open'] as const)
        disk.faults.push({ what, error: choices.of(ERRORS), calls: 1, remains: choices.of(REMAINS) });
    },
  },
  {
    name: 'the disk is slow',
    weight: 2,
    act: async ({ world }) => {
      world.disk.slowMs = world.choices.of([1, 20, 200]);
    },
  },
  {
    name: 'syncs lie',
    weight: 1,
    act: async ({ world }) => {
      world.disk.lies = true;
    },
  },
  { name: 'a bit flips at rest', weight: 3, act: flipBit },
  { name: 'a read fails', weight: 2, act: failRead },
  {
    name: 'the network does not answer',
    weight: 3,
    act: async ({ world }) => {
      const { choices, network } = world;
      const what = choices.of(WIRE_FAULTS);
      if (network.chain !== undefined) network.faults.push({ what, requests: 1 + choices.below(6) });
    },
  },
  {
    name: 'another chain answers for the network',
    weight: 1,
    act: async ({ world }) => {
      world.network.isElsewhere = world.network.chain !== undefined;
    },
  },
  {
    name: 'the head of the network goes back',
    weight: 1,
    act: async ({ world }) => {
      const { town } = world.network;
      if (town !== undefined) await world.settle(town.takeBack(world.choices, 1));
    },
  },
  {
    name: 'the clock jumps',
    weight: 2,
    act: async ({ world }) => world.clock.jump(world.choices.of([-3_600_000, -5_000, -1, 1, 5_000, 3_600_000])),
  },
  {
    name: 'the clock drifts',
    weight: 1,
    act: async ({ world }) => world.clock.drift(world.choices.of([0.5, 0.999, 1, 1.001, 2])),
  },
  {
    name: 'the machine sleeps',
    weight: 2,
    act: async ({ world }) => world.clock.holdUp(world.choices.of([200, 4_000, 65_000, 3_600_000])),
  },
  {
    name: 'the event loop is held up',
    weight: 2,
    act: async ({ world }) => {
      const { choices, clock } = world;
      // In the middle of what waits then: one turn of the loop takes long, several times.
      const turns = 1 + choices.below(3);
      const heldMs = choices.of([50, 1_500, 12_000]);
      for (let turn = 1; turn <= turns; turn++)
        clock.after(turn * choices.of([10, 700, 3_000]), () => clock.holdUp(heldMs));
    },
  },
];

/**
 * Questions about a row whose bytes have changed, under a running node or between two runs: an answer is the one of
 * before, or none.
 */
async function flipBit(host: Host): Promise<void> {
  const { world } = host;
  if (world.diskFails || !(await isStored(world))) return;
  // Both runs begin without what was pending.
  world.crash('kill');
  await world.mustStart();
  const { database } = world.process.folder;
  if (database === undefined) return;
  const keys = database.keys().filter((key) => /^(a|x1|b|c|d|s|pre|h|v):/.test(key));
  if (keys.length === 0) return;
  const key = world.choices.of(keys);
  const head = world.headNumber;
  const before = await askAround(host, head);
  if (!world.isRunning) return;
  const whole = database.getSync(key) as Uint8Array;
  const value = Buffer.from(whole);
  const bit = world.choices.below(value.length * 8);
  value[bit >>> 3]! ^= 1 << (bit & 7);
  world.fault('flipped', `${key} ${bit}`);
  let isTold = false;
  if (world.choices.chance(0.4)) database.damage(key, value);
  else {
    world.crash('kill');
    world.disk.replace(key, value);
    const refusal = await world.start();
    isTold = refusal !== undefined && /damaged/.test(refusal.message);
    if (refusal !== undefined && !isTold) throw refusal;
  }
  const after = isTold ? new Map<string, string>() : await askAround(host, head);
  for (const [question, answer] of after) {
    const known = before.get(question);
    if (answer === undefined || answer === known || world.process.failure !== undefined) continue;
    throw new Violation('a damaged byte is told and never served', `${key} bit ${bit}: ${question} gave ${answer}`);
  }
  if (world.isRunning) world.crash('kill');
  world.disk.replace(key, whole);
}

/** A read fails under a running node: an answer is the one of before, or none, and a new process works. */
async function failRead(host: Host): Promise<void> {
  const { world } = host;
  if (world.diskFails || !(await isStored(world))) return;
  world.crash('kill');
  await world.mustStart();
  const head = world.node.chain.headNumber;
  const before = await askAround(host, head);
  if (!world.isRunning) return;
  world.crash('kill');
  await world.mustStart();
  world.diskFails = true;
  const { choices, disk } = world;
  const reads = choices.below(20);
  disk.faults.push({ what: 'read', error: choices.of(ERRORS), calls: 1, remains: 'nothing', after: reads });
  for (const [question, answer] of await askAround(host, head)) {
    if (answer === undefined || answer === before.get(question) || world.process.failure !== undefined) continue;
    throw new Violation('a damaged byte is told and never served', `read ${reads} failed: ${question} gave ${answer}`);
  }
  world.crash('kill');
}

/** What can be asked of a chain that does not change. @param head the newest block to ask for */
export async function askAround(
  { asker, people }: SharedHost,
  head: number,
): Promise<ReadonlyMap<string, string | undefined>> {
  const answers = new Map<string, string | undefined>();
  for (let i = 0; i < 6; i++) {
    const address = people.address(i);
    answers.set(`account ${i}`, await asker.post('/wallet/getaccount', { address }));
    answers.set(`history ${i}`, await asker.get(`/v1/accounts/${people.text(i)}/transactions?limit=200`));
  }
  for (const { txId } of people.sent.slice(-10))
    answers.set(`transaction ${txId}`, await asker.post('/wallet/gettransactioninfobyid', { value: txId }));
  for (let number = Math.max(0, head - 10); number <= head; number++)
    answers.set(`block ${number}`, await asker.post('/wallet/getblockbynum', { num: number }));
  return answers;
}

/** Puts the disk right and waits until the chain goes on. @throws Violation if it does not */
export async function recover(world: World): Promise<void> {
  world.repairDisk();
  world.network.faults.length = 0;
  world.network.isElsewhere = false;
  // The node looks every second whether there is room again.
  for (let second = 0; second < 10 && !world.node.chain.commits.isAccepting; second++) await world.pass(1_000);
  if (!world.node.chain.commits.isAccepting)
    throw new Violation('the chain goes on when the disk does', 'no batch is accepted after 10 seconds');
}
