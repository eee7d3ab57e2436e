/**
 * Value types of scenarios: their notation and their parsed form. A type's `description` is the text for problems and
 * for the reference; `names` in its metadata says that the value names an object of the same file.
 */

import * as v from 'valibot';
import { BadValue } from '../../options/kinds.js';
import { readTimeSpan } from '../../options/time-span.js';
import { sunOfText } from '../../primitives/coin-text.js';
import { type Hex, isHex } from '../../primitives/hex.js';
import { addressOfText } from '../../protocol/address-text.js';

/** Kinds of objects that a value can name. */
export type Named = 'account' | 'contract' | 'token' | 'proposal' | 'exchange' | 'order' | 'snapshot';

function kind<Base extends v.GenericSchema<unknown, unknown>, Output>(
  words: string,
  base: Base,
  read: (input: v.InferOutput<Base>) => Output | undefined,
): v.GenericSchema<unknown, Output> {
  return v.pipe(
    base,
    v.rawTransform<v.InferOutput<Base>, Output>(({ dataset, addIssue, NEVER }) => {
      const output = read(dataset.value);
      if (output !== undefined) return output;
      addIssue({ message: words });
      return NEVER;
    }),
    v.description(words),
  ) as unknown as v.GenericSchema<unknown, Output>;
}

const written = (words: string) => v.union([v.string(), v.number()], words);

/** Digits, optionally grouped by `_`. Numbers beyond 2^53 have already lost digits and are refused. */
function readInteger(given: string | number): bigint | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : undefined;
  const digits = given.replaceAll('_', '');
  return /^(-?\d{1,78}|0x[\da-f]{1,64})$/i.test(digits) ? BigInt(digits) : undefined;
}

function readSun(given: string | number): bigint | undefined {
  return typeof given === 'number' ? readInteger(given) : sunOfText(given);
}

const SUN = 'an amount of TRX: 10 TRX, 1_000 sun, or a whole number of sun';
export const sun = kind(SUN, written(SUN), readSun);

const INTEGER = 'a whole number; write numbers beyond 2^53 as text';
export const integer = kind(INTEGER, written(INTEGER), readInteger);

/** A non-negative whole number, small enough for a JavaScript number. */
export function count(most: number, least = 0): v.GenericSchema<unknown, number> {
  const words = `a whole number from ${least} to ${most}`;
  return kind(words, written(words), (given) => {
    const value = readInteger(given);
    return value !== undefined && value >= BigInt(least) && value <= BigInt(most) ? Number(value) : undefined;
  });
}

const SPAN = 'a duration: 3s, 90s, 6h, 14d, 1h30m';
/** Milliseconds. */
export const span = kind(SPAN, v.string(SPAN), readSpan);

function readSpan(text: string): number | undefined {
  try {
    return readTimeSpan(text.trim());
  } catch (error) {
    if (error instanceof BadValue) return undefined;
    throw error;
  }
}

/** Time, or a number of epochs. */
export type Passing = { readonly ms: number } | { readonly epochs: number };

const PASSING = 'a duration (90s, 6h, 14d), or epochs: 1 epoch, 30 epochs';
export const passing = kind(PASSING, v.string(PASSING), (text): Passing | undefined => {
  const epochs = /^(\d{1,7}) epochs?$/.exec(text.trim())?.[1];
  if (epochs !== undefined) return { epochs: Number(epochs) };
  const ms = readSpan(text);
  return ms === undefined ? undefined : { ms };
});

const MOMENT = 'a moment: 2026-01-01T00:00:00Z, or milliseconds since 1970';
/** Milliseconds since 1970. A text needs a time zone, or it would mean another moment on another machine. */
export const moment = kind(MOMENT, written(MOMENT), (given) => {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? given : undefined;
  const ms = /(Z|[+-]\d\d:?\d\d)$/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isSafeInteger(ms) && ms >= 0 ? ms : undefined;
});

const BYTES = 'bytes as hex';
export const bytes = kind(BYTES, v.string(BYTES), (text): Hex | undefined => {
  const digits = text.replace(/^0x/i, '').toLowerCase();
  return isHex(digits) ? digits : undefined;
});

const ADDRESS = 'an address (T…, 41… or 0x…)';
export const address = kind(ADDRESS, v.string(ADDRESS), addressOfText);

export const text = v.pipe(v.string('text'), v.description('text'));

export const truth = v.pipe(v.boolean('true or false'), v.description('true or false'));

/** A member of an account group: `customers.17`. */
export const NAME = /^[A-Za-z_][\w-]*$/;
const NAME_OR_MEMBER = /^[A-Za-z_][\w-]*(\.\d{1,7})?$/;

export function isAddressText(given: string): boolean {
  return addressOfText(given) !== undefined;
}

function named<Of extends Named>(of: Of, words: string, others: (given: string) => boolean) {
  const check = (given: string) => NAME_OR_MEMBER.test(given) || others(given);
  return v.pipe(v.string(words), v.check(check, words), v.description(words), v.metadata({ names: of }));
}

export const account = named(
  'account',
  'an account of the scenario by its name, or an address (T…, 41…, 0x…)',
  isAddressText,
);
export const contract = named(
  'contract',
  'a contract of the scenario by its name, or an address (T…, 41…, 0x…)',
  isAddressText,
);

const TOKEN_ID = /^\d{1,18}$/;
const TOKEN = 'a TRC-10 token of the scenario by its name, its id, or TRX';
export const token = v.pipe(
  v.union([v.string(), v.number()], TOKEN),
  v.transform(String),
  v.check((given) => NAME.test(given) || TOKEN_ID.test(given), TOKEN),
  v.description(TOKEN),
  v.metadata({ names: 'token' }),
) as unknown as v.GenericSchema<unknown, string>;

/** An object that an earlier step named (`as`), or its number. */
export function objectReference(of: 'proposal' | 'exchange'): v.GenericSchema<unknown, string> {
  const words = `the name that an earlier step gave ${of === 'exchange' ? 'an exchange' : 'a proposal'} (as), or its number`;
  return v.pipe(
    v.union([v.string(), v.number()], words),
    v.transform(String),
    v.check((given) => NAME.test(given) || TOKEN_ID.test(given), words),
    v.description(words),
    v.metadata({ names: of }),
  ) as unknown as v.GenericSchema<unknown, string>;
}

/** The name that a step gives to the object that it creates. */
export function definition<const Of extends Named>(of: Of) {
  const words = 'a name: letters, digits, _ and -, a letter first';
  return v.pipe(v.string(words), v.regex(NAME, words), v.description(words), v.metadata({ defines: of }));
}

export const RESOURCES = ['energy', 'bandwidth', 'tronPower'] as const;
export type ResourceWord = (typeof RESOURCES)[number];
const RESOURCE = 'energy, bandwidth or tronPower';
export const resource = v.pipe(v.picklist(RESOURCES, RESOURCE), v.description(RESOURCE));
