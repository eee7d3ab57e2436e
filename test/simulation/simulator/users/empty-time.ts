/**
 * A developer who lets empty time pass twice: many blocks at once, and, after a revert, the same number one by one. Many at
 * once are a run, computed in closed form; one by one they are made like all blocks. Or both times at once, but later.
 */

import { toBase58 } from '../../../../src/protocol/address.js';
import { Violation } from '../run/violation.js';
import { revertedTo, snapshotTaken } from './developers.js';
import type { Host, User } from './user.js';

const MOST_BLOCKS = 30;
const SLOT_MS = 3_000n;

const isQuiet = ({ world }: Host): boolean => world.isRunning && world.miningMode === 'manual' && !world.diskFails;

/** What blocks without transactions change, and what they are. */
async function portrait({ world, asker, people }: Host, number: number, address: string): Promise<readonly string[]> {
  const questions: readonly (readonly [path: string, body: object])[] = [
    ['/wallet/getnowblock', {}],
    ['/wallet/getblockbynum', { num: number }],
    ['/wallet/getchainparameters', {}],
    ['/wallet/getnextmaintenancetime', {}],
    ['/wallet/listwitnesses', {}],
    ...people.addresses.map((one) => ['/wallet/getaccount', { address: one }] as const),
    ['/wallet/getReward', { address: people.witness(0) }],
    ['/wallet/getReward', { address: people.witness(1) }],
    ['/wallet/getReward', { address }],
    ['/wallet/getaccountresource', { address }],
  ];
  const texts: string[] = [];
  for (const [path, body] of questions) texts.push(`${path}: ${inAnyOrder(path, await asker.post(path, body))}`);
  return world.isRunning ? texts : [];
}

/**
 * The order of witnesses depends on which rows are merged, and so does the form of an account, for which a run is one
 * writing (wallet/asset-store.ts).
 */
function inAnyOrder(path: string, text = ''): string {
  if (path !== '/wallet/listwitnesses') return text.replace(/,"asset_optimized": ?true/, '');
  return (text.match(/\{"address"[^}]*\}/g) ?? [text]).sort().join();
}

/** A run ends where an epoch does. */
async function goNearMaintenance({ world, asker }: Host): Promise<void> {
  const { ledger } = world;
  const before = BigInt(1 + world.choices.below(MOST_BLOCKS / 2)) * SLOT_MS;
  const atMs = Number(ledger.long('NEXT_MAINTENANCE_TIME') - before);
  if (atMs <= Number(ledger.headTimeMs)) return;
  await asker.rpc('/tre', 'tron_setNextBlockTimestamp', [atMs]);
  await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
}

/** What the next blocks have to show, and no block shows yet. */
async function prepare({ world: { choices }, asker, people }: Host): Promise<void> {
  if (choices.chance(0.3)) await asker.rpc('/tre', 'tron_setCoinbase', [toBase58(people.witness(choices.below(2)))]);
  if (choices.chance(0.3)) await asker.rpc('/tre', 'evm_increaseTime', [1 + choices.below(100)]);
}

/** Both times many at once, from another time on: no block of then is one of now. */
const passOtherwise: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (!isQuiet(host)) return;
  const height = world.headNumber;
  const fromMs = Number(world.ledger.headTimeMs) + 600_000;
  const count = 3 + choices.below(MOST_BLOCKS);
  const number = height + 1 + choices.below(count);
  const idNow = async () => {
    const answer = await asker.post('/wallet/getblockbynum', { num: number });
    return /"blockID": ?"(\w+)"/.exec(answer ?? '')?.[1];
  };
  const pass = async (laterMs: number) => {
    await asker.rpc('/tre', 'tron_setNextBlockTimestamp', [fromMs + laterMs]);
    await asker.rpc('/tre', 'hardhat_mine', [`0x${count.toString(16)}`]);
    return isQuiet(host) ? idNow() : undefined;
  };
  const id = await snapshotTaken(host);
  if (id === undefined) return;
  const before = await pass(0);
  if (!isQuiet(host) || !(await revertedTo(host, id, height))) return;
  const now = await pass(3_000 * (1 + choices.below(5)));
  if (before !== undefined && before === now && isQuiet(host))
    throw new Violation(
      'many empty blocks at once are those one by one',
      `${count} blocks above ${height}, later than before: block ${number} is ${now} again`,
    );
};

const passBothWays: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (choices.chance(0.6)) await goNearMaintenance(host);
  if (!isQuiet(host)) return;
  const height = world.headNumber;
  const count = 2 + choices.below(MOST_BLOCKS);
  const address = choices.of(host.people.addresses);
  const number = height + 1 + choices.below(count);
  // By `hardhat_mine` all are a slot apart, also after a maintenance, after which the schedule leaves slots out.
  const isScheduled = choices.chance(0.5);
  const makeBlocks = (many: number) =>
    isScheduled
      ? asker.library('mine', () => world.devnet.mine(many))
      : asker.rpc('/tre', 'hardhat_mine', [`0x${many.toString(16)}`]);
  await prepare(host);
  const id = isQuiet(host) ? await snapshotTaken(host) : undefined;
  if (id === undefined) return;
  await makeBlocks(count);
  // What a run leaves behind shows in the block after it.
  if (isQuiet(host)) await makeBlocks(1);
  const atOnce = isQuiet(host) ? await portrait(host, number, address) : [];
  if (!isQuiet(host) || !(await revertedTo(host, id, height))) return;
  for (let made = 0; made <= count && isQuiet(host); made++) await makeBlocks(1);
  const oneByOne = isQuiet(host) ? await portrait(host, number, address) : [];
  const at = isQuiet(host) ? atOnce.findIndex((text, i) => text !== oneByOne[i]) : -1;
  if (at >= 0)
    throw new Violation(
      'many empty blocks at once are those one by one',
      `${count} blocks above ${height}, at once: ${atOnce[at]?.slice(0, 1_500)}\none by one: ${oneByOne[at]?.slice(0, 1_500)}`,
    );
};

export const passTwice: User = async (host) => {
  const { world, asker } = host;
  const { choices, shape } = world;
  // Between two requests, a clock of the machine goes on.
  if (shape.byClock || shape.isFork || !isQuiet(host)) return;
  await asker.rpc('/tre', 'tron_dropAllTransactions', []);
  // With them, empty blocks change more, and there are no runs.
  const withoutRuns = { getAllowTransactionFeePool: 0, getAllowAdaptiveEnergy: 0 };
  if (choices.chance(0.7)) await asker.rpc('/tre', 'tron_setChainParameters', [withoutRuns]);
  await (choices.chance(0.4) ? passOtherwise : passBothWays)(host);
  if (world.isRunning) await asker.rpc('/tre', 'tron_setCoinbase', []);
};
