/**
 * Binds JSON values to the declared parameters of a method, with Jackson's coercions
 * (protocol/json-rpc.md#http-and-envelope-behaviour): which values are converted, which become null, and which make
 * the whole request a parse error.
 */

import { isPrefixedHex } from '../primitives/hex.js';
import { javaDouble } from '../protocol/json/message-printer.js';
import { invalidParams } from './errors.js';
import { isMembers, type Json, JsonParseError, NumberText } from './json-text.js';
import type { Forms } from './release-forms.js';

/** The part of a dialect that reads arguments. */
export interface Reader {
  /** Like the friendly dialect; otherwise like java-tron. */
  readonly lenient: boolean;
  readonly forms: Pick<Forms, 'input'>;
}

/** Reads values as Ethereum tools write them, in any dialect. */
export const LENIENT: Reader = { lenient: true, forms: { input: true } };

/**
 * @param reader absent: java-tron's first release
 * @throws JsonParseError for a value that does not fit the declared type
 */
export type Binder<Value> = (value: Json, reader?: Reader) => Value;

function refuse(what: string): never {
  throw new JsonParseError(`the parameter is not ${what}`);
}

/** A number's text as Java prints it. */
export function numberText(value: number | NumberText): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : javaDouble(value);
  return value.isInteger ? String(BigInt(value.text)) : javaDouble(Number(value.text));
}

/** A text; numbers and booleans are converted. */
export const text: Binder<string | null> = (value) => {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value === 'number' || value instanceof NumberText) return numberText(value);
  if (typeof value === 'boolean') return String(value);
  return refuse('a text');
};

const TRUTH: ReadonlyMap<string, boolean | null> = new Map([
  ...['true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['false', 'False', 'FALSE'].map((text) => [text, false] as const),
  ['', null],
]);

export const truth: Binder<boolean | null> = (value) => {
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isInteger(value)) return value !== 0;
  if (value instanceof NumberText && value.isInteger) return BigInt(value.text) !== 0n;
  const named = typeof value === 'string' ? TRUTH.get(value.trim()) : undefined;
  return named === undefined ? refuse('a boolean') : named;
};

export const anything: Binder<Json> = (value) => value;

/** The block of a state: a tag or a number; leniently also an object that names a block (EIP-1898). */
export const stateBlock: Binder<Json> = (value, reader) => (reader?.lenient && isMembers(value) ? value : text(value));

/** The limit of digits of a number in a body: millions of digits take a second. */
const INTEGER = /^[+-]?\d{1,1000}$/;

function integer(bits: 32 | 64): Binder<bigint> {
  return (value) => {
    if (value === null || value === '') return 0n;
    const written = typeof value === 'string' ? value.trim() : value;
    let number: bigint;
    if (typeof written === 'number') number = BigInt(Math.trunc(written));
    else if (written instanceof NumberText) {
      number = written.isInteger ? BigInt(written.text) : BigInt(Math.trunc(Number(written.text)));
    } else if (typeof written === 'string' && INTEGER.test(written)) number = BigInt(written.replace('+', ''));
    else return refuse('a number');
    return BigInt.asIntN(bits, number) === number ? number : refuse(`a number of ${bits} bits`);
  };
}

/** A primitive `long`: null becomes zero. */
export const long = integer(64);
export const int = integer(32);

type Members<Value> = {
  readonly [Name in keyof Value]: { readonly bind: Binder<Value[Name]>; readonly absent: Value[Name] };
};

/**
 * An object with exactly these members. An undeclared member makes the whole request unreadable; leniently it is
 * ignored.
 *
 * @param more `input`, known to the lenient reader and to later releases
 */
function members<Value>(
  declared: Members<Value>,
  more: Readonly<Record<string, Binder<unknown>>> = {},
): Binder<Value | null> {
  const absent = Object.fromEntries(
    Object.entries<{ absent: unknown }>(declared).map(([name, member]) => [name, member.absent]),
  ) as Value;
  return (value, reader) => {
    if (value === null) return null;
    if (!isMembers(value)) return refuse('an object');
    const bound = { ...absent } as Record<string, unknown>;
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(declared, name)) bound[name] = declared[name as keyof Value].bind(value[name] as Json);
      else if (Object.hasOwn(more, name) && (reader?.lenient || reader?.forms.input))
        bound[name] = more[name]?.(value[name] as Json);
      else if (!reader?.lenient) return refuse(`an object with ${name}`);
    }
    return bound as Value;
  };
}

const optionalText = { bind: text, absent: null };

export interface CallObject {
  readonly from: string | null;
  readonly to: string | null;
  readonly gas: string | null;
  readonly gasPrice: string | null;
  readonly value: string | null;
  readonly data: string | null;
  /** The newer name of `data`, with precedence; java-tron knows it from 4.8.2 on. */
  readonly input?: string | null;
  readonly nonce: string | null;
}

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

export const callObject = members<CallObject>(
  {
    from: { bind: text, absent: ZERO_ADDRESS },
    to: optionalText,
    gas: optionalText,
    gasPrice: optionalText,
    value: optionalText,
    data: optionalText,
    nonce: optionalText,
  },
  { input: text },
);

/** @throws JsonRpcError for `input` without whole bytes after `0x`, if the release is strict */
export function callDataOf(
  { data, input }: Pick<CallObject, 'data' | 'input'>,
  forms?: Pick<Forms, 'strictValues'>,
): string {
  if (forms?.strictValues && input && !isPrefixedHex(input)) throw invalidParams('invalid hex string for "input"');
  return input ?? data ?? '';
}

export interface FilterObject {
  readonly address: Json;
  readonly topics: readonly Json[] | null;
  readonly fromBlock: string | null;
  readonly toBlock: string | null;
  readonly blockHash: string | null;
}

/** A value that is not an array stands for an array of one. */
const list: Binder<readonly Json[] | null> = (value) =>
  value === null || Array.isArray(value) ? (value as readonly Json[] | null) : [value];

export const filterObject = members<FilterObject>({
  address: { bind: anything, absent: null },
  topics: { bind: list, absent: null },
  fromBlock: optionalText,
  toBlock: optionalText,
  blockHash: optionalText,
});

export interface BuildObject extends Omit<CallObject, 'from'> {
  readonly from: string | null;
  readonly tokenId: bigint;
  readonly tokenValue: bigint;
  readonly abi: string | null;
  readonly consumeUserResourcePercent: bigint;
  readonly originEnergyLimit: bigint;
  readonly name: string | null;
  readonly permissionId: bigint;
  readonly extraData: string | null;
  readonly visible: boolean;
}

const optionalLong = { bind: long, absent: 0n };

export const buildObject = members<BuildObject>(
  {
    from: optionalText,
    to: optionalText,
    gas: { bind: text, absent: '0x0' },
    gasPrice: optionalText,
    value: optionalText,
    data: optionalText,
    nonce: optionalText,
    tokenId: optionalLong,
    tokenValue: optionalLong,
    abi: optionalText,
    consumeUserResourcePercent: optionalLong,
    originEnergyLimit: optionalLong,
    name: optionalText,
    permissionId: { bind: int, absent: 0n },
    extraData: optionalText,
    visible: { bind: (value) => truth(value) ?? false, absent: false },
  },
  { input: text },
);
