/** Users who try the instruments of a developer. Each does what it says; and a revert takes all of it back. */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { BLOCK_INSTRUMENTS } from './block-instruments.js';
import { replacing, revertedTo, snapshotTaken } from './developers.js';
import { ETHEREUM_INSTRUMENTS } from './ethereum-instruments.js';
import { asked, BLANKS, hexOf, INSTRUMENTS, type Instrument, sendUnsigned } from './instruments.js';
import { whileMining } from './promises.js';
import { SOCKET_INSTRUMENTS } from './socket-instruments.js';
import { sendAsEthereum, transact } from './transactions.js';
import type { Host, User } from './user.js';

const WORKS = 'an instrument does what it says';
const REVERTS = 'a revert takes back what instruments did';
const HOUR_MS = 3_600_000;
const SLOT_MS = 3_000;
/** From the head's time, whatever the clock says. */
const LIFETIME_MS = 60_000n;

const ALL = [...INSTRUMENTS, ...BLOCK_INSTRUMENTS, ...ETHEREUM_INSTRUMENTS, ...SOCKET_INSTRUMENTS];

function usable({ world }: Host): readonly Instrument[] {
  return ALL.filter(({ onlyManual = false }) => !onlyManual || world.miningMode === 'manual');
}

const useOne: User = async (host) => {
  if (!host.world.isQuiet) return;
  const all = ALL.filter(({ isReverted = false }) => !isReverted);
  const { name, use, onlyManual = false } = host.world.choices.of(all);
  const tryIt: User = async () => {
    const wrong = await use(host);
    if (wrong !== undefined && host.world.isQuiet) throw new Violation(WORKS, `${name}: ${wrong}`);
  };
  await (onlyManual ? whileMining('manual', tryIt) : tryIt)(host);
};

export const useInstruments: User = async (host) => {
  for (let count = 1 + host.world.choices.below(3); count > 0; count--) await useOne(host);
};

/** What instruments change, as a client sees it. */
async function portrait(host: Host): Promise<readonly string[]> {
  const { world, asker, people } = host;
  const texts = [
    await asked(host, 'tron_nodeInfo'),
    await asked(host, 'tron_getMining'),
    /"rate":[\d.]+/.exec((await asked(host, 'tron_setClock', {})) ?? '')?.[0],
    // How far a clock that stands was moved.
    world.isRunning && !world.node.clock.runs ? await asked(host, 'evm_increaseTime', 0) : '',
    await asker.post('/walletsolidity/getnowblock', {}),
    world.shape.isFork ? '' : await asker.rpc('/eth', 'eth_getBalance', [hexOf(people.address(0)), 'finalized']),
    await asker.post('/wallet/getchainparameters', {}),
    await asker.post('/wallet/gettransactionlistfrompending', {}),
    await asker.rpc('/eth', 'txpool_content', []),
    /"code":"\w+"/.exec((await sendUnsigned(host, BLANKS[2] as Address)) ?? '')?.[0],
    await asked(host, 'tron_getContractEnergy', toBase58((people.programs.at(-1) ?? BLANKS[0]) as Address)),
  ];
  for (const address of BLANKS.map(hexOf)) {
    texts.push(await asked(host, 'eth_getCode', address, 'latest'));
    texts.push(await asked(host, 'eth_getBalance', address, 'latest'));
    texts.push(await asked(host, 'eth_getStorageAt', address, '0x1', 'latest'));
    // An operation after the head's block ends what was before.
    const before = Math.max(0, world.headNumber - 1);
    if (world.shape.options.stateHistory === 'all' && !world.shape.isFork)
      texts.push(await asked(host, 'eth_getBalance', address, `0x${before.toString(16)}`));
  }
  return world.isRunning ? texts.map((text) => text ?? '') : [];
}

/** Beyond the blocks of which the state is kept; a run of empty ones goes as a whole. */
async function stayLong(host: Host): Promise<void> {
  for (let i = 0; i < 3 && host.world.isQuiet; i++) {
    await asked(host, 'hardhat_mine', '0x12c');
    await transact(host);
  }
}

/** Where the clock stands still, what a node builds depends on the chain and on what was built since. */
async function buildOnce({ world, asker, people }: Host): Promise<string | undefined> {
  if (!world.isRunning || world.node.clock.runs) return undefined;
  const { headTimeMs } = world.ledger;
  const [owner_address, to_address] = [people.address(0), people.address(1)];
  const answer = await asker.post('/wallet/createtransaction', { owner_address, to_address, amount: 1 });
  const expiration = /"expiration": ?(\d+)/.exec(answer ?? '')?.[1];
  const due = headTimeMs + LIFETIME_MS;
  if (expiration !== undefined && BigInt(expiration) !== due && world.isQuiet && world.ledger.headTimeMs === headTimeMs)
    throw new Violation(
      WORKS,
      `a transaction that is built expires at ${expiration}, a minute after the head is ${due}`,
    );
  return /"txID": ?"(\w+)"/.exec(answer ?? '')?.[1];
}

