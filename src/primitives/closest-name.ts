/** What somebody meant who mistyped a name. */

import leven from 'leven';

/** What is longer is no slip of the hand. */
const LONGEST = 100;

/** The one of `names` that `name` is most likely a slip of the hand for. */
export function closest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const typed = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = leven(typed, candidate.toLowerCase(), { maxDistance: least });
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** So many names are told even where one of them looks like what is meant. */
const SHORT_LIST = 12;

/**
 * What to say of a name that there is not, where there are others.
 *
 * @example unknownName('balanc', ['address', 'balance']) // 'is not known here; did you mean balance? (there are address, balance)'
 */
export function unknownName(name: string, known: readonly string[]): string {
  const close = closest(name, known);
  const all = `there are ${known.join(', ')}`;
  // Who has written another word altogether is not helped by the one that looks most like it.
  const hint = close === undefined ? all : `did you mean ${close}?${known.length > SHORT_LIST ? '' : ` (${all})`}`;
  return `is not known here; ${hint}`;
}
