/**
 * A contract that does what it is told: it makes a contract of its call data, and runs that code in its own place. So a
 * transaction can do anything with the coin, the stakes and the votes of a contract. What the code must give, what it must
 * leave and what it costs is known beforehand (`stake-books.ts`, `modelled-program.ts`).
 */

import { queryReward } from '../../../../src/ledger/voting/voter-rewards.js';
import { hexToBytes, hexToUtf8 } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { deployedContractAddress } from '../../../../src/protocol/address.js';
import { SmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result_contractResult as Outcome,
  type TransactionInfo,
} from '../../../../src/protocol/generated/tron.js';
import { COIN, strangerAddress } from '../../simulated-chain.js';
import { transactionsIn } from '../invariants/scan.js';
import { Violation } from '../run/violation.js';
import { type Code, creationOf, OP, push, pushPlace } from './assembler.js';
import { creationCode, creationEnergy, ModelledProgram, memoryPrice, wordsIn } from './modelled-program.js';
import { sentAlone } from './promises.js';
import { owedTo } from './rewards.js';
import { StakeBooks, shownBooks, type Vote } from './stake-books.js';
import type { Host, User } from './user.js';
import type { WordStep } from './word-steps.js';

const NAME = 'a contract does with its stakes what it is told';
const FEE_LIMIT = 1_000n * COIN;
/** The delay of unstakings, and a little. */
const LONG_MS = 87_000_000;
const VOTES_AT = 0x100;
const REWARD_BALANCE = 0x1000005;

/** Makes a contract of its call data, and calls it in its own place. Its end is that call's. */
export function steward(): Code {
  const copy = OP.CALLDATASIZE + push(0) + push(0) + OP.CALLDATACOPY;
  const create = OP.CALLDATASIZE + push(0) + push(0) + OP.CREATE;
  const call = `${push(0).repeat(4)}84${OP.GAS}${OP.DELEGATECALL}`;
  const back = `${OP.RETURNDATASIZE + push(0) + push(0)}3e`;
  const head = copy + create + call + back;
  const reverts = OP.RETURNDATASIZE + push(0) + OP.REVERT;
  const place = head.length / 2 + 4 + reverts.length / 2;
  return head + pushPlace(place) + OP.JUMPI + reverts + OP.JUMPDEST + OP.RETURNDATASIZE + push(0) + OP.RETURN;
}

/** What the steward uses around code with this Energy. @param input bytes of call data @param output bytes of the answer */
function energyAround(runtime: Code, input: number, output: number, isDone: boolean): number {
  const words = wordsIn(input);
  const most = Math.max(words, wordsIn(output));
  const copy = 2 + 3 + 3 + memoryPrice(words) + 3 * words;
  const create = 2 + 3 + 3 + 32_000 + creationEnergy(runtime);
  const call = 4 * 3 + 3 + 2 + 40;
  const back = 2 + 3 + 3 + 3 * wordsIn(output) + memoryPrice(most) - memoryPrice(words);
  return copy + create + call + back + 3 + 10 + (isDone ? 1 : 0) + 2 + 3;
}

interface Writing {
  readonly host: Host;
  readonly program: ModelledProgram;
  readonly books: StakeBooks;
}

/** One step of the code. */
type Step = (writing: Writing) => void;

const step = (code: string, energy: number, takes: number, gives: WordStep['gives']): WordStep => ({
  ...{ code, energy, takes, gives },
});

const MUCH = [1n << 63n, (1n << 63n) - 1n, 1n << 64n, (1n << 256n) - 1n, (1n << 256n) - COIN];

/** Mostly a part of what there is; or around it, or what can be no amount. */
function anyAmount({ host: { world } }: Writing, available: bigint): bigint {
  const { choices } = world;
  const least = BigInt(choices.of([1_000_000, 1_500_000, 2_700_001]));
  return choices.of([
    ...Array.from({ length: 4 }, () => () => (least < available ? least : available)),
    () => available / 2n,
    () => available,
    () => available + 1n,
    () => BigInt(choices.of([0, 1, 999_999, 1_000_000])),
    () => choices.of(choices.chance(0.3) ? MUCH : [COIN]),
  ])();
}

/** Mostly one of two. */
const anyResource = ({ host: { world } }: Writing): bigint =>
  world.choices.chance(0.1) ? world.choices.of([2n, 3n, 1n << 32n, (1n << 64n) + 1n]) : BigInt(world.choices.below(2));

/** The low 20 bytes count. */
function addressWord({ host: { world } }: Writing, address: string): bigint {
  const low = BigInt(`0x${address.slice(2)}`);
  return world.choices.chance(0.3) ? low + (BigInt(`0x${world.choices.hex(12)}`) << 160n) : low;
}

