/**
 * Verifies the files of a LevelDB database: every block of every table and every record of logs and manifest has a
 * CRC-32C, which LevelDB's Node binding cannot check. Runs before the database is opened, because opening one with a
 * damaged log silently drops everything after the damage. Only files named by the manifest count; unfinished files of
 * a killed process are not part of the database.
 */

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32c } from '../primitives/crc32c.js';

export interface DamagedFile {
  /** Name in the database's directory. */
  readonly file: string;
  readonly what: string;
}

/** Progress: bytes read of the total. */
export type FileProgress = (done: number, total: number) => void;

/** @returns the damage; empty for an intact database, and for a directory without one */
export async function damagedFiles(directory: string, progress?: FileProgress): Promise<DamagedFile[]> {
  const names: string[] = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (!names.some((name) => /^(MANIFEST-\d+|\d+\.(ldb|sst|log)|CURRENT)$/.test(name))) return [];
  const read = (name: string) => readFile(path.join(directory, name));
  if (!names.includes('CURRENT')) return [{ file: 'CURRENT', what: 'is missing' }];
  const current = (await read('CURRENT')).toString('latin1');
  const manifest = current.slice(0, -1);
  if (!/^MANIFEST-\d+\n$/.test(current) || !names.includes(manifest)) {
    return [{ file: 'CURRENT', what: `does not name a manifest: ${JSON.stringify(current.slice(0, 40))}` }];
  }
  const damaged: DamagedFile[] = [];
  const check = async (file: string, look: (bytes: Buffer) => void) => {
    try {
      look(await read(file));
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      damaged.push({ file, what: error.message });
    }
  };
  const live = new LiveFiles();
  await check(manifest, (bytes) => {
    for (const record of records(bytes)) live.edit(record);
  });
  if (damaged.length > 0) return damaged;
  const logs = names.filter((name) => /^\d+\.log$/.test(name) && live.hasLog(Number.parseInt(name, 10)));
  for (const log of logs) {
    await check(log, (bytes) => {
      for (const _ of records(bytes));
    });
  }
  // LevelDB creates a log before naming it, and treats a missing log as the end of the database.
  if (live.log > 0 && !logs.some((name) => Number.parseInt(name, 10) === live.log))
    damaged.push({ file: `${String(live.log).padStart(6, '0')}.log`, what: 'is missing' });
  let done = 0;
  for (const [number, size] of live.tables) {
    const stem = String(number).padStart(6, '0');
    const file = names.find((name) => name === `${stem}.ldb` || name === `${stem}.sst`);
    if (file === undefined) damaged.push({ file: `${stem}.ldb`, what: 'is missing' });
    else await check(file, (bytes) => checkTable(bytes, size));
    done += size;
    progress?.(done, live.bytes);
  }
  return damaged;
}

/** The damage of a table's bytes; undefined: none. */
export function damageOfTable(bytes: Buffer): string | undefined {
  try {
    checkTable(bytes, bytes.length);
    return undefined;
  } catch (error) {
    if (error instanceof Damage) return error.message;
    throw error;
  }
}

class Damage extends Error {}

/** LevelDB stores checksums rotated and shifted, because data with checksums may be checksummed again. */
function unmasked(stored: number): number {
  const rotated = (stored - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}

const LOG_BLOCK_BYTES = 32_768;
const RECORD_HEADER_BYTES = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * The records of a log or manifest. A killed process leaves a truncated last record, or zeros that the file system
 * allocated. Such an end is not damage, unless a smaller length makes the record complete.
 */
function* records(bytes: Buffer): Iterable<Buffer> {
  let parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const left = LOG_BLOCK_BYTES - (at % LOG_BLOCK_BYTES);
    if (left < RECORD_HEADER_BYTES) {
      at += left;
      continue;
    }
    if (bytes.length - at < RECORD_HEADER_BYTES) return;
    const length = bytes.readUInt16LE(at + 4);
    const type = bytes[at + 6] as number;
    if (type === 0 && length === 0) {
      if (bytes.subarray(at).some((byte) => byte !== 0)) throw new Damage(`has a damaged record at ${at}`);
      return;
    }
    const end = at + RECORD_HEADER_BYTES + length;
    if (end > bytes.length && RECORD_HEADER_BYTES + length <= left) {
      if (wouldBeWhole(bytes, at, length)) throw new Damage(`has a damaged record at ${at}`);
      return;
    }
    if (RECORD_HEADER_BYTES + length > left || !isWhole(bytes, at, length)) {
      throw new Damage(`has a damaged record at ${at}`);
    }
    const data = bytes.subarray(at + RECORD_HEADER_BYTES, end);
    const begins = type === FULL || type === FIRST;
    if (begins !== (parts.length === 0) || ![FULL, FIRST, MIDDLE, LAST].includes(type)) {
      throw new Damage(`has a record out of place at ${at}`);
    }
    parts.push(data);
    if (type === FULL || type === LAST) {
      yield Buffer.concat(parts);
      parts = [];
    }
    at = end;
  }
}

function isWhole(bytes: Buffer, at: number, length: number): boolean {
  const end = at + RECORD_HEADER_BYTES + length;
  return end <= bytes.length && crc32c(bytes, 0, at + 6, end) === unmasked(bytes.readUInt32LE(at));
}

