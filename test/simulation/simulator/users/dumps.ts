/** Users who save the chain and load it again. A load that fails leaves the chain of before. */

import { gunzipSync } from 'node:zlib';
import { COUNTS_CREATIONS } from '../../../../src/ledger/accounts/ethereum.js';
import { numberKey, TABLES } from '../../../../src/state/tables.js';
import type { Choices } from '../../wild-messages.js';
import { isStored, storedRows } from '../disk/stored-rows.js';
import { ERRORS, REMAINS, type Rows } from '../disk/virtual-disk.js';
import { Violation } from '../run/violation.js';
import type { Answer } from './asker.js';
import {
  answersNow,
  differingRows,
  firstDifference,
  hasNewBlock,
  poolNow,
  replacing,
  requireSameAnswers,
  requireSameRows,
} from './developers.js';
import { transact } from './transactions.js';
import type { Host, User } from './user.js';

const LOADED = 'a loaded dump is the chain of then';
const REFUSED = 'a load that is refused has not happened';
const CUT_OFF = 'a load that was cut off has not happened';

/** A dump, with the rows and the pool of then. */
export interface Dump {
  /** Unpacked: loading text uses no thread of the machine, so time may pass while it waits for the disk. */
  readonly text: string;
  readonly headNumber: number;
  readonly rows: Rows;
  readonly pool: string;
  readonly end: End;
}

/** What a dump has beside rows and pool: the time, and the view of `/walletsolidity`. */
interface End {
  /** Of a clock that runs: how far it is ahead. */
  readonly clock: { readonly runs: boolean; readonly ms: bigint };
  /** A lag is a setting of the node, and no part of a dump. */
  readonly lag: unknown;
  readonly solid: string | undefined;
}

async function endNow({ world, asker }: Host): Promise<End | undefined> {
  const solid = await asker.post('/walletsolidity/getnowblock', {});
  if (!world.isRunning) return undefined;
  const { clock, chain } = world.node;
  const { runs } = clock;
  return { clock: { runs, ms: runs ? clock.offsetMs() : clock.nowMs() }, lag: chain.solidityLag, solid };
}

/** @returns what is another one now */
function differingEnd({ world }: Host, then: End, now: End): string | undefined {
  const { clock, chain } = world.node;
  const nowMs = clock.nowMs();
  const saidMs = clock.runs ? nowMs - clock.offsetMs() + then.clock.ms : then.clock.ms;
  // No clock is behind its chain; one that runs may have gone on since it was moved there.
  const leastMs = saidMs < chain.headTimeMs ? chain.headTimeMs : saidMs;
  const isWrong = clock.runs ? nowMs < leastMs : nowMs !== leastMs;
  if (then.clock.runs === now.clock.runs && isWrong)
    return `the clock has to be at ${leastMs} ms, and is at ${nowMs} ms`;
  if (then.lag !== now.lag || then.solid === now.solid) return undefined;
  return firstDifference(then.solid ?? '', now.solid ?? '');
}

/** No call of the disk is to fail either. */
function nothingCanFail({ isQuiet, disk }: Host['world']): boolean {
  return isQuiet && disk.faults.length === 0 && disk.onCall === undefined;
}

export const dump: User = async (host) => {
  const { world, asker, people } = host;
  const { choices, disk } = world;
  // Packing uses threads, during which no simulated time passes: nothing may wait for a timer.
  disk.slowMs = 0;
  await isStored(world);
  if (!world.isRunning) return;
  const { headNumber } = world;
  const rows = await storedRows(world);
  const pool = await poolNow(host);
  if (!world.isRunning) return;
  let bytes: Uint8Array | undefined;
  await asker.library(
    'dump',
    async () => {
      const dumping = world.devnet.dump();
      // It is of its moment, not of the decree's, which comes between two parts of a long one. Calls of the disk come in an
      // order that threads decide: none may be one that fails.
      if (choices.chance(0.5) && nothingCanFail(world)) {
        world.amountsChanged = true;
        await new Promise(setImmediate);
        await world.devnet.setBalance(people.text(choices.below(6)), choices.below(1_000_000));
      }
      bytes = await dumping;
      return bytes.length;
    },
    { usesThreads: true },
  );
  const end = world.isRunning ? await endNow(host) : undefined;
  if (bytes === undefined || rows === undefined || end === undefined || world.headNumber !== headNumber) return;
  world.dump = { text: gunzipSync(bytes).toString(), headNumber, rows, pool, end };
};

