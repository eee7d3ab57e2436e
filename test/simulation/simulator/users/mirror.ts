/**
 * A contract that answers what it was called with and what the chain is: its caller, value and input, its balance and
 * storage, a balance that the caller names, the head, the price of Energy, and block ids at the borders of what a contract may ask. Somebody
 * calls it again and again, with something else or after a change, so that an answer that was kept for too long is found.
 */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { strangerAddress } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { type Answer, DIALECTS, resultOf } from './asker.js';
import { type Code, OP, push, pushPlace } from './assembler.js';
import { revertedTo, snapshotTaken } from './developers.js';
import { asked, hexOf } from './instruments.js';
import { MIRROR, placed } from './places.js';
import { composed, sendHex } from './transactions.js';
import type { Host, User } from './user.js';
import { hexOf as wordHex } from './word-steps.js';

const NAME = 'a call is answered for its caller, its input and the state of now';
/** Whom pending transfers pay. */
const PAYEES = [912, 913].map(strangerAddress);
const NOBODY = strangerAddress(914);
/** Block ids that a contract may ask, and those just outside: below the head. */
const BELOW = [0, 1, 2, 255, 256, 257];

const BELIEVED: readonly BelievedBlock[] = [
  ...[{}, {}, {}, { time: 1_900_000_000 }, { time: 1_900_000_001 }],
  ...[{ baseFeePerGas: 7 }, { baseFeePerGas: 8 }, { time: 1_900_000_000, baseFeePerGas: 7 }],
];

const hash = (below: number): Code => push(below) + OP.NUMBER + OP.SUB + OP.BLOCKHASH;
const SHOWN: readonly Code[] = [
  OP.CALLER,
  OP.CALLVALUE,
  push(0) + OP.CALLDATALOAD,
  push(0) + OP.CALLDATALOAD + OP.BALANCE,
  OP.SELFBALANCE,
  push(0) + OP.SLOAD,
  OP.NUMBER,
  OP.TIMESTAMP,
  OP.BASEFEE,
  ...BELOW.map(hash),
];
const CODE =
  SHOWN.map((code, i) => code + pushPlace(32 * i) + OP.MSTORE).join('') +
  pushPlace(32 * SHOWN.length) +
  push(0) +
  OP.RETURN;

/** Of a block that the call is to believe in, on `/eth`. */
interface BelievedBlock {
  readonly time?: number;
  readonly baseFeePerGas?: number;
}

interface Call {
  readonly from: Address;
  readonly valueSun: number;
  readonly named: Address;
  readonly block: BelievedBlock;
}

const balanceOf = ({ world }: Host, address: Address): bigint =>
  world.ledger.state.tables.accounts.get(address)?.balance ?? 0n;

function expected(host: Host, { from, valueSun, named, block }: Call, at: Interface, slot: bigint): string {
  const { ledger } = host.world;
  const given = BigInt(valueSun);
  const { headNumber } = ledger;
  const { time, baseFeePerGas } = at === '/eth' ? block : {};
  return [
    BigInt(`0x${from.slice(2)}`),
    given,
    BigInt(`0x${named.slice(2)}`),
    balanceOf(host, named) - (named === from ? given : 0n),
    balanceOf(host, MIRROR) + given,
    slot,
    BigInt(headNumber),
    BigInt(time ?? ledger.headTimeMs / 1_000n),
    BigInt(baseFeePerGas ?? ledger.long('ENERGY_FEE')),
    // The head itself has no id that a contract may ask.
    ...BELOW.map((below) => {
      const id = below === 0 || below > 256 || below > headNumber ? undefined : blockIdAt(ledger, headNumber - below);
      return id === undefined ? 0n : BigInt(`0x${id}`);
    }),
  ]
    .map(wordHex)
    .join('');
}

type Interface = '/wallet' | (typeof DIALECTS)[number];

function anyInterface({ choices, node }: Host['world'], { named }: Call): Interface {
  const isPending = node.chain.pool.size > 0;
  // `/wallet` sees what is pending, other interfaces the head: there, nobody has an income yet.
  if (choices.chance(isPending ? 0.2 : 0.4) || (isPending && named !== NOBODY)) return '/wallet';
  // The dialect that has another view than the others while something is pending.
  return choices.of(isPending ? (['/eth', '/eth', ...DIALECTS] as const) : DIALECTS);
}

