/**
 * A contract that asks the machine about accounts: balances, tokens, code, votes, stakes, delegations. What it is told must
 * be what the rows say. Its code is lent for the call.
 */

import { keccak256 } from 'ethers';
import type { Address } from '../../../../src/primitives/ids.js';
import type { Account } from '../../../../src/protocol/generated/tron.js';
import type { State } from '../../../../src/state/state.js';
import { COIN } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { type Code, OP, push, pushPlace } from './assembler.js';
import type { User } from './user.js';
import { hexOf } from './word-steps.js';

const NAME = 'a contract is told what the rows say';
const MOST_UNSTAKINGS = 32;
/** Input of precompiled contracts; answers begin at 0. */
const INPUT_AT = 0x800;

type Tables = State['tables'];

interface Subject {
  readonly tables: Tables;
  readonly nowMs: bigint;
  readonly address: Address;
  readonly other: Address;
  readonly account: Account | undefined;
  /** Bandwidth or Energy. */
  readonly resource: bigint;
}

interface Query {
  readonly name: string;
  /** Leaves one word. */
  readonly code: Code;
  readonly expected: bigint;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const word = (address: string): bigint => BigInt(`0x${address.slice(2)}`);
const pushAddress = (address: string): Code => push({ hex: address.slice(2) });

/** Calls a precompiled contract, and takes its first word. */
function asked(address: number, words: readonly bigint[]): Code {
  const written = words.map((value, i) => push(value) + pushPlace(INPUT_AT + 32 * i) + OP.MSTORE).join('');
  const call = push(32) + pushPlace(INPUT_AT) + push(32 * words.length) + pushPlace(INPUT_AT) + push(address) + OP.GAS;
  return written + call + OP.STATICCALL + OP.POP + pushPlace(INPUT_AT) + OP.MLOAD;
}

/** Of one resource, in either version of stakes. */
function stakesOf(account: Account | undefined, resource: bigint) {
  const own2 = sum(
    (account?.frozenV2 ?? []).filter(({ type }) => BigInt(type) === resource).map(({ amount }) => amount),
  );
  const energy = account?.account_resource;
  if (resource === 0n)
    return {
      own1: sum((account?.frozen ?? []).map(({ frozen_balance }) => frozen_balance)),
      own2,
      lent:
        (account?.delegated_frozen_balance_for_bandwidth ?? 0n) +
        (account?.delegated_frozenV2_balance_for_bandwidth ?? 0n),
      borrowed:
        (account?.acquired_delegated_frozen_balance_for_bandwidth ?? 0n) +
        (account?.acquired_delegated_frozenV2_balance_for_bandwidth ?? 0n),
    };
  return {
    own1: energy?.frozen_balance_for_energy?.frozen_balance ?? 0n,
    own2,
    lent: (energy?.delegated_frozen_balance_for_energy ?? 0n) + (energy?.delegated_frozenV2_balance_for_energy ?? 0n),
    borrowed:
      (energy?.acquired_delegated_frozen_balance_for_energy ?? 0n) +
      (energy?.acquired_delegated_frozenV2_balance_for_energy ?? 0n),
  };
}

function codeQueries({ tables, address, account }: Subject): Query[] {
  const code = tables.codes.get(address) ?? new Uint8Array(0);
  const hash = account === undefined ? 0n : BigInt(keccak256(code));
  const subject = pushAddress(address);
  return [
    { name: 'BALANCE', code: subject + OP.BALANCE, expected: account?.balance ?? 0n },
    { name: 'EXTCODESIZE', code: subject + OP.EXTCODESIZE, expected: BigInt(code.length) },
    { name: 'EXTCODEHASH', code: subject + OP.EXTCODEHASH, expected: hash },
    { name: 'ISCONTRACT', code: `${subject}d4`, expected: tables.contracts.has(address) ? 1n : 0n },
    ...[...(account?.assetV2 ?? [])].map(([id, amount]) => ({
      ...{ name: `TOKENBALANCE of ${id}`, code: `${subject}${push(BigInt(id))}d1`, expected: amount },
    })),
  ];
}

function voteQueries({ tables, address, other, account }: Subject): Query[] {
  const votes = account?.votes ?? [];
  const cast = sum(votes.map(({ vote_count }) => vote_count));
  const witness = (votes[0]?.vote_address ?? other) as Address;
  const given = sum(votes.filter(({ vote_address }) => vote_address === witness).map(({ vote_count }) => vote_count));
  return [
    row('IsSrCandidate', 0x1000006, [word(address)], tables.witnesses.has(address) ? 1n : 0n),
    row('VoteCount', 0x1000007, [word(address), word(witness)], given),
    row('UsedVoteCount', 0x1000008, [word(address)], cast),
    row('ReceivedVoteCount', 0x1000009, [word(address)], tables.witnesses.get(address)?.voteCount ?? 0n),
  ];
}

const row = (name: string, address: number, words: readonly bigint[], expected: bigint): Query => ({
  ...{ name, expected, code: asked(address, words) },
});

function stakeQueries({ tables, nowMs, address, other, account, resource }: Subject): Query[] {
  const { own1, own2, lent, borrowed } = stakesOf(account, resource);
  const unstaked = account?.unfrozenV2 ?? [];
  const waiting = unstaked.filter(({ unfreeze_expire_time }) => unfreeze_expire_time > nowMs).length;
  const seconds = nowMs / 1_000n + 3_600n;
  const soon = unstaked.filter(({ unfreeze_expire_time }) => unfreeze_expire_time <= seconds * 1_000n);
  const records = ['01', '02'].map((kind) => tables.delegations.get(`${kind}${address}${other}`));
  const toOther = sum(
    records.map((one) => (resource === 0n ? one?.frozen_balance_for_bandwidth : one?.frozen_balance_for_energy) ?? 0n),
  );
  const [subject, receiver] = [word(address), word(other)];
  return [
    row('AvailableUnfreezeV2Size', 0x100000c, [subject], account ? BigInt(Math.max(0, MOST_UNSTAKINGS - waiting)) : 0n),
    row('UnfreezableBalanceV2', 0x100000d, [subject, resource], own2),
    row(
      ...(['ExpireUnfreezeBalanceV2', 0x100000e, [subject, seconds]] as const),
      sum(soon.map(({ unfreeze_amount }) => unfreeze_amount)),
    ),
    row('ResourceV2', 0x1000010, [receiver, subject, resource], address === other ? own2 : toOther),
    row('TotalResource', 0x1000013, [subject, resource], own1 + own2 + borrowed),
    row('TotalDelegatedResource', 0x1000014, [subject, resource], lent),
    row('TotalAcquiredResource', 0x1000015, [subject, resource], borrowed),
  ];
}

/** TRON Power in whole TRX, in the model of the main network. */
function powerQuery({ address, account }: Subject): Query {
  const own = [0n, 1n].map((resource) => stakesOf(account, resource));
  const power = sum(own.flatMap(({ own1, own2, lent }) => [own1, own2, lent]));
  return row('TotalVoteCount', 0x100000a, [word(address)], power / COIN);
}

export const queryFromAContract: User = async (host) => {
  const { world, people, asker } = host;
  const { choices, ledger } = world;
  // Rows of a fork may be its network's; with pending transactions, the state is not that of the newest block.
  if (world.shape.isFork || !world.isRunning || world.node.chain.pool.size > 0) return;
  const { tables } = ledger.state;
  const anybody = [...people.addresses, ...people.programs] as Address[];
  const address = choices.chance(0.1) ? (`41${choices.hex(20)}` as Address) : choices.of(anybody);
  const subject: Subject = {
    ...{ tables, address, other: choices.of(anybody), nowMs: ledger.headTimeMs },
    ...{ account: tables.accounts.get(address), resource: BigInt(choices.below(2)) },
  };
  const queries = [...codeQueries(subject), ...voteQueries(subject), ...stakeQueries(subject)];
  if (!ledger.on('ALLOW_NEW_RESOURCE_MODEL')) queries.push(powerQuery(subject));
  const told = queries.map(({ code }, i) => code + pushPlace(32 * i) + OP.MSTORE).join('');
  const code = told + pushPlace(32 * queries.length) + push(0) + OP.RETURN;
  const to = `0x${choices.hex(20)}`;
  const { headId } = world.node.chain;
  const answer = await asker.rpc('/eth', 'eth_call', [{ to, data: '0x' }, 'latest', { [to]: { code: `0x${code}` } }]);
  if (answer === undefined || world.diskFails) return;
  if (world.node.chain.headId !== headId || world.node.chain.pool.size > 0) return;
  const output = resultOf<string>(answer);
  for (const [i, { name, expected }] of queries.entries()) {
    const found = output?.slice(2 + 64 * i, 66 + 64 * i);
    if (found !== hexOf(expected))
      throw new Violation(NAME, `${name} of ${address} is told as ${found ?? answer}, and is ${hexOf(expected)}`);
  }
};
