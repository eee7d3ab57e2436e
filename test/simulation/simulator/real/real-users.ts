/** Users of a real node that its process, its threads or its files are for. */

import { bytesToHex } from '../../../../src/primitives/hex.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { sign } from '../../../../src/protocol/signature.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { Violation } from '../run/violation.js';
import { DIALECTS, resultOf } from '../users/asker.js';
import { replacing } from '../users/developers.js';
import { byCommand, dumpByCommand, explain, fork, loadByCommand, record } from './commands.js';
import { withoutDirectory } from './endings.js';
import { flood } from './flood.js';
import type { RealHost, RealUser } from './real-host.js';
import { upgrade } from './upgrade.js';

/** Nobody knows whose it is. */
const STRANGER = '5e'.repeat(32);
/** Of the length of a signature; no point of the curve has it. */
const NOBODYS = 'ff'.repeat(65);
/** A node starts the threads that recover signers after 500; a later crowd finds them. */
const FIRST_CROWD = 560;
const CROWD = 80;
/** More than the threads have places for signatures: these are used again. */
const LARGE_CROWD = 2_400;
/** So many ask at once. */
const AT_ONCE = 40;
/** Nodes that have met a crowd. */
const crowded = new WeakSet<object>();

const mine: RealUser = async ({ world, asker }) => {
  const { choices } = world;
  const dialect = choices.of(DIALECTS);
  // On a slow disk a block that is not empty takes up to 100 ms.
  const blocks = Math.min(choices.of([1, 1, 2, 5, 60, 600, 1_500]), world.machine.isSlow ? 300 : 1_500);
  const advanceMs = choices.of([1, 5_000, 700_000, 3_600_000, 93_600_000]);
  await choices.of<() => Promise<unknown>>([
    () => asker.rpc(dialect, 'evm_mine', []),
    () => asker.rpc(dialect, 'hardhat_mine', [`0x${blocks.toString(16)}`]),
    () => asker.post('/sunup/mine', { blocks: 1 }),
    () => asker.post('/sunup/mine', { advanceMs }),
    () => asker.rpc('/tre', 'tron_increaseTime', [choices.below(10_000)]),
    () => asker.rpc('/tre', 'tron_runMaintenance', []),
    () => byCommand(world, 'mine', String(1 + choices.below(3)), '--json'),
  ])();
};

const setMining: RealUser = async ({ world, asker }) => {
  await asker.rpc('/tre', 'tron_setMining', [world.choices.of(['instant', 'instant', 'manual'])]);
};

/** What belongs to a snapshot. Undefined: the process has ended. */
async function answersNow({ world, asker, people }: RealHost): Promise<readonly string[] | undefined> {
  const all = [
    await asker.post('/wallet/getnowblock', {}),
    await asker.post('/walletsolidity/getnowblock', {}),
    await asker.post('/wallet/gettransactionlistfrompending', {}),
  ];
  for (let i = 0; i < 6; i++) all.push(await asker.post('/wallet/getaccount', { address: people.address(i) }));
  if (all.some((answer) => answer === undefined)) return undefined;
  // Whether a record shows that its tokens lie apart is read from the past, which a revert does not bring back.
  const isKept = world.shape.options.stateHistory === 'all';
  return (isKept ? all : all.slice(0, 3)) as readonly string[];
}

/** Blocks of the clock would come between a snapshot and the questions about it. */
const takeSnapshot: RealUser = async (host) => {
  const { world, asker } = host;
  if (world.miningMode === 'interval' || world.diskFails) return;
  const answers = await answersNow(host);
  const answer = await asker.rpc('/tre', 'evm_snapshot', []);
  const id = resultOf<string>(answer);
  if (id === undefined || answers === undefined || !world.isRunning) return;
  world.snapshots.set(id, { height: world.headNumber, answers });
};

const revert: RealUser = async (host) => {
  const { world, asker } = host;
  const [id, then] = world.choices.of([...world.snapshots, undefined]) ?? [];
  if (id === undefined || then === undefined) return;
  const isUsed = await replacing(host, then.height, () => asker.rpc('/tre', 'evm_revert', [id]));
  if (!isUsed || !world.isRunning) return;
  const ids = [...world.snapshots.keys()];
  for (const later of ids.slice(ids.indexOf(id))) world.snapshots.delete(later);
  await world.learn(asker);
  if (world.miningMode === 'interval' || world.diskFails) return;
  const answers = await answersNow(host);
  const at = answers?.findIndex((answer, i) => answer !== then.answers[i]) ?? -1;
  if (at >= 0)
    throw new Violation('a revert gives the rows of then', `${then.answers[at]}\nhas become\n${answers?.[at]}`);
};

