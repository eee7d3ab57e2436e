/**
 * What a maintenance block without transactions makes of the rows before it, as docs/protocol/epochs.md says it: rewards,
 * proposals, votes, elections, accumulators, the next cycle. Of the ledger this file reads rows.
 */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { Proposal_State, type Vote } from '../../../../src/protocol/generated/tron.js';
import { Properties } from './parameter-rules.js';

export interface MaintenanceBlock {
  readonly timeMs: bigint;
  readonly producer: Address;
}

type Facts = Map<string, string>;

const MOST_ACTIVE = 27;
const MOST_STANDBY = 127;
const DEFAULT_BROKERAGE = 20n;
const ACTIVE = 'active_witnesses';
const STANDBY = 'standby_witnesses';
/** In 10^-18 sun. */
const VOTE_SCALE = 10n ** 18n;
const NO_CYCLE_YET = 2n ** 63n - 1n;

/** Every block changes them, whether or not an epoch ends, or they follow measured use. */
const OF_ANY_BLOCK: ReadonlySet<string> = new Set([
  ...['latest_block_header_number', 'latest_block_header_timestamp', 'latest_block_header_hash'],
  ...['LATEST_SOLIDIFIED_BLOCK_NUM', 'BLOCK_FILLED_SLOTS', 'BLOCK_FILLED_SLOTS_INDEX', 'VERSION_NUMBER'],
  ...['TOTAL_ENERGY_AVERAGE_USAGE', 'TOTAL_ENERGY_AVERAGE_TIME', 'BLOCK_ENERGY_USAGE'],
]);

const cut = (value: number): bigint => BigInt(Math.trunc(value));

/** What is compared, by name. @param cycle the one that ended */
export function factsAfter(after: Ledger, cycle: bigint): Facts {
  const { proposals, witnesses, votes, witnessRewards, rewardHistory, accounts, texts } = after.state.tables;
  const facts: Facts = new Map(new Properties(after).facts());
  for (const name of OF_ANY_BLOCK) facts.delete(name);
  for (const [, { proposal_id, state }] of proposals.entries()) facts.set(`proposal ${proposal_id}`, String(state));
  for (const [address, { voteCount, isJobs }] of witnesses.entries()) {
    facts.set(`votes of ${address}`, String(voteCount));
    facts.set(`${address} is active`, String(isJobs));
    facts.set(`allowance of ${address}`, String(accounts.get(address as Address)?.allowance));
    const { brokerage, votes: counted, poolSun } = witnessRewards.get(address as Address) ?? {};
    facts.set(`brokerage of ${address}`, String(brokerage ?? DEFAULT_BROKERAGE));
    facts.set(`votes of ${address} in the cycle`, String(counted));
    facts.set(`pool of ${address}`, String(poolSun ?? 0n));
    facts.set(`reward of a vote for ${address}`, String(rewardHistory.get(`vi:${cycle}:${address}`) ?? 0n));
  }
  facts.set('voters that are not counted', String(votes.entries().length));
  facts.set(ACTIVE, texts.get(ACTIVE) ?? '');
  facts.set(STANDBY, texts.get(STANDBY) ?? '');
  return facts;
}

interface Seat {
  readonly address: Address;
  votes: bigint;
  allowance: bigint | undefined;
  readonly brokerage: bigint;
  pool: bigint;
}

