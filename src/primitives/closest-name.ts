/** Suggestions for mistyped names. */

import leven from 'leven';

/** Longer names are not mistyped ones. */
const LONGEST = 100;

/** The most similar one of `names`, if `name` is probably mistyped. */
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

/** Up to this many names are listed even if one of them is similar. */
const SHORT_LIST = 12;

/**
 * The message for an unknown name among known ones.
 *
 * @example unknownName('balanc', ['address', 'balance']) // 'is unknown; did you mean balance? (known: address, balance)'
 */
export function unknownName(name: string, known: readonly string[]): string {
  const close = closest(name, known);
  const all = `known: ${known.join(', ')}`;
  // If the written word is quite different, the most similar name is no help; a short list is.
  const hint = close === undefined ? all : `did you mean ${close}?${known.length > SHORT_LIST ? '' : ` (${all})`}`;
  return `is unknown; ${hint}`;
}