/** A dump that is asked for while blocks are made is of the moment after them. */
export const dumpBehindBlocks: User = async ({ world, asker }) => {
  if (!nothingCanFail(world)) return;
  world.disk.slowMs = 0;
  let text: string | undefined;
  await asker.library(
    'dump behind blocks',
    async () => {
      const mining = world.devnet.mine(1 + world.choices.below(3));
      const dumping = world.devnet.dump();
      await mining;
      const bytes = await dumping;
      text = gunzipSync(bytes).toString();
      return bytes.length;
    },
    { usesThreads: true },
  );
  if (text === undefined || !world.isQuiet || text.includes(world.node.chain.headId)) return;
  throw new Violation(LOADED, `a dump was asked for after block ${world.headNumber}, which it does not have`);
};

/** The last one that was made, or one of now. */
async function someDump(host: Host): Promise<Host['world']['dump']> {
  const { world } = host;
  if (world.dump === undefined) await dump(host);
  if (world.isRunning && world.choices.chance(0.5)) await transact(host);
  return world.isRunning ? world.dump : undefined;
}

async function isLoaded({ world, asker }: Host, text: string, isGood = false): Promise<boolean> {
  const { disk } = world;
  const isWell = () => world.isWell && disk.onCall === undefined;
  const mustLoad = isGood && isWell();
  // A batch for each of thousands of steps, three times.
  disk.slowMs = Math.min(disk.slowMs, 20);
  let answer: Answer;
  const isDone = await replacing({ world }, 0, async () => {
    answer = await asker.library('load', () => world.devnet.load(Buffer.from(text)));
    return answer;
  });
  // The chain of before is made again for one that is refused: snapshots are of commits that are gone.
  world.snapshots.clear();
  if (mustLoad && isWell() && !isDone) throw new Violation(LOADED, `it is refused: ${answer}`);
  if (!world.isRunning || !isDone) return false;
  world.fetched.clear();
  return true;
}

/** Loading a dump gives the chain of then, also if the process ends in the middle: or the chain of before. */
export const load: User = async (host) => {
  const { world } = host;
  const { dump: file } = world;
  if (file === undefined) return;
  const before = await storedRows(world);
  const { keptChains, lies } = world.disk;
  if (!(await isLoaded(host, file.text, true))) {
    // Before the chain of before is kept, a loss of power may take its last blocks.
    const isWhole = !world.hasLostPower || (!lies && world.disk.keptChains > keptChains);
    if (!world.isRunning && before !== undefined && isWhole) await startAfterCut(host, before, file.rows);
    return;
  }
  const { headNumber } = file;
  const rows = await storedRows(world);
  if (rows !== undefined && !hasNewBlock(world, headNumber)) requireSameRows(LOADED, world, file.rows, rows);
  const pool = await poolNow(host);
  if (world.isRunning && !hasNewBlock(world, headNumber) && pool !== file.pool)
    throw new Violation(LOADED, firstDifference(file.pool, pool));
  const end = world.isRunning ? await endNow(host) : undefined;
  const wrong = end && !hasNewBlock(world, headNumber) ? differingEnd(host, file.end, end) : undefined;
  if (wrong !== undefined) throw new Violation(LOADED, wrong);
};

/** The chain and its time go on after the dump, and are put back. */
export const dumpAndLoad: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  // A time between two blocks makes the next one relax the rules.
  if (choices.chance(0.4))
    await asker.library('mine', () => world.devnet.mine({ advanceMs: 1 + choices.below(20_000) }));
  if (choices.chance(0.5)) await asker.library('increaseTime', () => world.devnet.increaseTime(choices.below(10_000)));
  if (!world.isRunning) return;
  await dump(host);
  if (!world.isRunning) return;
  if (choices.chance(0.5)) await transact(host);
  if (choices.chance(0.5)) await asker.library('increaseTime', () => world.devnet.increaseTime(choices.below(10_000)));
  if (world.isRunning) await load(host);
};

/** A start turns on what its options say, if somebody has turned it off. */
const TURNED_ON_ROW = TABLES.ownNumbers.prefix + COUNTS_CREATIONS;

