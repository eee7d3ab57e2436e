/**
 * A pool that is full, of transactions or of work: it refuses one more by name, and has lost none. When blocks have
 * emptied it, it takes more.
 */

import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN, strangerAddress } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { OP, push, pushPlace } from './assembler.js';
import { asked } from './instruments.js';
import { placed, WORKER } from './places.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { User } from './user.js';

const NAME = 'an empty pool takes a transaction';
/** Multiplies points of a curve without an end: 4 ms of work for each 6,000 Energy. */
const MULTIPLY_POINTS = 0x07;
const ENDLESS =
  OP.JUMPDEST + push(0).repeat(5) + push(MULTIPLY_POINTS) + OP.GAS + OP.CALL + OP.POP + pushPlace(0) + OP.JUMP;
const FEE_LIMIT_SUN = 200n * COIN;
/** Two are the work of a block, if nothing ends them before. */
const MOST_CALLS = 8;
const MOST_BLOCKS = 4;

export const fillThePoolWithWork: User = async (host) => {
  const { world, people } = host;
  if (!world.isQuiet || world.shape.isFork || world.miningMode !== 'manual') return;
  await asked(host, 'tron_dropAllTransactions');
  if (!(await placed(host, { [WORKER]: ENDLESS }))) return;
  const trigger = (of: number) => ({ owner_address: people.address(of), contract_address: WORKER });
  const isTaken = async (of: number): Promise<boolean | undefined> => {
    const call = await composed(host, () =>
      people.send(ContractType.TriggerSmartContract, trigger(of), { feeLimitSun: FEE_LIMIT_SUN }),
    );
    const answer = call && (await sendHex(host, call));
    if (!world.isQuiet || (!isAccepted(answer) && !/SERVER_BUSY/.test(answer ?? ''))) return undefined;
    return isAccepted(answer);
  };
  for (let of = 0; of < MOST_CALLS; of++) if ((await isTaken(of % 6)) === false) break;
  for (let blocks = 0; world.isQuiet && world.node.chain.pool.size > 0; blocks++) {
    if (blocks === MOST_BLOCKS) return;
    await asked(host, 'hardhat_mine', '0x1');
  }
  if (!world.isQuiet || (await isTaken(0)) !== false) return;
  throw new Violation(NAME, `SERVER_BUSY, and ${world.node.chain.pool.size} transactions are pending`);
};

export const fillThePool: User = async (host) => {
  const { world, asker, people } = host;
  const { poolSize } = world.shape.options;
  if (poolSize === undefined || world.miningMode !== 'manual' || world.diskFails) return;
  const before = world.node.chain.pool.size;
  // One more than it holds: java-tron compares before it adds (protocol/pipeline.md#broadcast).
  const room = poolSize + 1 - before;
  const accepted: string[] = [];
  for (let count = room + 2; count > 0; count--) {
    const fields = { owner_address: people.address(count % 6), to_address: strangerAddress(0), amount: 1n };
    const transaction = await composed(host, () => people.send(ContractType.TransferContract, fields));
    if (transaction === undefined || !world.isRunning) return;
    const answer = await sendHex(host, transaction);
    if (isAccepted(answer)) accepted.push(transaction.txId);
    else if (!/SERVER_BUSY/.test(answer ?? '')) return;
  }
  if (accepted.length !== room)
    throw new Violation(
      'a full pool takes no more',
      `of ${poolSize} places ${before} were taken; ${accepted.length} more were`,
    );
  await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  if (!world.isRunning) return;
  const { transactions } = world.node.chain.ledger.state.tables;
  const pending = new Set(world.node.chain.pool.members().map(({ transaction }) => transaction.txId as string));
  const lost = accepted.find((txId) => !transactions.has(txId as never) && !pending.has(txId));
  // A sender without coin, or a block without room: those are told.
  if (lost !== undefined && !world.told.wasDropped(lost))
    throw new Violation('a full pool takes no more', `${lost} was accepted, and is in no block`);
};