async function call(
  { asker }: Host,
  { from, valueSun, named, block }: Call,
  at: Interface,
): Promise<string | undefined> {
  const data = wordHex(BigInt(`0x${named.slice(2)}`));
  if (at === '/wallet') {
    const question = { owner_address: from, contract_address: MIRROR, data, call_value: valueSun };
    const answer = await asker.post('/wallet/triggerconstantcontract', question);
    return /"constant_result": ?\[\s*"(\w+)"/.exec(answer ?? '')?.[1] ?? answer;
  }
  const question = { from: hexOf(from), to: hexOf(MIRROR), data: `0x${data}`, value: `0x${valueSun.toString(16)}` };
  const believed = Object.fromEntries(Object.entries(block).map(([name, value]) => [name, `0x${value.toString(16)}`]));
  const further = at === '/eth' && Object.keys(block).length > 0 ? [{}, believed] : [];
  const answer: Answer = await asker.rpc(at, 'eth_call', [question, 'latest', ...further]);
  return resultOf<string>(answer)?.slice(2) ?? answer;
}

/** A transfer that waits for its block, and does not come so far. */
async function payInVain(host: Host, look: () => Promise<void>, write: () => Promise<void>): Promise<void> {
  const { world, people } = host;
  if (world.miningMode !== 'manual') return;
  // While something is pending, the head is read as blocks of the past are. The first change after a block is to be seen.
  if (world.choices.chance(0.5)) await asked(host, 'evm_mine');
  const fields = { owner_address: people.address(world.choices.below(3)), to_address: PAYEES[0], amount: 1n };
  const transfer = await composed(host, () => people.send(ContractType.TransferContract, fields));
  if (transfer === undefined) return;
  await sendHex(host, transfer);
  await look();
  if (world.choices.chance(0.5)) await write();
  await look();
  await asked(host, 'tron_dropTransaction', transfer.txId);
}

export const lookIntoAMirror: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  // Rows of a fork may be its network's.
  if (!world.isQuiet || world.shape.isFork || !(await placed(host, { [MIRROR]: CODE }))) return;
  let slot: bigint | undefined;
  const write = async (): Promise<void> => {
    const value = BigInt(choices.below(3));
    const change = [hexOf(MIRROR), '0x0', `0x${wordHex(value)}`];
    slot = resultOf(await asked(host, 'tron_setStorageAt', ...change)) === undefined ? undefined : value;
  };
  const newCall = (): Call => ({
    ...{ from: people.address(choices.below(3)), valueSun: choices.below(3) },
    named: choices.of([people.address(0), ...PAYEES, NOBODY, NOBODY]),
    block: choices.of(BELIEVED),
  });
  let last = newCall();
  let lastAt: Interface = '/wallet';
  const look = async (): Promise<void> => {
    // Something else, or what was just asked.
    const { from, valueSun, block } = newCall();
    last = choices.of([last, { ...last, valueSun }, { ...last, from }, { ...last, block }, newCall()]);
    if (world.node.chain.pool.size > 0 && choices.chance(0.7)) last = { ...last, named: NOBODY };
    lastAt = anyInterface(world, last);
    await lookAgain();
  };
  const lookAgain = async (): Promise<void> => {
    if (slot === undefined || !world.isQuiet || balanceOf(host, last.from) < BigInt(last.valueSun)) return;
    const { headId } = world.node.chain;
    const answer = await call(host, last, lastAt);
    if (answer === undefined || !world.isQuiet || world.node.chain.headId !== headId) return;
    // The head does not have what is pending: an income.
    if (world.node.chain.pool.size > 0 && /insufficient funds/.test(answer)) return;
    const right = expected(host, last, lastAt, slot);
    if (answer !== right)
      throw new Violation(NAME, `${JSON.stringify(last)}, slot ${slot}: ${answer}\nshould be\n${right}`);
  };
  /** Calls, goes back to before a change, and calls the same again. */
  const goBack = async (): Promise<void> => {
    const before = slot;
    const height = world.headNumber;
    const id = await snapshotTaken(host);
    if (id === undefined || !world.isQuiet) return;
    await write();
    if (choices.chance(0.3)) await asked(host, 'evm_mine');
    await look();
    const isDone = await revertedTo(host, id, height);
    slot = isDone ? before : undefined;
    // What is pending again is seen otherwise.
    if (world.isQuiet && world.node.chain.pool.size === 0) await lookAgain();
  };
  await write();
  for (let i = 4 + choices.below(5); i > 0 && world.isQuiet; i--) {
    await look();
    const next = choices.below(8);
    if (next > 5) await goBack();
    if (next < 2) await write();
    if (next === 2) await payInVain(host, look, write);
    if (next === 3) await asked(host, 'evm_mine');
  }
};
