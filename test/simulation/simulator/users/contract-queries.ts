/**
 * A contract that asks the machine about accounts: balances, tokens, code, votes, stakes, delegations. What it is told must
 * be what the rows say. Its code is lent for the call.
 */

import { keccak256 } from 'ethers';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type { Account } from '../../../../src/protocol/generated/tron.js';
import type { State } from '../../../../src/state/state.js';
import { COIN } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { type Code, OP, push, pushPlace } from './assembler.js';
import type { Host, User } from './user.js';
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
  readonly amount: bigint;
  readonly ledger: Ledger;
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

/** Calls a precompiled contract, and takes one word of its answer. */
function asked(address: number, words: readonly bigint[], taken = 0): Code {
  const written = words.map((value, i) => push(value) + pushPlace(INPUT_AT + 32 * i) + OP.MSTORE).join('');
  const call =
    push(32 * (taken + 1)) +
    pushPlace(INPUT_AT) +
    push(32 * words.length) +
    pushPlace(INPUT_AT) +
    push(address) +
    OP.GAS;
  return written + call + OP.STATICCALL + OP.POP + pushPlace(INPUT_AT + 32 * taken) + OP.MLOAD;
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

/** docs/protocol/usage-recovery.md#recovered-usage-read-without-writing */
function recovered(usage: bigint, lastSlot: bigint, now: bigint, window: bigint): bigint {
  let left = (usage * 1_000_000n + window - 1n) / window;
  if (lastSlot !== now && lastSlot + window <= now) left = 0n;
  else if (lastSlot !== now)
    left = BigInt(Math.round(Number(left) * (Number(window - (now - lastSlot)) / Number(window))));
  return (left * window) / 1_000_000n;
}

/** What of a stake is in use, and for how long (docs/protocol/precompiles.md#stake-in-use). */
function useQueries({ address, account, resource, amount, ledger }: Subject): Query[] {
  const { own1, own2, borrowed } = stakesOf(account, resource);
  const energy = account?.account_resource;
  const [usage, lastSlot, size, isPrecise] =
    resource === 0n
      ? [account?.net_usage, account?.latest_consume_time, account?.net_window_size, account?.net_window_optimized]
      : [
          energy?.energy_usage,
          energy?.latest_consume_time_for_energy,
          energy?.energy_window_size,
          energy?.energy_window_optimized,
        ];
  const slots = isPrecise ? (size ?? 0n) / 1_000n : (size ?? 0n);
  const window = slots === 0n ? 28_800n : slots;
  const left = (lastSlot ?? 0n) + window - ledger.headSlot;
  const [limit, weight] =
    resource === 0n
      ? (['TOTAL_NET_LIMIT', 'TOTAL_NET_WEIGHT'] as const)
      : (['TOTAL_ENERGY_CURRENT_LIMIT', 'TOTAL_ENERGY_WEIGHT'] as const);
  const share = (used: bigint) =>
    ((Number(used) * Number(ledger.long(weight))) / Number(ledger.long(limit))) * 1_000_000;
  const isUsed = account !== undefined && left > 0n;
  const used = isUsed ? BigInt(Math.trunc(share(recovered(usage ?? 0n, lastSlot ?? 0n, ledger.headSlot, window)))) : 0n;
  const seconds = isUsed ? 3n * left : 0n;
  const stake = own1 + own2 + borrowed;
  const asked2 = amount < stake ? amount : stake;
  const clean = stake <= used ? 0n : BigInt(Math.trunc(Number(asked2) * (Number(stake - used) / Number(stake))));
  const most = (n: bigint) => (n > 0n ? n : 0n);
  const subject = word(address);
  const two = (name: string, contract: number, words: readonly bigint[], taken: number, expected: bigint): Query => ({
    ...{ name, expected, code: asked(contract, words, taken) },
  });
  return [
    two('ResourceUsage', 0x1000012, [subject, resource], 0, used),
    two('the time of ResourceUsage', 0x1000012, [subject, resource], 1, seconds),
    row('DelegatableResource', 0x100000f, [subject, resource], most(own2 - most(used - own1 - borrowed))),
    two('CheckUnDelegateResource', 0x1000011, [subject, amount, resource], 0, amount > 0n ? clean : 0n),
    two(
      'the rest of CheckUnDelegateResource',
      0x1000011,
      [subject, amount, resource],
      1,
      amount > 0n ? asked2 - clean : 0n,
    ),
    two('the time of CheckUnDelegateResource', 0x1000011, [subject, amount, resource], 2, amount > 0n ? seconds : 0n),
    row('GetChainParameter 3', 0x100000b, [3n], ledger.long('TOTAL_ENERGY_CURRENT_LIMIT')),
    row('GetChainParameter 5', 0x100000b, [5n], ledger.long('UNFREEZE_DELAY_DAYS')),
  ];
}

export const queryFromAContract: User = async (host) => {
  const { world, people, asker } = host;
  const { choices, ledger } = world;
  // Rows of a fork may be its network's; with pending transactions, the state is not that of the newest block.
  if (world.shape.isFork || !world.isRunning || world.node.chain.pool.size > 0) return;
  const { tables } = ledger.state;
  const stewards = people.steward === undefined ? [] : [people.steward];
  const anybody = [...people.addresses, ...people.programs, ...stewards] as Address[];
  const address = choices.chance(0.1) ? (`41${choices.hex(20)}` as Address) : choices.of(anybody);
  const subject: Subject = {
    ...{ tables, address, other: choices.of(anybody), nowMs: ledger.headTimeMs },
    ...{ account: tables.accounts.get(address), resource: BigInt(choices.below(2)) },
    ...{ ledger, amount: BigInt(choices.of([0, 1, 1_000_000, 3_333_333, 5_000_000_000])) },
  };
  const queries = [...codeQueries(subject), ...voteQueries(subject), ...stakeQueries(subject), ...useQueries(subject)];
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
  const lendable = queries.find(({ name }) => name === 'DelegatableResource');
  if (lendable !== undefined) await walletSays(host, subject, lendable.expected);
};

/** What a wallet offers to lend is what a contract may lend. */
async function walletSays({ world, asker }: Host, { address, resource, account }: Subject, sun: bigint): Promise<void> {
  // Of Bandwidth, a wallet leaves out what the delegation itself will use.
  if (account === undefined || resource === 0n) return;
  const { headId } = world.node.chain;
  const answer = await asker.post('/wallet/getcandelegatedmaxsize', { owner_address: address, type: 1 });
  if (answer?.startsWith('200 ') !== true || !world.isRunning || world.node.chain.headId !== headId) return;
  const told = BigInt(/"max_size": ?(\d+)/.exec(answer)?.[1] ?? 0);
  const expected = sun < COIN ? 0n : sun;
  if (told !== expected) throw new Violation(NAME, `${address} may lend ${expected}, a wallet says ${answer}`);
}
