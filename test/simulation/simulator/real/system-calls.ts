/**
 * One call of the system ends the process, or fails: the calls that change a file, counted from the start of the process.
 * `strace` changes them, where it is installed and may trace; a signal at a random moment seldom comes between two calls.
 */

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_FOLDER } from '../../../../src/platform/data-directory.js';
import type { Choices } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { CommandProcess } from './command-process.js';
import { SMALL_NODE } from './command-words.js';
import { endInOrder } from './endings.js';
import type { RealUser } from './real-host.js';
import type { RealWorld } from './real-world.js';
import { recover } from './recovery.js';
import { busy } from './work.js';

/** Each in several forms, as the C library of a machine has them. */
export const RENAMES = ['rename', '?renameat', '?renameat2'];
const REMOVALS = ['unlink', '?unlinkat'];
export const FOLDERS = ['mkdir', '?mkdirat'];
const SYNCS = ['fsync', 'fdatasync'];

/** Of a kind of calls, one of the first is chosen: a start has few of most kinds. */
type Kinds = readonly (readonly [calls: readonly string[], first: number])[];

/**
 * Without those that read the program itself, or wake one of its threads: a runtime that cannot do these ends without a
 * word of the node.
 */
const FAILING: Kinds = [
  [RENAMES, 6],
  [REMOVALS, 6],
  [FOLDERS, 8],
  [SYNCS, 12],
];
const ENDING: Kinds = [...FAILING, [['openat'], 60], [['write'], 120], [['write'], 800]];

const ERRORS = ['EIO', 'ENOSPC', 'EDQUOT', 'EACCES'] as const;

const STARTS = 'a node starts on what it has stored';

/** The words before a command whose calls are changed. */
export function strace(calls: readonly string[], what: string): readonly string[] {
  const set = calls.join(',');
  return ['strace', '-D', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${set}`, '-e', `inject=${set}:${what}`];
}

/** Asked for once: not each machine has it, and not each lets it trace. */
let canTrace: boolean | undefined;

export function isTracing(): boolean {
  canTrace ??= spawnSync('strace', [...strace(['fsync'], 'error=EIO').slice(1), 'true']).status === 0;
  return canTrace;
}

/** A node in a new directory gets as far as it comes; the next one has the chain, or begins it. */
export const changedFromTheStart: RealUser = async ({ world }) => {
  const { choices, folder } = world;
  if (!isTracing()) return;
  const directory = folder.beside('begun');
  const words = [...SMALL_NODE, '--db', directory];
  const tracer = choices.chance(0.7) ? ending(choices) : failing(choices);
  const begun = new CommandProcess(world.command, words, { nodeOptions: [], environment: {}, tracer });
  if ((await begun.ready) !== undefined) begun.terminate('SIGTERM');
  const { code, signal } = await begun.ended;
  if (signal !== 'SIGKILL' && code !== 0) requireNamed(begun.errors);
  const next = new CommandProcess(world.command, words);
  if ((await next.ready) === undefined) throw new Violation(STARTS, next.errors);
  await endInOrder(next);
  rmSync(directory, { recursive: true });
};

/** @throws Violation a refusal whose reason no user could understand, or that speaks of damage, which there is not */
function requireNamed(errors: string): void {
  if (!/^error: option '--db' is (?!damaged)/.test(errors)) throw new Violation('no error without a name', errors);
}

/** The next process starts, works, and ends, as far as it comes. */
export const killedAtCall: RealUser = async (host) => {
  const { world } = host;
  const { choices, machine } = world;
  if (!isTracing() || world.diskFails) return;
  await world.close();
  machine.tracer = ending(choices);
  const refusal = await world.start();
  machine.tracer = [];
  const { process } = world;
  process.mayBeKilled = true;
  if (refusal === undefined) {
    world.told.startedAgain();
    if ((await world.head()) !== undefined) await busy(host);
    process.terminate('SIGTERM');
  }
  const { code, signal } = await process.ended;
  const what = refusal === undefined ? 'a node can be closed' : STARTS;
  if (signal !== 'SIGKILL' && (refusal !== undefined || code !== 0))
    throw new Violation(what, `it ended with ${code ?? signal}: ${process.errors}`);
  world.afterEnd();
};

function ending(choices: Choices): readonly string[] {
  const [calls, first] = choices.of(ENDING);
  return strace(calls, `signal=KILL:when=${1 + choices.below(first)}`);
}

function failing(choices: Choices): readonly string[] {
  const [calls, first] = choices.of(FAILING);
  return strace(calls, `error=${choices.of(ERRORS)}:when=${1 + choices.below(first)}`);
}

/** The node reads its log, and then LevelDB does, in parts of 32 kB. */
function readingLog({ choices, folder }: RealWorld): readonly string[] {
  const chain = path.join(folder.data, CHAIN_FOLDER);
  const logs = readdirSync(chain).filter((name) => name.endsWith('.log'));
  const tracer = strace(['read'], `error=EIO:when=${1 + choices.below(12)}`);
  return [...tracer, ...logs.flatMap((log) => ['-P', path.join(chain, log)])];
}

/** It goes on, or ends and says why; the next process finds everything. */
export const refusedCall: RealUser = async (host) => {
  const { world } = host;
  const { choices, machine } = world;
  if (!isTracing() || world.diskFails) return;
  await world.close();
  machine.tracer = choices.chance(0.3) ? readingLog(world) : failing(choices);
  const refusal = await world.start();
  machine.tracer = [];
  if (refusal === undefined) {
    world.told.startedAgain();
    world.diskFails = true;
    if ((await world.head()) !== undefined) await busy(host);
    if (world.isRunning) await recover(world);
    world.checkProcess();
    world.diskFails = true;
    await world.close();
  } else {
    requireNamed(refusal.message);
    world.afterEnd();
  }
};
