/**
 * The faults of a simulated machine, one entry for each. A fault acts at its step, or waits for a later call; the run
 * starts a new process after one that has ended.
 */

import { ERRORS, REMAINS } from '../disk/virtual-disk.js';
import { WIRE_FAULTS } from '../network/simulated-network.js';
import { Violation } from '../run/violation.js';
import type { World } from '../run/world.js';
import type { SharedUser, User } from '../users/user.js';
import { COINCIDENCES } from './coincidences.js';
import { damageRow, failRead } from './damaged-rows.js';

export interface Fault<Act = User> {
  readonly name: string;
  /** How often it is chosen, beside the others. */
  readonly weight: number;
  readonly act: Act;
}

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
  ...COINCIDENCES,
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
  { name: 'a row is damaged', weight: 4, act: damageRow },
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
    weight: 4,
    act: async ({ world }) => {
      const clock = world.isRunning ? world.node.clock : undefined;
      const beforeMs = clock?.nowMs() ?? 0n;
      world.clock.jump(world.choices.of([-3_600_000, -5_000, -1, 1, 5_000, 3_600_000]));
      const nowMs = clock?.nowMs() ?? 0n;
      if (nowMs < beforeMs)
        throw new Violation(
          'the time of a chain does not go back by itself',
          `it was ${beforeMs} ms, and is ${nowMs} ms after a jump`,
        );
    },
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

/** Puts the disk right and waits until the chain goes on. @throws Violation if it does not */
export async function recover(world: World): Promise<void> {
  world.repairDisk();
  world.network.faults.length = 0;
  world.network.isElsewhere = false;
  // The node looks every second whether there is room again.
  for (let second = 0; second < 10 && !world.node.chain.commits.isAccepting; second++) await world.pass(1_000);
  if (!world.node.chain.commits.isAccepting) throw new Violation(GOES_ON, 'no batch is accepted after 10 seconds');
  const { producer, clock } = world.node;
  // A fork may wait for its network; blocks that were asked for may be ahead of the clock.
  if (world.shape.isFork || producer.mode !== 'interval' || !clock.runs) return;
  const { headNumber, ledger } = world;
  if (clock.nowMs() < ledger.headTimeMs) return;
  await world.pass(LONGEST_PAUSE_MS);
  if (world.isRunning && world.miningMode === 'interval' && world.headNumber === headNumber)
    throw new Violation(GOES_ON, `for ${LONGEST_PAUSE_MS} ms no block comes by the clock after block ${headNumber}`);
}

const GOES_ON = 'the chain goes on when the disk does';
/** A timer that could not make its block tries again before. */
const LONGEST_PAUSE_MS = 120_000;
