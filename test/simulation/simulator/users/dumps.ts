/** Users who save the chain and load it again. A load that fails leaves the chain of before. */

import { gunzipSync } from 'node:zlib';
import type { Choices } from '../../wild-messages.js';
import { isStored, storedRows } from '../disk/stored-rows.js';
import { ERRORS, REMAINS, type Rows } from '../disk/virtual-disk.js';
import { Violation } from '../run/violation.js';
import {
  answersNow,
  differingRows,
  firstDifference,
  hasNewBlock,
  poolNow,
  replacing,
  requireSameRows,
} from './developers.js';
import type { Host, User } from './user.js';

const LOADED = 'a loaded dump is the chain of then';
const REFUSED = 'a load that is refused has not happened';
const CUT_OFF = 'a load that was cut off has not happened';

/** A dump, with the rows and the pool of then. */
export interface Dump {
  /** Unpacked: loading text uses no thread of the machine, so time may pass while it waits for the disk. */
  readonly text: string;
  readonly rows: Rows;
  readonly pool: string;
}

export const dump: User = async (host) => {
  const { world, asker } = host;
  // Packing uses threads, during which no simulated time passes: nothing may wait for a timer.
  world.disk.slowMs = 0;
  await isStored(world);
  const rows = await storedRows(world);
  const pool = await poolNow(host);
  if (!world.isRunning) return;
  let bytes: Uint8Array | undefined;
  await asker.library(
    'dump',
    async () => {
      bytes = await world.devnet.dump();
      return bytes.length;
    },
    { usesThreads: true },
  );
  if (bytes !== undefined && rows !== undefined) world.dump = { text: gunzipSync(bytes).toString(), rows, pool };
};

async function isLoaded({ world, asker }: Host, text: string): Promise<boolean> {
  // A batch for each of thousands of steps, three times.
  world.disk.slowMs = Math.min(world.disk.slowMs, 20);
  const isDone = await replacing({ world }, 0, () => asker.library('load', () => world.devnet.load(Buffer.from(text))));
  if (!world.isRunning || !isDone) return false;
  world.snapshots.clear();
  world.fetched.clear();
  return true;
}

/** Loading a dump gives the chain of then, also if the process ends in the middle: or the chain of before. */
export const load: User = async (host) => {
  const { world } = host;
  const { dump: file } = world;
  if (file === undefined) return;
  const before = await storedRows(world);
  if (!(await isLoaded(host, file.text))) {
    if (!world.isRunning && !world.hasLostPower && before !== undefined) await startAfterCut(host, before, file.rows);
    return;
  }
  const { headNumber } = world.node.chain;
  const rows = await storedRows(world);
  if (rows !== undefined && !hasNewBlock(world, headNumber)) requireSameRows(LOADED, world, file.rows, rows);
  const pool = await poolNow(host);
  if (world.isRunning && !hasNewBlock(world, headNumber) && pool !== file.pool)
    throw new Violation(LOADED, firstDifference(file.pool, pool));
};

async function startAfterCut({ world }: Host, before: Rows, loaded: Rows): Promise<void> {
  await world.startOrRepair();
  if (!world.isRunning || world.node.producer.mode === 'interval') return;
  const rows = await storedRows(world);
  if (rows !== undefined && differingRows(world, loaded, rows).length > 0)
    requireSameRows(CUT_OFF, world, before, rows);
}

/** One of its blocks has another id, or the disk fails on the way. */
export const loadInVain: User = async (host) => {
  const { world } = host;
  const { choices, disk } = world;
  const { dump: file } = world;
  if (file === undefined || world.diskFails || world.miningMode === 'interval') return;
  const before = await presentChain(host);
  const isDamaged = choices.chance(0.6);
  const text = isDamaged ? withWrongId(file.text, choices) : file.text;
  if (!isDamaged || choices.chance(0.3)) {
    world.diskFails = true;
    const after = choices.below(2 * text.split('\n').length);
    disk.faults.push({ what: 'write', error: choices.of(ERRORS), calls: 1, after, remains: choices.of(REMAINS) });
  }
  if (await isLoaded(host, text)) return;
  // The node looks every second whether it can write again.
  if (world.isRunning) await world.pass(3_000);
  const after = world.isRunning ? await presentChain(host) : undefined;
  if (before === undefined || after === undefined) return;
  requireSameRows(REFUSED, world, before.rows, after.rows);
  if (after.answers !== before.answers) throw new Violation(REFUSED, firstDifference(before.answers, after.answers));
};

async function presentChain(host: Host): Promise<{ readonly rows: Rows; readonly answers: string } | undefined> {
  const rows = await storedRows(host.world);
  const answers = rows && (await answersNow(host, host.people.bazaar?.coins[0]));
  return rows && answers && host.world.isRunning ? { rows, answers } : undefined;
}

/** The last id of a line is that of its block. */
function withWrongId(text: string, choices: Choices): string {
  const lines = text.split('\n');
  const steps = lines.flatMap((line, i) => (/^\{"(import|produceEmpty)"/.test(line) ? [i] : []));
  const at = choices.of([...steps, undefined]);
  if (at === undefined) return text;
  const wrong = (_: string, begin: string, last: string) => `"id":"${begin}${last === '0' ? 1 : 0}"`;
  lines[at] = (lines[at] as string).replace(/"id":"(\w{63})(\w)"/, wrong);
  return lines.join('\n');
}
