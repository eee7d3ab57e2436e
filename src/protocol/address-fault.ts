/** What is wrong with a text that was to be an address, in words, for whoever has mistyped one or copied a part of it. */

import { decodeBase58Check } from './address.js';

const CHARACTERS = 34;
const HEX_DIGITS = 42;
const ETHEREUM_DIGITS = 40;
const NOT_BASE58 = /[^1-9A-HJ-NP-Za-km-z]/;
/** What is shorter or longer is another thing altogether, not an address with a mistake. */
const LIKE_BASE58 = /^T[\dA-Za-z]{24,43}$|^[\dA-Za-z]{34}$/;
const LIKE_HEX = /^(0x)?[\da-f]{34,50}$/i;

/**
 * A clause to put behind the text: `: its checksum is wrong …`; empty where the text does not look like an address.
 *
 * @example addressFault('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2Hc')
 */
export function addressFault(text: string): string {
  const fault = LIKE_HEX.test(text) ? faultOfHex(text.replace(/^0x/i, '')) : faultOfBase58(text);
  return fault === undefined ? '' : `: ${fault}`;
}

function faultOfHex(digits: string): string | undefined {
  if (digits.length === HEX_DIGITS)
    return digits.startsWith('41') ? undefined : `its prefix is ${digits.slice(0, 2)}, and that of an address is 41`;
  if (digits.length === ETHEREUM_DIGITS)
    return `it has ${ETHEREUM_DIGITS} hex digits: with 41 before them it is an address`;
  return `its length is wrong: ${digits.length} hex digits, and an address has ${HEX_DIGITS} with its prefix 41`;
}

function faultOfBase58(text: string): string | undefined {
  if (!LIKE_BASE58.test(text)) return undefined;
  const foreign = NOT_BASE58.exec(text);
  if (foreign !== null) return `it has the character ${foreign[0]}, which base58 does not (0, O, I and l)`;
  if (text.length !== CHARACTERS)
    return `its length is wrong: ${text.length} characters, and an address has ${CHARACTERS}`;
  const payload = decodeBase58Check(text);
  if (payload !== undefined && !payload.startsWith('41'))
    return `its prefix is ${payload.slice(0, 2)}, and that of an address is 41: such an address begins with T`;
  if (!text.startsWith('T')) return `its prefix is wrong: an address begins with T`;
  return payload === undefined ? 'its checksum is wrong, so at least one character is another than it was' : undefined;
}
