/** Users who know beforehand what must come of what they do. */

import type { MiningMode } from '../../../../src/node/clock/mining-settings.js';
import { deployedContractAddress } from '../../../../src/protocol/address.js';
import { SmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN, strangerAddress, word } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { bytesIn, type Code, creationOf, OP, push, pushPlace } from './assembler.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const DAY_MS = 86_400_000;

/** Nothing else can come between a question and the block of what is sent. */
export function isAlone({ world }: Host): boolean {
  return world.isRunning && !world.diskFails && world.miningMode === 'instant' && world.node.chain.pool.size === 0;
}

/** The same user on a chain that has this mode meanwhile, unless its blocks come by the clock. */
export function whileMining(mode: MiningMode, user: User): User {
  return async (host) => {
    const { world, asker } = host;
    const before = world.miningMode;
    if (!world.isQuiet || before === mode) return user(host);
    await asker.library('setMining', () => world.devnet.setMining(mode));
    // What is pending stays so until there is a block.
    if (world.isQuiet && mode === 'instant') await asker.library('mine', () => world.devnet.mine(1));
    if (world.isRunning) await user(host);
    if (world.isRunning) await asker.library('setMining', () => world.devnet.setMining(before));
  };
}

/** Sends one, and has a block made where none comes by itself. @returns undefined unless it is alone in the next block */
export async function sentAlone(
  host: Host,
  type: number,
  fields: Readonly<Record<string, unknown>>,
  feeLimitSun = 0n,
): Promise<{ readonly txId: string } | undefined> {
  const { world, people, asker } = host;
  const transaction = await composed(host, () => people.send(type, fields, { feeLimitSun }));
  if (transaction === undefined || !world.isRunning) return undefined;
  const { producer, chain } = world.node;
  if (producer.mode === 'interval' || chain.pool.size > 0) return undefined;
  const { headNumber } = chain;
  const answer = await sendHex(host, transaction);
  if (!isAccepted(answer) || !world.isRunning || world.diskFails) return undefined;
  if (producer.mode === 'manual') await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  if (!world.isRunning || world.diskFails) return undefined;
  return world.node.chain.headNumber === headNumber + 1 ? { txId: transaction.txId } : undefined;
}

interface Unstaking {
  readonly unfreeze_amount?: number;
  readonly unfreeze_expire_time?: number;
}

async function unstakingsOf({ asker }: Host, address: string): Promise<readonly Unstaking[] | undefined> {
  const answer = await asker.post('/wallet/getaccount', { address });
  if (!answer?.startsWith('200 {')) return undefined;
  return (JSON.parse(answer.slice(4)) as { readonly unfrozenV2?: readonly Unstaking[] }).unfrozenV2 ?? [];
}

/** What is unstaked can be withdrawn when it is due, and not before (protocol/staking.md#withdraw-and-cancel-unfreezings). */
export const withdrawDue: User = async (host) => {
  const { world, people } = host;
  const address = people.address(world.choices.below(3));
  const before = await unstakingsOf(host, address);
  if (before === undefined || before.length === 0 || !world.isRunning) return;
  const headTimeMs = Number(world.node.chain.headTimeMs);
  const sent = await sentAlone(host, ContractType.WithdrawExpireUnfreezeContract, { owner_address: address });
  const after = sent && (await unstakingsOf(host, address));
  if (after === undefined) return;
  const left = before.filter(({ unfreeze_expire_time: dueMs = 0 }) => dueMs > headTimeMs);
  if (JSON.stringify(after) !== JSON.stringify(left))
    throw new Violation(
      'what is unstaked can be withdrawn when it is due',
      `of ${JSON.stringify(before)} at ${headTimeMs} ${JSON.stringify(after)} is left`,
    );
};

