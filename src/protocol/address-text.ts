/** An address in any of its written forms. */

import type { Address } from '../primitives/ids.js';
import { fromBase58 } from './address.js';

/** base58check, 21 bytes of hex with or without `0x`, or Ethereum's 20 bytes; `undefined` for anything else. */
export function addressOfText(text: string): Address | undefined {
  const hex = text.replace(/^0x/i, '').toLowerCase();
  if (/^41[\da-f]{40}$/.test(hex)) return hex as Address;
  if (/^[\da-f]{40}$/.test(hex)) return `41${hex}` as Address;
  return fromBase58(text);
}
