/**
 * Values of a contract's variables, read from its storage by solc's layout: packed values, strings and bytes, structs,
 * arrays, mappings by key (docs.soliditylang.org, "Layout of State Variables in Storage").
 */

import { type Hex, hexToBytes, utf8ToHex } from '../primitives/hex.js';
import { toBase58 } from '../protocol/address.js';
import { addressOfText } from '../protocol/address-text.js';
import { keccak256OfHex } from '../protocol/hashes.js';
import type { StorageLayout, StorageType, StorageVariable } from './storage-layout.js';

/** A step of a path does not exist, or is no key of its mapping; the message is a sentence. */
export class StoragePathError extends Error {
  override readonly name = 'StoragePathError';
}

/** The word of a slot. */
export type ReadSlot = (slot: bigint) => bigint;

export type StorageKind = 'value' | 'string' | 'bytes' | 'struct' | 'array' | 'mapping';

export interface StoredVariable {
  /** The name of a variable or a member, the index of an element, the key of an entry. */
  readonly name: string;
  /** From the variable on: names, indexes, keys. */
  readonly path: readonly string[];
  /** As in the source: `mapping(address => uint256)`. */
  readonly type: string;
  readonly kind: StorageKind;
  /** `0x` and hex. */
  readonly slot: string;
  /** First byte in the slot, from the right; 0 unless the slot has several values. */
  readonly offset: number;
  /** Size in storage; of a mapping, a string or a dynamic array: of its own slot. */
  readonly bytes: bigint;
  /**
   * Of a value: numbers as digits, addresses and contracts as base58check, `true`, `false`, other bytes as hex; an enum
   * as its number. Of a string: its text, or hex if it is no UTF-8; of bytes: hex.
   */
  readonly value?: string;
  /** Only the start of a long string is in `value`. */
  readonly isCut?: boolean;
  /** Of an array: its elements; of a string or bytes: its bytes. */
  readonly length?: bigint;
  /** Of a mapping: the type of its keys. */
  readonly keyType?: string;
  /** Of a struct that is shown: its members. Of an array that is shown: a page of elements. */
  readonly members?: readonly StoredVariable[];
}

export interface ElementPage {
  readonly offset: bigint;
  readonly limit: number;
}

/** A type at a place. */
interface Place {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: StorageType;
  readonly slot: bigint;
  readonly offset: number;
}

const WORD_BYTES = 32;
const SLOTS = 1n << 256n;
/** Of a string or bytes. */
const MAX_SHOWN_BYTES = 1_024;

/** All variables in the order of their slots. Structs have their members, other containers their sizes. */
export function storedVariables(layout: StorageLayout, read: ReadSlot): readonly StoredVariable[] {
  return layout.variables.map((variable) => shown(layout, placeOf(layout, variable, 0n, []), read, undefined));
}

/**
 * The variable, member, element or entry at a path, and what is directly inside of it.
 *
 * @param page of an array's elements @throws StoragePathError
 * @example storedAt(layout, ['entries', '3', 'note'], read, { offset: 0n, limit: 50 })
 */
export function storedAt(
  layout: StorageLayout,
  path: readonly string[],
  read: ReadSlot,
  page: ElementPage,
): StoredVariable {
  const [name = '', ...steps] = path;
  const variable = layout.variables.find(({ label }) => label === name);
  if (variable === undefined) throw new StoragePathError(`${layout.contract} has no variable ${shortened(name)}`);
  const place = steps.reduce((place, step) => inside(layout, place, step, read), placeOf(layout, variable, 0n, []));
  return shown(layout, place, read, page);
}

function placeOf(layout: StorageLayout, variable: StorageVariable, start: bigint, parents: readonly string[]): Place {
  const { label, slot, offset, type } = variable;
  const path = [...parents, label];
  return { name: label, path, type: typeNamed(layout, type), slot: wrapped(start + slot), offset };
}

function typeNamed({ types, contract }: StorageLayout, name: string | undefined): StorageType {
  const type = types.get(name ?? '');
  if (type === undefined) throw new StoragePathError(`the storage layout of ${contract} lacks the type ${name}`);
  return type;
}

const wrapped = (slot: bigint): bigint => slot % SLOTS;

function kindOf({ encoding, label, members, base }: StorageType): StorageKind {
  if (encoding === 'mapping') return 'mapping';
  if (encoding === 'bytes') return label.startsWith('string') ? 'string' : 'bytes';
  if (encoding === 'dynamic_array' || base !== undefined) return 'array';
  return members === undefined ? 'value' : 'struct';
}

