/**
 * Private keys from a BIP-39 phrase along a BIP-32 path. The general libraries for it cost more to load than the rest
 * of a devnet needs to start, so Node's own PBKDF2 and HMAC do the work, and a test compares it with @scure/bip32.
 * Whether a phrase is one is checked in `dev-accounts.ts`, and only where it is the user's own.
 */

import { createHmac, pbkdf2Sync } from 'node:crypto';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import { CURVE_ORDER } from '../protocol/scalars.js';
import { secp256k1 } from '../protocol/secp256k1.js';
import { BadValue } from './kinds.js';

const HARDENED = 0x8000_0000;

interface ExtendedKey {
  readonly key: Buffer;
  readonly chainCode: Buffer;
}

/** Stands in a path for the number of the account. */
export const INDEX = '{index}';

/**
 * `count` private keys, hex of 32 bytes each: children 0, 1, 2 … of `path`, or of its last part with {@link INDEX}.
 *
 * @example deriveKeys(phrase, "m/44'/60'/0'/0{index}", 2) // m/44'/60'/0'/00 and m/44'/60'/0'/01, as TRE has them
 */
export function deriveKeys(mnemonic: string, path: string, count: number): readonly Hex[] {
  const template = path.includes(INDEX) ? path : `${path.replace(/\/$/, '')}/${INDEX}`;
  const lastSlash = template.lastIndexOf('/');
  const [parent, last] = [template.slice(0, lastSlash), template.slice(lastSlash + 1)];
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512');
  let node = split(createHmac('sha512', 'Bitcoin seed').update(seed).digest());
  const [root, ...steps] = parent.split('/');
  if (root !== 'm') throw noPath(path);
  for (const step of steps) node = child(node, childNumber(step, path), publicKey(node.key));
  const parentPublicKey = publicKey(node.key);
  return Array.from({ length: count }, (_, index) => {
    const number = childNumber(last.replace(INDEX, String(index)), path);
    return bytesToHex(child(node, number, parentPublicKey).key);
  });
}

/** `44'` → 0x8000002c. */
function childNumber(step: string, path: string): number {
  const match = /^(\d+)(['h]?)$/.exec(step);
  const index = Number(match?.[1]);
  if (!match || index >= HARDENED) throw noPath(path);
  return match[2] === '' ? index : index + HARDENED;
}

function noPath(path: string): BadValue {
  return new BadValue(`is "${path}", which is no BIP-32 path`, "TRON's is m/44'/195'/0'/0");
}

function child(parent: ExtendedKey, index: number, parentPublicKey: Buffer): ExtendedKey {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(index);
  const data =
    index >= HARDENED ? Buffer.concat([Buffer.of(0), parent.key, number]) : Buffer.concat([parentPublicKey, number]);
  const { key: left, chainCode } = split(createHmac('sha512', parent.chainCode).update(data).digest());
  // BIP-32 skips an index whose sum is zero or whose left half is not below the curve's order: one in 2^127, which nobody has met.
  const sum = (BigInt(`0x${left.toString('hex')}`) + BigInt(`0x${parent.key.toString('hex')}`)) % CURVE_ORDER;
  return { key: Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'), chainCode };
}

function split(digest: Buffer): ExtendedKey {
  return { key: digest.subarray(0, 32), chainCode: digest.subarray(32) };
}

/** In compressed form: the parity of y, then x. */
function publicKey(privateKey: Buffer): Buffer {
  const uncompressed = secp256k1().publicKey(privateKey);
  return Buffer.concat([Buffer.of(2 + (uncompressed[64]! & 1)), uncompressed.subarray(1, 33)]);
}
