/** Words for a validator's findings: valibot's own texts are for programmers and are never shown. */

import * as v from 'valibot';
import { unknownName } from './closest-name.js';

const WORDS: Readonly<Record<string, string>> = {
  Array: 'a list',
  Object: 'an object',
  bigint: 'a whole number',
  boolean: 'true or false',
  number: 'a number',
  string: 'text',
};

/** What a schema without a text of its own expects. @example of `v.union([v.string(), v.number()])`: 'text or a number' */
export function expectedWords({ expected, received }: v.BaseIssue<unknown>): string {
  if (expected === null) return 'something else';
  if (expected === 'never') return 'no member of that name';
  if (received === 'undefined' && /^"[^"]*"$/.test(expected)) return 'a value';
  return expected
    .replace(/^\((.*)\)$/, '$1')
    .split(/ \| | & /)
    .map((one) => WORDS[one] ?? one.replaceAll('"', ''))
    .join(' or ');
}

/** For `v.safeParse`: {@link expectedWords} is the message of issues whose schema has none. */
export const IN_WORDS = { message: expectedWords } as const;

type Members<Entries extends v.ObjectEntries> = v.GenericSchema<
  unknown,
  v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
>;

/**
 * An object with these members and no others. Its messages follow a path: `is missing`, `is unknown; did you mean
 * balance?`.
 */
export function onlyMembers<const Entries extends v.ObjectEntries>(entries: Entries): Members<Entries> {
  const names = Object.keys(entries);
  const whole = `must be an object with ${names.join(', ')}`;
  const message = ({ expected, path }: v.StrictObjectIssue) => {
    if (expected === 'Object') return whole;
    return expected === 'never' ? unknownName(String(path?.at(-1)?.key), names) : 'is missing';
  };
  return v.pipe(
    v.unknown(),
    // Valibot accepts a list as an object with the members 0, 1, …
    v.check((given) => !Array.isArray(given), whole),
    v.strictObject(entries, message),
  ) as unknown as Members<Entries>;
}
