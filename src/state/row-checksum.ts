/**
 * The checksum that every stored row carries: CRC-32C over key and value, in the four bytes after the value. It is
 * verified whenever the row is read, so that a bit that has flipped is an error and never an answer.
 */

import { crc32c, crc32cOfLatin1 } from '../primitives/crc32c.js';
import { tableOfKey } from './tables.js';

const CHECKSUM_BYTES = 4;

/** What can be done about a damaged database, which lies in `place`. */
export function damageAdvice(place: string): string {
  return `Restore the directory from a copy, or create the chain again. List all damage with sunup check ${place}`;
}

/** What is stored is not what was written. Nothing that is read from the store can be trusted any more. */
export class DamagedStoreError extends Error {
  override readonly name: string = 'DamagedStoreError';

  /** @param place where the store lies: a directory, as a person names it */
  constructor(
    readonly place: string,
    what: string,
    options?: ErrorOptions,
  ) {
    super(`the database in ${place} is damaged: ${what}`, options);
  }
}

/** A row of it is another one, or cannot be read. */
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

/** What is stored for a row. */
export function withChecksum(key: string, value: Uint8Array): Uint8Array {
  const stored = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  stored.set(value);
  stored.writeUInt32LE(crc32c(value, crc32cOfLatin1(key)), value.length);
  return stored;
}

/** The value of a stored row; undefined when key and value are not those that were written. */
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
