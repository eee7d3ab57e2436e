/**
 * Numbers below 0 where a node has none. A network that answers with one, or a file that holds one, is broken, and what
 * follows from it would be found much later, in a transaction that has nothing to do with it.
 */

import { utf8ToHex } from '../primitives/hex.js';
import type { Account } from '../protocol/generated/tron.js';
import type { RowName } from '../state/remote-rows.js';

type TableName = RowName['table'];

/** Fields of an answer that may be below 0, by name; `any`: all of them. */
export type Negatives = 'any' | readonly string[];

/**
 * The first number of a message, or of messages in it, that is below 0.
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

/** Fields that may be below 0. */
export const NEGATIVES = {
  /** Of the Blackhole account; and -1 says that there was no voting power. What they are is looked at later. */
  account: ['balance', 'old_tron_power'],
  /** What an issuer has written there is looked at by nobody. */
  token: ['vote_score', 'order', 'public_latest_free_net_time'],
  /** Of contracts from before java-tron looked at them. */
  contract: [
    'origin_energy_limit',
    'consume_user_resource_percent',
    'call_value',
    'call_token_value',
    'token_id',
    'version',
  ],
  /** Without getAllowNewReward java-tron does not keep them above 0. */
  totals: ['TotalNetWeight', 'TotalEnergyWeight', 'TotalTronPowerWeight'],
  /** Values of a proposal, of which two take anything. */
  proposal: ['parameters'],
} as const satisfies Record<string, Negatives>;

const OF_ROWS: { readonly [Name in TableName]?: Negatives } = {
  accounts: NEGATIVES.account,
  assets: NEGATIVES.token,
  assetsByName: NEGATIVES.token,
  contracts: NEGATIVES.contract,
  proposals: NEGATIVES.proposal,
  /** -1 of who was never settled. */
  voterSettlements: ['endCycle'],
  longs: 'any',
};

/**
 * The same of a row in a file. Where its network cannot be asked, an account of less than nothing has at least to be called
 * Blackhole.
 */
export function negativeInRow(table: TableName, value: unknown): string | undefined {
  if (table === 'accounts') {
    const { balance, account_name } = value as Account;
    if (balance < 0n && account_name !== BLACKHOLE) return `balance is ${balance}`;
  }
  return negativeIn(value, OF_ROWS[table] ?? []);
}

const BLACKHOLE = utf8ToHex('Blackhole');
