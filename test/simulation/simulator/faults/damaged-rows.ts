/** A row that cannot be read, or has other bytes: it is told, and never served. */

import type { Choices } from '../../wild-messages.js';
import { isStored } from '../disk/stored-rows.js';
import { ERRORS } from '../disk/virtual-disk.js';
import { Violation } from '../run/violation.js';
import type { Host, SharedHost } from '../users/user.js';

/** Rows that are damaged one after the other. */
const MOST_AT_ONCE = 6;

/** Requests wait for a network that does not answer, and blocks of the clock are made meanwhile. */
const isWaiting = ({ network }: Host['world']): boolean => network.faults.length > 0;

/**
 * Questions about a row whose bytes have changed, under a running node or between two runs: an answer is the one of
 * before, or none.
 */
export async function damageRow(host: Host): Promise<void> {
  const { world } = host;
  const { choices } = world;
  if (world.diskFails || isWaiting(world) || !(await isStored(world))) return;
  // Both runs begin without what was pending.
  world.crash('kill');
  await world.mustStart();
  const { database } = world.process.folder;
  if (database === undefined) return;
  const head = world.headNumber;
  database.reads = new Set();
  const before = await askAround(host, head);
  if (!world.isRunning) return;
  // Most often a row that answers the questions: any of them, or those of small tables as often as those of large ones.
  const asked = choices.chance(0.8) ? [...database.reads] : database.keys();
  database.reads = undefined;
  for (let times = asked.length === 0 ? 0 : 1 + choices.below(MOST_AT_ONCE); times > 0; times--) {
    if (!world.isRunning) await world.mustStart();
    await damageOne(host, asked, { head, before });
  }
}

/** What was answered before, up to a head. */
interface Known {
  readonly head: number;
  readonly before: ReadonlyMap<string, string | undefined>;
}

/** The process has ended afterwards, and the row is whole again. @param asked from which a row is chosen */
async function damageOne(host: Host, asked: readonly string[], { head, before }: Known): Promise<void> {
  const { world } = host;
  const { choices } = world;
  const { database } = world.process.folder;
  const keys = choices.chance(0.5) ? asked : choices.of(byTable(asked));
  const key = choices.of(keys);
  const whole = database?.getSync(key);
  if (database === undefined || whole === undefined) return;
  const other = choices.chance(0.3) ? choices.of(keys) : key;
  const value = other === key ? flipped(whole, choices) : (database.getSync(other) as Uint8Array);
  const what = other === key ? 'has a flipped bit' : `has the bytes of ${other}`;
  world.fault('damaged', `${key} ${what}`);
  let isTold = false;
  if (choices.chance(0.4)) database.damage(key, value);
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
    throw new Violation('a damaged byte is told and never served', `${key} ${what}: ${question} gave ${answer}`);
  }
  if (world.isRunning) world.crash('kill');
  world.disk.replace(key, whole);
}

function byTable(keys: readonly string[]): readonly (readonly string[])[] {
  const tables = new Map<string, string[]>();
  for (const key of keys) {
    const prefix = key.slice(0, key.indexOf(':') + 1);
    tables.set(prefix, [...(tables.get(prefix) ?? []), key]);
  }
  return [...tables.values()];
}

function flipped(bytes: Uint8Array, choices: Choices): Uint8Array {
  const value = Buffer.from(bytes);
  const bit = choices.below(value.length * 8);
  value[bit >>> 3]! ^= 1 << (bit & 7);
  return value;
}

/** A read fails under a running node: an answer is the one of before, or none, and a new process works. */
export async function failRead(host: Host): Promise<void> {
  const { world } = host;
  if (world.diskFails || isWaiting(world) || !(await isStored(world))) return;
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
