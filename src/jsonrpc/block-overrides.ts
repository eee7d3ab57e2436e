/** Reads block overrides of a call in Ethereum's form. */

import type { BlockOverrides } from '../wallet/calls.js';
import type { Binder } from './arguments.js';
import { invalidParams } from './errors.js';
import { isMembers, type Json } from './json-text.js';
import { readAddress } from './values.js';

const QUANTITY = /^0x[0-9a-fA-F]{1,16}$/;
const MAX_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);
/** A contract's seconds, which are milliseconds here: to the year 285,000. */
const MAX_SECONDS = MAX_NUMBER / 1_000n;

const KNOWN: ReadonlySet<string> = new Set([
  'number',
  'time',
  'timestamp',
  'feeRecipient',
  'coinbase',
  'baseFeePerGas',
  'baseFee',
]);

/**
 * `number`, `time` (or `timestamp`, in seconds), `feeRecipient` (or `coinbase`), `baseFeePerGas` (or `baseFee`, in
 * sun).
 *
 * @throws JsonRpcError with the invalid member; unknown ones are refused, because a contract would not see them
 */
export const blockOverrides: Binder<BlockOverrides | null> = (value) => {
  if (value === null) return null;
  if (!isMembers(value)) throw refused('not an object');
  const { number, time, timestamp, feeRecipient, coinbase, baseFeePerGas, baseFee } = value;
  const name = Object.keys(value).find((one) => !KNOWN.has(one) && value[one] !== null);
  if (name !== undefined) throw refused(`${name} is not visible to contracts of TRON`);
  const seconds = quantity('time', time ?? timestamp, MAX_SECONDS);
  const height = quantity('number', number, MAX_NUMBER);
  const producer = feeRecipient ?? coinbase ?? null;
  return {
    number: height === undefined ? undefined : Number(height),
    timestampMs: seconds === undefined ? undefined : seconds * 1_000n,
    producer: producer === null ? undefined : readAddress(text('feeRecipient', producer)),
    energyPriceSun: quantity('baseFeePerGas', baseFeePerGas ?? baseFee, MAX_NUMBER),
  };
};

function refused(what: string) {
  return invalidParams(`invalid block override: ${what}`);
}

function text(name: string, value: Json): string {
  if (typeof value !== 'string') throw refused(name);
  return value;
}

function quantity(name: string, value: Json | undefined, max: bigint): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const written = text(name, value);
  if (!QUANTITY.test(written) || BigInt(written) > max) throw refused(name);
  return BigInt(written);
}
