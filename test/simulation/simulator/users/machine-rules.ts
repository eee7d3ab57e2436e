/**
 * Rules of the machine that need several contracts: what a static call may not do, however deep; what a revert takes back
 * of creations and destructions; what is left of a contract that was destroyed and created again. Code is lent for a
 * call, or set for transactions.
 */

import { getCreateAddress, keccak256 } from 'ethers';
import type { Address } from '../../../../src/primitives/ids.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { strangerAddress } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { bytesIn, type Code, creationOf, OP, push, pushPlace } from './assembler.js';
import { asked, hexOf } from './instruments.js';
import { CALLERS, placed } from './places.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';
import { hexOf as wordHex } from './word-steps.js';

const NAME = 'a rule of the machine holds across contracts';
const [OUTER, MIDDLE, INNER] = CALLERS as [Address, Address, Address];
const INNER_ENERGY = 100_000;
const FEE_LIMIT_SUN = 1_000_000_000n;

type Kind = 'CALL' | 'STATICCALL' | 'DELEGATECALL';

/** Calls without input, and leaves whether the call succeeded; what it returns is at 0. */
function callTo(kind: Kind, to: Address, energy: number): Code {
  const value = kind === 'CALL' ? push(0) : '';
  return push(32) + push(0) + push(0) + push(0) + value + push({ hex: to.slice(2) }) + push(energy) + OP[kind];
}

const returned = (bytes: number): Code => push(bytes) + push(0) + OP.RETURN;
const kept = (place: number): Code => pushPlace(place) + OP.MSTORE;

/** What changes something. */
const CHANGES: Readonly<Record<string, Code>> = {
  SSTORE: push(1) + push(0) + OP.SSTORE,
  LOG0: push(0) + push(0) + OP.LOG0,
  CREATE: push(0) + push(0) + push(0) + OP.CREATE,
  SUICIDE: push({ hex: strangerAddress(924).slice(2) }) + OP.SUICIDE,
};

/** Calls the first of some contracts that have code for this call only. */
async function lent({ asker }: Host, codes: Readonly<Record<Address, Code>>): Promise<string | undefined> {
  const overrides = Object.fromEntries(
    Object.entries(codes).map(([address, code]) => [hexOf(address as Address), { code: `0x${code}` }]),
  );
  const [to] = Object.keys(overrides);
  const answer = await asker.rpc('/eth', 'eth_call', [{ to, data: '0x' }, 'latest', overrides]);
  return resultOf<string>(answer)?.slice(2);
}

/** Below a static call nothing is changed, whatever kind of call lies between. */
async function staticIsDeep(host: Host): Promise<string | undefined> {
  const { choices } = host.world;
  const [name, change] = choices.of(Object.entries(CHANGES));
  const between = choices.of<Kind>(['CALL', 'DELEGATECALL', 'STATICCALL']);
  const outer = choices.of<Kind>(['STATICCALL', 'STATICCALL', 'CALL']);
  const output = await lent(host, {
    [OUTER]: callTo(outer, MIDDLE, 3 * INNER_ENERGY) + kept(32) + returned(64),
    [MIDDLE]: callTo(between, INNER, INNER_ENERGY) + kept(0) + returned(32),
    [INNER]: change + OP.STOP,
  });
  const isStatic = outer === 'STATICCALL' || between === 'STATICCALL';
  const expected = wordHex(isStatic ? 0n : 1n) + wordHex(1n);
  if (output === undefined || output === expected) return undefined;
  return `${outer}, ${between}, ${name}: ${output}, not ${expected}`;
}

/** What lasts for a transaction only is put back to what it was before the call that reverts. */
async function revertedTransientWrite(host: Host): Promise<string | undefined> {
  const { choices } = host.world;
  const [before, inside] = [choices.below(3), choices.below(3)];
  const isReverted = choices.chance(0.7);
  // With input it writes and ends; without it, it writes, calls itself, and says what is there then.
  const write = (value: number): Code => push(value) + push(0) + OP.TSTORE;
  const again = push(0) + push(0) + push(1) + push(0) + push(0) + OP.ADDRESS + push(INNER_ENERGY) + OP.CALL + OP.POP;
  const outside = write(before) + again + push(0) + OP.TLOAD + kept(0) + returned(32);
  const ending = isReverted ? push(0) + push(0) + OP.REVERT : OP.STOP;
  const withInput = (to: number): Code => OP.CALLDATASIZE + pushPlace(to) + OP.JUMPI;
  const code = withInput(bytesIn(withInput(0) + outside)) + outside + OP.JUMPDEST + write(inside) + ending;
  const output = await lent(host, { [OUTER]: code });
  const expected = wordHex(BigInt(isReverted ? before : inside));
  if (output === undefined || output === expected) return undefined;
  return `${before}, then ${inside} in a call that ${isReverted ? 'reverts' : 'ends'}: ${output}, not ${expected}`;
}

