/** EIP-712: the digest of typed data. Loaded when somebody signs such data, because it brings viem's encoder. */

import { hashTypedData } from 'viem/utils';
import type { Hex } from '../../primitives/hex.js';
import { type Json, NumberText } from '../json-text.js';

/** @param typed also as JSON text @throws Error if it cannot be hashed */
export function typedDataDigest(typed: Json): Hex {
  return hashTypedData((typeof typed === 'string' ? JSON.parse(typed) : plain(typed)) as never).slice(2);
}

/** Numbers beyond 2^53 as bigints. */
function plain(value: Json): unknown {
  if (value instanceof NumberText) return value.isInteger ? BigInt(value.text) : Number(value.text);
  if (Array.isArray(value)) return value.map((one: Json) => plain(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one as Json)]));
}