/** Whether a record beyond the file's end would be complete with one bit of its length flipped. */
function wouldBeWhole(bytes: Buffer, at: number, length: number): boolean {
  for (let bit = 0; bit < 16; bit++) if (isWhole(bytes, at, length ^ (1 << bit))) return true;
  return false;
}

/** Reads LevelDB's varints and strings. */
class Cursor {
  constructor(
    private readonly bytes: Buffer,
    public at = 0,
  ) {}

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 63; scale *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) break;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new Damage('has an unterminated number');
  }

  skip(length: number): void {
    this.at += length;
    if (this.at > this.bytes.length) throw new Damage('ends too early');
  }

  slice(length: number): Buffer {
    const from = this.at;
    this.skip(length);
    return this.bytes.subarray(from, this.at);
  }
}

/** The tables and logs after all edits of a manifest. */
class LiveFiles {
  /** Size of each table by number. */
  readonly tables = new Map<number, number>();
  log = 0;
  #previousLog = 0;

  get bytes(): number {
    let sum = 0;
    for (const size of this.tables.values()) sum += size;
    return sum;
  }

  /** A log with a lower number has already become a table. */
  hasLog(number: number): boolean {
    return number >= this.log || number === this.#previousLog;
  }

  edit(record: Buffer): void {
    const cursor = new Cursor(record);
    while (!cursor.atEnd) {
      const tag = cursor.number();
      if (tag === 1) cursor.skip(cursor.number());
      else if (tag === 2) this.log = cursor.number();
      else if (tag === 9) this.#previousLog = cursor.number();
      else if (tag === 3 || tag === 4) cursor.number();
      else if (tag === 5) {
        cursor.number();
        cursor.skip(cursor.number());
      } else if (tag === 6) {
        cursor.number();
        this.tables.delete(cursor.number());
      } else if (tag === 7) {
        cursor.number();
        this.tables.set(cursor.number(), cursor.number());
        cursor.skip(cursor.number());
        cursor.skip(cursor.number());
      } else throw new Damage(`has an entry of unknown kind ${tag}`);
    }
  }
}

const FOOTER_BYTES = 48;
const BLOCK_TRAILER_BYTES = 5;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');

function checkTable(bytes: Buffer, size: number): void {
  if (bytes.length !== size) throw new Damage(`has ${bytes.length} bytes, not ${size}`);
  if (size < FOOTER_BYTES || !bytes.subarray(-8).equals(MAGIC))
    throw new Damage('does not end with the footer of a table');
  const footer = new Cursor(bytes, size - FOOTER_BYTES);
  const [metaAt, metaLength, indexAt, indexLength] = [
    footer.number(),
    footer.number(),
    footer.number(),
    footer.number(),
  ];
  for (const entry of blockHandles(checkedBlock(bytes, metaAt, metaLength))) checkedBlock(bytes, ...entry);
  for (const entry of blockHandles(checkedBlock(bytes, indexAt, indexLength))) checkedBlock(bytes, ...entry);
}

/** A block with its trailer: compression type and checksum. */
function checkedBlock(bytes: Buffer, at: number, length: number): Buffer {
  const end = at + length + 1;
  if (end + 4 > bytes.length) throw new Damage(`has no block at ${at}`);
  if (crc32c(bytes, 0, at, end) !== unmasked(bytes.readUInt32LE(end))) throw new Damage(`has a damaged block at ${at}`);
  return bytes.subarray(at, at + length + BLOCK_TRAILER_BYTES);
}

/** Entries of an index: offset and length of each block. */
function* blockHandles(block: Buffer): Iterable<[at: number, length: number]> {
  const packed = block.subarray(0, -BLOCK_TRAILER_BYTES);
  const plain = block[packed.length] === 0 ? packed : unpacked(packed);
  const entries = plain.subarray(0, plain.length - 4 * (1 + plain.readUInt32LE(plain.length - 4)));
  const cursor = new Cursor(entries);
  while (!cursor.atEnd) {
    cursor.number();
    const [ownKeyBytes, valueBytes] = [cursor.number(), cursor.number()];
    cursor.skip(ownKeyBytes);
    const value = new Cursor(cursor.slice(valueBytes));
    yield [value.number(), value.number()];
  }
}

/** Snappy decompression. Only index blocks need their content. */
function unpacked(packed: Buffer): Buffer {
  const cursor = new Cursor(packed);
  const plain = Buffer.alloc(cursor.number());
  let at = 0;
  while (!cursor.atEnd) {
    const tag = cursor.slice(1)[0] as number;
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const length = 1 + (high < 60 ? high : cursor.slice(high - 59).readUIntLE(0, high - 59));
      at += cursor.slice(length).copy(plain, at);
      continue;
    }
    const copyOfOneByte = (tag & 3) === 1;
    const length = copyOfOneByte ? 4 + (high & 7) : 1 + high;
    const extra = copyOfOneByte ? 1 : (tag & 3) === 2 ? 2 : 4;
    const distance = cursor.slice(extra).readUIntLE(0, extra) + (copyOfOneByte ? (tag >> 5) << 8 : 0);
    // A copy may overlap its own output.
    for (let i = 0; i < length; i++, at++) plain[at] = plain[at - distance] as number;
  }
  return plain;
}
