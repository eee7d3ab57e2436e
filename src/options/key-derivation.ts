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

/** An extended key has one byte for its depth (BIP-32), and each step of a path takes its time. */
const MAX_DEPTH = 255;

/**
 * Private keys by the number of the account, hex of 32 bytes each: children of `path`, or of its last part with
 * {@link INDEX}.
 *
 * @throws BadValue for what is no path
 * @example keyDeriver(phrase, "m/44'/60'/0'/0{index}")(1) // of m/44'/60'/0'/01, as TRE has them
 */
export function keyDeriver(mnemonic: string, path: string): (index: number) => Hex {
  const template = path.includes(INDEX) ? path : `${path.replace(/\/$/, '')}/${INDEX}`;
  const [root, ...steps] = template.split('/', MAX_DEPTH + 2);
  const last = steps.pop() ?? '';
  if (root !== 'm' || steps.length >= MAX_DEPTH || !last.includes(INDEX)) throw noPath(path);
  const numbers = steps.map((step) => childNumber(step, path));
  const numberOf = (index: number) => childNumber(last.replace(INDEX, String(index)), path);
  numberOf(0);
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512');
  let node = split(createHmac('sha512', 'Bitcoin seed').update(seed).digest());
  for (const number of numbers) node = child(node, number, publicKey(node.key));
  const parentPublicKey = publicKey(node.key);
  return (index) => bytesToHex(child(node, numberOf(index), parentPublicKey).key);
}

/** `44'` → 0x8000002c. */
function childNumber(step: string, path: string): number {
  const match = /^(\d+)(['h]?)$/.exec(step);
  const index = Number(match?.[1]);
  if (!match || index >= HARDENED) throw noPath(path);
  return match[2] === '' ? index : index + HARDENED;
}

function noPath(path: string): BadValue {
  const shown = path.length > 80 ? `${path.slice(0, 79)}…` : path;
  return new BadValue(`is "${shown}", which is not a BIP-32 path`, "The path of TRON is m/44'/195'/0'/0");
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