/** A creation that fails has used its nonce. */
async function failedCreationsCount(host: Host): Promise<string | undefined> {
  const { choices } = host.world;
  if (resultOf(await asked(host, 'tron_setCreateNonces', true)) === undefined) return undefined;
  const fails = Array.from({ length: 4 }, () => choices.chance(0.5));
  const creations = fails.map((isFailing, i) => {
    const init = isFailing ? push(0) + push(0) + OP.REVERT : push(0) + push(0) + OP.RETURN;
    const size = bytesIn(init);
    return (
      push({ hex: init }) + push(0) + OP.MSTORE + push(size) + push(32 - size) + push(0) + OP.CREATE + kept(32 + 32 * i)
    );
  });
  // Nobody has created anything from there.
  const from = `41${choices.hex(20)}` as Address;
  const output = await lent(host, { [from]: `${creations.join('')}${push(128)}${push(32)}${OP.RETURN}` });
  if (output === undefined) return undefined;
  const shown = fails.map((_, i) => output.slice(64 * i + 24, 64 * i + 64));
  const expected = fails.map((isFailing, i) =>
    isFailing
      ? '0'.repeat(40)
      : getCreateAddress({ from: hexOf(from), nonce: 1 + i })
          .slice(2)
          .toLowerCase(),
  );
  return shown.join() === expected.join() ? undefined : `creations fail (${fails}): ${shown}, not ${expected}`;
}

/** Calls in a block. @returns whether it came so far */
async function called(host: Host, contract_address: string, data = ''): Promise<boolean> {
  const { world, people } = host;
  const fields = { owner_address: people.address(0), contract_address, data };
  const options = { feeLimitSun: FEE_LIMIT_SUN };
  const call = await composed(host, () => people.send(ContractType.TriggerSmartContract, fields, options));
  if (call === undefined || !isAccepted(await sendHex(host, call))) return false;
  if (world.miningMode === 'manual') await asked(host, 'hardhat_mine', '0x1');
  const info = await host.asker.post('/wallet/gettransactioninfobyid', { value: call.txId });
  return world.isQuiet && /"result": ?"SUCCESS"/.test(info ?? '');
}

/** Code that creates a contract in the same transaction, which may then be destroyed. */
function factoryOf(host: Host, runtime: Code, then: (child: Address) => Code) {
  const init = creationOf(runtime);
  const salt = host.world.choices.below(2 ** 31);
  // The creator stands there with its prefix (docs/protocol/calls.md#create-create2-and-code-deposit).
  const hash = keccak256(`0x${OUTER}${wordHex(BigInt(salt))}${keccak256(`0x${init}`).slice(2)}`);
  const child = `41${hash.slice(-40)}` as Address;
  const size = bytesIn(init);
  const copied = (from: number): Code => pushPlace(size) + pushPlace(from) + push(0) + OP.CODECOPY;
  const creation = push(salt) + pushPlace(size) + push(0) + push(0) + OP.CREATE2 + OP.POP;
  const code = creation + then(child) + OP.STOP;
  return { child, factory: copied(bytesIn(copied(0) + code)) + code + init };
}

/** A destruction inside a call that reverts has not happened. */
async function revertedDestruction(host: Host): Promise<string | undefined> {
  const isReverted = host.world.choices.chance(0.7);
  const calls = callTo('CALL', MIDDLE, 3 * INNER_ENERGY) + OP.POP;
  const { child, factory } = factoryOf(host, CHANGES.SUICIDE as Code, () => calls);
  const end = isReverted ? push(0) + push(0) + OP.REVERT : OP.STOP;
  const middle = callTo('CALL', child, INNER_ENERGY) + OP.POP + end;
  if (!(await placed(host, { [OUTER]: factory, [MIDDLE]: middle })) || !(await called(host, OUTER))) return undefined;
  const code = resultOf<string>(await asked(host, 'eth_getCode', hexOf(child), 'latest'));
  if (code === undefined || code === (isReverted ? `0x${CHANGES.SUICIDE}` : '0x')) return undefined;
  return `a destruction that was ${isReverted ? '' : 'not '}reverted leaves the code ${code}`;
}

