/**
 * The chain's two hash functions, on bytes and on hex.
 *
 * sha256 is Node's one-shot native call (0.4 µs for a transfer, a third of createHash); keccak256 is pure JavaScript,
 * because Node's OpenSSL has only the later SHA-3 padding.
 */

import { hash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, type Hex } from '../primitives/hex.js';

export function sha256(bytes: Uint8Array): Hex {
  return hash('sha256', bytes, 'hex');
}

export function sha256OfHex(hex: Hex): Hex {
  return hash('sha256', Buffer.from(hex, 'hex'), 'hex');
}

export function keccak256(bytes: Uint8Array): Hex {
  return bytesToHex(keccak_256(bytes));
}

export function keccak256OfHex(hex: Hex): Hex {
  return keccak256(Buffer.from(hex, 'hex'));
}