const dump: RealUser = async ({ world, asker }) => {
  const text = world.choices.chance(0.3)
    ? await dumpByCommand(world)
    : /"dump":"([^"]+)"/.exec((await asker.post('/sunup/dump', {})) ?? '')?.[1];
  const head = await world.head();
  if (text !== undefined && head !== undefined && world.miningMode !== 'interval') world.dump = { text, head: head.id };
};

/** Loading a dump gives the chain of then. */
const load: RealUser = async (host) => {
  const { world, asker } = host;
  const { dump: file } = world;
  if (file === undefined) return;
  // News of the old chain would look like news of the new one.
  await world.settleDown(async () => {
    const head = await world.head();
    await world.look();
    if (head !== undefined) await world.audience.compare(head.number, (number) => world.blockIdAt(number));
  });
  const done = await replacing(host, 0, () =>
    world.choices.chance(0.3) ? loadByCommand(world, file.text) : asker.post('/sunup/load', { dump: file.text }),
  );
  if (!done || !world.isRunning) return;
  world.snapshots.clear();
  const head = await world.head();
  if (world.miningMode !== 'interval' && head !== undefined && head.id !== file.head)
    throw new Violation('a loaded dump is the chain of then', `the head was ${file.head}, and is ${head.id}`);
};

/** So many at once that threads recover the signers; one signature in ten is a stranger's, one is nobody's. */
const crowd: RealUser = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  const length = choices.chance(0.15) ? LARGE_CROWD : crowded.has(world.process) ? CROWD : FIRST_CROWD;
  crowded.add(world.process);
  const all = Array.from({ length }, (_, i) => {
    const fields = { owner_address: people.address(i % 6), to_address: people.address(choices.below(6)), amount: 1n };
    const { transaction } = people.send(ContractType.TransferContract, fields);
    const [isStrangers, isNobodys] = [choices.chance(0.1), choices.chance(0.1)];
    if (isNobodys) return { transaction: transaction.withSignatures([NOBODYS]), isOwn: false };
    if (isStrangers)
      return { transaction: transaction.withSignatures([sign(transaction.txId, STRANGER)]), isOwn: false };
    return { transaction, isOwn: true };
  });
  const answers: (string | undefined)[] = [];
  for (let at = 0; at < all.length && world.isRunning; at += AT_ONCE) {
    const together = all.slice(at, at + AT_ONCE);
    answers.push(...(await Promise.all(together.map(({ transaction }) => broadcastAnyhow(host, transaction)))));
  }
  for (const [i, { transaction, isOwn }] of all.entries()) {
    const answer = answers[i];
    if (answer === undefined) continue;
    const isRefused = isOfSignature(answer);
    if (!isOwn && isAccepted(answer))
      throw new Violation(SIGNATURES, `${transaction.txId} has a stranger's or nobody's, and was accepted`);
    // An account may have given its permission to others: then it is refused alone, too.
    if (!isOwn || !isRefused) continue;
    const alone = await broadcastAnyhow(host, transaction);
    if (alone !== undefined && !isOfSignature(alone))
      throw new Violation(SIGNATURES, `${transaction.txId}: ${answer} in a crowd, ${alone} alone`);
  }
};

const SIGNATURES = 'a signature counts for what it is';

function isAccepted(answer: string): boolean {
  return answer === '0801' || /"result": ?true/.test(answer);
}

function isOfSignature(answer: string): boolean {
  return /"code": ?"SIGERROR"/.test(answer) || /^1001/.test(answer);
}

function broadcastAnyhow({ world, asker }: RealHost, transaction: SignedTransaction): Promise<string | undefined> {
  const hex = bytesToHex(transaction.encode());
  if (world.choices.chance(0.5)) return asker.post('/wallet/broadcasthex', { transaction: hex });
  return asker.grpc('/protocol.Wallet/BroadcastTransaction', Buffer.from(hex, 'hex'));
}

export const REAL_USERS: readonly { readonly name: string; readonly weight: number; readonly act: RealUser }[] = [
  { name: 'mine', weight: 60, act: mine },
  { name: 'set the mining mode', weight: 4, act: setMining },
  { name: 'take a snapshot', weight: 15, act: takeSnapshot },
  { name: 'revert', weight: 12, act: revert },
  { name: 'dump', weight: 6, act: dump },
  { name: 'load', weight: 4, act: load },
  { name: 'come in a crowd', weight: 8, act: crowd },
  { name: 'explain by command', weight: 5, act: explain },
  { name: 'record by command', weight: 2, act: record },
  { name: 'fork by command', weight: 2, act: fork },
  { name: 'flood', weight: 1, act: flood },
  { name: 'upgrade', weight: 3, act: upgrade },
  { name: 'run without a directory', weight: 2, act: withoutDirectory },
];
