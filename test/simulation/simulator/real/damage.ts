/**
 * Damaged files of a data directory, while no node runs on it or while one does. Afterwards a node refuses to start, or
 * ends and names the damage, or goes on rightly: every answer is the one of before, or none. `sunup check` says the same.
 * The world then continues on the directory as it was.
 */

import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { openLevelDb } from '../../../../src/platform/leveldb.js';
import { withChecksum, withoutChecksum } from '../../../../src/state/row-checksum.js';
import type { Choices } from '../../wild-messages.js';
import { askAround } from '../faults/damaged-rows.js';
import { Violation } from '../run/violation.js';
import { firstDifference } from '../users/developers.js';
import { burst } from '../users/transactions.js';
import type { RealHost, RealUser } from './real-host.js';
import type { RealWorld } from './real-world.js';

const INVARIANT = 'a damaged byte is told and never served';

interface Damage {
  readonly what: string;
  /** It looks like the end that a kill leaves: of a chain that was not closed in order, the last writes may be gone. */
  readonly isLikeAKill: boolean;
  /**
   * The checksums of LevelDB's files fit, so a row under another key is missing at its own: no read can tell. `sunup
   * check` finds it, and rows that a start reads are refused.
   */
  readonly isForged?: boolean;
}

interface Place {
  /** The folder of LevelDB's files. */
  readonly folder: string;
  readonly choices: Choices;
}

type Kind = (place: Place) => Promise<Damage | undefined> | Damage | undefined;

/** Files with a content, of which any may be damaged. */
function filesOf({ folder }: Place, pattern = /^(CURRENT|MANIFEST-\d+|\d+\.(ldb|log))$/): readonly string[] {
  return readdirSync(folder).filter((name) => pattern.test(name) && statSync(path.join(folder, name)).size > 0);
}

/** The end of the chain is in the log, and most of it in tables; of both there may be one or many files. */
const SORTS: readonly RegExp[] = [/\.log$/, /\.log$/, /\.ldb$/, /\.ldb$/, /^(CURRENT|MANIFEST-)/];

function anyFileOf(place: Place): string | undefined {
  const files = filesOf(place);
  const sort = place.choices.of(SORTS);
  const ofSort = files.filter((name) => sort.test(name));
  return files.length === 0 ? undefined : place.choices.of(ofSort.length === 0 ? files : ofSort);
}

/** Overwrites a part of a file in its place, so that a node that has it open sees it. */
function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

function isLog(name: string): boolean {
  return name.endsWith('.log');
}

/** Where the last record of a log begins; records are in blocks of 32 kB. */
function lastRecordAt(log: Buffer): number {
  const [blockBytes, headerBytes] = [32_768, 7];
  let last = 0;
  for (let at = 0; at + headerBytes <= log.length; ) {
    const left = blockBytes - (at % blockBytes);
    if (left < headerBytes) at += left;
    else {
      last = at;
      at += headerBytes + log.readUInt16LE(at + 4);
    }
  }
  return last;
}

/** Somewhere in a file, often near one of its ends, where its structure is. */
function position(choices: Choices, size: number): number {
  const near = choices.below(Math.min(size, 200));
  return choices.of([choices.below(size), near, size - 1 - near]);
}

const flipBits: Kind = (place) => {
  const { folder, choices } = place;
  const flips: string[] = [];
  let isLikeAKill = false;
  for (let count = 1 + choices.below(3); count > 0; count--) {
    const name = anyFileOf(place);
    if (name === undefined) return undefined;
    const bytes = readFileSync(path.join(folder, name));
    const [at, bit] = [position(choices, bytes.length), choices.below(8)];
    overwrite(path.join(folder, name), at, Uint8Array.of((bytes[at] as number) ^ (1 << bit)));
    flips.push(`${name} byte ${at} bit ${bit}`);
    // The length of the last record may grow beyond the file: then it looks torn.
    isLikeAKill ||= isLog(name) && at >= lastRecordAt(bytes);
  }
  return { what: `flipped: ${flips.join(', ')}`, isLikeAKill };
};

/** A hole of zeros, or other bytes, in the middle of a file. */
function overwritePart(what: string, make: (choices: Choices, length: number) => Uint8Array): Kind {
  return (place) => {
    const { folder, choices } = place;
    const name = anyFileOf(place);
    if (name === undefined) return undefined;
    const { size } = statSync(path.join(folder, name));
    const at = position(choices, size);
    const length = Math.min(size - at, 1 + choices.below(choices.of([16, 512, 4_096, 40_000])));
    overwrite(path.join(folder, name), at, make(choices, length));
    return {
      what: `${what}: ${name} from ${at}, ${length} of ${size} bytes`,
      isLikeAKill: isLog(name) && at + length >= size,
    };
  };
}

