/** Users who change the chain as developers do: blocks, time, decrees, snapshots, rollback, restarts. */

import type { Address } from '../../../../src/primitives/ids.js';
import { FETCHED_PREFIXES } from '../../../../src/state/fork/forked-store.js';
import { isSameValue, valueOnDisk, valueThen } from '../disk/row-values.js';
import { differingChainRows, storedRows } from '../disk/stored-rows.js';
import type { Rows } from '../disk/virtual-disk.js';
import type { InvariantName } from '../invariants/invariants.js';
import { Violation } from '../run/violation.js';
import { DIALECTS, resultOf } from './asker.js';
import { holdersPath } from './holders.js';
import type { Host, SharedHost, SharedUser, User } from './user.js';

export const mine: User = async ({ world, asker }) => {
  const { choices } = world;
  const dialect = choices.of(DIALECTS);
  // Where a part of the past is kept, often more than that.
  const counts = world.shape.options.stateHistory === 'all' ? [1, 1, 2, 5, 60, 60, 300] : [1, 2, 60, 300, 300];
  const ways = [
    () => asker.rpc(dialect, 'evm_mine', []),
    () => asker.rpc(dialect, 'hardhat_mine', [`0x${choices.of(counts).toString(16)}`]),
    () => asker.library('mine', () => world.devnet.mine(1)),
    () => asker.library('mine advanceMs', () => world.devnet.mine({ advanceMs: choices.of([1, 5_000, 700_000]) })),
    () =>
      asker.library('mine advanceMs', () =>
        world.devnet.mine({ advanceMs: choices.of([3_600_000, 3_600_000, 3_600_000, 93_600_000]) }),
      ),
    () => asker.library('increaseTime', () => world.devnet.increaseTime(choices.below(10_000))),
    () => asker.library('runMaintenance', () => world.devnet.runMaintenance()),
  ];
  await choices.of(ways)();
};

export const setMining: User = async ({ world, asker }) => {
  const { choices } = world;
  await asker.library('setMining', () => world.devnet.setMining(choices.of(['instant', 'instant', 'manual'])));
};

/** The machine's time passes; an interval chain makes its blocks. */
export const wait: SharedUser = async ({ world }) => {
  const ms = world.choices.of([10, 500, 3_000, 30_000, 120_000]);
  world.digest.add('ask', `wait ${ms}`);
  await world.pass(ms);
};

export const decree: SharedUser = async ({ world, asker, people }) => {
  const { choices } = world;
  const who = people.text(choices.below(6));
  const other = people.text(choices.below(6));
  const amount = choices.of([0, 1, 1_000_000, 20_000_000_000]);
  const ways: readonly (() => Promise<unknown>)[] = [
    () => {
      world.amountsChanged = true;
      return asker.rpc('/tre', 'tron_setBalance', [who, amount]);
    },
    () => {
      world.amountsChanged = true;
      return asker.rpc('/tre', 'tron_addBalance', [who, choices.of([amount, -amount])]);
    },
    () => {
      world.amountsChanged = world.recordsChanged = true;
      return asker.rpc('/tre', 'tron_setStake', [who, { energy: amount }]);
    },
    () => {
      world.amountsChanged = world.recordsChanged = true;
      return asker.rpc('/tre', 'tron_setDelegation', [who, other, { energy: amount }]);
    },
    () => asker.rpc('/tre', 'tron_setStorageAt', [who, choices.below(4), choices.below(1_000)]),
    () => asker.rpc('/tre', 'tron_setChainParameters', [{ getEnergyFee: 100 + choices.below(400) }]),
    () => asker.rpc('/tre', 'tron_setNonce', [who, choices.below(20)]),
    () => asker.rpc('/tre', 'tron_dropAllTransactions', []),
    () => asker.rpc('/tre', 'tron_setSolidityLag', [choices.of([0, 3, 20])]),
  ];
  await choices.of(ways)();
};

export const takeSnapshot: User = async (host) => {
  const { world, asker, people } = host;
  const rows = await storedRows(world);
  const { headNumber } = world.node.chain;
  const token = people.bazaar?.coins[0];
  const answers = await answersNow(host, token);
  const answer = await asker.rpc('/tre', 'evm_snapshot', []);
  const id = resultOf<string>(answer);
  if (id !== undefined) world.audience.save(id);
  if (id !== undefined && rows !== undefined && world.isRunning)
    world.snapshots.set(id, { rows, height: headNumber, answers, token });
};

/** What is pending, and what waits for a nonce. */
export async function poolNow({ asker }: Host): Promise<string> {
  const pending = await asker.post('/wallet/gettransactionlistfrompending', {});
  return `${pending}\n${await asker.rpc('/eth', 'txpool_content', [])}`;
}

