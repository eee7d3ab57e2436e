/**
 * Slots, the schedule, and ranks of witnesses (protocol/blocks.md#slots, #active-witnesses). Mirrors java-tron's
 * DposSlot, the sort of WitnessStore and DposService.validBlock and updateWitness. Two lists are stored as rows,
 * because every block reads them and only maintenance changes them: the active witnesses in the order of their turns,
 * and the standby group with its votes. Both are in order of rank.
 */

import type { Address } from '../../primitives/ids.js';
import type { Witness } from '../../protocol/generated/tron.js';
import type { Ledger } from '../ledger.js';

const MAX_ACTIVE_WITNESSES = 27;
const MAX_STANDBY_WITNESSES = 127;
const MAINTENANCE_SKIP_SLOTS = 2n;
const ACTIVE_WITNESSES_KEY = 'active_witnesses';
const STANDBY_WITNESSES_KEY = 'standby_witnesses';

export function absoluteSlot(ledger: Ledger, timestampMs: bigint): bigint {
  return (timestampMs - ledger.config.genesisTimestampMs) / ledger.config.slotMs;
}

/** Time of the `slot`-th slot after the head (1 = the next). Two slots stay empty after a maintenance block. */
export function slotTimeMs(ledger: Ledger, slot: bigint): bigint {
  const { genesisTimestampMs, slotMs } = ledger.config;
  if (ledger.headNumber === 0) return genesisTimestampMs + slotMs * slot;
  const headTimeMs = ledger.headTimeMs;
  const skipped = ledger.long('state_flag') === 1n ? MAINTENANCE_SKIP_SLOTS : 0n;
  return headTimeMs - ((headTimeMs - genesisTimestampMs) % slotMs) + slotMs * (slot + skipped);
}

/** The slot that contains `timestampMs`; 0: before the next one. */
export function slotAt(ledger: Ledger, timestampMs: bigint): bigint {
  const nextSlotTimeMs = slotTimeMs(ledger, 1n);
  return timestampMs < nextSlotTimeMs ? 0n : (timestampMs - nextSlotTimeMs) / ledger.config.slotMs + 1n;
}

/** The first slot at or after `timestampMs`; 1: the next. */
export function firstSlotFrom(ledger: Ledger, timestampMs: bigint): bigint {
  const { slotMs } = ledger.config;
  const untilMs = timestampMs - slotTimeMs(ledger, 1n);
  return untilMs <= 0n ? 1n : (untilMs + slotMs - 1n) / slotMs + 1n;
}

/**
 * The earliest time of the next block, and the bound of `Transaction expired` (protocol/transactions.md#expiration).
 */
export function nextBlockTimeMs(ledger: Ledger): bigint {
  const skipped = ledger.long('state_flag') === 1n ? MAINTENANCE_SKIP_SLOTS : 0n;
  return ledger.headTimeMs + ledger.config.slotMs * (1n + skipped);
}

/** The index in the active list for the `slot`-th slot after the head: the sum is truncated to an int first. */
export function turnOfSlot(ledger: Ledger, slot: bigint, activeCount: number): number {
  return Number(BigInt.asIntN(32, absoluteSlot(ledger, ledger.headTimeMs) + slot)) % activeCount;
}

/** The witness of the `slot`-th slot after the head. */
export function scheduledWitness(ledger: Ledger, slot: bigint): Address {
  const active = activeWitnesses(ledger);
  const turn = turnOfSlot(ledger, slot, active.length);
  const witness = active[turn];
  if (witness === undefined) throw new Error(`slot ${slot}: no witness at index ${turn} of ${active.length}`);
  return witness;
}

/**
 * Whether a block of this time and producer may follow the head. The network refuses others with
 * `validateWitnessSchedule error`. Any block may follow the genesis.
 */
export function isScheduled(ledger: Ledger, timestampMs: bigint, producer: Address): boolean {
  if (ledger.headNumber === 0) return true;
  const exact = ledger.on('CONSENSUS_LOGIC_OPTIMIZATION');
  if (exact && timestampMs % ledger.config.slotMs !== 0n) return false;
  if (absoluteSlot(ledger, timestampMs) <= absoluteSlot(ledger, ledger.headTimeMs)) return false;
  const slot = slotAt(ledger, timestampMs);
  if (exact && slot === 0n) return false;
  return scheduledWitness(ledger, slot) === producer;
}

