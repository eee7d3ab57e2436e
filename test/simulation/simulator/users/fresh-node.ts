/**
 * A node that starts anew on a copy of the disk has nothing in memory that is older than its start. What a node keeps for
 * its next answers must not show: both answer the same, also where other blocks have taken the place of those for which
 * the node has answered before, or where an epoch has ended since.
 */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { keccak256OfHex } from '../../../../src/protocol/hashes.js';
import { COIN, callData, strangerAddress, word } from '../../simulated-chain.js';
import { isStored } from '../disk/stored-rows.js';
import { SimulatedProcess } from '../run/process.js';
import { Violation } from '../run/violation.js';
import { trade } from './bazaar.js';
import { callProgram, deployProgram } from './contracts.js';
import { firstDifference, forgetSnapshots, hasReset, replacing, revertedTo, snapshotTaken } from './developers.js';
import { sentAlone } from './promises.js';
import { CONTRACT_LISTS, contractLists, DEEPEST, type Question, questions, tokenLists } from './repeated-questions.js';
import { transact } from './transactions.js';
import type { Host, User } from './user.js';

const NAME = 'a node that starts anew answers the same';

const QUESTIONS_AT_A_TIME = 12;

/** A start merges layers, and whether the record of an account has its tokens depends on that (wallet/asset-store.ts). */
export function withoutTokens(text: string): string {
  return text.replace(/"assetNetUsed": ?\[.*?\], ?"assetNetLimit": ?\[.*?\], ?/s, '');
}