/** What belongs to a snapshot beside the rows: pending transactions, views, time, mode. */
export async function answersNow(host: Host, token: Address | undefined): Promise<string> {
  const { world, asker, people } = host;
  const all = [
    await asker.post('/wallet/getnowblock', {}),
    await asker.post('/walletsolidity/getnowblock', {}),
    await poolNow(host),
    // The form of an account depends on how much of the past is kept (wallet/asset-store.ts).
    ...(world.shape.options.stateHistory === 'all'
      ? [await asker.post('/wallet/getaccount', { address: people.address(0) })]
      : []),
    // A fork may have read more rows of its network since. Where less of the past is kept now, a contract's age is not known.
    ...(world.shape.isFork || world.shape.options.stateHistory !== 'all' ? [] : await reportsNow(host, token)),
  ];
  if (!world.isRunning) return '';
  const { clock, producer } = world.node;
  // A clock that runs is not put back by less than the time since.
  return [...all, producer.mode, clock.runs ? '' : clock.nowMs()].join('\n');
}

/** Lists that a node keeps in memory: those of blocks that are gone are not among them. */
async function reportsNow({ asker }: Host, token: Address | undefined): Promise<readonly (string | undefined)[]> {
  const paths = [
    '/sunup/contracts?order=energy&limit=100',
    '/sunup/pools?limit=20',
    ...(token === undefined ? [] : [holdersPath(token)]),
  ];
  const answers: (string | undefined)[] = [];
  // `meta` says when the answer was made, and from which block balances are known.
  for (const path of paths) answers.push((await asker.get(path))?.replace(/"meta":.*/s, ''));
  return answers;
}

/** Reverting gives the rows of then. */
export const revert: User = async (host) => {
  const { world } = host;
  const [id] = world.choices.of([...world.snapshots, undefined]) ?? [];
  if (id !== undefined) await revertTo(host, id);
};

/** Back to the block of a snapshot, which the snapshot survives. */
export const rollBackToASnapshot: User = async (host) => {
  const { world, asker } = host;
  const { headNumber } = world;
  const lower = [...world.snapshots].filter(([, { height }]) => height < headNumber);
  const [id, then] = world.choices.of([...lower, undefined]) ?? [];
  if (id === undefined || then === undefined || world.shape.byClock) return;
  const depth = headNumber - then.height;
  if (await replacing(host, then.height, () => asker.rpc('/tre', 'tron_rollback', [depth])))
    forgetSnapshots(world, then.height);
  if (world.snapshots.has(id) && world.isQuiet) await revertTo(host, id);
};

async function revertTo(host: Host, id: string): Promise<void> {
  const { world } = host;
  const then = world.snapshots.get(id);
  if (then === undefined) return;
  if (!(await revertedTo(host, id, then.height))) {
    if (world.isQuiet && resultOf(await host.asker.rpc('/tre', 'evm_revert', [id])) === false)
      throw new Violation('a revert gives the rows of then', `snapshot ${id} of block ${then.height} is not known`);
    return;
  }
  if (!world.isRunning) return;
  const ids = [...world.snapshots.keys()];
  for (const later of ids.slice(ids.indexOf(id))) world.snapshots.delete(later);
  const rows = await storedRows(world);
  // While the store was awaited, a block of the clock may have come.
  if (rows === undefined || hasNewBlock(world, then.height)) return;
  requireSameRows('a revert gives the rows of then', world, then.rows, rows);
  const answers = await answersNow(host, then.token);
  if (world.isRunning) requireSameAnswers('a revert gives the rows of then', then.answers, answers);
}

/** A chain that was replaced and brought back keeps more of its past than before. */
export function requireSameAnswers(invariant: InvariantName, then: string, now: string): void {
  const before = then.split('\n');
  const after = now.split('\n');
  const known = before.map((line, i) => (line.includes('is not kept; the oldest kept state') ? after[i] : line));
  if (known.join('\n') !== now) throw new Violation(invariant, firstDifference(known.join('\n'), now));
}

/** A dropped snapshot is none any more. */
export const dropSnapshot: User = async ({ world, asker }) => {
  const id = resultOf<string>(await asker.rpc('/tre', 'evm_snapshot', []));
  if (id === undefined || !world.isRunning) return;
  const ask = async (method: string) => resultOf(await asker.rpc('/tre', method, [id]));
  const told = [await ask('tron_dropSnapshot'), await ask('tron_dropSnapshot'), await ask('evm_revert')];
  const isWrong = told.some((one, i) => one !== undefined && one !== (i === 0));
  if (isWrong && world.isRunning)
    throw new Violation(
      'a snapshot can be dropped once',
      `snapshot ${id}: dropped ${told[0]}, ${told[1]}, reverted ${told[2]}`,
    );
};

/** A node without the index has what an earlier one has left, up to where blocks were replaced. */
const OF_THE_INDEX = /^(h:|meta:historyTo$)/;

/** Where two long texts part. */
export function firstDifference(before: string, after: string): string {
  const at = [...before].findIndex((letter, i) => letter !== after[i]);
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 150);
  return `there was\n${around(before)}\nand is\n${around(after)}`;
}

