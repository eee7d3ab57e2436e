/**
 * What an approved proposal does to the properties of a chain, parameter by parameter, as a list of writes; the ledger
 * applies the list. Mirrors java-tron's ProposalService (protocol/proposals.md#parameters,
 * protocol/proposals.md#parameters-as-walletgetchainparameters-lists-them).
 *
 * Values are not validated again here, and an id that the release does not know has no effect: so java-tron.
 */

import type { Hex } from '../primitives/hex.js';
import { MAX_LONG } from '../primitives/java-math.js';
import type { Release } from '../primitives/release.js';
import { type ParameterDefinition, type ParameterProperty, parameterById } from './definitions.js';
import type { BytesProperty, PropertyReader, PropertyWrite, TextProperty } from './properties.js';

/** Where in the chain's life the proposal is decided. */
export interface ProposalContext {
  /** Of the proposal; the price histories are dated with it. */
  readonly expirationTimeMs: bigint;
  /** CURRENT_CYCLE_NUMBER before this maintenance advances it. */
  readonly currentCycle: bigint;
  /**
   * Set from outside, not voted for: whatever was before, and 0 takes away the contract types that the parameter had
   * brought.
   */
  readonly fromOutside?: boolean;
}

/** The prices whose changes are remembered, and where. */
export const PRICE_HISTORIES: ReadonlyMap<ParameterProperty, TextProperty> = new Map([
  ['TRANSACTION_FEE', 'BANDWIDTH_PRICE_HISTORY'],
  ['ENERGY_FEE', 'ENERGY_PRICE_HISTORY'],
  ['MEMO_FEE', 'MEMO_FEE_HISTORY'],
]);

/** Contract types that come into being with a parameter (protocol.Transaction.Contract.ContractType). */
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

/** Parameters that an approved proposal sets only while they are still 0. */
const ONLY_FROM_ZERO: ReadonlySet<string> = new Set([
  'REMOVE_THE_POWER_OF_THE_GR',
  'ALLOW_MULTI_SIGN',
  'ALLOW_ADAPTIVE_ENERGY',
  'ALLOW_MARKET_TRANSACTION',
  'ALLOW_CANCEL_ALL_UNFREEZE_V2',
]);

/**
 * The writes of one entry of an approved proposal. Entries of a proposal are applied one after the other, each on the
 * properties that the one before has left.
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

/** {@link proposalEffects} for a parameter at hand. */
export function parameterEffects(
  read: PropertyReader,
  parameter: ParameterDefinition,
  value: bigint,
  context: ProposalContext,
): PropertyWrite[] {
  const { name, property, storedScale } = parameter;
  const { fromOutside = false } = context;
  if (!fromOutside && ONLY_FROM_ZERO.has(name) && read.long(property) !== 0n) return [];
  if (name === 'TOTAL_CURRENT_ENERGY_LIMIT') return energyLimitWrites(read, value);

  const writes: PropertyWrite[] = [{ property, value: value * storedScale }];
  const history = PRICE_HISTORIES.get(property);
  if (history !== undefined) {
    writes.push({ property: history, value: `${read.text(history)},${context.expirationTimeMs}:${value}` });
  }
  const types = NEW_CONTRACT_TYPES[name];
  if (types !== undefined) {
    for (const bitmap of ['AVAILABLE_CONTRACT_TYPE', 'ACTIVE_DEFAULT_OPERATIONS'] as const satisfies BytesProperty[]) {
      writes.push({ property: bitmap, value: withBits(read.text(bitmap), types, !fromOutside || value !== 0n) });
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

/** TOTAL_CURRENT_ENERGY_LIMIT sets the base of the adaptive limit, and the limit itself only while nothing adapts it. */
function energyLimitWrites(read: PropertyReader, value: bigint): PropertyWrite[] {
  const writes: PropertyWrite[] = [
    { property: 'TOTAL_ENERGY_LIMIT', value },
    { property: 'TOTAL_ENERGY_TARGET_LIMIT', value: value / read.long('ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO') },
  ];
  if (read.long('ALLOW_ADAPTIVE_ENERGY') === 0n) writes.push({ property: 'TOTAL_ENERGY_CURRENT_LIMIT', value });
  return writes;
}

/** The adaptive model starts with a target of half a day's average and may grow fiftyfold. */
function adaptiveEnergyWrites(read: PropertyReader): PropertyWrite[] {
  const ratio = 2880n;
  return [
    { property: 'ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', value: ratio },
    { property: 'TOTAL_ENERGY_TARGET_LIMIT', value: read.long('TOTAL_ENERGY_LIMIT') / ratio },
    { property: 'ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER', value: 50n },
  ];
}

/** `bitmap` with the bits of these contract types set, or not: bit n is in byte n / 8, the least significant first. */
function withBits(bitmap: Hex, types: readonly number[], set: boolean): Hex {
  const bytes = Buffer.from(bitmap, 'hex');
  for (const type of types) {
    const [byte, bit] = [bytes[type >> 3] ?? 0, 1 << (type & 7)];
    bytes[type >> 3] = set ? byte | bit : byte & ~bit;
  }
  return bytes.toString('hex');
}
