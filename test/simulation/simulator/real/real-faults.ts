/** The faults of a real machine: signals at any moment, a full disk, no more files, other processes, damaged files. */

import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_FOLDER } from '../../../../src/platform/data-directory.js';
import { bytesToHex } from '../../../../src/primitives/hex.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import type { Fault } from '../faults/faults.js';
import { toldBlocksAreThere, toldTransactionsAreThere } from '../invariants/stored.js';
import { Violation } from '../run/violation.js';
import { damageAtRest, damageUnderway } from './damage.js';
import { closedWhileListening, readerLeaves } from './endings.js';
import { coldOf } from './machine-folder.js';
import type { RealUser } from './real-host.js';
import { within } from './real-world.js';
import { changedFromTheStart, killedAtCall, refusedCall } from './system-calls.js';
import { afterHearing, allEars, busy, rememberNews, SLOW_MS } from './work.js';

/** A node that closes waits so long for requests under way (`http/server.ts`), then it cuts them: on a busy machine. */
const CLOSE_GRACE_MS = 2_000;
/** On a busy machine; one is due each half second. */
const LONGEST_WAIT_FOR_A_BLOCK_MS = 60_000;

const killedAtWork: RealUser = async (host) => {
  const { world } = host;
  const { choices } = world;
  const since = await allEars(host);
  world.slowDisk(choices.of([0, ...SLOW_MS]));
  const work = busy(host);
  await afterHearing(host, choices.below(60), work);
  await world.process.kill();
  rememberNews(host, since);
  world.afterEnd();
  await work;
};

const killedAtStart: RealUser = async ({ world }) => {
  await world.close();
  const process = world.launch();
  await world.pass(world.choices.below(300));
  await process.kill();
  world.afterEnd();
};

const killedAtEnd: RealUser = async ({ world }) => {
  const { process } = world;
  process.terminate(world.endingSignal());
  await world.pass(world.choices.below(40));
  await process.kill();
  world.afterEnd();
};

/** What a kill at this moment would leave has everything that anybody was told. */
const copiedAtWork: RealUser = async (host) => {
  const { world } = host;
  const since = await allEars(host);
  world.slowDisk(world.choices.of([0, ...SLOW_MS]));
  const work = busy(host);
  await afterHearing(host, world.choices.below(60), work);
  rememberNews(host, since);
  const told = world.told.copy();
  const copy = await world.image();
  await work;
  if (!world.isRunning) return;
  const cold = await coldOf(copy);
  const report = await world.run('check', copy, '--json');
  rmSync(copy, { recursive: true });
  await toldBlocksAreThere({ world: { told } }, async () => cold);
  await toldTransactionsAreThere({ world: { told } }, async () => cold);
  if (report.code !== 0)
    throw new Violation('sunup check agrees with the node', `a copy at work: ${report.output}${report.errors}`);
};

/** A loss of power at this moment could leave any beginning of the log: a whole chain, on which the node goes on. */
const powerFails: RealUser = async (host) => {
  const { world } = host;
  const work = busy(host);
  await afterHearing(host, world.choices.below(60), work);
  const copy = await world.image();
  await work;
  if (!world.isRunning) return;
  for (const log of readdirSync(path.join(copy, CHAIN_FOLDER)).filter((name) => name.endsWith('.log'))) {
    const file = path.join(copy, CHAIN_FOLDER, log);
    truncateSync(file, world.choices.below(statSync(file).size + 1));
  }
  const report = await world.run('check', copy, '--json', '--replay');
  // Nothing is left if the log had the whole chain: then a node begins it anew.
  if (report.code !== 0 && !report.errors.includes('whose database is empty'))
    throw new Violation('sunup check agrees with the node', `without power: ${report.output}${report.errors}`);
  await world.crash('kill');
  world.folder.restore(copy);
  rmSync(copy, { recursive: true });
  // Nobody was promised that unsynced blocks survive the power.
  world.told.forgetAbove(0);
  world.amountsChanged = true;
};

const frozen: RealUser = async (host) => {
  const { world } = host;
  const work = busy(host);
  await world.process.freeze();
  await world.pass(300);
  world.process.thaw();
  await work;
};

