/**
 * Damaged files of a data directory, while no node runs on it or while one does. Afterwards a node refuses to start, or
 * ends and names the damage, or goes on rightly: every answer is the one of before, or none. `sunup check` says the same.
 * The world then continues on the directory as it was.
 */

import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_FOLDER } from '../../../../src/platform/data-directory.js';
import { openLevelDb } from '../../../../src/platform/leveldb.js';
import { withoutChecksum } from '../../../../src/state/row-checksum.js';
import { askAround } from '../faults/damaged-rows.js';
import { Violation } from '../run/violation.js';
import { firstDifference } from '../users/developers.js';
import { burst } from '../users/transactions.js';
import { type Damage, filesOf, flipped, KINDS, overwrite, position } from './damage-kinds.js';
import type { RealHost, RealUser } from './real-host.js';
import type { RealWorld } from './real-world.js';

const INVARIANT = 'a damaged byte is told and never served';

/** The answers of a node that makes no blocks. */
type Rows = ReadonlyMap<string, Uint8Array>;

interface Known {
  readonly head: number;
  /** Of the directory; undefined: nobody has looked. */
  readonly rows?: Rows | undefined;
  readonly answers: ReadonlyMap<string, string | undefined>;
}

async function know(host: RealHost): Promise<Known> {
  const { world } = host;
  await world.head();
  const head = world.headNumber;
  return { head, answers: await askAround(host, head) };
}

/** A start leaves an empty log, of which nothing could be lost. */
async function fillTheLog(host: RealHost): Promise<void> {
  for (let blocks = 2 + host.world.choices.below(4); blocks > 0; blocks--) {
    await host.world.learn(host.asker);
    await burst(host);
    await host.asker.rpc('/tre', 'evm_mine', []);
  }
}

/** Kinds of damage that one filled directory meets, each for itself: to fill it takes longest. */
const DAMAGES = 3;

export const damageAtRest: RealUser = async (host) => {
  const { world } = host;
  const { choices } = world;
  await end(world, true);
  // Without blocks of the clock, and with nothing pending.
  await mustStartManual(world);
  await fillTheLog(host);
  const isClosed = choices.chance(0.5);
  await end(world, isClosed);
  const whole = world.folder.copy();
  const rows = await rowsOf(whole);
  // As a new process answers: an answer may depend on how long the process runs (wallet/asset-store.ts).
  await mustStartManual(world);
  const known = await know(host);
  await end(world, false);
  world.folder.restore(whole);
  const folder = path.join(world.folder.data, CHAIN_FOLDER);
  for (let count = DAMAGES; count > 0; count--) {
    world.isDamaged = true;
    const damage = await choices.of(KINDS)({ folder, choices });
    if (damage !== undefined) {
      world.fault(damage.what.slice(0, damage.what.indexOf(':')), damage.what);
      await examine(host, damage, { ...known, rows }, isClosed);
    }
    world.isDamaged = false;
    world.folder.restore(whole);
  }
  rmSync(whole, { recursive: true });
};