/** What only memory knows is left out: when the answer was made, a lag that somebody has set, why something was refused. */
function shown(text: string): string {
  return withoutTokens(text)
    .replace(/"meta":\{"at":\d+/, '')
    .replaceAll(',"_unconfirmed":true', '')
    .replace(
      /transaction [0-9a-f]{64} (?:was refused|was accepted and dropped|is not on this chain)(?:\\.|[^"\\])*/,
      '',
    );
}

async function answers(devnet: Devnet, asked: readonly Question[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const [path, body] of asked) {
    const { status, text } =
      body === undefined ? await got(devnet, path) : await devnet.post(path, JSON.stringify(body));
    texts.push(`${path} ${JSON.stringify(body ?? '')}: ${status} ${shown(text)}`);
  }
  return texts;
}

async function got(devnet: Devnet, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await devnet.fetch(`http://localhost${path}`);
  return { status: answer.status, text: await answer.text() };
}

/** Both may be asked: the node stands still, and what it has is on its disk. */
async function canBeCompared({ world }: Host): Promise<boolean> {
  // A fork that starts anew reads again what its network has now. What is pending is in memory alone.
  if (world.shape.isFork || world.miningMode === 'interval' || world.diskFails) return false;
  // A node that starts on a genesis alone makes its first blocks.
  return world.headNumber > 0 && world.node.chain.pool.size === 0 && (await isStored(world)) && world.isRunning;
}

/** Compares answers of the node with those of one that has just started. */
async function compare(host: Host, asked: readonly Question[]): Promise<void> {
  const { world, asker } = host;
  const { disk, clock, shape } = world;
  if (!(await canBeCompared(host))) return;
  const { headId } = world.node.chain;
  let wrong: string | undefined;
  await asker.library('a fresh node', async () => {
    const here = await answers(world.devnet, asked);
    const process = new SimulatedProcess({
      disk: disk.copy(),
      clock,
      random: { bytes: (length) => new Uint8Array(length) },
      fetch: (url, init) => world.network.fetch(url, init),
      // Somebody may have set the mode since the start.
      options: { ...world.options(), mining: world.miningMode },
      byClock: shape.byClock,
      onError: (message, cause) => {
        wrong ??= `${message}: ${cause}`;
      },
      onWarning: () => {},
    });
    await process.start();
    const there = await answers(process.devnet, asked).finally(() => process.devnet.close());
    process.end();
    const at = here.findIndex((text, i) => text !== there[i]);
    const [answer = '', fresh = ''] = [here[at], there[at]];
    if (at >= 0) wrong ??= `${answer.slice(0, 200)}: ${firstDifference(answer, fresh)}, of one that starts anew`;
    return there;
  });
  if (wrong !== undefined && world.isRunning && world.node.chain.headId === headId) throw new Violation(NAME, wrong);
}

/** Somebody who has never had any gets some of a token: an index of its holders has to know the block. */
async function giveToANewcomer(host: Host, token: Address): Promise<void> {
  const { world, people } = host;
  const owner_address = people.address(world.choices.below(6));
  const newcomer = strangerAddress(1_000 + world.choices.below(1_000_000));
  for (const data of [callData('mint(uint256)', 2n), callData('transfer(address,uint256)', newcomer, 1n)])
    await sentAlone(
      host,
      ContractType.TriggerSmartContract,
      { owner_address, contract_address: token, data },
      1_000n * COIN,
    );
}

const MAKE_BLOCKS: readonly User[] = [callProgram, deployProgram, transact];

/** Until the chain has its height again. @param users a balance that was decreed is none for who trades */
async function makeOtherBlocks(
  host: Host,
  height: number,
  users: readonly User[] = [...MAKE_BLOCKS, trade],
): Promise<void> {
  const { world, asker, people } = host;
  const [token] = people.bazaar?.coins ?? [];
  if (token !== undefined && world.headNumber + 2 <= height && world.choices.chance(0.5))
    await giveToANewcomer(host, token);
  for (let i = 0; i < 2 * DEEPEST && world.isRunning && world.headNumber < height; i++)
    await world.choices.of(users)(host);
  const left = world.isRunning ? height - world.headNumber : 0;
  if (left > 0) await asker.rpc('/tre', 'hardhat_mine', [`0x${left.toString(16)}`]);
}

/** Replaces the last blocks by others up to the same height. @returns whether it was done */
async function replaceTheLast(host: Host): Promise<boolean> {
  const { world, asker } = host;
  const { headNumber } = world;
  const depth = Math.min(1 + world.choices.below(DEEPEST), headNumber);
  if (depth === 0) return false;
  if (!(await replacing(host, headNumber - depth, () => asker.rpc('/tre', 'tron_rollback', [depth])))) return false;
  forgetSnapshots(world, headNumber - depth);
  await makeOtherBlocks(host, headNumber);
  return world.isRunning;
}

/** A change without a block: the chain has the same head. */
async function decreeSomething({ world, asker, people }: Host): Promise<void> {
  const { choices } = world;
  const holder = people.address(choices.below(6));
  const amount = choices.of([0, 1, 7_000_000]);
  // Where a rollback has taken a contract, storage or code would make another one in its place.
  const isThere = (one: Address | undefined) =>
    one !== undefined && world.node.chain.ledger.state.tables.contracts.has(one);
  const [token, program] = [people.bazaar?.coins[0], people.programs.at(-1) as Address | undefined].map((one) =>
    isThere(one) ? one : undefined,
  );
  const balance = `0x${keccak256OfHex(word(holder) + word(0n))}`;
  await choices.of([
    () => token && asker.rpc('/tre', 'tron_setStorageAt', [token, balance, amount]),
    () => token && asker.rpc('/tre', 'tron_setStorageAt', [token, balance, amount]),
    () => program && asker.rpc('/tre', 'tron_setCode', [program, '0x602a60005260206000f3']),
    () => program && asker.rpc('/tre', 'tron_setContractEnergy', [program, { energyFactor: choices.of([0, 12_000]) }]),
    () => asker.rpc('/tre', 'tron_setStake', [people.text(choices.below(6)), { energy: amount }]),
    () => asker.rpc('/tre', 'tron_setChainParameters', [{ getEnergyFee: 100 + choices.below(400) }]),
  ])();
}

/** Changes the chain after a snapshot, reads, and reverts. @returns whether it was done */
async function changeAndRevert(host: Host, asked: readonly Question[]): Promise<boolean> {
  const { world } = host;
  const { choices, headNumber } = world;
  const id = await snapshotTaken(host);
  if (id === undefined) return false;
  if (choices.chance(0.7)) await decreeSomething(host);
  if (choices.chance(0.5)) await makeOtherBlocks(host, headNumber + choices.below(DEEPEST), MAKE_BLOCKS);
  if (world.isRunning && choices.chance(0.4)) await compare(host, asked);
  if (!world.isRunning) return false;
  if (!(await revertedTo(host, id, headNumber))) return false;
  if (choices.chance(0.5)) await makeOtherBlocks(host, headNumber + choices.below(DEEPEST));
  return world.isRunning;
}

/** With an epoch, usages begin again and factors fall, although no contract is called. */
async function endTheEpoch({ world, asker }: Host): Promise<boolean> {
  await asker.library('runMaintenance', () => world.devnet.runMaintenance());
  return world.isRunning;
}

/** Asks, changes what the answers are about, and asks again. */
export const readAgain: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (!(await canBeCompared(host))) return;
  // Otherwise hardly anything of what is asked changes with the last blocks.
  if (choices.chance(0.5)) await makeOtherBlocks(host, world.headNumber + 1 + choices.below(DEEPEST));
  if (!world.isRunning) return;
  const lists = [...contractLists(host), ...tokenLists(host)];
  const others = Array.from({ length: QUESTIONS_AT_A_TIME }, () => choices.of(questions(host)));
  const asked = [...lists, ...others];
  await asker.library('read', () => answers(world.devnet, asked));
  if (!world.isRunning) return;
  const isDone = await choices.of([
    () => replaceTheLast(host),
    () => changeAndRevert(host, asked),
    () => endTheEpoch(host),
    () => endTheEpoch(host),
  ])();
  if (isDone) await compare(host, asked);
};

/** A chain that begins again has nothing of the one before, whatever was asked about that. */
export async function beginsAnew(host: Host): Promise<void> {
  const { world } = host;
  if (!(await canBeCompared(host))) return;
  const others = Array.from({ length: QUESTIONS_AT_A_TIME }, () => world.choices.of(questions(host)));
  const lists = [...CONTRACT_LISTS, ['/sunup/pools?limit=20'] as const];
  if (!(await isNewAfterReset(host, [...lists, ...others]))) return;
  // Of a chain that has had no epoch: what is kept for an epoch is kept.
  await deployProgram(host);
  if (world.isRunning) await host.asker.rpc('/tre', 'evm_mine', []);
  if (await canBeCompared(host)) await isNewAfterReset(host, lists);
}

/** @returns whether a chain has begun, and was compared */
async function isNewAfterReset(host: Host, asked: readonly Question[]): Promise<boolean> {
  const { world, asker } = host;
  await asker.library('read', () => answers(world.devnet, asked));
  if (!world.isRunning) return false;
  if (!(await hasReset(host))) return false;
  // A node that starts on a genesis alone makes its first blocks.
  await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  if (world.isRunning) await compare(host, asked);
  return world.isRunning;
}