export function hasNewBlock({ node: { chain, producer } }: Host['world'], height: number): boolean {
  return producer.mode === 'interval' && chain.headNumber > height;
}

export function requireSameRows(invariant: InvariantName, world: Host['world'], then: Rows, now: Rows): void {
  const differing = differingRows(world, then, now);
  if (differing.length > 0) throw new Violation(invariant, `${differing.length} rows differ: ${differing.slice(0, 5)}`);
}

/** Rows that a fork has fetched stay, because the network's chain does not change by a revert. */
export function differingRows({ shape, withoutHistory }: Host['world'], then: Rows, now: Rows): readonly string[] {
  return differingChainRows(then, now, shape)
    .filter((key) => !withoutHistory || !OF_THE_INDEX.test(key))
    .filter((key) => !FETCHED_PREFIXES.some((prefix) => key.startsWith(prefix)))
    .filter((key) => !shape.isFork || !isSameOnFork(key, then, now));
}

/** A row of the network that was changed and put back is a row of the fork, with the network's value. */
function isSameOnFork(key: string, then: Rows, now: Rows): boolean {
  return isSameValue(valueThen(then, now, key), valueOnDisk(now, key));
}

export const replaceBlocks: SharedUser = async ({ world, asker, people }) => {
  const { choices, headNumber } = world;
  // What was read of the blocks that go must not be answered for those that come.
  for (let i = 0; i < 3; i++)
    await asker.rpc('/eth', 'eth_getBalance', [
      `0x${people.address(i).slice(2)}`,
      `0x${Math.max(0, headNumber - choices.below(2)).toString(16)}`,
    ]);
  if (!world.isRunning) return;
  // Also exactly to a block that has a snapshot, and so far that others get a turn in the middle.
  const heights = Array.from(world.snapshots.values(), ({ height }) => height).filter((height) => height < headNumber);
  const depth =
    heights.length > 0 && choices.chance(0.3)
      ? headNumber - choices.of(heights)
      : 1 + choices.below(Math.min(choices.of([20, 20, 60]), headNumber + 1));
  const way = choices.of(['tron_rollback', 'tron_rollback', 'tron_reorg'] as const);
  const done = await replacing({ world }, headNumber - depth, () => asker.rpc('/tre', way, [depth]));
  if (done) forgetSnapshots(world, headNumber - depth);
};

export const reset: SharedUser = async (host) => {
  await hasReset(host);
};

/** Begins the chain again. @returns whether it was done */
export async function hasReset({ world, asker }: SharedHost): Promise<boolean> {
  const isDone = await replacing({ world }, 0, () => asker.rpc('/tre', 'tron_reset', []));
  if (isDone) {
    world.snapshots.clear();
    world.recordsChanged = false;
  }
  return isDone;
}

/** Stops the node in order, and starts it again. */
export const restart: SharedUser = async ({ world }) => {
  await world.restart();
};

/** The same without the history index, up to the next ordinary restart. */
export const restartWithoutHistory: User = async ({ world }) => {
  await world.restart({ history: false });
};

/** A snapshot, with which clients keep what they know. @returns undefined: it was refused, or the node has ended */
export async function snapshotTaken({ world, asker }: Host): Promise<string | undefined> {
  const id = resultOf<string>(await asker.rpc('/tre', 'evm_snapshot', []));
  if (id === undefined || !world.isRunning) return undefined;
  world.audience.save(id);
  return id;
}

/** Back to a snapshot of a block. @returns whether it was done */
export async function revertedTo({ world, asker }: Host, id: string, height: number): Promise<boolean> {
  const isDone = await replacing({ world }, height, () => asker.rpc('/tre', 'evm_revert', [id]));
  if (isDone) world.audience.restore(id);
  return isDone;
}

/** While a request replaces blocks, those above `height` may be there or not. @returns whether it was done */
export async function replacing(
  { world }: Pick<SharedHost, 'world'>,
  height: number,
  ask: () => Promise<string | undefined>,
): Promise<boolean> {
  world.told.forgetAbove(height);
  world.amountsChanged = true;
  world.audience.rollsBack = true;
  const answer = await ask();
  world.msARound = 0;
  if (!world.isRunning) {
    world.told.undecidedAbove(height);
    return false;
  }
  await world.quiet();
  world.audience.rollsBack = false;
  const isDone = answer !== undefined && !isRefusal(answer);
  // Where work takes time, a block of the clock comes before it begins, and goes with the others.
  if (isDone) world.told.forgetAbove(height);
  else {
    world.told.undecidedAbove(height);
    // What the disk refuses may have gone a part of its way.
    forgetSnapshots(world, world.headNumber);
  }
  return isDone;
}

export function isRefusal(answer: string): boolean {
  return /"error"|^refused|^[345]\d\d |"result":false/.test(answer);
}

export function forgetSnapshots(world: SharedHost['world'], height: number): void {
  for (const [id, { height: at }] of world.snapshots) if (at > height) world.snapshots.delete(id);
}
