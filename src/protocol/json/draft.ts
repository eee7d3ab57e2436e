/**
 * A message while JSON is read into it, and the rules by which JSON text becomes a field's value, for both readers: the
 * one that cuts text (`message-reader.ts`) and the one that is given a tree (`tree-reader.ts`).
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import { type Hex, utf8ToHex } from '../../primitives/hex.js';
import type { BytesForm, EnumType, FieldType, MessageType } from '../message-type.js';
import { readBase58Address, readHex } from './hex-text.js';

/** Deeper text overflows the stack of java-tron. */
export const MAXIMUM_DEPTH = 1000;

export type Draft = Record<string, unknown>;

export function draftOf(type: MessageType): Draft {
  return { ...(type.codec.empty as Draft) };
}

/** The draft's own list: until the first element it shares the empty message's, which nobody may change. */
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

/** A name in lower case gets its first letter in upper case before it is looked up. */
export function enumNumberOf(type: EnumType, name: string): number | undefined {
  return type.numberOf(enumName(name));
}

/** Quick, and right where it says no. */
const isLower = (code: number): boolean => code >= 0x61 && !(code <= 0xbf && code > 0x7a);

export function enumName(name: string): string {
  return isLower(name.charCodeAt(0)) && /^\p{Ll}+$/u.test(name) ? name[0]!.toUpperCase() + name.slice(1) : name;
}

/**
 * What a `bytes` field holds whose JSON text is `raw`, as it stands between the quotes.
 *
 * @throws what `complain` makes of the complaint about bad characters; NullPointerException for an address with a wrong
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
