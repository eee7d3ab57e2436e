/** Branded hex types for the chain's identifiers: a block id cannot be passed as an address. */

import type { Hex } from './hex.js';

declare const brand: unique symbol;
type Branded<Name extends string> = Hex & { readonly [brand]: Name };

/** 21 bytes, `41` first: 42 hex characters. Base58check exists only at the edges (`protocol/address.ts`). */
export type Address = Branded<'Address'>;
/** sha256 of the canonical `raw_data`: 64 hex characters. */
export type TxId = Branded<'TxId'>;
/** Eight bytes of number, then bytes 8..31 of the header's sha256: 64 hex characters. */
export type BlockId = Branded<'BlockId'>;

/** A millionth of a TRX, the unit of every amount. A signed 64-bit number on the wire. */
export type Sun = bigint;

const ADDRESS = /^41[0-9a-f]{40}$/;

/** The protocol's own test of an address (java-tron DecodeUtil.addressValid): 21 bytes, of which the first is 0x41. */
export function isAddress(hex: Hex): hex is Address {
  return hex.length === 42 && ADDRESS.test(hex);
}
