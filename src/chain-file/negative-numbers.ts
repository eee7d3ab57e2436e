/**
 * Detects negative numbers where a node never has one. A network or a file with such a number is faulty. Without this
 * check the fault would show much later, in an unrelated transaction.
 */

import { utf8ToHex } from '../primitives/hex.js';
import type { Account } from '../protocol/generated/tron.js';
import type { RowName } from '../state/remote-rows.js';

type TableName = RowName['table'];

/** Names of the fields that may be negative; `any`: all fields. */
export type Negatives = 'any' | readonly string[];

/**
 * The first negative number in a message or in its nested messages.
 *
 * @param allowed names of fields, at any depth
 * @returns its place and value: `frozenV2[0].amount is -5`
 */
export function negativeIn(message: unknown, allowed: Negatives): string | undefined {
  if (allowed === 'any') return undefined;
  return firstNegative(message, '', new Set(allowed));
}

function firstNegative(value: unknown, place: string, allowed: ReadonlySet<string>): string | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value < 0 ? `${place} is ${value}` : undefined;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined;
  const isMessage = !Array.isArray(value) && !(value instanceof Map);
  const members: Iterable<readonly [unknown, unknown]> = isMessage ? Object.entries(value) : value.entries();
  for (const [key, member] of members) {
    if (isMessage && allowed.has(String(key))) continue;
    const dot = place === '' ? '' : '.';
    const found = firstNegative(member, isMessage ? `${place}${dot}${key}` : `${place}[${key}]`, allowed);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Fields that may be negative. */
export const NEGATIVES = {
  /**
   * The balance of the Blackhole account is negative; an old_tron_power of -1 means none. Other checks judge the
   * values.
   */
  account: ['balance', 'old_tron_power'],
  /** The issuer chooses these values freely, and no rule reads them. */
  token: ['vote_score', 'order', 'public_latest_free_net_time'],
  /** Contracts from before java-tron validated these fields. */
  contract: [
    'origin_energy_limit',
    'consume_user_resource_percent',
    'call_value',
    'call_token_value',
    'token_id',
    'version',
  ],
  /** Without getAllowNewReward, java-tron does not keep them above 0. */
  totals: ['TotalNetWeight', 'TotalEnergyWeight', 'TotalTronPowerWeight'],
  /** The values of a proposal: two parameters accept any number. */
  proposal: ['parameters'],
} as const satisfies Record<string, Negatives>;

const OF_ROWS: { readonly [Name in TableName]?: Negatives } = {
  accounts: NEGATIVES.account,
  assets: NEGATIVES.token,
  assetsByName: NEGATIVES.token,
  contracts: NEGATIVES.contract,
  proposals: NEGATIVES.proposal,
  /** -1: the voter was never settled. */
  voterSettlements: ['endCycle'],
  longs: 'any',
};

/**
 * {@link negativeIn} for a row of a file. Without its network, the name Blackhole is the only evidence that an account
 * may have a negative balance.
 */
export function negativeInRow(table: TableName, value: unknown): string | undefined {
  if (table === 'accounts') {
    const { balance, account_name } = value as Account;
    if (balance < 0n && account_name !== BLACKHOLE) return `balance is ${balance}`;
  }
  return negativeIn(value, OF_ROWS[table] ?? []);
}

const BLACKHOLE = utf8ToHex('Blackhole');