/** A parsed list, keyed by its text. */
interface Split<Entry> {
  readonly joined: string;
  readonly list: readonly Entry[];
}

/** The last parsed list of each ledger: the same one is read several times in a block. */
const lastActive = new WeakMap<Ledger, Split<Address>>();

export function activeWitnesses(ledger: Ledger): readonly Address[] {
  const joined = ledger.state.tables.texts.get(ACTIVE_WITNESSES_KEY) ?? '';
  const last = lastActive.get(ledger);
  if (last?.joined === joined) return last.list;
  const list = Array.from({ length: joined.length / 42 }, (_, i) => joined.slice(i * 42, i * 42 + 42) as Address);
  lastActive.set(ledger, { joined, list });
  return list;
}

/** Whether a schedule exists. */
export function hasSchedule(ledger: Ledger): boolean {
  return ledger.state.tables.texts.has(ACTIVE_WITNESSES_KEY);
}

export function setActiveWitnesses(ledger: Ledger, addresses: readonly Address[]): void {
  ledger.state.tables.texts.set(ACTIVE_WITNESSES_KEY, addresses.join(''));
}

/** A member of the standby group, which shares in every block's reward by its votes at the last maintenance. */
export interface StandbyWitness {
  readonly address: Address;
  readonly voteCount: bigint;
}

const lastStandby = new WeakMap<Ledger, Split<StandbyWitness>>();

/** The first 127 witnesses with votes. */
export function standbyWitnesses(ledger: Ledger): readonly StandbyWitness[] {
  const joined = ledger.state.tables.texts.get(STANDBY_WITNESSES_KEY);
  if (joined === undefined) throw new Error('the standby witnesses are not ranked: was the genesis applied?');
  const last = lastStandby.get(ledger);
  if (last?.joined === joined) return last.list;
  const entries = joined === '' ? [] : joined.split(',');
  const list = entries.map((entry) => {
    const [address, votes] = entry.split(':') as [Address, string];
    return { address, voteCount: BigInt(votes) };
  });
  lastStandby.set(ledger, { joined, list });
  return list;
}

/** Ranks the standby group again. Required after every change of votes or of the tie-break. */
export function rankStandbyWitnesses(ledger: Ledger): void {
  const joined = sortWitnesses(ledger, allWitnesses(ledger))
    .slice(0, MAX_STANDBY_WITNESSES)
    .filter(({ voteCount }) => voteCount >= 1n)
    .map(({ address, voteCount }) => `${address}:${voteCount}`)
    .join(',');
  if (joined !== ledger.state.tables.texts.get(STANDBY_WITNESSES_KEY)) {
    ledger.state.tables.texts.set(STANDBY_WITNESSES_KEY, joined);
  }
}

/** protobuf-java's ByteString.hashCode: the tie-break before CONSENSUS_LOGIC_OPTIMIZATION. */
export function byteStringHash(address: Address): number {
  const bytes = Buffer.from(address, 'hex');
  let hash = bytes.length;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0;
  return hash === 0 ? 1 : hash;
}

/** Most votes first; equal votes by address or by its hash, both descending. */
export function sortWitnesses(ledger: Ledger, witnesses: readonly Witness[]): Witness[] {
  const byAddress = ledger.on('CONSENSUS_LOGIC_OPTIMIZATION');
  const tieBreak = (a: Witness, b: Witness): number => {
    if (byAddress) return a.address < b.address ? 1 : a.address > b.address ? -1 : 0;
    return byteStringHash(b.address) - byteStringHash(a.address);
  };
  return [...witnesses].sort((a, b) =>
    a.voteCount === b.voteCount ? tieBreak(a, b) : a.voteCount < b.voteCount ? 1 : -1,
  );
}

export function allWitnesses(ledger: Ledger): Witness[] {
  return ledger.state.tables.witnesses.entries().map(([, witness]) => witness);
}

export function electActiveWitnesses(ledger: Ledger): Address[] {
  return sortWitnesses(ledger, allWitnesses(ledger))
    .slice(0, MAX_ACTIVE_WITNESSES)
    .map((witness) => witness.address);
}
