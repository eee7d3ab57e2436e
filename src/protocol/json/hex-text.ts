/**
 * Hex and base58 as java-tron reads them from clients (ByteArray.fromHexString, Base58.decode), with its tolerance and
 * its exception texts. Strict forms are in `primitives/hex.ts` and `protocol/address.ts`.
 */

import { hexDecoderException, illegalArgumentException, JavaException } from '../../errors/java-exception.js';
import type { Hex } from '../../primitives/hex.js';
import { fromBase58 } from '../address.js';
import { TextUnits } from './text-units.js';

const NOT_HEX = /[^0-9a-fA-F]/;
const WHITESPACE = /[ \t\r\n]/;

/**
 * Hex in either case with an optional lower-case `0x`; an odd number of digits gets a leading zero; whitespace is
 * ignored.
 *
 * @throws JavaException DecoderException with the hex decoder's text
 */
export function readHex(text: string): Hex {
  let digits = text.startsWith('0x') ? text.slice(2) : text;
  if (digits.length % 2 !== 0) {
    digits = `0${digits}`;
  }
  return decodeHexStrictly(digits);
}

/** Like {@link readHex}, without prefix and padding: Bouncy Castle's `Hex.decode`. */
export function decodeHexStrictly(digits: string): Hex {
  if (digits.length % 2 === 0 && !NOT_HEX.test(digits)) {
    return digits.toLowerCase();
  }
  // Its table has 128 entries and is indexed without a check, two characters at a time, whitespace skipped.
  const significant = withoutWhitespace(digits.trimEnd());
  const badAt = significant.search(NOT_HEX);
  if (badAt >= 0) {
    const pair = significant.slice(badAt - (badAt % 2), badAt - (badAt % 2) + 2);
    for (const code of [pair.charCodeAt(0), pair.charCodeAt(1)]) {
      if (code >= 128) {
        throw decoderException(`Index ${code} out of bounds for length 128`);
      }
    }
    if (pair.length === 2) {
      throw hexDecoderException();
    }
  }
  if (significant.length % 2 !== 0) {
    throw decoderException(`String index out of range: ${digits.length}`);
  }
  return significant.toLowerCase();
}

function withoutWhitespace(text: string): string {
  if (!WHITESPACE.test(text)) return text;
  const kept = new TextUnits(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d && code !== 0x0a) kept.push(code);
  }
  return kept.toString();
}

function decoderException(detail: string): JavaException {
  return new JavaException(
    'org.bouncycastle.util.encoders.DecoderException',
    `exception decoding Hex string: ${detail}`,
  );
}

const NOT_BASE58 = /[^1-9A-HJ-NP-Za-km-z]/;

/**
 * The bytes of a base58check address; `null` for a wrong checksum, an empty text, or bytes that are not an address.
 *
 * @throws JavaException IllegalArgumentException with the first character outside of the alphabet
 */
export function readBase58Address(text: string): Hex | null {
  const bad = NOT_BASE58.exec(text);
  if (bad !== null) {
    throw illegalArgumentException(`Illegal character ${bad[0]} at ${bad.index}`);
  }
  return fromBase58(text) ?? null;
}
