/**
 * Untrusted text (names of tokens and methods, memos, revert reasons, labels, file names, answers of networks) in a
 * form that is safe for terminals and logs. All output passes through it.
 */

/** Control characters, bidirectional and invisible characters, and line separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const SEARCHED = new RegExp(UNPRINTABLE.source, 'u');
/** Nearly all text: found without the tables of Unicode, which take 2 ms of a start. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;
const PLAIN_LINE = /^[\x20-\x7e]*$/;

/**
 * The text with escapes for terminal control characters: `\u001b`, which JSON reads as the same character, so JSON
 * keeps its meaning. Line ends and tabs stay.
 *
 * @example printable('\x1b[2Jcoin\n') // '\\u001b[2Jcoin\n'
 */
export function printable(text: string): string {
  if (PLAIN.test(text) || !SEARCHED.test(text)) return text;
  return text.replace(UNPRINTABLE, (character, at: number) => {
    const isEnd = character === '\n' || (character === '\r' && text[at + 1] === '\n');
    return isEnd || character === '\t' ? character : escapeOf(character);
  });
}

/** The same for text on one line. */
export function printableLine(text: string): string {
  return !PLAIN_LINE.test(text) && SEARCHED.test(text) ? text.replace(UNPRINTABLE, escapeOf) : text;
}

function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
