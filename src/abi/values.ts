/**
 * Decodes ABI-encoded values to plain JSON, with viem's decoder, which is loaded on first use. The input is untrusted:
 * types come from deployers, data from callers. Invalid encodings, values that are too long for a reader, and data
 * that would block the process are not decoded.
 */

import { decodeAbiParameters } from 'viem/utils';
import { type Hex, isHex } from '../primitives/hex.js';
import { toBase58 } from '../protocol/address.js';
import type { AbiParameter } from './items.js';

/**
 * Numbers as digits in a string, addresses in base58check, bytes as `0x…`, arrays as arrays.
 * @example ['TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6', '1000', true, ['0x12', 'text']]
 */
export type AbiValue = string | boolean | readonly AbiValue[];

/** Far above real errors and events; a log of this size costs half a million Energy. */
const MAX_DATA_BYTES = 65_536;

/** Maximum nesting of arrays. */
const LONGEST_TYPE = 256;
const PLAIN = /^(address|bool|string|bytes([1-9]|[12]\d|3[0-2])?|u?int(\d{1,3})?|trcToken)((\[[1-9]\d{0,4}\]|\[\])*)$/;

/** A type, or a parameter: only a parameter has the components of a tuple. */
export type Typed = string | Pick<AbiParameter, 'type' | 'components'>;

interface ViemParameter {
  readonly type: string;
  readonly components?: readonly ViemParameter[];
}

/** Contracts use `trcToken` for the id of a TRC-10 token; it is encoded as a uint256. */
function parameterOf(typed: Typed): ViemParameter | undefined {
  const { type, components } = typeof typed === 'string' ? { type: typed } : typed;
  if (type.length > LONGEST_TYPE) return undefined;
  if (components !== undefined) return tupleOf(type, components);
  const match = PLAIN.exec(type);
  if (match === null) return undefined;
  const [, element = '', , , dimensions = ''] = match;
  return { type: (element === 'trcToken' ? 'uint256' : element) + dimensions };
}

const TUPLE = /^tuple((\[[1-9]\d{0,4}\]|\[\])*)$/;

function tupleOf(type: string, components: readonly AbiParameter[]): ViemParameter | undefined {
  const known = components.map(parameterOf).filter((component) => component !== undefined);
  // Empty tuples take no data, so an array of them could have any length.
  if (!TUPLE.test(type) || components.length === 0 || known.length < components.length) return undefined;
  return { type, components: known };
}

/**
 * Decodes `data`, one value for each type; a tuple is a list.
 *
 * @returns undefined if the data do not fit, and for tuples without known components, as on the chain
 */
export function decodeValues(types: readonly Typed[], data: Hex): readonly AbiValue[] | undefined {
  const parameters = types.map(parameterOf);
  if (data.length > 2 * MAX_DATA_BYTES || data.length % 2 !== 0 || !isHex(data)) return undefined;
  if (!parameters.every((parameter) => parameter !== undefined)) return undefined;
  if (types.length === 0) return [];
  try {
    const values = decodeAbiParameters(parameters, `0x${data}`) as readonly unknown[];
    return values.map((value, at) => plain(types[at] as Typed, value));
  } catch {
    return undefined; // viem has a class of error for each kind of invalid encoding
  }
}

/** The element type of an array, or the type itself: `uint256[2][]` → `uint256[2]`. */
function elementOf(typed: Typed): Typed {
  if (typeof typed === 'string') return typed.replace(/\[\d*\]$/, '');
  return { ...typed, type: typed.type.replace(/\[\d*\]$/, '') };
}

function plain(typed: Typed, value: unknown): AbiValue {
  const { type, components } = typeof typed === 'string' ? { type: typed } : typed;
  // viem returns a tuple with unnamed components as a list.
  if (type === 'tuple') return (components ?? []).map((component, at) => plain(component, (value as unknown[])[at]));
  if (Array.isArray(value)) return value.map((one) => plain(elementOf(typed), one));
  if (typeof value === 'boolean') return value;
  if (type === 'address') return toBase58(`41${String(value).slice(2).toLowerCase()}`);
  return String(value);
}