const freeze: Step = (writing) => {
  const { program, books } = writing;
  program.push(anyAmount(writing, books.balance));
  program.push(anyResource(writing));
  program.word(step('da', 10_000, 2, (resource, amount) => books.freeze(resource, amount)));
};

const unfreeze: Step = (writing) => {
  const { program, books } = writing;
  const resource = anyResource(writing);
  program.push(anyAmount(writing, books.own[Number(resource)] ?? 0n));
  program.push(resource);
  program.word(step('db', 10_000, 2, (type, amount) => books.unfreeze(type, amount)));
};

const cancel: Step = ({ program, books }) => program.word(step('dc', 10_000, 0, () => books.cancelUnfreezings()));
const withdraw: Step = ({ program, books }) => program.word(step('dd', 10_000, 0, () => books.withdrawUnfrozen()));

const STRANGERS = [0, 1, 2, 3].map(strangerAddress);
/** Where a rollback has taken a program, coin that somebody sends makes an account that may borrow. */
const receiversOf = ({ people }: Host): readonly string[] => [...people.addresses, ...STRANGERS, ...people.programs];

function anyReceiver({ host, books }: Writing): string {
  const { choices } = host.world;
  const known = [...books.lent.keys()];
  return choices.of([
    () => choices.of(known.length === 0 ? host.people.addresses : known),
    () => choices.of(receiversOf(host)),
    () => choices.of(choices.chance(0.1) ? [books.address, ...host.people.programs] : host.people.addresses),
  ])();
}

const delegate: Step = (writing) => {
  const { program, books } = writing;
  const resource = anyResource(writing);
  // How much of a stake is in use is another's affair.
  if (books.used.has(Number(resource))) return;
  program.push(addressWord(writing, anyReceiver(writing)));
  program.push(anyAmount(writing, books.own[Number(resource)] ?? 0n));
  program.push(resource);
  program.word(step('de', 10_000, 3, (type, amount, receiver) => books.delegate(type, amount, receiver)));
};

const undelegate: Step = (writing) => {
  const { program, books } = writing;
  const receiver = anyReceiver(writing);
  const resource = anyResource(writing);
  program.push(addressWord(writing, receiver));
  program.push(anyAmount(writing, books.lent.get(receiver)?.[Number(resource)] ?? 0n));
  program.push(resource);
  program.word(step('df', 10_000, 3, (type, amount, to) => books.undelegate(type, amount, to)));
};

const vote: Step = (writing) => {
  const { books, host } = writing;
  const { choices } = host.world;
  const { witnesses } = books.ledger.state.tables;
  const candidates = witnesses.entries().map(([address]) => address as Address);
  const power = books.powerSun / COIN;
  const votes: Vote[] = Array.from({ length: choices.of([0, 1, 1, 2, 2, 3, 31]) }, () => ({
    witness: choices.chance(0.05) ? host.people.address(0) : choices.of(candidates),
    count: choices.of([0n, 1n, power / 2n, power, power + 1n, ...(choices.chance(0.1) ? [-1n] : [])]),
  }));
  castVotes(writing, votes);
};

function castVotes(writing: Writing, votes: readonly Vote[]): void {
  const { program, books } = writing;
  const arrays = [votes.map(({ count }) => count), votes.map(({ witness }) => addressWord(writing, witness))];
  const places = arrays.map((words, i) => {
    const at = VOTES_AT + i * 32 * (votes.length + 1);
    for (const [j, word] of [BigInt(votes.length), ...words].entries()) {
      program.push(BigInt.asUintN(256, word));
      program.store(at + 32 * j);
    }
    return at;
  }) as [number, number];
  for (const word of [places[1], votes.length, places[0], votes.length]) program.push(word);
  program.word(step('d8', 30_000, 4, () => books.vote(votes)));
}

/** More than its power. It is refused after its reward was settled. */
const voteInVain: Step = (writing) => {
  const { books, host } = writing;
  const [witness] = host.world.choices.of(books.ledger.state.tables.witnesses.entries());
  castVotes(writing, [{ witness: witness as Address, count: books.powerSun / COIN + 1n }]);
};

const takeReward: Step = ({ program, books }) => program.word(step('d9', 20_000, 0, () => books.withdrawReward()));

/** What it is owed, as the precompiled contract says to its caller. */
const askReward: Step = ({ program, books }) => {
  const output = hexToBytes(books.owed.toString(16).padStart(64, '0'));
  const callee = { success: true, output, energy: 500, limit: undefined, isPrecompiled: true };
  program.call('CALL', callee, () => program.push(REWARD_BALANCE), { at: 0, length: 0 }, { at: 0, length: 32 });
  program.load(0);
};