/** A request is answered, or it has done nothing. */
const closedAtWork: RealUser = async (host) => {
  const { world, people } = host;
  const { connections, process } = world;
  const isInstant = world.miningMode === 'instant';
  const transactions = Array.from({ length: 16 }, (_, i) => {
    const fields = { owner_address: people.address(i % 6), to_address: people.address((i + 1) % 6), amount: 1n };
    return people.send(ContractType.TransferContract, fields).transaction;
  });
  const unanswered: string[] = [];
  const answered: string[] = [];
  let left = transactions.length;
  const all = transactions.map(async (transaction) => {
    const body = JSON.stringify({ transaction: bytesToHex(transaction.encode()) });
    try {
      const answer = await connections.http('POST', '/wallet/broadcasthex', body, true);
      if (/"result": ?true/.test(answer)) answered.push(transaction.txId);
    } catch {
      unanswered.push(transaction.txId);
    }
    left--;
  });
  const enough = world.choices.below(8);
  // Some may be refused.
  while (answered.length < enough && left > 0) await new Promise(setImmediate);
  const sinceMs = Date.now();
  process.terminate(world.endingSignal());
  await Promise.all(all);
  await world.closed();
  const isCut = Date.now() - sinceMs >= CLOSE_GRACE_MS;
  await world.mustStart();
  if (!isInstant || isCut) return;
  const head = await world.head();
  for (const txId of answered) world.told.transaction(txId, head?.number ?? 0);
  for (const txId of unanswered) {
    const info = await host.asker.post('/wallet/gettransactioninfobyid', { value: txId });
    if (info?.includes('"blockNumber"'))
      throw new Violation('a node that closes answers what it has done', `${txId} is in a block, and had no answer`);
  }
};

const secondProcess: RealUser = async ({ world }) => {
  for (const words of [world.words(), ['check', world.folder.data]]) {
    const { code, errors } = await world.run(...words);
    if (code !== 1 || !errors.includes('is in use by another process'))
      throw new Violation('a second process is refused', `${words[0]}: ${code} ${errors}`);
  }
};

/** Whose request meets it first is told so, on every interface. */
const fullDisk: RealUser = async (host) => {
  const { world } = host;
  if (!world.folder.isMounted) return;
  world.diskFails = true;
  world.folder.fill(world.choices.of([0, 0, 4_096, 65_536]));
  await busy(host);
};

/** Until the next look at everything. */
const slowDisk: RealUser = async ({ world }) => world.slowDisk(world.choices.of(SLOW_MS));

const clockJumps: RealUser = async ({ world }) => {
  world.jumpClock(world.choices.of([-3_600_000, -5_000, -1, 1, 5_000, 3_600_000]));
  if (world.miningMode !== 'interval' || world.diskFails || world.machine.isSetBack) return;
  const before = await world.head();
  const goesOn = async () => {
    for (let now = before; now !== undefined && now.number === before?.number; now = await world.head())
      await world.pass(100);
  };
  await within(LONGEST_WAIT_FOR_A_BLOCK_MS, goesOn(), () => {
    throw new Violation('blocks of the clock come', `none after ${LONGEST_WAIT_FOR_A_BLOCK_MS} ms`);
  });
};

const noMoreFiles: RealUser = async ({ world }) => {
  const { process, choices } = world;
  const before = process.openFilesLimit;
  if (!process.limitOpenFiles(process.openFiles + choices.below(4))) return;
  world.openFilesBefore ??= before;
  world.diskFails = true;
};

export const REAL_FAULTS: readonly Fault<RealUser>[] = [
  { name: 'the process is killed at work', weight: 10, act: killedAtWork },
  { name: 'the process is killed while it starts', weight: 3, act: killedAtStart },
  { name: 'the process is killed while it ends', weight: 3, act: killedAtEnd },
  { name: 'the process is killed at a call of the system', weight: 6, act: killedAtCall },
  { name: 'a call of the system fails', weight: 5, act: refusedCall },
  { name: 'a call of the system goes wrong in a new directory', weight: 5, act: changedFromTheStart },
  { name: 'the disk is copied at work', weight: 6, act: copiedAtWork },
  { name: 'the power fails at work', weight: 6, act: powerFails },
  { name: 'the process is frozen for a while', weight: 4, act: frozen },
  { name: 'the process is ended at work', weight: 6, act: closedAtWork },
  { name: 'the process is ended while it tells', weight: 4, act: closedWhileListening },
  { name: 'nobody reads its output any more', weight: 3, act: readerLeaves },
  { name: 'a second process comes', weight: 2, act: secondProcess },
  { name: 'the disk is full', weight: 4, act: fullDisk },
  { name: 'the disk is slow', weight: 3, act: slowDisk },
  { name: 'the clock jumps', weight: 4, act: clockJumps },
  { name: 'there are no more files', weight: 3, act: noMoreFiles },
  { name: 'files are damaged at rest', weight: 12, act: damageAtRest },
  { name: 'files are damaged under a node', weight: 3, act: damageUnderway },
];