/** @param page elements of an array; undefined: only its length */
function shown(layout: StorageLayout, place: Place, read: ReadSlot, page: ElementPage | undefined): StoredVariable {
  const { name, path, type, slot, offset } = place;
  const kind = kindOf(type);
  const head = {
    ...{ name, path, type: type.label, kind, slot: `0x${slot.toString(16)}`, offset },
    bytes: type.numberOfBytes,
  };
  switch (kind) {
    case 'value':
      return { ...head, value: valueText(type, bytesAt(read(slot), offset, Number(type.numberOfBytes))) };
    case 'string':
    case 'bytes':
      return { ...head, ...contentAt(kind, slot, read) };
    case 'mapping':
      return { ...head, keyType: typeNamed(layout, type.key).label };
    case 'struct':
      return {
        ...head,
        members: (type.members ?? []).map((member) =>
          nested(layout, placeOf(layout, member, slot, path), read, page !== undefined),
        ),
      };
    case 'array': {
      const length = lengthOf(place, read);
      if (page === undefined) return { ...head, length };
      const members: StoredVariable[] = [];
      for (let at = page.offset; at < length && members.length < page.limit; at++) {
        members.push(nested(layout, elementOf(layout, place, at), read, true));
      }
      return { ...head, length, members };
    }
  }
}

/** A member or an element. Structs inside have members only if the outer one was asked for: layouts may be deep. */
function nested(layout: StorageLayout, place: Place, read: ReadSlot, isOpen: boolean): StoredVariable {
  if (isOpen || kindOf(place.type) !== 'struct') return shown(layout, place, read, undefined);
  const { name, path, type, slot, offset } = place;
  const { label, numberOfBytes: bytes } = type;
  return { name, path, type: label, kind: 'struct', slot: `0x${slot.toString(16)}`, offset, bytes };
}

/** The member, element or entry of a place. */
function inside(layout: StorageLayout, place: Place, step: string, read: ReadSlot): Place {
  const { type, slot, path } = place;
  const inner = path.join('.');
  switch (kindOf(type)) {
    case 'struct': {
      const member = type.members?.find(({ label }) => label === step);
      if (member === undefined) throw new StoragePathError(`${inner} has no member ${shortened(step)}`);
      return placeOf(layout, member, slot, path);
    }
    case 'array': {
      const length = lengthOf(place, read);
      if (!/^\d{1,78}$/.test(step) || BigInt(step) >= length) {
        throw new StoragePathError(`${inner} has ${length} elements, and no element ${shortened(step)}`);
      }
      return elementOf(layout, place, BigInt(step));
    }
    case 'mapping': {
      const key = typeNamed(layout, type.key);
      const word = slot.toString(16).padStart(64, '0');
      const at = BigInt(`0x${keccak256OfHex(keyHex(key, step) + word)}`);
      return { name: step, path: [...path, step], type: typeNamed(layout, type.value), slot: at, offset: 0 };
    }
    default:
      throw new StoragePathError(`${inner} is of type ${type.label} and has nothing inside`);
  }
}

function lengthOf({ type, slot }: Place, read: ReadSlot): bigint {
  if (type.encoding === 'dynamic_array') return read(slot);
  const [, length = '0'] = /\[(\d{1,78})\]$/.exec(type.label) ?? [];
  return BigInt(length);
}

function elementOf(layout: StorageLayout, { type, slot, path }: Place, index: bigint): Place {
  const base = typeNamed(layout, type.base);
  const start = type.encoding === 'dynamic_array' ? contentSlot(slot) : slot;
  const name = String(index);
  const inner = { name, path: [...path, name], type: base };
  const bytes = Number(base.numberOfBytes);
  // Small values share slots; structs and arrays begin a slot of their own.
  if (kindOf(base) === 'value' && bytes <= WORD_BYTES / 2) {
    const perSlot = BigInt(Math.floor(WORD_BYTES / bytes));
    return { ...inner, slot: wrapped(start + index / perSlot), offset: Number(index % perSlot) * bytes };
  }
  const slots = (base.numberOfBytes + BigInt(WORD_BYTES) - 1n) / BigInt(WORD_BYTES);
  return { ...inner, slot: wrapped(start + index * slots), offset: 0 };
}

