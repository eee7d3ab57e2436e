/** The records of LevelDB's logs and manifests, with their checksums verified. */

import { crc32c } from '../primitives/crc32c.js';
import { Damage, unmasked } from './leveldb-format.js';

const LOG_BLOCK_BYTES = 32_768;
const RECORD_HEADER_BYTES = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * The records of a log or manifest. A killed process leaves a truncated last record, or zeros that the file system
 * allocated. Such an end is not damage, unless a smaller length makes the record complete.
 */
export function* records(bytes: Buffer): Iterable<Buffer> {
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
