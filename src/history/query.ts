/**
 * Parameters of a request: both spellings, types and errors (protocol/v1.md#address-forms, #common-list-parameters,
 * #validation).
 */

import { type Address, isAddress, type TxId } from '../primitives/ids.js';
import { fromBase58 } from '../protocol/address.js';
import { addressFault } from '../protocol/address-fault.js';
import type { Confirmation } from '../wallet/history/window.js';
import { conflictingParameters, invalid } from './errors.js';

const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 200;

/** Aliases of parameters, in the spelling with underscores. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['min_block_timestamp', 'min_timestamp'],
  ['max_block_timestamp', 'max_timestamp'],
]);

/**
 * The query of a request, by names with underscores. The first value of a name counts, and empty values are ignored.
 */
export class Query {
  readonly #values = new Map<string, string>();

  constructor(search: string) {
    const given = [...new URLSearchParams(search)].filter(([, value]) => value !== '');
    // Names with underscores win over camel case, and both win over aliases.
    const rank = (name: string): number => (ALIASES.has(name) ? 2 : 0) + (/[A-Z]/.test(name) ? 1 : 0);
    for (const [name, value] of given.sort(([a], [b]) => rank(a) - rank(b))) {
      const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const key = ALIASES.get(snake) ?? snake;
      if (!this.#values.has(key)) this.#values.set(key, value);
    }
  }

  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** True for the service's values of true; all others are false. */
  flag(name: string): boolean {
    const value = this.#values.get(name);
    return value === 'true' || value === '1';
  }

  /** A nonnegative integer. */
  number(name: string): number | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : wholeNumber(name, value);
  }

  address(name: string): Address | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : readAddress(value, name);
  }

  get limit(): number {
    const limit = this.number('limit') ?? DEFAULT_LIMIT;
    if (limit < 1 || limit > MAX_LIMIT) throw invalid(`limit has to be between 1 and ${MAX_LIMIT}`);
    return limit;
  }

  get confirmation(): Confirmation {
    const confirmed = this.flag('only_confirmed');
    const unconfirmed = this.flag('only_unconfirmed');
    if (confirmed && unconfirmed) throw conflictingParameters();
    return confirmed ? 'confirmed' : unconfirmed ? 'unconfirmed' : 'any';
  }

  /** @param fields allowed sort keys; the first one, with its direction, is the default */
  order<Field extends string>(fields: readonly Field[], direction: 'asc' | 'desc'): { by: Field; descending: boolean } {
    const value = this.#values.get('order_by');
    const [by = fields[0], wanted = direction, ...more] = value?.split(',').map((part) => part.trim()) ?? [];
    const field = fields.find((one) => one === by);
    if (field === undefined || (wanted !== 'asc' && wanted !== 'desc') || more.length > 0)
      throw invalid(`order_by has to be one of ${fields.join(', ')}, with ,asc or ,desc behind it`);
    return { by: field, descending: wanted === 'desc' };
  }

  /** All parameters except the cursor, sorted: `links.next` repeats them. */
  entries(): readonly (readonly [name: string, value: string])[] {
    return [...this.#values].filter(([name]) => name !== 'fingerprint').sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

export function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(number)) throw invalid(`${name} has to be a whole number`);
  return number;
}

/** `T…`, or hex with `41`, `0x41` or `0x` before the 20 bytes, in upper or lower case. */
export function readAddress(text: string, what = 'address'): Address {
  const hex = text.toLowerCase().replace(/^0x/, '');
  const address = hex.length === 40 ? `41${hex}` : hex;
  const read = isAddress(address) ? address : fromBase58(text);
  if (read === undefined) throw invalid(`${what} is no address${addressFault(text)}`);
  return read;
}

export function readTxId(text: string): TxId {
  const hex = text.toLowerCase().replace(/^0x/, '');
  if (!/^[0-9a-f]{64}$/.test(hex)) throw invalid('transaction id has to be 64 hex digits');
  return hex as TxId;
}
