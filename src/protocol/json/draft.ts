/**
 * A message under construction from JSON, and the conversion of JSON text to a field's value, for both readers:
 * `message-reader.ts` reads text, `tree-reader.ts` a tree.
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import { type Hex, utf8ToHex } from '../../primitives/hex.js';
import type { BytesForm, EnumType, FieldType, MessageType } from '../message-type.js';
import { readBase58Address, readHex } from './hex-text.js';

/** java-tron's stack overflows for deeper text. */
export const MAXIMUM_DEPTH = 1000;

export type Draft = Record<string, unknown>;

export function draftOf(type: MessageType): Draft {
  return { ...(type.codec.empty as Draft) };
}

/** The draft's own list. Before the first element it is the empty message's shared list, which must not be changed. */
export function ownList(type: MessageType, field: FieldType, draft: Draft): unknown[] {
  if (draft[field.name] === (type.codec.empty as Draft)[field.name]) {
    draft[field.name] = [];
  }
  return draft[field.name] as unknown[];
}

export function ownMap(type: MessageType, field: FieldType, draft: Draft): Map<unknown, unknown> {
  if (draft[field.name] === (type.codec.empty as Draft)[field.name]) {
    draft[field.name] = new Map();
  }
  return draft[field.name] as Map<unknown, unknown>;
}

/** The first letter of a lower-case name is capitalised before the lookup. */
export function enumNumberOf(type: EnumType, name: string): number | undefined {
  return type.numberOf(enumName(name));
}

/** A fast check, exact if it returns false. */
const isLower = (code: number): boolean => code >= 0x61 && !(code <= 0xbf && code > 0x7a);

export function enumName(name: string): string {
  return isLower(name.charCodeAt(0)) && /^\p{Ll}+$/u.test(name) ? name[0]!.toUpperCase() + name.slice(1) : name;
}

/**
 * The value of a `bytes` field for the raw JSON text between the quotes.
 *
 * @throws the error that `complain` creates for invalid characters; NullPointerException for an address with a wrong
 *   checksum
 */
export function decodeBytesText(form: BytesForm, raw: string, complain: (complaint: string) => Error): Hex {
  if (form === 'name') return utf8ToHex(raw);
  let bytes: Hex | null;
  try {
    bytes = form === 'hex' ? readHex(raw) : readBase58Address(raw);
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    throw complain(form === 'hex' ? 'INVALID hex String' : `INVALID base58 String, ${error.javaMessage}`);
  }
  if (bytes === null) throw nullPointerException();
  return bytes;
}