/** Of a chain without a block of its own, a start makes the first ones, as options say. */
function hasOwnBlock({ node }: Host['world'], rows: Rows): boolean {
  const { prefix } = TABLES.blocks;
  const first = prefix + numberKey(node.chain.config.beginsAt);
  return [...rows.keys()].some((key) => key.startsWith(prefix) && key > first);
}

async function startAfterCut({ world }: Host, before: Rows, loaded: Rows): Promise<void> {
  if (![before, loaded].every((rows) => hasOwnBlock(world, rows))) return void (await world.startOrRepair());
  const isTurnedOn = world.shape.options.createNonces && ![before, loaded].every((rows) => rows.has(TURNED_ON_ROW));
  const isKept = world.disk.beforeLoad !== undefined;
  await world.startOrRepair();
  if (!world.isRunning || world.node.producer.mode === 'interval' || isTurnedOn) return;
  const rows = await storedRows(world);
  if (rows !== undefined && (isKept || differingRows(world, loaded, rows).length > 0))
    requireSameRows(CUT_OFF, world, before, rows);
}

/** The process, or the machine, ends anywhere in a load. */
export const loadCutOff: User = async (host) => {
  const { choices, disk } = host.world;
  const file = await someDump(host);
  if (file === undefined) return;
  const how = choices.of(['kill', 'power'] as const);
  const { keptChains } = disk;
  const last = disk.calls + choices.below(6 * file.text.split('\n').length);
  // Of the power, this is the moment: what follows is synced, and takes with it what was not.
  const isWhenDone = choices.chance(how === 'power' ? 0.6 : 0.2);
  disk.onCall = () => {
    const isDone = disk.keptChains > keptChains && disk.beforeLoad === undefined;
    if (isWhenDone ? isDone : disk.calls >= last) host.world.crash(how);
  };
  await load(host);
  disk.onCall = undefined;
};

const WRONG = ['id', 'id', 'id and disk', 'disk', 'disk', 'end'] as const;

/** One of its blocks has another id, or the disk fails on the way, or at its end. */
export const loadInVain: User = async (host) => {
  const { world } = host;
  const { choices, disk } = world;
  const file = await someDump(host);
  if (file === undefined || !world.isRunning || world.diskFails || world.miningMode === 'interval') return;
  const before = await presentChain(host);
  const wrong = choices.of(WRONG);
  const text = wrong.startsWith('id') ? withWrongId(file.text, choices) : file.text;
  world.diskFails = wrong !== 'id';
  if (wrong === 'end') failToRemove(world);
  else if (wrong !== 'id') {
    // The file of the kept chain is written in large parts.
    const what = choices.of(['write', 'file'] as const);
    const after = choices.below(what === 'file' ? 4 : 2 * text.split('\n').length);
    disk.faults.push({ what, error: choices.of(ERRORS), calls: 1, after, remains: choices.of(REMAINS) });
  }
  const isDone = await isLoaded(host, text);
  disk.onCall = undefined;
  if (isDone) return staysAfterRestart(host);
  // The node looks every second whether it can write again.
  if (world.isRunning) await world.pass(3_000);
  const after = world.isRunning ? await presentChain(host) : undefined;
  if (before === undefined || after === undefined) return;
  requireSameRows(REFUSED, world, before.rows, after.rows);
  requireSameAnswers(REFUSED, before.answers, after.answers);
};

/** The chain of before is kept in a file, which is not removed at first. */
function failToRemove({ choices, disk }: Host['world']): void {
  const { keptChains } = disk;
  const error = choices.of(ERRORS);
  disk.onCall = () => {
    if (disk.keptChains === keptChains) return;
    disk.onCall = undefined;
    disk.faults.push({ what: 'file', error, calls: 1, remains: 'nothing' });
  };
}

/** What a load replaced does not come back with the next start, also if its file could not be deleted at first. */
async function staysAfterRestart({ world }: Host): Promise<void> {
  world.repairDisk();
  // The node looks every second whether it can write again.
  if (world.isRunning) await world.pass(3_000);
  if (!world.isRunning || !(await isStored(world))) return;
  const rows = await storedRows(world);
  if (rows === undefined || !hasOwnBlock(world, rows)) return;
  const { headId } = world.node.chain;
  await world.restart();
  if (world.isRunning && world.node.chain.headId !== headId)
    throw new Violation(LOADED, `the head was ${headId}, and is ${world.node.chain.headId} after a restart`);
}

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
