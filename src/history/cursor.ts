/**
 * `fingerprint`: the end of a page, the request it belongs to, and the head at the first page. Opaque to clients; valid
 * only for the same request (protocol/v1.md#pagination-semantics).
 */

import { base58 } from '@scure/base';
import { utf8ToHex } from '../primitives/hex.js';
import { sha256OfHex } from '../protocol/hashes.js';
import { fingerprintMismatch } from './errors.js';

const VERSION = 1;
const BYTES = 1 + 8 + 6 + 6 + 3 + 3;
/** Maximum base58 length of a cursor; longer texts are not decoded. */
const MAX_CHARACTERS = 40;

export interface Cursor {
  /** The head at the first page. */
  readonly upTo: number;
  /** The position at the end of the page. Lists that are not lists of the chain use the three numbers differently. */
  readonly after: { readonly block: number; readonly transaction: number; readonly entry: number };
}

/** @param question everything that determines the answer, including the limit */
export function writeCursor(question: string, { upTo, after }: Cursor): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.write(hashOf(question), 1, 'hex');
  bytes.writeUIntBE(upTo, 9, 6);
  bytes.writeUIntBE(after.block, 15, 6);
  bytes.writeUIntBE(after.transaction, 21, 3);
  bytes.writeUIntBE(after.entry, 24, 3);
  return base58.encode(bytes);
}

/** @throws HistoryError if it is not a cursor, or belongs to another request */
export function readCursor(question: string, text: string): Cursor {
  if (text.length > MAX_CHARACTERS || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) throw fingerprintMismatch();
  const bytes = Buffer.from(base58.decode(text));
  if (bytes.length !== BYTES || bytes[0] !== VERSION) throw fingerprintMismatch();
  if (bytes.toString('hex', 1, 9) !== hashOf(question)) throw fingerprintMismatch();
  return {
    upTo: bytes.readUIntBE(9, 6),
    after: {
      block: bytes.readUIntBE(15, 6),
      transaction: bytes.readUIntBE(21, 3),
      entry: bytes.readUIntBE(24, 3),
    },
  };
}

function hashOf(question: string): string {
  return sha256OfHex(utf8ToHex(question)).slice(0, 16);
}
