/**
 * Somebody makes blocks while the disk is full. What was pending is pending again, or in a block once the disk has room:
 * nothing is lost, however often a block was refused.
 */

import type { TxId } from '../../../../src/primitives/ids.js';
import { ERRORS } from '../disk/virtual-disk.js';
import { transactionsIn } from '../invariants/scan.js';
import { Violation } from '../run/violation.js';
import { isAccepted, sendHex, transfersInARing } from './transactions.js';
import type { User } from './user.js';

const NAME = 'what is pending outlives a block that the disk refuses';

export const mineOnAFullDisk: User = async (host) => {
  const { world, asker } = host;
  const { choices, disk } = world;
  if (!world.isQuiet || world.shape.isFork || world.miningMode !== 'manual') return;
  // A block may drop a transaction because of others in it.
  await asker.rpc('/tre', 'tron_dropAllTransactions', []);
  const sent: TxId[] = [];
  for (const transfer of await transfersInARing(host, 3))
    if (transfer !== undefined && isAccepted(await sendHex(host, transfer))) sent.push(transfer.txId);
  const height = world.headNumber;
  world.diskFails = true;
  disk.faults.push({ what: 'write', error: choices.of(ERRORS), calls: 1 + choices.below(3), remains: 'nothing' });
  for (let i = 1 + choices.below(3); i > 0 && world.isRunning; i--) await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  // The node looks every second whether it can write again.
  if (world.isRunning) await world.pass(5_000);
  if (!world.isRunning || disk.faults.length > 0) return;
  world.repairDisk();
  const { pool, ledger } = world.node.chain;
  const there = new Set(pool.members().map(({ transaction }) => transaction.txId));
  for (const { txId } of transactionsIn(ledger, height + 1)) there.add(txId);
  const lost = sent.find((txId) => !there.has(txId));
  if (lost !== undefined) throw new Violation(NAME, `${lost} is neither pending nor in a block above ${height}`);
};
