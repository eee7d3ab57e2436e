/**
 * Long work at once: requests that make blocks, replace them or read all of them come one after the other, and each is
 * answered. And a pool that is full: it refuses one more by name, and has lost none.
 */

import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { strangerAddress } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import type { Answer } from './asker.js';
import { forgetSnapshots, isRefusal, replacing } from './developers.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

/** How far blocks may go back, whatever is asked for at once. */
const DEEPEST = 3 * 12;

type Work = (host: Host) => Promise<Answer>;

// Each of several that wait lets time pass, so that hundreds of blocks would take longer than a request may.
const MAKING: readonly Work[] = [
  ({ asker, world }) => asker.rpc('/tre', 'hardhat_mine', [`0x${world.choices.of([1, 12, 30]).toString(16)}`]),
  ({ asker, world }) => asker.library('mine', () => world.devnet.mine({ advanceMs: 700_000 })),
  ({ asker }) => asker.rpc('/tre', 'tron_advanceCycles', [2]),
];
const REPLACING: readonly Work[] = [
  ({ asker, world }) => asker.rpc('/tre', 'tron_rollback', [world.choices.below(12)]),
  ({ asker, world }) => asker.rpc('/tre', 'tron_reorg', [world.choices.below(12)]),
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
  const height = Math.max(0, world.headNumber - DEEPEST);
  world.audience.replacesSeveralTimes = true;
  await replacing({ world }, height, async () => {
    const inOrder = choices.chance(0.5) ? all : all.toReversed();
    const answers = await Promise.all(inOrder.map((kind) => choices.of(kind)(host)));
    return answers.find((answer) => answer === undefined || isRefusal(answer)) ?? answers[0];
  });
  world.audience.replacesSeveralTimes = false;
  // What one has made another may have taken back.
  world.told.forgetAbove(height);
  forgetSnapshots(world, height);
};

export const fillThePool: User = async (host) => {
  const { world, asker, people } = host;
  const { poolSize } = world.shape.options;
  if (poolSize === undefined || world.miningMode !== 'manual' || world.diskFails) return;
  const before = world.node.chain.pool.size;
  // One more than it holds: java-tron compares before it adds (protocol/pipeline.md#broadcast).
  const room = poolSize + 1 - before;
  const accepted: string[] = [];
  for (let count = room + 2; count > 0; count--) {
    const fields = { owner_address: people.address(count % 6), to_address: strangerAddress(0), amount: 1n };
    const transaction = await composed(host, () => people.send(ContractType.TransferContract, fields));
    if (transaction === undefined || !world.isRunning) return;
    const answer = await sendHex(host, transaction);
    if (isAccepted(answer)) accepted.push(transaction.txId);
    else if (!/SERVER_BUSY/.test(answer ?? '')) return;
  }
  if (accepted.length !== room)
    throw new Violation(
      'a full pool takes no more',
      `of ${poolSize} places ${before} were taken; ${accepted.length} more were`,
    );
  await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  if (!world.isRunning) return;
  const { transactions } = world.node.chain.ledger.state.tables;
  const pending = new Set(world.node.chain.pool.members().map(({ transaction }) => transaction.txId as string));
  const lost = accepted.find((txId) => !transactions.has(txId as never) && !pending.has(txId));
  // A sender without coin, or a block without room: those are told.
  if (lost !== undefined && !world.told.wasDropped(lost))
    throw new Violation('a full pool takes no more', `${lost} was accepted, and is in no block`);
};
