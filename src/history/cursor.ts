/**
 * `fingerprint`: where a page ended, for whom, and which head the first page had. Opaque to clients; good for the same
 * question only (protocol/v1.md#pagination-semantics).
 */

import { base58 } from '@scure/base';
import { utf8ToHex } from '../primitives/hex.js';
import { sha256OfHex } from '../protocol/hashes.js';
import { fingerprintMismatch } from './errors.js';

const VERSION = 1;
const BYTES = 1 + 8 + 6 + 6 + 3 + 3;
/** As long as base58 of so many bytes gets: what is longer is not decoded. */
const MAX_CHARACTERS = 40;

export interface Cursor {
  /** The head when the first page was read. */
  readonly upTo: number;
  /** Three numbers that say where the page ended; of lists that are not of the chain they mean something else. */
  readonly after: { readonly block: number; readonly transaction: number; readonly entry: number };
}

/** @param question everything that decides what is answered, the limit included */
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

/** @throws HistoryError for what is no cursor, or one of another question */
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
