/**
 * The checksum of every stored row: CRC-32C over key and value, in the four bytes after the value. It is verified on
 * every read, so a flipped bit is an error and never an answer.
 */

import { crc32c, crc32cOfLatin1 } from '../primitives/crc32c.js';
import { tableOfKey } from './tables.js';

const CHECKSUM_BYTES = 4;

/** Advice for a damaged database in `place`. */
export function damageAdvice(place: string): string {
  return `Restore the directory from a copy, or create the chain again. List all damage with sunup check ${place}`;
}

/** Stored data differ from what was written. Nothing read from the store can be trusted any more. */
export class DamagedStoreError extends Error {
  override readonly name: string = 'DamagedStoreError';

  /** @param place the store's directory, for people */
  constructor(
    readonly place: string,
    what: string,
    options?: ErrorOptions,
  ) {
    super(`the database in ${place} is damaged: ${what}`, options);
  }
}

/** A row is changed or unreadable. */
export class DamagedRowError extends DamagedStoreError {
  override readonly name = 'DamagedRowError';
  readonly table: string;

  constructor(
    readonly key: string,
    place: string,
    what = 'has changed',
    options?: ErrorOptions,
  ) {
    const table = tableOfKey(key);
    super(place, `row ${key.slice(key.indexOf(':') + 1)} of table ${table} ${what}`, options);
    this.table = table;
  }
}

/** The stored form of a row. */
export function withChecksum(key: string, value: Uint8Array): Uint8Array {
  const stored = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  stored.set(value);
  stored.writeUInt32LE(crc32c(value, crc32cOfLatin1(key)), value.length);
  return stored;
}

/** The value of a stored row; undefined if the checksum does not match. */
export function withoutChecksum(key: string, stored: Uint8Array): Uint8Array | undefined {
  const length = stored.length - CHECKSUM_BYTES;
  if (length < 0) return undefined;
  const checksum =
    ((stored[length] as number) |
      ((stored[length + 1] as number) << 8) |
      ((stored[length + 2] as number) << 16) |
      ((stored[length + 3] as number) << 24)) >>>
    0;
  return crc32c(stored, crc32cOfLatin1(key), 0, length) === checksum ? stored.subarray(0, length) : undefined;
}