/** Unstaked coin is due so many days after the head (protocol/staking.md#unfreeze-stake-20). */
export const unstake: User = async (host) => {
  const { world, people, asker } = host;
  const owner_address = people.address(world.choices.below(3));
  const parameters = await asker.post('/wallet/getchainparameters', {});
  const days = /"getUnfreezeDelayDays",\s*"value": ?(\d+)/.exec(parameters ?? '')?.[1];
  if (days === undefined || !world.isRunning) return;
  const headTimeMs = Number(world.node.chain.headTimeMs);
  const fields = { owner_address, unfreeze_balance: 1_000_000n, resource: world.choices.below(2) };
  const sent = await sentAlone(host, ContractType.UnfreezeBalanceV2Contract, fields);
  const last = sent && (await unstakingsOf(host, owner_address))?.at(-1);
  if (last === undefined) return;
  const dueMs = headTimeMs + Number(days) * DAY_MS;
  if (last.unfreeze_expire_time !== dueMs)
    throw new Violation(
      'what is unstaked is due after the delay',
      `unstaked at ${headTimeMs}, it is due at ${last.unfreeze_expire_time}; ${days} days are over at ${dueMs}`,
    );
};

/**
 * Several accounts send to a pool; some of it is dropped, or blocks are taken back. What is left comes into blocks in the
 * order in which it was accepted.
 */
export const queueInOrder: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  if (world.miningMode !== 'manual') return;
  const accepted: string[] = [];
  for (let count = 3 + choices.below(4); count > 0; count--) {
    const fields = { owner_address: people.address(choices.below(6)), to_address: strangerAddress(0), amount: 1n };
    const transaction = await composed(host, () => people.send(ContractType.TransferContract, fields));
    if (transaction === undefined || !world.isRunning) return;
    if (isAccepted(await sendHex(host, transaction))) accepted.push(transaction.txId);
  }
  // An operation by a developer takes the pool out of the state and puts it back.
  if (choices.chance(0.5)) await asker.rpc('/tre', 'tron_setNonce', [people.text(choices.below(6)), 1]);
  const waiting = await asker.post('/wallet/gettransactionlistfrompending', {});
  await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  const block = await asker.post('/wallet/getnowblock', {});
  for (const [where, answer] of Object.entries({ waiting, block })) {
    const found = Array.from((answer ?? '').matchAll(/[0-9a-f]{64}/g), ([txId]) => txId);
    const inOrder = [...new Set(found)].filter((txId) => accepted.includes(txId));
    const expected = accepted.filter((txId) => inOrder.includes(txId));
    if (inOrder.join() !== expected.join())
      throw new Violation(
        'pending transactions keep their order',
        `accepted: ${expected.join()}; ${where}: ${inOrder.join()}`,
      );
  }
};

const ARGUMENT = push(0) + OP.CALLDATALOAD;
const VALUE = push(32) + OP.CALLDATALOAD;

/**
 * A notebook. With the slot and a value it stores the value. With the slot alone it returns what is stored. With three
 * words it calls itself; that call stores, logs and reverts; then it stores what it finds of that in the next slots.
 */
export function notebook(): Code {
  const whenDataIs = (words: number, place: number) =>
    push(32 * words) + OP.CALLDATASIZE + OP.XOR + OP.ISZERO + pushPlace(place) + OP.JUMPI;
  const write = OP.JUMPDEST + VALUE + ARGUMENT + OP.SSTORE + OP.STOP;
  const copy = OP.CALLDATASIZE + push(0) + push(0) + OP.CALLDATACOPY;
  const call = push(0) + push(0) + push(128) + push(0) + push(0) + OP.ADDRESS + OP.GAS + OP.CALL + OP.POP;
  // A log before it, so that the one of the call is not the first.
  const attempt = [OP.JUMPDEST, copy, push(0), push(0), OP.LOG0, call].join('');
  const found = [
    [ARGUMENT, OP.SLOAD, push(1), ARGUMENT, OP.ADD, OP.SSTORE].join(''),
    [ARGUMENT, OP.TLOAD, push(2), ARGUMENT, OP.ADD, OP.SSTORE, OP.STOP].join(''),
  ].join('');
  const inside = [
    [OP.JUMPDEST, VALUE, ARGUMENT, OP.SSTORE, VALUE, ARGUMENT, OP.TSTORE].join(''),
    [VALUE, push(0), push(0), OP.LOG1, push(0), push(0), OP.REVERT].join(''),
  ].join('');
  const read = [ARGUMENT, OP.SLOAD, push(0), OP.MSTORE, push(32), push(0), OP.RETURN].join('');
  const bodies = [write, attempt + found, inside];
  const tests = (places: readonly number[]) => places.map((place, i) => whenDataIs(i + 2, place)).join('') + read;
  const start = bytesIn(tests([0, 0, 0]));
  const places = bodies.map((_, i) => start + bytesIn(bodies.slice(0, i).join('')));
  return creationOf(tests(places) + bodies.join(''));
}

