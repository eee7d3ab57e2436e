/**
 * The effects of an approved proposal on the properties of a chain, as a list of writes that the ledger applies.
 * Mirrors java-tron's ProposalService (protocol/proposals.md#parameters,
 * protocol/proposals.md#parameters-as-walletgetchainparameters-lists-them).
 *
 * As in java-tron, values are not validated again, and a proposal id that the release does not know has no effect.
 */

import type { Hex } from '../primitives/hex.js';
import { MAX_LONG } from '../primitives/java-math.js';
import type { Release } from '../primitives/release.js';
import { type ParameterDefinition, type ParameterProperty, parameterById } from './definitions.js';
import type { BytesProperty, PropertyReader, PropertyWrite, TextProperty } from './properties.js';

/** The moment at which the proposal takes effect. */
export interface ProposalContext {
  /** The proposal's expiration time: the date in the price histories. */
  readonly expirationTimeMs: bigint;
  /** CURRENT_CYCLE_NUMBER before this maintenance increases it. */
  readonly currentCycle: bigint;
  /**
   * The value is set by an operation instead of a vote: it overwrites any value, and 0 removes the contract types that
   * the parameter enabled.
   */
  readonly byOperation?: boolean;
}

/** The prices that have a history, and its property. */
export const PRICE_HISTORIES: ReadonlyMap<ParameterProperty, TextProperty> = new Map([
  ['TRANSACTION_FEE', 'BANDWIDTH_PRICE_HISTORY'],
  ['ENERGY_FEE', 'ENERGY_PRICE_HISTORY'],
  ['MEMO_FEE', 'MEMO_FEE_HISTORY'],
]);

/** Contract types that a parameter enables (protocol.Transaction.Contract.ContractType). */
const NEW_CONTRACT_TYPES: Readonly<Record<string, readonly number[]>> = {
  /** ClearABI */
  ALLOW_TVM_CONSTANTINOPLE: [48],
  /** UpdateBrokerage */
  ALLOW_CHANGE_DELEGATION: [49],
  /** MarketSellAsset, MarketCancelOrder */
  ALLOW_MARKET_TRANSACTION: [52, 53],
  /** FreezeBalanceV2, UnfreezeBalanceV2, WithdrawExpireUnfreeze, DelegateResource, UnDelegateResource */
  UNFREEZE_DELAY_DAYS: [54, 55, 56, 57, 58],
  /** CancelAllUnfreezeV2 */
  ALLOW_CANCEL_ALL_UNFREEZE_V2: [59],
};

/** Parameters that a proposal can only change from 0. */
const ONLY_FROM_ZERO: ReadonlySet<string> = new Set([
  'REMOVE_THE_POWER_OF_THE_GR',
  'ALLOW_MULTI_SIGN',
  'ALLOW_ADAPTIVE_ENERGY',
  'ALLOW_MARKET_TRANSACTION',
  'ALLOW_CANCEL_ALL_UNFREEZE_V2',
]);

/**
 * The writes of one entry of an approved proposal. The entries are applied in order, each to the result of the previous
 * one.
 *
 * @param value as in the proposal (ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO is stored times 1440)
 */
export function proposalEffects(
  read: PropertyReader,
  id: number | bigint,
  value: bigint,
  context: ProposalContext,
  release: Release,
): PropertyWrite[] {
  const parameter = parameterById(id, release);
  return parameter === undefined ? [] : parameterEffects(read, parameter, value, context);
}

/** {@link proposalEffects} for a known parameter. */
export function parameterEffects(
  read: PropertyReader,
  parameter: ParameterDefinition,
  value: bigint,
  context: ProposalContext,
): PropertyWrite[] {
  const { name, property, storedScale } = parameter;
  const { byOperation = false } = context;
  if (!byOperation && ONLY_FROM_ZERO.has(name) && read.long(property) !== 0n) return [];
  if (name === 'TOTAL_CURRENT_ENERGY_LIMIT') return energyLimitWrites(read, value);

  const writes: PropertyWrite[] = [{ property, value: value * storedScale }];
  const history = PRICE_HISTORIES.get(property);
  if (history !== undefined) {
    writes.push({ property: history, value: `${read.text(history)},${context.expirationTimeMs}:${value}` });
  }
  const types = NEW_CONTRACT_TYPES[name];
  if (types !== undefined) {
    for (const bitmap of ['AVAILABLE_CONTRACT_TYPE', 'ACTIVE_DEFAULT_OPERATIONS'] as const satisfies BytesProperty[]) {
      writes.push({ property: bitmap, value: withBits(read.text(bitmap), types, !byOperation || value !== 0n) });
    }
  }
  if (
    (name === 'ALLOW_TVM_VOTE' || name === 'ALLOW_NEW_REWARD') &&
    read.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') === MAX_LONG
  ) {
    writes.push({ property: 'NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE', value: context.currentCycle + 1n });
  }
  if (name === 'ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO') {
    writes.push({
      property: 'TOTAL_ENERGY_TARGET_LIMIT',
      value: read.long('TOTAL_ENERGY_LIMIT') / (value * storedScale),
    });
  }
  if (name === 'ALLOW_ADAPTIVE_ENERGY' && value !== 0n) writes.push(...adaptiveEnergyWrites(read));
  return writes;
}

/**
 * TOTAL_CURRENT_ENERGY_LIMIT sets the base of the adaptive limit; it sets the limit itself only if adaptation is off.
 */
function energyLimitWrites(read: PropertyReader, value: bigint): PropertyWrite[] {
  const writes: PropertyWrite[] = [
    { property: 'TOTAL_ENERGY_LIMIT', value },
    { property: 'TOTAL_ENERGY_TARGET_LIMIT', value: value / read.long('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO') },
  ];
  if (read.long('ALLOW_ADAPTIVE_ENERGY') === 0n) writes.push({ property: 'TOTAL_ENERGY_CURRENT_LIMIT', value });
  return writes;
}

/** With adaptation on, the target is half of a day's average, and the limit may grow to 50 times its base. */
function adaptiveEnergyWrites(read: PropertyReader): PropertyWrite[] {
  const ratio = 2880n;
  return [
    { property: 'ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', value: ratio },
    { property: 'TOTAL_ENERGY_TARGET_LIMIT', value: read.long('TOTAL_ENERGY_LIMIT') / ratio },
    { property: 'ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER', value: 50n },
  ];
}

/**
 * `bitmap` with the bits of these contract types set or cleared: bit n is in byte n / 8, the least significant first.
 */
function withBits(bitmap: Hex, types: readonly number[], set: boolean): Hex {
  const bytes = Buffer.from(bitmap, 'hex');
  for (const type of types) {
    const [byte, bit] = [bytes[type >> 3] ?? 0, 1 << (type & 7)];
    bytes[type >> 3] = set ? byte | bit : byte & ~bit;
  }
  return bytes.toString('hex');
}