export const tryAndRevert: User = async (host) => {
  const { world } = host;
  if (!world.isQuiet) return;
  // A revert that was refused may have left it.
  await asked(host, 'tron_setAutoImpersonate', false);
  if (world.choices.chance(0.5)) {
    world.amountsChanged = true;
    await asked(host, 'tron_setBalance', hexOf(BLANKS[2] as Address), world.choices.below(1_000_000));
  }
  // Some wait for their nonce.
  for (let i = world.choices.below(3); i > 0; i--) await sendAsEthereum(host);
  // The view of what is solidified needs older states than the head does.
  if (world.choices.chance(0.3)) await asked(host, 'tron_setSolidityLag', 20);
  if (!world.isQuiet) return;
  const before = await portrait(host);
  const height = world.headNumber;
  const id = await snapshotTaken(host);
  if (id === undefined) return;
  const built = await buildOnce(host);
  const tried: string[] = [];
  for (let count = 1 + world.choices.below(3); count > 0 && world.isQuiet; count--) {
    const all = usable(host);
    // Some are tried only here.
    const { name, use } = world.choices.of([...all, ...all.filter(({ isReverted = false }) => isReverted)]);
    tried.push(name);
    const wrong = await use(host);
    if (wrong !== undefined && world.isQuiet) throw new Violation(WORKS, `${tried.join(', ')}: ${wrong}`);
  }
  if (world.choices.chance(0.3)) await sendAsEthereum(host);
  if (world.choices.chance(0.3)) await asked(host, 'tron_increaseTime', world.choices.below(HOUR_MS / 1_000));
  await buildOnce(host);
  if (world.choices.chance(0.3)) await asked(host, 'tron_setMining', world.choices.of(['instant', 'manual']));
  // What a revert needs is kept, however long ago it was.
  if (world.shape.options.stateHistory !== 'all' && world.choices.chance(0.5)) await stayLong(host);
  if (!world.isRunning) return;
  let answer: string | undefined;
  const isDone = await replacing(host, height, async () => {
    answer = await asked(host, 'evm_revert', id);
    return answer;
  });
  if (!world.isRunning) return;
  // A disk that was full may be told as full for a second more.
  const hasRoom = !/the chain is stopped because/.test(answer ?? '');
  if (!isDone && hasRoom && world.isQuiet && answer?.startsWith('200 '))
    throw new Violation(REVERTS, `${tried.join(', ')}: snapshot ${id} of block ${height} is refused: ${answer}`);
  if (!isDone) return;
  world.audience.restore(id);
  const builtAgain = await buildOnce(host);
  if (built !== undefined && builtAgain !== undefined && built !== builtAgain && world.isQuiet)
    throw new Violation(REVERTS, `${tried.join(', ')}: ${built} was built, and after the revert ${builtAgain}`);
  const after = await portrait(host);
  const at = after.findIndex((text, i) => text !== before[i]);
  if (at >= 0 && world.isQuiet)
    throw new Violation(
      REVERTS,
      `${tried.join(', ')}: ${before[at]?.slice(0, 1_500)}\nis now\n${after[at]?.slice(0, 1_500)}`,
    );
};

/** Where blocks come by the clock, and it goes faster for a while: they come as much faster. */
export const hurryTheClock: User = async (host) => {
  const { world } = host;
  const isOnTime = () => world.isWell && world.miningMode === 'interval' && world.disk.slowMs === 0;
  if (!isOnTime() || !world.node.clock.runs || world.node.clock.nowMs() < world.ledger.headTimeMs) return;
  const height = world.headNumber;
  const id = await snapshotTaken(host);
  const rate = world.choices.of([2, 5, 20]);
  if (id === undefined || resultOf(await asked(host, 'tron_setClock', { rate })) === undefined) return;
  const before = world.headNumber;
  const spanMs = (10 * SLOT_MS) / rate / world.clock.rate;
  const sinceMs = world.clock.passedMs;
  if (isOnTime()) await world.pass(spanMs);
  // A process that was held up has missed slots.
  const isHeldUp = world.clock.passedMs - sinceMs > spanMs;
  // After a maintenance, two slots have no block.
  if (!isHeldUp && isOnTime() && world.headNumber < before + 6)
    throw new Violation(
      WORKS,
      `pace of the clock: at a rate of ${rate}, ten slots have the blocks ${before} to ${world.headNumber}`,
    );
  // Others do not reckon with it.
  if (world.isRunning && !(await revertedTo(host, id, height))) await asked(host, 'tron_setClock', { rate: 1 });
};

/** Where blocks come by the clock: they stop, and come again after a revert to before. */
export const stopAndRevert: User = async (host) => {
  const { world, asker } = host;
  if (!world.isWell || world.miningMode !== 'interval' || !world.node.clock.runs) return;
  const id = await snapshotTaken(host);
  if (id === undefined) return;
  const height = world.headNumber;
  await asker.library('setMining', () => world.devnet.setMining('manual'));
  if (world.isRunning) await world.pass(SLOT_MS);
  if (!world.isRunning || !(await revertedTo(host, id, height))) return;
  // Blocks that were asked for may be ahead of the clock.
  if (!world.isWell || world.node.clock.nowMs() < world.ledger.headTimeMs) return;
  const { headNumber } = world;
  await world.pass(10 * SLOT_MS);
  if (world.isWell && world.miningMode === 'interval' && world.headNumber === headNumber)
    throw new Violation(REVERTS, `blocks come by the clock again, and for ten slots block ${headNumber} is the last`);
};