async function read({ asker }: Host, contract: string, slot: bigint): Promise<string | undefined> {
  const call = { owner_address: contract, contract_address: contract, data: word(slot) };
  const answer = await asker.post('/wallet/triggerconstantcontract', call);
  return /"constant_result": ?\["([0-9a-f]*)"\]/.exec(answer ?? '')?.[1];
}

/** What a pending transaction stores is read, and is gone when it is dropped. */
export const writeInPencil: User = async (host) => {
  const { world, people, asker } = host;
  const { notebook: contract } = people;
  if (contract === undefined || world.miningMode !== 'manual' || world.node.chain.pool.size > 0) return;
  const slot = BigInt(world.choices.below(3) * 10);
  const before = await read(host, contract, slot);
  const data = word(slot) + word(BigInt(1_000 + world.choices.below(1_000)));
  const fields = { owner_address: people.address(0), contract_address: contract, data };
  const options = { feeLimitSun: 1_000n * COIN };
  const transaction = await composed(host, () => people.send(ContractType.TriggerSmartContract, fields, options));
  if (transaction === undefined || !world.isRunning || !isAccepted(await sendHex(host, transaction))) return;
  const written = await read(host, contract, slot);
  const dropped = await asker.rpc('/tre', 'tron_dropAllTransactions', []);
  const after = await read(host, contract, slot);
  if (!world.isRunning || world.diskFails || dropped?.includes('"error"') !== false) return;
  if (before !== undefined && after !== undefined && after !== before)
    throw new Violation(
      'what is stored is read, and nothing is left of a call that reverted',
      `slot ${slot} of ${contract} was ${before}, pending ${written}, and is ${after} without it`,
    );
};

/** Its creation was taken back. */
async function isGone({ asker }: Host, contract: string): Promise<boolean> {
  return /^200 \{\s*\}/.test((await asker.post('/wallet/getcontract', { value: contract })) ?? '');
}

/** What is stored is read, at once; of a call that reverted nothing is left. */
export const keepNotebook: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  const owner_address = people.address(choices.below(6));
  const feeLimitSun = 1_000n * COIN;
  const { headNumber } = world.node.chain;
  if (people.notebook === undefined || choices.chance(0.05) || (await isGone(host, people.notebook))) {
    const new_contract = {
      ...SmartContract.empty,
      origin_address: owner_address,
      bytecode: notebook(),
      origin_energy_limit: 10_000_000n,
    };
    const made = await sentAlone(host, ContractType.CreateSmartContract, { owner_address, new_contract }, feeLimitSun);
    people.notebook = made && deployedContractAddress(made.txId as never, owner_address);
    return;
  }
  const contract = people.notebook;
  const slot = BigInt(choices.below(3) * 10);
  const value = BigInt(choices.below(2) * (1 + choices.below(1_000)));
  const reverts = choices.chance(0.4);
  const before = await read(host, contract, slot);
  const data = word(slot) + word(value) + (reverts ? word(0n) : '');
  const fields = { owner_address, contract_address: contract, data };
  const sent = await sentAlone(host, ContractType.TriggerSmartContract, fields, feeLimitSun);
  if (sent === undefined) return;
  const info = await asker.post('/wallet/gettransactioninfobyid', { value: sent.txId });
  if (!/"result": ?"SUCCESS"/.test(info ?? '')) return;
  const stored = reverts ? [before, before, word(0n)] : [word(value)];
  for (const [i, expected] of stored.entries()) {
    const now = await read(host, contract, slot + BigInt(i));
    if (now === undefined || expected === undefined || now === expected) continue;
    throw new Violation(
      'what is stored is read, and nothing is left of a call that reverted',
      `slot ${slot + BigInt(i)} of ${contract} should be ${expected} after ${data} in block ${headNumber + 1}, and is ${now}`,
    );
  }
  const logs = (JSON.parse((info ?? '').slice(4)) as { readonly log?: readonly unknown[] }).log ?? [];
  if (logs.length !== (reverts ? 1 : 0))
    throw new Violation(
      'what is stored is read, and nothing is left of a call that reverted',
      `${sent.txId} has ${logs.length} logs`,
    );
};
