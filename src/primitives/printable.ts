/**
 * Text that others wrote (names of tokens and methods, memos, reasons of reverts, labels, file names, answers of networks)
 * as it may be shown on a terminal or in a log. Everything that is printed comes through here.
 */

/** Controls, what changes the direction of text or is not seen, and separators of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const SEARCHED = new RegExp(UNPRINTABLE.source, 'u');

/**
 * The text with escapes in the place of what could steer a terminal: `\u001b`, which JSON reads as the same character, so
 * JSON stays what it says. Ends of lines and tabs stay.
 *
 * @example printable('\x1b[2Jcoin\n') // '\\u001b[2Jcoin\n'
 */
export function printable(text: string): string {
  if (!SEARCHED.test(text)) return text;
  return text.replace(UNPRINTABLE, (character, at: number) => {
    const isEnd = character === '\n' || (character === '\r' && text[at + 1] === '\n');
    return isEnd || character === '\t' ? character : escapeOf(character);
  });
}

/** The same for what is to stay on one line. */
export function printableLine(text: string): string {
  return SEARCHED.test(text) ? text.replace(UNPRINTABLE, escapeOf) : text;
}

function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