/** Words of the books by the precompiled contracts of stakes. */
const askStakes: Step = (writing) => {
  const { program, books, host } = writing;
  const resource = host.world.choices.below(2);
  const own = books.own[resource] as bigint;
  const questions: readonly (readonly [address: number, words: readonly bigint[], energy: number, answer: bigint])[] = [
    [0x1000008, [], 20, books.votes.reduce((total, { count }) => total + count, 0n)],
    [0x100000a, [], 20, books.powerSun / COIN],
    [0x100000d, [BigInt(resource)], 50, own],
    [0x1000014, [BigInt(resource)], 50, books.lentInAll[resource] as bigint],
    ...(books.used.has(resource) ? [] : [[0x100000f, [BigInt(resource)], 50, own] as const]),
  ];
  const [address, words, energy, answer] = host.world.choices.of(
    questions.filter(([contract]) => books.knowsVotes || (contract !== 0x1000008 && contract !== 0x100000a)),
  );
  for (const [i, word] of [addressWord(writing, books.address), ...words].entries()) {
    program.push(word);
    program.store(32 * i);
  }
  const output = hexToBytes(answer.toString(16).padStart(64, '0'));
  const callee = { success: true, output, energy, limit: undefined, isPrecompiled: true };
  const input = { at: 0, length: 32 * (1 + words.length) };
  program.call('STATICCALL', callee, () => program.push(address), input, { at: 0, length: 32 });
  program.load(0);
};

const STEPS: readonly Step[] = [
  ...[freeze, freeze, freeze, freeze, unfreeze, unfreeze, cancel, withdraw, delegate, delegate, delegate, undelegate],
  ...[askReward, askStakes, askStakes],
];
const OF_VOTES: readonly Step[] = [vote, vote, takeReward];
/** They look at what it is owed, and change nothing. */
const IN_VAIN: readonly Step[] = [askReward, askStakes, voteInVain];

async function hire(host: Host): Promise<void> {
  const { people, world } = host;
  const owner_address = people.address(world.choices.below(6));
  const new_contract = {
    ...SmartContract.empty,
    ...{ origin_address: owner_address, name: 'Steward', bytecode: creationOf(steward()) },
    ...{ consume_user_resource_percent: 100n, origin_energy_limit: 10_000_000n, call_value: 20n * COIN },
  };
  const made = await sentAlone(host, ContractType.CreateSmartContract, { owner_address, new_contract }, FEE_LIMIT);
  if (made !== undefined) people.steward = deployedContractAddress(made.txId as never, owner_address);
}

/** Votes count from the next epoch on, and are paid for after it. */
async function earn({ world, asker }: Host): Promise<void> {
  for (let epoch = 0; epoch < 2 && world.isRunning; epoch++) {
    await asker.library('runMaintenance', () => world.devnet.runMaintenance());
    if (world.isRunning) await asker.library('mine', () => world.devnet.mine(4));
  }
  if (world.isRunning) await asker.library('runMaintenance', () => world.devnet.runMaintenance());
}

export const stakeByAContract: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  if (world.shape.isFork || !world.isRunning || world.miningMode === 'interval') return;
  const { contracts } = world.node.chain.ledger.state.tables;
  if (people.steward === undefined || !contracts.has(people.steward)) await hire(host);
  if (choices.chance(0.2)) await asker.library('mine', () => world.devnet.mine({ advanceMs: LONG_MS }));
  const hasEarned = choices.chance(0.2);
  if (hasEarned) await earn(host);
  if (hasEarned && people.steward !== undefined) await tell(host, people.steward, IN_VAIN);
  for (let left = 2 + choices.below(5); left > 0; left--)
    if (people.steward !== undefined) await tell(host, people.steward);
};

/** While voters get none, `getReward` says 0; a contract settles what it earned before (protocol/rewards.md). */
async function owedToContract(host: Host, address: Address): Promise<bigint | undefined> {
  const { ledger } = host.world.node.chain;
  return ledger.on('CHANGE_DELEGATION') ? owedTo(host, address) : queryReward(ledger, address, { inContract: true });
}

