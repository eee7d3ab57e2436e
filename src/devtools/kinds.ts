/**
 * Parameter types: notation on the wire, and parsed form. A schema's `description` is its name in errors and in the
 * documentation.
 */

import * as v from 'valibot';
import { type Hex, isHex, isPrefixedHex, utf8ToHex } from '../primitives/hex.js';
import { addressOfText } from '../protocol/address-text.js';

function kind<Input, Output>(
  words: string,
  base: (words: string) => v.GenericSchema<unknown, Input>,
  read: (input: Input) => Output | undefined,
): v.GenericSchema<Input, Output> {
  return v.pipe(
    base(words),
    v.rawTransform<Input, Output>(({ dataset, addIssue, NEVER }) => {
      const output = read(dataset.value);
      if (output !== undefined) return output;
      addIssue({ message: words });
      return NEVER;
    }),
    v.description(words),
  ) as unknown as v.GenericSchema<Input, Output>;
}

const text = (words: string) => v.string(words);
const written = (words: string) => v.union([v.string(), v.number(), v.bigint()], words);

function readInteger(given: string | number | bigint): bigint | undefined {
  if (typeof given === 'bigint') return given;
  if (typeof given === 'number') return Number.isInteger(given) ? BigInt(given) : undefined;
  return /^(-?\d{1,80}|0x[\da-f]{1,64})$/i.test(given) ? BigInt(given) : undefined;
}

export const ADDRESS = 'an address (T…, 41… or 0x…)';
export const address = kind(ADDRESS, text, addressOfText);

/** A whole number as a number, decimal text or `0x` hex. */
export const integer = kind('a whole number (5, "5" or "0x5")', written, readInteger);

/** Sun: a millionth of a TRX. */
export const sun = kind('an amount in sun (a whole number, decimal text or 0x hex)', written, readInteger);

export const bytes = kind('bytes as hex', text, (given): Hex | undefined => {
  const digits = given.replace(/^0x/i, '').toLowerCase();
  return isHex(digits) ? digits : undefined;
});

/** The name of an account: text, or its bytes as hex with `0x`. */
export const name = kind('a name (text, or hex with 0x)', text, (given): Hex | undefined =>
  isPrefixedHex(given) ? given.slice(2).toLowerCase() : utf8ToHex(given),
);

/** A 32-byte word of the machine: the number of a storage slot, or its value. */
export const word = kind('a word of up to 32 bytes (0x hex, decimal text or a number)', written, (given) => {
  const value = readInteger(given);
  return value !== undefined && value >= 0n && value < 2n ** 256n ? value : undefined;
});

const boolOrText = (words: string) => v.union([v.boolean(), v.string()], words);
export const truth = kind('true or false', boolOrText, (given) =>
  typeof given === 'boolean' ? given : given === 'true' ? true : given === 'false' ? false : undefined,
);

type Given<Entries extends v.ObjectEntries> = {
  readonly [Name in keyof Entries]?: Exclude<v.InferOutput<Entries[Name]>, undefined>;
};

/**
 * An object with at least one of these members, each wrapped in `v.optional`.
 *
 * @param words what it is, without the members: they are listed after it
 * @example members('stakes in sun', { energy: v.optional(sun) })
 */
export function members<const Entries extends v.ObjectEntries>(
  words: string,
  entries: Entries,
): v.GenericSchema<unknown, Given<Entries>> {
  return someOf(`an object with one or more of ${Object.keys(entries).join(', ')} (${words})`, entries, 1);
}

/** The same for what has a default: none of the members has to be there. */
export function options<const Entries extends v.ObjectEntries>(
  words: string,
  entries: Entries,
): v.GenericSchema<unknown, Given<Entries>> {
  return someOf(`an object with any of ${Object.keys(entries).join(', ')} (${words})`, entries, 0);
}

function someOf<const Entries extends v.ObjectEntries>(
  whole: string,
  entries: Entries,
  least: number,
): v.GenericSchema<unknown, Given<Entries>> {
  return v.pipe(
    v.strictObject(entries, ({ expected }) => (expected === 'Object' ? whole : `one of these: ${whole}`)),
    v.transform((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))),
    v.check((given) => Object.keys(given).length >= least, whole),
    v.description(whole),
  ) as unknown as v.GenericSchema<unknown, Given<Entries>>;
}
