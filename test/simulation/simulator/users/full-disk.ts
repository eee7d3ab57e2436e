/**
 * Somebody makes blocks while the disk is full, or replaces them. What was pending is pending again, or in a block once
 * the disk has room: nothing is lost, however often a block was refused. A reset that is refused has not happened.
 */

import type { TxId } from '../../../../src/primitives/ids.js';
import { ERRORS } from '../disk/virtual-disk.js';
import { transactionsIn } from '../invariants/scan.js';
import { Violation } from '../run/violation.js';
import { forgetSnapshots, hasReset, replacing, revertedTo, snapshotTaken } from './developers.js';
import { isAccepted, sendHex, transfersInARing } from './transactions.js';
import type { Host, User } from './user.js';

const REFUSED = 'a reset that the disk refuses has not happened';
const NAME = 'what is pending outlives a block that the disk refuses';

export const mineOnAFullDisk: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (!world.isQuiet || world.shape.isFork || world.miningMode !== 'manual') return;
  // A block may drop a transaction because of others in it.
  await asker.rpc('/tre', 'tron_dropAllTransactions', []);
  const sent: TxId[] = [];
  for (const transfer of await transfersInARing(host, 3))
    if (transfer !== undefined && isAccepted(await sendHex(host, transfer))) sent.push(transfer.txId);
  const height = world.headNumber;
  failNextWrites(host);
  for (let i = 1 + choices.below(3); i > 0 && world.isRunning; i--) await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  if (!(await canWriteAgain(host))) return;
  const { pool, ledger } = world.node.chain;
  const there = new Set(pool.members().map(({ transaction }) => transaction.txId));
  for (const { txId } of transactionsIn(ledger, height + 1)) there.add(txId);
  const lost = sent.find((txId) => !there.has(txId));
  if (lost !== undefined) throw new Violation(NAME, `${lost} is neither pending nor in a block above ${height}`);
};

/** Blocks are replaced, or all of them, by a request whose batches the disk refuses. */
export const replaceOnAFullDisk: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (!world.isQuiet || world.shape.isFork) return;
  const { chain } = world.node;
  const way = choices.of(['reset', 'rollback', 'revert'] as const);
  const depth = 1 + choices.below(Math.min(20, world.headNumber + 1));
  const height = way === 'reset' ? 0 : way === 'revert' ? world.headNumber : world.headNumber - depth;
  const snapshot = way === 'rollback' ? '' : await snapshotTaken(host);
  if (snapshot === undefined) return;
  if (way === 'revert') await asker.rpc('/tre', 'hardhat_mine', [`0x${depth.toString(16)}`]);
  if (!world.isQuiet) return;
  const before = settingsNow(host);
  const { headId } = chain;
  const head = world.headNumber;
  failNextWrites(host);
  const isDone = await {
    reset: () => hasReset(host),
    rollback: () => replacing(host, height, () => asker.rpc('/tre', 'tron_rollback', [depth])),
    revert: () => revertedTo(host, snapshot, height),
  }[way]();
  if (isDone) forgetSnapshots(world, height);
  if (!(await canWriteAgain(host)) || isDone || way !== 'reset') return;
  if (chain.headId !== headId) throw new Violation(REFUSED, `the head was ${headId}, and is ${chain.headId}`);
  const after = settingsNow(host);
  if (after !== before) throw new Violation(REFUSED, `the settings were ${before}, and are ${after}`);
  if (!(await revertedTo(host, snapshot, head)) && world.isQuiet)
    throw new Violation(REFUSED, `snapshot ${snapshot} of block ${head} is not known any more`);
};

/** What a reset would set to the values of a start. */
function settingsNow({ world: { node } }: Host): string {
  const { clock, producer, chain } = node;
  const time = clock.runs ? `${clock.offsetMs()} ms after wall time` : `${clock.nowMs()} ms`;
  return `${Object.values(producer.settings).join(' ')}, lag ${chain.solidityLag}, ${time}`;
}

function failNextWrites({ world }: Host): void {
  const { choices, disk } = world;
  world.diskFails = true;
  disk.faults.push({ what: 'write', error: choices.of(ERRORS), calls: 1 + choices.below(3), remains: 'nothing' });
}

/** @returns whether the disk took all again: the node looks for it every second */
async function canWriteAgain({ world }: Host): Promise<boolean> {
  if (world.isRunning) await world.pass(5_000);
  // A machine that has slept meanwhile has looked once.
  for (let i = 0; i < 5 && world.isRunning && !world.node.chain.commits.isAccepting; i++) await world.pass(2_000);
  if (!world.isRunning || world.disk.faults.length > 0) return false;
  world.repairDisk();
  return true;
}