/** A contract that is created again at its address has nothing of the one before. */
async function createdAgain(host: Host): Promise<string | undefined> {
  // With input it destroys itself, without it adds one to its slot.
  const grows = push(1) + push(0) + OP.SLOAD + OP.ADD + push(0) + OP.SSTORE + OP.STOP;
  const withInput = (to: number): Code => OP.CALLDATASIZE + pushPlace(to) + OP.JUMPI;
  const runtime = withInput(bytesIn(withInput(0) + grows)) + grows + OP.JUMPDEST + CHANGES.SUICIDE;
  const { child, factory } = factoryOf(host, runtime, (to) => {
    const grown = callTo('CALL', to, INNER_ENERGY) + OP.POP;
    // As much input as the factory has itself.
    const last = push(0) + push(0) + OP.CALLDATASIZE + push(0) + push(0) + push({ hex: to.slice(2) });
    return `${grown}${last}${push(INNER_ENERGY)}${OP.CALL}${OP.POP}`;
  });
  if (!(await placed(host, { [OUTER]: factory })) || !(await called(host, OUTER, '00'))) return undefined;
  const code = resultOf<string>(await asked(host, 'eth_getCode', hexOf(child), 'latest'));
  if (code !== '0x' || !(await called(host, OUTER))) return undefined;
  const slot = resultOf<string>(await asked(host, 'eth_getStorageAt', hexOf(child), '0x0', 'latest'));
  if (slot === undefined || BigInt(slot) === 2n) return undefined;
  return `a contract that was created again has ${slot} in its slot after two additions`;
}

/** A precompiled contract that fails gives back what it was sent. */
async function failedPrecompileGivesBack({ world: { choices }, asker }: Host): Promise<string | undefined> {
  // Input of no pair of points; too little Energy for one pair.
  const [bytes, energy] = choices.of([
    [32 * (1 + choices.below(5)), INNER_ENERGY],
    [192, choices.below(10_000)],
  ] as const);
  const pairing = `41${'08'.padStart(40, '0')}` as Address;
  const call = push(0) + push(0) + push(bytes) + push(0) + push(1) + push(8) + push(energy) + OP.CALL + kept(0);
  const code = call + OP.ADDRESS + OP.BALANCE + kept(32) + returned(64);
  const balance = 1 + choices.below(1_000);
  const coin = { balance: `0x${balance.toString(16)}` };
  const overrides = { [hexOf(OUTER)]: { code: `0x${code}`, ...coin }, [hexOf(pairing)]: coin };
  const answer = await asker.rpc('/eth', 'eth_call', [{ to: hexOf(OUTER), data: '0x' }, 'latest', overrides]);
  const output = resultOf<string>(answer)?.slice(2);
  const expected = wordHex(0n) + wordHex(BigInt(balance));
  return output === undefined || output === expected ? undefined : `a failed pairing gives ${output}, not ${expected}`;
}

/** What a call without a transaction has logged is told, also where it reverts (protocol/http-endpoints.md). */
async function revertedLogsAreTold({ world, people, asker }: Host): Promise<string | undefined> {
  const { choices } = world;
  const count = choices.below(4);
  const isReverted = choices.chance(0.7);
  const data = CHANGES.LOG0?.repeat(count) + push(0) + push(0) + (isReverted ? OP.REVERT : OP.RETURN);
  const answer = await asker.post('/wallet/triggerconstantcontract', { owner_address: people.address(0), data });
  if (!/"constant_result"/.test(answer ?? '')) return undefined;
  const { logs = [] } = JSON.parse((answer ?? '').slice(4)) as { readonly logs?: readonly unknown[] };
  if (logs.length === count) return undefined;
  return `${data} logs ${count} times, and the answer has ${logs.length} logs: ${answer}`;
}

const RULES = [
  revertedLogsAreTold,
  staticIsDeep,
  revertedTransientWrite,
  failedCreationsCount,
  revertedDestruction,
  createdAgain,
  failedPrecompileGivesBack,
];

export const tryRulesOfTheMachine: User = async (host) => {
  const { world } = host;
  // Rows of a fork may be its network's.
  if (!world.isQuiet || world.shape.isFork) return;
  const wrong = await world.choices.of(RULES)(host);
  if (wrong !== undefined && world.isQuiet) throw new Violation(NAME, wrong);
};
