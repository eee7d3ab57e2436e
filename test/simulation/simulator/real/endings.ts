/**
 * How a process ends in order: by each signal that asks for it, and when nobody reads its output any more. It has told
 * everything, notes that it was closed, and takes a folder of its own with it.
 */

import { existsSync, mkdirSync } from 'node:fs';
import { Violation } from '../run/violation.js';
import { CommandProcess, type ReadyEvent } from './command-process.js';
import { SMALL_NODE } from './command-words.js';
import type { RealUser } from './real-host.js';
import type { RealWorld } from './real-world.js';
import { allEars } from './work.js';

/** Blocks whose news are under way when the process is asked to end. */
const NEWS: readonly number[] = [1, 300, 8_000];

/** Listeners that a node tells everything before it ends: others are cut off. */
const TOLD_TO_THE_END = /event queue|lines of the command/;

/** The event queue and the lines have all blocks, also the last ones. */
export const closedWhileListening: RealUser = async (host) => {
  const { world, asker } = host;
  if ((await allEars(host)) === undefined || world.miningMode === 'interval') return;
  await asker.rpc('/tre', 'hardhat_mine', [`0x${world.choices.of(NEWS).toString(16)}`]);
  const head = await world.head();
  if (head === undefined) return;
  // A node that closes waits some time for those who hold a connection; without them it ends at once.
  world.audience.keepOnly(TOLD_TO_THE_END);
  world.connections.close();
  world.process.terminate(world.endingSignal());
  await world.closed(() => world.audience.untilAllKnow(head));
};

/** `sunup | head`: the node stops when it has something to say. */
export const readerLeaves: RealUser = async ({ world, asker }) => {
  if (world.diskFails) return;
  world.process.stopReading();
  await asker.rpc('/tre', 'evm_mine', []);
  await world.closed();
};

const INVARIANT = 'a folder of its own lasts as long as its node';

/** Nodes without `--db`: each has a folder, which it removes, or another one after it was killed. */
export const withoutDirectory: RealUser = async ({ world }) => {
  const temporary = world.folder.beside('temporary');
  mkdirSync(temporary, { recursive: true });
  const first = await startIn(world, temporary);
  const second = await startIn(world, temporary);
  const isKilled = world.choices.chance(0.5);
  // It looks for folders without a node, at the latest until it has ended.
  await endInOrder(second.process);
  requireFolder(first.folder, true, 'while another node started and ended');
  const answer = await fetch(`${first.url}/wallet/getnowblock`);
  if (!answer.ok) throw new Violation(INVARIANT, `the node answers ${answer.status} ${await answer.text()}`);
  requireFolder(second.folder, false, 'after its node has ended');
  if (isKilled) {
    await first.process.kill();
    const third = await startIn(world, temporary);
    await endInOrder(third.process);
    requireFolder(third.folder, false, 'after its node has ended');
  } else await endInOrder(first.process);
  requireFolder(first.folder, false, isKilled ? 'after its node was killed and another has come' : 'after its end');
};

function requireFolder(folder: string, isThere: boolean, when: string): void {
  if (existsSync(folder) !== isThere)
    throw new Violation(INVARIANT, `${folder} is ${isThere ? 'gone' : 'still there'} ${when}`);
}

async function startIn(world: RealWorld, temporary: string) {
  const machine = { nodeOptions: [], environment: { TMPDIR: temporary } };
  const process = new CommandProcess(world.command, SMALL_NODE, machine);
  const ready: ReadyEvent | undefined = await process.ready;
  if (ready === undefined) throw new Violation(INVARIANT, `a node does not start: ${process.errors}`);
  return { process, url: ready.http.url, folder: ready.dataDirectory.path };
}

export async function endInOrder(process: CommandProcess): Promise<void> {
  process.terminate('SIGTERM');
  const { code, signal } = await process.ended;
  if (code !== 0) throw new Violation('a node can be closed', `it ended with ${code ?? signal}: ${process.errors}`);
}