/** Tells the steward to do something, and looks at what it has done. @param steps undefined: any */
async function tell(host: Host, address: Address, steps?: readonly Step[]): Promise<void> {
  const { world, people } = host;
  const { choices } = world;
  const owed = world.isRunning ? await owedToContract(host, address) : undefined;
  if (owed === undefined || world.node.chain.pool.size > 0) return;
  const { ledger } = world.node.chain;
  if (!ledger.state.tables.contracts.has(address)) return;
  const { headNumber, headId } = ledger;
  const before = new StakeBooks(address, ledger, owed, receiversOf(host));
  const books = new StakeBooks(address, ledger, owed, receiversOf(host));
  if (steps !== undefined && !books.knowsVotes) return;
  const weights = weightsOf(host);
  const allowance = () => world.node.chain.ledger.state.tables.accounts.get(address)?.allowance;
  const settledBefore = allowance();
  const cycle = ledger.long('CURRENT_CYCLE_NUMBER');
  const call_value = BigInt(choices.of([0, 1, 3_000_000, 12_345_678, 50_000_000]));
  books.balance += call_value;
  const program = new ModelledProgram(new Uint8Array(0), {});
  const writing = { host, program, books };
  program.push(0);
  program.store(0);
  for (let count = 2 + choices.below(9); count > 0; count--)
    choices.of(steps ?? (books.knowsVotes && choices.chance(0.25) ? OF_VOTES : STEPS))(writing);
  const isDone = choices.chance(0.85);
  const output = program.end(isDone ? 'RETURN' : 'REVERT');
  const data = creationCode(program.code);
  const fields = { owner_address: people.address(choices.below(6)), contract_address: address, data, call_value };
  const sent = await sentAlone(host, ContractType.TriggerSmartContract, fields, FEE_LIMIT);
  if (sent === undefined || world.node.chain.ledger.headNumber !== headNumber + 1) return;
  const [transaction] = [...transactionsIn(world.node.chain.ledger, headNumber + 1)].filter(
    ({ txId }) => txId === sent.txId,
  );
  if (transaction === undefined) return;
  const { info } = transaction;
  const differ = (what: string, expected: unknown, found: unknown) => {
    if (String(expected) === String(found)) return;
    throw new Violation(NAME, `${sent.txId} after ${headId}: ${what} should be ${expected}, and is ${found}; ${data}`);
  };
  const result = info.receipt?.result;
  if (result === Outcome.OUT_OF_ENERGY || result === Outcome.OUT_OF_TIME) return;
  const energy = energyAround(program.code, data.length / 2, output.length, isDone) + program.energy;
  const [creation] = info.internal_transactions;
  // The caller had too little for the creation of the code that it lends.
  if (creation?.rejected && info.receipt !== undefined && info.receipt.energy_usage_total < energy) return;
  differ('its end', isDone ? Outcome.SUCCESS : Outcome.REVERT, result);
  differ('its output', Buffer.from(output).toString('hex'), info.contractResult[0]);
  if (info.receipt?.energy_penalty_total === 0n) differ('its Energy', energy, info.receipt.energy_usage_total);
  if (!isDone) for (const note of books.notes) note.rejected = true;
  differ('what it recorded', books.notes.map(shownNote), internalOf(info).map(shownNote));
  const expected = shownBooks(isDone ? books : before);
  const found = new StakeBooks(address, world.node.chain.ledger, 0n, receiversOf(host));
  for (const [what, text] of Object.entries(shownBooks(found)))
    if (what !== 'votes' || books.knowsVotes) differ(what, expected[what], text);
  // What is refused, or reverted, settles no reward.
  if (!isDone || !books.isSettled) differ('its settled reward', settledBefore, allowance());
  const changes = isDone ? books.weights : [0n, 0n, 0n];
  differ(
    'the weights',
    weights.map((weight, i) => weight + (changes[i] as bigint)),
    weightsOf(host),
  );
  const left = world.isRunning ? await owedToContract(host, address) : undefined;
  // A reward of an epoch that has ended since is another one.
  const isSameEpoch = world.node.chain.ledger.long('CURRENT_CYCLE_NUMBER') === cycle;
  if (left !== undefined && isSameEpoch) differ('its reward', isDone ? books.owed : owed, left);
}

const WEIGHTS = ['TOTAL_NET_WEIGHT', 'TOTAL_ENERGY_WEIGHT', 'TOTAL_TRON_POWER_WEIGHT'] as const;
const weightsOf = ({ world }: Host): readonly bigint[] => WEIGHTS.map((name) => world.node.chain.ledger.long(name));

const shownNote = ({ note, to, value, rejected }: Omit<StakeBooks['notes'][number], never>): string =>
  `${note} ${to} ${value}${rejected ? ' rejected' : ''}`;

/** Without the creation and the call of the code. */
function internalOf({ internal_transactions }: TransactionInfo): StakeBooks['notes'] {
  return internal_transactions.slice(2).map(({ note, transferTo_address, callValueInfo, rejected }) => ({
    note: hexToUtf8(note),
    to: transferTo_address,
    value: callValueInfo[0]?.callValue ?? 0n,
    rejected,
  }));
}
