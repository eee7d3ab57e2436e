/**
 * Private keys from a BIP-39 phrase along a BIP-32 path. The common libraries take longer to load than the rest of a
 * start, so Node's PBKDF2 and HMAC do the work; a test compares the result with @scure/bip32. `dev-accounts.ts`
 * validates a user's own phrase.
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

/** The placeholder of the account's index in a path. */
export const INDEX = '{index}';

/** The depth of an extended key is one byte (BIP-32), and each step of a path takes time. */
const MAX_DEPTH = 255;

/**
 * Private keys by account index, 32 bytes of hex each: the children of `path`, or its variants if it contains {@link
 * INDEX}.
 *
 * @throws BadValue for an invalid path
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
  // BIP-32 skips an index whose sum is zero or whose left half is not below the curve's order: one in 2^127.
  const sum = (BigInt(`0x${left.toString('hex')}`) + BigInt(`0x${parent.key.toString('hex')}`)) % CURVE_ORDER;
  return { key: Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'), chainCode };
}

function split(digest: Buffer): ExtendedKey {
  return { key: digest.subarray(0, 32), chainCode: digest.subarray(32) };
}

/** The compressed form: the parity of y, then x. */
function publicKey(privateKey: Buffer): Buffer {
  const uncompressed = secp256k1().publicKey(privateKey);
  return Buffer.concat([Buffer.of(2 + (uncompressed[64]! & 1)), uncompressed.subarray(1, 33)]);
}