const truncate: Kind = (place) => {
  const { folder, choices } = place;
  const name = anyFileOf(place);
  if (name === undefined) return undefined;
  const { size } = statSync(path.join(folder, name));
  const left = position(choices, size);
  truncateSync(path.join(folder, name), left);
  return { what: `truncated: ${name} to ${left} of ${size} bytes`, isLikeAKill: isLog(name) };
};

const remove: Kind = (place) => {
  const name = anyFileOf(place);
  if (name === undefined) return undefined;
  rmSync(path.join(place.folder, name));
  return { what: `removed: ${name}`, isLikeAKill: false };
};

/** A misdirected write: a table has the bytes of another. */
const exchange: Kind = (place) => {
  const tables = filesOf(place, /\.ldb$/);
  if (tables.length < 2) return undefined;
  const one = place.choices.below(tables.length);
  const other = (one + 1) % tables.length;
  const [from, to] = [tables[one] as string, tables[other] as string];
  writeFileSync(path.join(place.folder, to), readFileSync(path.join(place.folder, from)));
  return { what: `exchanged: ${to} has the bytes of ${from}`, isLikeAKill: false };
};

interface Row {
  readonly key: string;
  readonly stored: Uint8Array;
}

/** A row is changed through LevelDB, so that its files are whole. */
function changeRow(what: string, change: (row: Row, choices: Choices) => Row): Kind {
  return async ({ folder, choices }) => {
    const level = await openLevelDb(path.dirname(folder));
    try {
      const keys = (await level.keys().all()).filter((key) => /^(a|x1|b|c|d|s|pre|h|v|w|pl|meta):/.test(key));
      const key = choices.of(keys);
      const changed = change({ key, stored: Buffer.from(level.getSync(key) as Uint8Array) }, choices);
      await level.batch().del(key).put(changed.key, changed.stored).write();
      return { what: `${what}: row ${key}`, isLikeAKill: false, isForged: changed.key !== key };
    } finally {
      await level.close();
    }
  };
}

function flipped(bytes: Uint8Array, choices: Choices): Buffer {
  const copy = Buffer.from(bytes);
  const bit = choices.below(copy.length * 8);
  copy[bit >>> 3]! ^= 1 << (bit & 7);
  return copy;
}

function otherKey(key: string, choices: Choices): string {
  const at = key.indexOf(':') + 1 + choices.below(Math.max(1, key.length - key.indexOf(':') - 1));
  const digit = choices.of(['0', '1', '7', 'f'].filter((one) => one !== key[at]));
  return key.slice(0, at) + digit + key.slice(at + 1);
}

const KINDS: readonly Kind[] = [
  flipBits,
  flipBits,
  overwritePart('zeroed', (_, length) => new Uint8Array(length)),
  overwritePart('overwritten', (choices, length) => Uint8Array.from({ length }, () => choices.below(256))),
  truncate,
  truncate,
  remove,
  exchange,
  changeRow('flipped a bit', ({ key, stored }, choices) => ({ key, stored: flipped(stored, choices) })),
  changeRow('changed the key', ({ key, stored }, choices) => ({ key: otherKey(key, choices), stored })),
  changeRow('changed the key and its checksum', ({ key, stored }, choices) => {
    const other = otherKey(key, choices);
    return { key: other, stored: withChecksum(other, withoutChecksum(key, stored) ?? stored) };
  }),
];

/** The answers of a node that makes no blocks. */
interface Known {
  readonly head: number;
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
  for (let blocks = 1 + host.world.choices.below(4); blocks > 0; blocks--) {
    await host.world.learn(host.asker);
    await burst(host);
    await host.asker.rpc('/tre', 'evm_mine', []);
  }
}

export const damageAtRest: RealUser = async (host) => {
  const { world } = host;
  const { choices } = world;
  await end(world, true);
  // Without blocks of the clock, and with nothing pending.
  await mustStartManual(world);
  await fillTheLog(host);
  const known = await know(host);
  const isClosed = choices.chance(0.5);
  await end(world, isClosed);
  const whole = world.folder.copy();
  world.isDamaged = true;
  const folder = path.join(world.folder.data, 'chain');
  const damage = await choices.of(KINDS)({ folder, choices });
  if (damage !== undefined) {
    world.fault(damage.what.slice(0, damage.what.indexOf(':')), damage.what);
    await examine(host, damage, known, isClosed);
  }
  world.isDamaged = false;
  world.folder.restore(whole);
  rmSync(whole, { recursive: true });
};

async function examine(host: RealHost, damage: Damage, known: Known, isClosed: boolean): Promise<void> {
  const { world } = host;
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
    return;
  }
  if (damage.isForged && isWhole) fail(damage, 'sunup check finds nothing');
  if (!damage.isForged) await compare(host, damage, known, damage.isLikeAKill && !isClosed);
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
  const folder = path.join(world.folder.data, 'chain');
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