function contentSlot(slot: bigint): bigint {
  return BigInt(`0x${keccak256OfHex(slot.toString(16).padStart(64, '0'))}`);
}

/** Bytes of a word, in hex; `offset` counts from the right. */
function bytesAt(word: bigint, offset: number, bytes: number): Hex {
  const value = (word >> BigInt(8 * offset)) & ((1n << BigInt(8 * bytes)) - 1n);
  return value.toString(16).padStart(2 * bytes, '0');
}

function valueText({ label }: StorageType, hex: Hex): string {
  const value = BigInt(`0x${hex}`);
  if (/^(uint\d*|trcToken$|enum )/.test(label)) return String(value);
  if (/^int\d*$/.test(label)) return String(BigInt.asIntN(4 * hex.length, value));
  if (label === 'bool') return value === 0n ? 'false' : value === 1n ? 'true' : `0x${hex}`;
  if (/^(address\b|contract )/.test(label)) return toBase58(`41${hex.padStart(40, '0').slice(-40)}` as never);
  return `0x${hex}`;
}

/** Up to 31 bytes are in the slot itself, with twice their number in its last byte. */
function contentAt(
  kind: 'string' | 'bytes',
  slot: bigint,
  read: ReadSlot,
): Pick<StoredVariable, 'value' | 'length' | 'isCut'> {
  const word = read(slot);
  const isLong = (word & 1n) === 1n;
  const length = isLong ? (word - 1n) / 2n : (word & 0xffn) / 2n;
  const bytes = Number(length < BigInt(MAX_SHOWN_BYTES) ? length : BigInt(MAX_SHOWN_BYTES));
  let hex = '';
  if (isLong) {
    const start = contentSlot(slot);
    for (let at = 0; at * WORD_BYTES < bytes; at++) hex += bytesAt(read(wrapped(start + BigInt(at))), 0, WORD_BYTES);
  } else {
    hex = bytesAt(word, 0, WORD_BYTES);
  }
  const content = hex.slice(0, 2 * bytes);
  const isCut = length > BigInt(bytes);
  return {
    value: kind === 'bytes' ? `0x${content}` : (textOf(content, isCut) ?? `0x${content}`),
    length,
    ...(isCut && { isCut }),
  };
}

/** @param isCut the last character may lack bytes @returns undefined if it is no UTF-8 */
function textOf(hex: Hex, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(hexToBytes(hex), { stream: isCut });
  } catch {
    return undefined;
  }
}

/** A key as the compiler hashes it: values in a word, strings and bytes as they are. @throws StoragePathError */
function keyHex({ label, numberOfBytes }: StorageType, text: string): Hex {
  const wrong = (expected: string) =>
    new StoragePathError(
      `the key is of type ${label}: expected ${expected}, got ${text === '' ? 'nothing' : shortened(text)}`,
    );
  if (label === 'string') return utf8ToHex(text);
  const given = text.trim();
  const hex = /^0x([\da-f]{2})*$/i.test(given) ? given.slice(2).toLowerCase() : undefined;
  if (label === 'bytes') {
    if (hex === undefined) throw wrong('bytes as 0x and hex');
    return hex;
  }
  if (/^bytes\d+$/.test(label)) {
    if (hex === undefined || hex.length > 2 * Number(numberOfBytes)) throw wrong('its bytes as 0x and hex');
    return hex.padEnd(64, '0');
  }
  if (/^(address\b|contract )/.test(label)) {
    const address = addressOfText(given);
    if (address === undefined) throw wrong('an address (T…, 41… or 0x…)');
    return address.slice(2).padStart(64, '0');
  }
  if (label === 'bool') {
    if (given !== 'true' && given !== 'false') throw wrong('true or false');
    return (given === 'true' ? '1' : '0').padStart(64, '0');
  }
  if (!/^(-?\d{1,78}|0x[\da-f]{1,64})$/i.test(given)) throw wrong('a whole number');
  const bits = BigInt(8 * Number(numberOfBytes));
  const value = BigInt(given);
  const isSigned = /^int\d*$/.test(label);
  const [least, most] = isSigned ? [-(1n << (bits - 1n)), 1n << (bits - 1n)] : [0n, 1n << bits];
  if (value < least || value >= most) throw wrong('a number of this type');
  // Negative numbers are sign-extended.
  return BigInt.asUintN(256, value).toString(16).padStart(64, '0');
}

const SHOWN = 60;

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
}
