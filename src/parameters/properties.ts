/**
 * The dynamic properties of a chain: its one global record. Chain parameters are properties (`definitions.ts`); the
 * others (heads, counters, staked totals, statistics, price histories) are here with their initial values.
 *
 * Mirrors java-tron's DynamicPropertiesStore (protocol/storage-forms.md#dynamic-properties) after its first start, with
 * its one-time migrations done. A property has java-tron's key, but without the space at the start of `
 * ALLOW_SAME_TOKEN_NAME`.
 */

import { EMPTY, type Hex } from '../primitives/hex.js';
import { MAX_LONG } from '../primitives/java-math.js';
import { PARAMETERS, type ParameterProperty } from './definitions.js';

const LONGS = {
  latest_block_header_number: 0n,
  latest_block_header_timestamp: 0n,
  LATEST_SOLIDIFIED_BLOCK_NUM: 0n,
  NEXT_MAINTENANCE_TIME: 0n,
  CURRENT_CYCLE_NUMBER: 0n,
  /** First cycle with rewards from accumulators; the largest long: none yet. */
  NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE: MAX_LONG,
  LATEST_PROPOSAL_NUM: 0n,
  LATEST_EXCHANGE_NUM: 0n,
  TOKEN_ID_NUM: 1_000_000n,
  ONE_DAY_NET_LIMIT: 57_600_000_000n,
  PUBLIC_NET_LIMIT: 14_400_000_000n,
  PUBLIC_NET_USAGE: 0n,
  PUBLIC_NET_TIME: 0n,
  TOTAL_NET_WEIGHT: 0n,
  TOTAL_ENERGY_WEIGHT: 0n,
  TOTAL_TRON_POWER_WEIGHT: 0n,
  TOTAL_ENERGY_AVERAGE_TIME: 0n,
  BLOCK_ENERGY_USAGE: 0n,
  TRANSACTION_FEE_POOL: 0n,
  BURN_TRX_AMOUNT: 0n,
  TOTAL_TRANSACTION_COST: 0n,
  TOTAL_CREATE_ACCOUNT_COST: 0n,
  TOTAL_CREATE_WITNESS_FEE: 0n,
  TOTAL_STORAGE_POOL: 100_000_000_000_000n,
  TOTAL_STORAGE_TAX: 0n,
  TOTAL_STORAGE_RESERVED: 137_438_953_472n,
  STORAGE_EXCHANGE_TAX_RATE: 10n,
  EXCHANGE_BALANCE_LIMIT: 1_000_000_000_000_000n,
  MARKET_QUANTITY_LIMIT: 1_000_000_000_000_000n,
  ALLOW_SHIELDED_TRANSACTION: 0n,
  SHIELDED_TRANSACTION_FEE: 100_000n,
  SHIELDED_TRANSACTION_CREATE_ACCOUNT_FEE: 1_000_000n,
  TOTAL_SHIELDED_POOL_VALUE: 0n,
  TOKEN_UPDATE_DONE: 1n,
  ABI_MOVE_DONE: 1n,
  ENERGY_PRICE_HISTORY_DONE: 1n,
  BANDWIDTH_PRICE_HISTORY_DONE: 1n,
  SET_BLACKHOLE_ACCOUNT_PERMISSION: 1n,
} as const satisfies Record<string, bigint>;

/** Four bytes in java-tron's table; bigints here. */
const INTS = {
  /** 1 while the head is a maintenance block. */
  state_flag: 0n,
  BLOCK_FILLED_SLOTS_INDEX: 0n,
  MAX_FROZEN_TIME: 3n,
  MIN_FROZEN_TIME: 3n,
  MAX_FROZEN_SUPPLY_NUMBER: 10n,
  MAX_FROZEN_SUPPLY_TIME: 3_652n,
  MIN_FROZEN_SUPPLY_TIME: 1n,
  WITNESS_ALLOWANCE_FROZEN_TIME: 1n,
  TOTAL_SIGN_NUM: 5n,
  /** The newest fork version that has passed: 32 is release 4.8.0. */
  VERSION_NUMBER: 32n,
} as const satisfies Record<string, bigint>;

const TEXTS = {
  /** A ring with a digit for each of the last 128 slots: 1 if the slot has a block. */
  BLOCK_FILLED_SLOTS: '1'.repeat(128),
  /** `time:price` pairs joined by commas. */
  ENERGY_PRICE_HISTORY: '0:100',
  BANDWIDTH_PRICE_HISTORY: '0:10',
  MEMO_FEE_HISTORY: '0:0',
} as const satisfies Record<string, string>;

const BYTES = {
  latest_block_header_hash: EMPTY,
  /** One bit per contract type that this chain accepts. */
  AVAILABLE_CONTRACT_TYPE: `7fff1fc0037e${'0'.repeat(52)}`,
  /** The `operations` of a new account's active permission. */
  ACTIVE_DEFAULT_OPERATIONS: `7fff1fc0033e${'0'.repeat(52)}`,
} as const satisfies Record<string, Hex>;

/** A property with a number. */
export type LongProperty = ParameterProperty | keyof typeof LONGS | keyof typeof INTS;
/** A property with text. */
export type TextProperty = keyof typeof TEXTS;
/** A property with bytes, as hex. */
export type BytesProperty = keyof typeof BYTES;

export interface LongPropertyDefinition {
  readonly kind: 'long' | 'int';
  readonly name: LongProperty;
  readonly initial: bigint;
}

/** All numbers of a new chain without presets; `initial` of a parameter is the stored value. */
export const LONG_PROPERTIES: readonly LongPropertyDefinition[] = [
  ...PARAMETERS.map(({ property, initial, storedScale }) => ({
    kind: 'long' as const,
    name: property,
    initial: initial * storedScale,
  })),
  ...Object.entries(LONGS).map(([name, initial]) => ({ kind: 'long' as const, name: name as LongProperty, initial })),
  ...Object.entries(INTS).map(([name, initial]) => ({ kind: 'int' as const, name: name as LongProperty, initial })),
];

/** All texts of a new chain without presets. */
export const TEXT_PROPERTIES: Readonly<Record<TextProperty, string>> = TEXTS;

/** All byte strings of a new chain without presets. */
export const BYTES_PROPERTIES: Readonly<Record<BytesProperty, Hex>> = BYTES;

const longNames: ReadonlySet<string> = new Set(LONG_PROPERTIES.map(({ name }) => name));

export function isLongProperty(name: string): name is LongProperty {
  return longNames.has(name);
}

/** Read access to a chain's properties; the ledger implements it. */
export interface PropertyReader {
  long(name: LongProperty): bigint;
  text(name: TextProperty | BytesProperty): string;
}

/** A write of one property. */
export type PropertyWrite =
  | { readonly property: LongProperty; readonly value: bigint }
  | { readonly property: TextProperty | BytesProperty; readonly value: string };
