/** Explains an invalid address, for mistyped or truncated ones. */

import { decodeBase58Check } from './address.js';

const CHARACTERS = 34;
const HEX_DIGITS = 42;
const ETHEREUM_DIGITS = 40;
const NOT_BASE58 = /[^1-9A-HJ-NP-Za-km-z]/;
/** A much shorter or longer text is not a mistyped address. */
const LIKE_BASE58 = /^T[\dA-Za-z]{24,43}$|^[\dA-Za-z]{34}$/;
const LIKE_HEX = /^(0x)?[\da-f]{34,50}$/i;

/**
 * A clause to append: `: its checksum is wrong …`; empty if the text does not resemble an address.
 *
 * @example addressFault('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2Hc')
 */
export function addressFault(text: string): string {
  const fault = LIKE_HEX.test(text) ? faultOfHex(text.replace(/^0x/i, '')) : faultOfBase58(text);
  return fault === undefined ? '' : `: ${fault}`;
}

function faultOfHex(digits: string): string | undefined {
  if (digits.length === HEX_DIGITS)
    return digits.startsWith('41') ? undefined : `its prefix is ${digits.slice(0, 2)}, expected 41`;
  if (digits.length === ETHEREUM_DIGITS) return `it has ${ETHEREUM_DIGITS} hex digits: add the prefix 41`;
  return `its length is wrong: ${digits.length} hex digits, expected ${HEX_DIGITS} with the prefix 41`;
}

function faultOfBase58(text: string): string | undefined {
  if (!LIKE_BASE58.test(text)) return undefined;
  const foreign = NOT_BASE58.exec(text);
  if (foreign !== null) return `it has the character ${foreign[0]}, which base58 does not have (0, O, I and l)`;
  if (text.length !== CHARACTERS) return `its length is wrong: ${text.length} characters, expected ${CHARACTERS}`;
  const payload = decodeBase58Check(text);
  if (payload !== undefined && !payload.startsWith('41'))
    return `its prefix is ${payload.slice(0, 2)}, expected 41: a TRON address starts with T`;
  if (!text.startsWith('T')) return `its prefix is wrong: a TRON address starts with T`;
  return payload === undefined ? 'its checksum is wrong: at least one character differs' : undefined;
}