/** The rows of a directory as LevelDB reads them, without looking for damage. Undefined: it cannot. */
async function rowsOf(directory: string): Promise<Rows | undefined> {
  // What LevelDB puts right when it opens files is no part of them.
  const copy = `${directory}-read`;
  cpSync(directory, copy, { recursive: true });
  try {
    const level = await openLevelDb(copy);
    try {
      return new Map(await level.iterator().all());
    } finally {
      await level.close();
    }
  } catch {
    return undefined;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** @throws Violation a row that a node would read, with another content than before */
function compareRows(damage: Damage, before: Rows, after: Rows): void {
  const readable = (key: string, stored: Uint8Array | undefined) =>
    stored === undefined || withoutChecksum(key, stored) !== undefined;
  const differs = (key: string, stored: Uint8Array | undefined) =>
    readable(key, stored) && Buffer.compare(before.get(key) ?? NO_ROW, stored ?? NO_ROW) !== 0;
  const wrong = [...before.keys(), ...after.keys()].find((key) => differs(key, after.get(key)));
  if (wrong !== undefined) fail(damage, `the node starts, although row ${wrong} is another one, or none`);
}

const NO_ROW = new Uint8Array();

async function examine(host: RealHost, damage: Damage, known: Known, isClosed: boolean): Promise<void> {
  const { world } = host;
  const damaged = world.folder.copy();
  const copy = world.folder.copy();
  const report = await world.run('check', copy, '--replay');
  const isWhole = report.code === 0;
  if (report.code !== 0 && report.code !== 1) fail(damage, `sunup check ended with ${report.code}: ${report.errors}`);
  if (report.code === 1 && /\n {4}at /.test(report.errors)) fail(damage, `sunup check: ${report.errors}`);
  rmSync(copy, { recursive: true });
  const refusal = await world.start('manual');
  if (refusal !== undefined) {
    if (!/damage|is missing/.test(refusal.message) || /\n {4}at /.test(refusal.message))
      fail(damage, `the node refuses to start in other words: ${refusal.message}`);
    world.afterEnd();
    if (isWhole && !wasClosedOtherwise(refusal.message))
      fail(damage, `the node refuses to start, sunup check finds nothing: ${refusal.message}`);
    rmSync(damaged, { recursive: true });
    return;
  }
  if (damage.isForged && isWhole) fail(damage, 'sunup check finds nothing');
  const mayLackTheEnd = damage.isLikeAKill && !isClosed;
  if (!damage.isForged) await compare(host, damage, known, mayLackTheEnd);
  if (!damage.isForged && !mayLackTheEnd && known.rows !== undefined) {
    // Not before the node has found its files whole: LevelDB may end this process on a damaged one.
    const rows = await rowsOf(damaged);
    if (rows !== undefined) compareRows(damage, known.rows, rows);
  }
  rmSync(damaged, { recursive: true });
  await world.process.kill();
  world.afterEnd();
}

/** `sunup check` does not know with which block the chain was closed. */
function wasClosedOtherwise(message: string): boolean {
  return message.includes('but it was closed with');
}

/** @throws Violation an answer that is neither the one of before nor none */
async function compare(host: RealHost, damage: Damage, known: Known, mayLackTheEnd: boolean): Promise<void> {
  const { world } = host;
  const head = await world.head();
  const after = await askAround(host, known.head);
  for (const [question, answer] of after) {
    const before = known.answers.get(question);
    if (answer === undefined || /^500/.test(answer) || withoutNow(answer) === withoutNow(before)) continue;
    if (mayLackTheEnd && !isOfBlock(question, head?.number ?? 0)) continue;
    if (world.process.exit !== undefined) break;
    fail(damage, `${question}: ${firstDifference(before ?? '', answer)}`);
  }
  const { exit, errors } = world.process;
  if (exit !== undefined && (exit.code !== 1 || !errors.includes('is damaged')) && exit.signal !== 'SIGBUS')
    fail(damage, `the node ended with ${JSON.stringify(exit)}: ${errors}`);
  if (exit === undefined && /\n {4}at /.test(errors)) fail(damage, errors);
}

/** Answers of `/v1` have the time of the answer, and the port of the process in the link to the next page. */
function withoutNow(answer: string | undefined): string | undefined {
  return answer?.replace(/"at":\d+/, '').replace(/http:\/\/127\.0\.0\.1:\d+/, '');
}

function isOfBlock(question: string, head: number): boolean {
  const [, number] = /^block (\d+)$/.exec(question) ?? [];
  return number !== undefined && Number(number) <= head;
}

/** A table under a node that runs on it. */
export const damageUnderway: RealUser = async (host) => {
  const { world } = host;
  const { choices } = world;
  await end(world, true);
  await mustStartManual(world);
  const known = await know(host);
  const whole = await world.image();
  world.isDamaged = true;
  const folder = path.join(world.folder.data, CHAIN_FOLDER);
  const [table] = filesOf({ folder, choices }, /\.ldb$/);
  if (table !== undefined) {
    const file = path.join(folder, table);
    const bytes = readFileSync(file);
    const at = position(choices, bytes.length);
    overwrite(file, at, flipped(bytes.subarray(at, at + 1), choices));
    const damage = { what: `flipped under a node: ${table} byte ${at}`, isLikeAKill: false };
    world.fault('flipped under a node', damage.what);
    for (let round = 0; round < ROUNDS && world.process.exit === undefined; round++) {
      await compare(host, damage, known, false);
      await world.pass(300);
    }
  }
  await end(world, false);
  world.isDamaged = false;
  world.folder.restore(whole);
  rmSync(whole, { recursive: true });
};

/** The node looks at its tables every two seconds. */
const ROUNDS = 9;

async function mustStartManual(world: RealWorld): Promise<void> {
  const refusal = await world.start('manual');
  if (refusal !== undefined) throw new Violation('a node starts on what it has stored', refusal.message);
}

async function end(world: RealWorld, inOrder: boolean): Promise<void> {
  if (inOrder) return world.close();
  if (world.process.exit === undefined) await world.process.kill();
  world.afterEnd();
}

function fail(damage: Damage, what: string): never {
  throw new Violation(INVARIANT, `${damage.what}\n${what}`);
}
