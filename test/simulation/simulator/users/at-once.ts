/**
 * Long work at once: requests that make blocks, replace them or read all of them come one after the other, and each is
 * answered.
 */

import type { Answer } from './asker.js';
import { forgetSnapshots, isRefusal, replacing } from './developers.js';
import type { Host, User } from './user.js';

/** Blocks that one request replaces. Of more than 20, others get a turn in the middle. */
const DEPTHS = [12, 12, 45] as const;
const MOST_REPLACING = 3;

type Work = (host: Host, depth: number) => Promise<Answer>;

// Each of several that wait lets time pass, so that hundreds of blocks would take longer than a request may.
const MAKING: readonly Work[] = [
  ({ asker, world }) => asker.rpc('/tre', 'hardhat_mine', [`0x${world.choices.of([1, 12, 30]).toString(16)}`]),
  ({ asker, world }) => asker.library('mine', () => world.devnet.mine({ advanceMs: 700_000 })),
  ({ asker }) => asker.rpc('/tre', 'tron_advanceCycles', [2]),
];
const REPLACING: readonly Work[] = [
  ({ asker, world }, depth) => asker.rpc('/tre', 'tron_rollback', [world.choices.below(depth)]),
  ({ asker, world }, depth) => asker.rpc('/tre', 'tron_reorg', [world.choices.below(depth)]),
];
const OTHER: readonly Work[] = [
  ({ asker, people, world }) => asker.rpc('/tre', 'tron_setNonce', [people.text(0), world.choices.below(9)]),
  ({ asker }) => asker.post('/wallet/getnowblock', {}),
  ({ asker, world }) => asker.rpc('/tre', 'tron_setSolidityLag', [world.choices.of([0, 3])]),
];

export const workAtOnce: User = async (host) => {
  const { world } = host;
  const { choices } = world;
  const all = [
    MAKING,
    REPLACING,
    ...Array.from({ length: choices.below(3) }, () => choices.of([MAKING, REPLACING, OTHER])),
  ];
  const depth = choices.of(DEPTHS);
  const height = Math.max(0, world.headNumber - MOST_REPLACING * depth);
  world.audience.replacesSeveralTimes = true;
  await replacing({ world }, height, async () => {
    const inOrder = choices.chance(0.5) ? all : all.toReversed();
    const answers = await Promise.all(inOrder.map((kind) => choices.of(kind)(host, depth)));
    return answers.find((answer) => answer === undefined || isRefusal(answer)) ?? answers[0];
  });
  world.audience.replacesSeveralTimes = false;
  // What one has made another may have taken back.
  world.told.forgetAbove(height);
  forgetSnapshots(world, height);
};
