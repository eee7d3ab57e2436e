/**
 * Ethereum's filter of logs (`logsBloom` of blocks and receipts): each address and each topic sets three of 2,048 bits.
 * java-tron returns zeros.
 */

import { bytesToHex, type Hex } from '../../primitives/hex.js';
import { keccak256Bytes } from '../../protocol/hashes.js';

const BYTES = 256;
const PROBES = 3;
const BITS = BYTES * 8;

interface LogEntry {
  /** 20 bytes. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
}

/** @example logsBloom(info.log) // '0x0000…' */
export function logsBloom(logs: Iterable<LogEntry>): string {
  const bloom = new Uint8Array(BYTES);
  for (const { address, topics } of logs) {
    add(bloom, address);
    for (const topic of topics) add(bloom, topic);
  }
  return `0x${bytesToHex(bloom)}`;
}

/** The last bit of the filter is number 0. */
function add(bloom: Uint8Array, entry: Hex): void {
  const hash = keccak256Bytes(Buffer.from(entry, 'hex'));
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = (((hash[2 * probe] as number) << 8) | (hash[2 * probe + 1] as number)) & (BITS - 1);
    bloom[BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
  }
}