/** Java's hash of the bytes of an address. */
function hashOf(address: Address): number {
  return Buffer.from(address, 'hex').reduce((hash, byte) => (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0, 21);
}

/** @returns facts that must be those of `factsAfter` */
export function factsExpected(before: Ledger, block: MaintenanceBlock, after: Ledger): Facts {
  const { witnesses, proposals, accounts, witnessRewards, votes } = before.state.tables;
  const properties = new Properties(before);
  const seats = new Map<Address, Seat>(
    witnesses.entries().map(([address, { voteCount }]) => {
      const rewards = witnessRewards.get(address as Address);
      const { brokerage = DEFAULT_BROKERAGE, poolSun: pool = 0n } = rewards ?? {};
      const { allowance } = accounts.get(address as Address) ?? {};
      return [address as Address, { ...{ address: address as Address, votes: voteCount, allowance }, brokerage, pool }];
    }),
  );
  const facts: Facts = new Map();
  adapt(properties, after.long('TOTAL_ENERGY_CURRENT_LIMIT'));
  payBlock(properties, seats, block.producer);
  for (const [, { proposal_id, state }] of proposals.entries()) facts.set(`proposal ${proposal_id}`, String(state));
  for (const [id, state] of decided(before, properties)) facts.set(`proposal ${id}`, String(state));

  if (properties.on('REMOVE_THE_POWER_OF_THE_GR')) {
    for (const [address, power] of before.config.genesisWitnesses) {
      const seat = seats.get(address);
      if (seat !== undefined) seat.votes -= power;
    }
    properties.set('REMOVE_THE_POWER_OF_THE_GR', -1n);
  }
  const perVote = accumulators(before, seats);
  const deltas = new Map<Address, bigint>();
  const count = (cast: readonly Vote[], sign: bigint) => {
    for (const { vote_address, vote_count } of cast)
      deltas.set(vote_address, (deltas.get(vote_address) ?? 0n) + sign * vote_count);
  };
  for (const [, { old_votes, new_votes }] of votes.entries()) {
    count(old_votes, -1n);
    count(new_votes, 1n);
  }
  for (const seat of seats.values()) seat.votes += deltas.get(seat.address) ?? 0n;
  const ranked = rankedBy(properties, [...seats.values()]);
  const active = before.state.tables.texts.get(ACTIVE) ?? '';
  const elected = ranked.slice(0, MOST_ACTIVE).map(({ address }) => address);
  const sits = (list: string, address: Address) => list.match(/.{42}/g)?.includes(address) === true;
  const isNew = deltas.size > 0 && elected.some((address) => !sits(active, address));
  const isSmaller = deltas.size > 0 && active.length !== elected.join('').length;
  const standby = ranked.slice(0, MOST_STANDBY).filter(({ votes }) => votes > 0n);
  const cycles = properties.on('CHANGE_DELEGATION');
  if (deltas.size > 0 && !cycles) payStandby(properties.long('WITNESS_STANDBY_ALLOWANCE'), standby, addToAllowance);

  const cycle = properties.long('CURRENT_CYCLE_NUMBER');
  const accumulates = properties.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') !== NO_CYCLE_YET;
  for (const { address, votes, allowance, pool } of seats.values()) {
    const rewards = witnessRewards.get(address);
    facts.set(`votes of ${address}`, String(votes));
    facts.set(`allowance of ${address}`, String(allowance));
    const isActive = isNew || isSmaller ? elected.includes(address) : witnesses.get(address)?.isJobs === true;
    facts.set(`${address} is active`, String(isActive));
    const brokerage = (cycles ? rewards?.nextBrokerage : rewards?.brokerage) ?? DEFAULT_BROKERAGE;
    facts.set(`brokerage of ${address}`, String(brokerage));
    facts.set(`votes of ${address} in the cycle`, String(cycles ? votes : rewards?.votes));
    facts.set(`pool of ${address}`, String(cycles ? 0n : pool));
    // Without cycles, the accumulators of a cycle are written more than once.
    if (cycles && rewards?.perVoteSoFar === 0n)
      facts.set(`reward of a vote for ${address}`, String(accumulates ? perVote.get(address) : 0n));
  }
  if (cycles) properties.set('CURRENT_CYCLE_NUMBER', cycle + 1n);
  const [next, interval] = [properties.long('NEXT_MAINTENANCE_TIME'), properties.long('MAINTENANCE_TIME_INTERVAL')];
  properties.set('NEXT_MAINTENANCE_TIME', next + ((block.timeMs - next) / interval + 1n) * interval);
  properties.set('state_flag', 1n);
  for (const [name, value] of properties.facts()) if (!OF_ANY_BLOCK.has(name)) facts.set(name, value);
  facts.set('voters that are not counted', '0');
  facts.set(ACTIVE, deltas.size > 0 ? elected.join('') : active);
  facts.set(STANDBY, standby.map(({ address, votes }) => `${address}:${votes}`).join());
  return facts;
}

/** Most votes first; equal ones by address, or by its hash, descending. */
function rankedBy(properties: Properties, seats: readonly Seat[]): readonly Seat[] {
  const byAddress = properties.on('CONSENSUS_LOGIC_OPTIMIZATION');
  return seats.toSorted((one, other) => {
    if (one.votes !== other.votes) return one.votes < other.votes ? 1 : -1;
    if (!byAddress) return hashOf(other.address) - hashOf(one.address);
    return one.address < other.address ? 1 : -1;
  });
}

/** Whether there was too much use is measured: either step is right (protocol/energy-factor.md#adaptive-energy-limit). */
function adapt(properties: Properties, is: bigint): void {
  if (!properties.on('ALLOW_ADAPTIVE_ENERGY')) return;
  const [current, base] = [properties.long('TOTAL_ENERGY_CURRENT_LIMIT'), properties.long('TOTAL_ENERGY_LIMIT')];
  const most = base * properties.long('ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER');
  const within = (next: bigint) => (next < base ? base : next > most ? most : next);
  const steps = [(current * 1_000n) / 999n, (current * 99n) / 100n].map(within);
  properties.set('TOTAL_ENERGY_CURRENT_LIMIT', steps.includes(is) ? is : (steps[0] as bigint));
}

type Pay = (seat: Seat, sun: bigint) => void;

const addToAllowance: Pay = (seat, sun) => {
  if (seat.allowance !== undefined) seat.allowance += sun;
};

const shareWithVoters: Pay = (seat, sun) => {
  const own = cut((Number(seat.brokerage) / 100) * Number(sun));
  addToAllowance(seat, own);
  seat.pool += sun - own;
};

function payStandby(sun: bigint, standby: readonly Seat[], pay: Pay): void {
  const total = standby.reduce((sum, { votes }) => sum + votes, 0n);
  if (total === 0n) return;
  const each = Number(sun) / Number(total);
  for (const seat of standby) pay(seat, cut(Number(seat.votes) * each));
}

/** In the cycle that ends (protocol/rewards.md#rewards-of-a-block). */
function payBlock(properties: Properties, seats: ReadonlyMap<Address, Seat>, producer: Address): void {
  const isShared = properties.on('CHANGE_DELEGATION');
  const pay = isShared ? shareWithVoters : addToAllowance;
  const seat = seats.get(producer);
  if (seat !== undefined) pay(seat, properties.long('WITNESS_PAY_PER_BLOCK'));
  if (isShared) {
    const standby = rankedBy(properties, [...seats.values()]).slice(0, MOST_STANDBY);
    payStandby(
      properties.long('WITNESS_127_PAY_PER_BLOCK'),
      standby.filter(({ votes }) => votes > 0n),
      pay,
    );
  }
  if (!properties.on('ALLOW_TRANSACTION_FEE_POOL')) return;
  if (seat !== undefined) pay(seat, properties.long('TRANSACTION_FEE_POOL'));
  properties.set('TRANSACTION_FEE_POOL', 0n);
}

/** The newest first, up to one that an earlier block has decided. */
function decided(before: Ledger, properties: Properties): ReadonlyMap<bigint, Proposal_State> {
  const states = new Map<bigint, Proposal_State>();
  const dueMs = properties.long('NEXT_MAINTENANCE_TIME');
  const active = before.state.tables.texts.get(ACTIVE)?.match(/.{42}/g) ?? [];
  const proposals = before.state.tables.proposals.entries().map(([, proposal]) => proposal);
  for (const proposal of proposals.toSorted((one, other) => Number(other.proposal_id - one.proposal_id))) {
    const { proposal_id, state, expiration_time: expirationMs, approvals, parameters } = proposal;
    if (state === Proposal_State.APPROVED || state === Proposal_State.DISAPPROVED) break;
    if (state === Proposal_State.CANCELED || expirationMs > dueMs) continue;
    const count = active.filter((address) => approvals.includes(address as Address)).length;
    const isApproved = count >= Math.trunc((active.length * 7) / 10);
    states.set(proposal_id, isApproved ? Proposal_State.APPROVED : Proposal_State.DISAPPROVED);
    if (isApproved) for (const [id, value] of parameters) properties.apply(Number(id), value, expirationMs);
  }
  return states;
}

/** By the votes of before (protocol/rewards.md#accumulators-at-maintenance-new-algorithm). */
function accumulators(before: Ledger, seats: ReadonlyMap<Address, Seat>): ReadonlyMap<Address, bigint> {
  const { rewardHistory } = before.state.tables;
  const last = before.long('CURRENT_CYCLE_NUMBER') - 1n;
  return new Map(
    [...seats.values()].map(({ address, votes, pool }) => {
      const sofar = rewardHistory.get(`vi:${last}:${address}`) ?? 0n;
      return [address, pool === 0n || votes === 0n ? sofar : sofar + (pool * VOTE_SCALE) / votes];
    }),
  );
}
