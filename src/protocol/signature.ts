/**
 * Signatures of the network: r, s and one byte v over a transaction id or a header hash
 * (protocol/transactions.md#signature). Mirrors ECKey and SignUtils of java-tron.
 *
 * java-tron recovers with the plain formula and checks neither range nor malleability. So a few signatures that all
 * libraries refuse have a signer here. The ledger decides which account may sign.
 */

import { JavaException } from '../errors/java-exception.js';
import { type Hex, hexToBytes } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { addressFromPublicKey } from './address.js';
import { CURVE_ORDER, FIELD_PRIME, power, wordOf } from './scalars.js';
import { type PrivateKeyCurve, type Secp256k1, secp256k1, secp256k1ForKeys } from './secp256k1.js';

const SIGNATURE_BYTES = 65;
/** A placeholder for a missing signature: bandwidth includes its bytes. */
export const NO_SIGNATURE: Hex = '00'.repeat(SIGNATURE_BYTES);
const ORDER_HEX = CURVE_ORDER.toString(16);
/** java-tron's address of the point at infinity: keccak256 of empty bytes. */
const ADDRESS_OF_INFINITY = '41dcc703c0e500b653ca82273b7bfad8045d85a470' as Address;

/** What somebody signed. */
export interface SignedDigest {
  /** A transaction id, the hash of a header, or of an Ethereum transaction without its signature. */
  readonly digest: Hex;
  readonly signatures: readonly Hex[];
}

/**
 * Size of a generation in the cache of recovered signers. A transaction is recovered once on its way through pool,
 * block and import. The key is the signature, a string that exists anyway; only its last digest is cached.
 */
const GENERATION = 8192;
interface Recovered {
  readonly digest: Hex;
  readonly signer: Address;
}
/**
 * Shared by all chains, deliberately: the signer depends only on digest and signature, the same transaction passes
 * pool, block and import, and recovery is its most expensive part. When the young generation is full, it replaces the
 * old one.
 */
let young = new Map<Hex, Recovered>();
/** Shared by all chains: see `young`. */
let old = new Map<Hex, Recovered>();

/**
 * The signer of `digest`.
 *
 * @param digest a transaction id or the sha256 of a block header
 * @param signature r ‖ s ‖ v; bytes after the 65th are ignored
 * @throws JavaException with the texts of protocol/pipeline.md#signature-and-permission-check rows 8 and 9; like
 *   java-tron's, the message also contains the class of the cause
 */
export function recoverAddress(digest: Hex, signature: Hex): Address {
  const known = knownSigner(digest, signature);
  if (known !== undefined) return known;
  const signer = recoverUncached(digest, signature);
  rememberSigner(digest, signature, signer);
  return signer;
}

function knownSigner(digest: Hex, signature: Hex): Address | undefined {
  const known = young.get(signature) ?? old.get(signature);
  return known?.digest === digest ? known.signer : undefined;
}

/** Whether {@link recoverAddress} has the result in its cache. */
export function isKnownSigner(digest: Hex, signature: Hex): boolean {
  return knownSigner(digest, signature) !== undefined;
}

/** Adds a result of {@link recoverUncached} to the cache, for example from another thread. */
export function rememberSigner(digest: Hex, signature: Hex, signer: Address): void {
  if (young.size >= GENERATION) {
    old = young;
    young = new Map();
  }
  young.set(signature, { digest, signer });
}

/** {@link recoverAddress} without the cache, with a given backend. */
export function recoverUncached(digest: Hex, signature: Hex, curve: Secp256k1 = secp256k1()): Address {
  if (signature.length < 2 * SIGNATURE_BYTES) {
    throw new JavaException('SIGNATURE_FORMAT', `Signature size is ${signature.length >> 1}`);
  }
  const bytes = hexToBytes(signature);
  const recoveryId = recoveryIdOf(bytes[SIGNATURE_BYTES - 1]!);
  const digestBytes = hexToBytes(digest);
  const key = curve.recover(digestBytes, bytes.subarray(0, 64), recoveryId);
  if (key !== undefined) return addressFromPublicKey(key);
  return recoverWithoutRangeCheck(digest, signature, recoveryId, curve);
}

/** {@link recoverUncached} for callers that do not need the reason. */
export function signerOrUndefined(digest: Hex, signature: Hex): Address | undefined {
  try {
    return recoverUncached(digest, signature);
  } catch (error) {
    if (error instanceof JavaException) return undefined;
    throw error;
  }
}

/** v is a signed byte: below 27 it is the recovery id itself; 31..34 mean a compressed key. */
function recoveryIdOf(byte: number): number {
  let v = (byte << 24) >> 24;
  if (v < 27) v += 27;
  if (v < 27 || v > 34) throw signatureException(`Header byte out of range: ${v}`);
  if (v >= 31) v -= 4;
  return v - 27;
}

function signatureException(message: string): JavaException {
  return unrecoverable('java.security.SignatureException', message);
}

function unrecoverable(causeClass: string, message: string): JavaException {
  return new JavaException('SIGNATURE', `${causeClass}: ${message}`);
}

/**
 * java-tron's formula for signatures that a library refuses: returns the signer for an r or s out of range, or throws
 * the right text. Q = r⁻¹ (sR − eG), computed modulo the order where possible.
 */
function recoverWithoutRangeCheck(digest: Hex, signature: Hex, recoveryId: number, curve: Secp256k1): Address {
  const r = BigInt(`0x${signature.slice(0, 64)}`);
  const s = BigInt(`0x${signature.slice(64, 128)}`) % CURVE_ORDER;
  const x = r + BigInt(recoveryId >> 1) * CURVE_ORDER;
  if (x >= FIELD_PRIME) throw signatureException('Could not recover public key from signature');
  if (!isOnCurve(x)) throw unrecoverable('java.lang.IllegalArgumentException', 'Invalid point compression');
  const rReduced = r % CURVE_ORDER;
  if (rReduced === 0n) throw unrecoverable('java.lang.ArithmeticException', 'BigInteger not invertible.');
  if (s === 0n) {
    const scalar =
      (power(rReduced, CURVE_ORDER - 2n, CURVE_ORDER) * (CURVE_ORDER - BigInt(`0x${digest}`))) % CURVE_ORDER;
    const positive = scalar < 0n ? scalar + CURVE_ORDER : scalar;
    return positive === 0n ? ADDRESS_OF_INFINITY : addressFromPublicKey(curve.publicKey(wordOf(positive)));
  }
  // A library computes R from r, or from r + n with the high bit of the recovery id.
  const rs = Buffer.concat([wordOf(rReduced), wordOf(s)]);
  const key = curve.recover(hexToBytes(digest), rs, x >= CURVE_ORDER ? recoveryId | 2 : recoveryId);
  return key === undefined ? ADDRESS_OF_INFINITY : addressFromPublicKey(key);
}

/** Euler's criterion for x³ + 7. */
function isOnCurve(x: bigint): boolean {
  const square = (x * x * x + 7n) % FIELD_PRIME;
  return square === 0n || power(square, (FIELD_PRIME - 1n) / 2n, FIELD_PRIME) === 1n;
}

/**
 * Like {@link sign}, and caches the signer, so that nobody has to recover it.
 *
 * @param signer the address of the key, not checked
 */
export function signAs(signer: Address, digest: Hex, privateKey: Hex): Hex {
  const signature = sign(digest, privateKey);
  rememberSigner(digest, signature, signer);
  return signature;
}

/**
 * Signs as java-tron does: RFC 6979, s in the lower half, v 0 or 1.
 *
 * @returns r ‖ s ‖ v, 65 bytes
 * @throws RangeError if the key is not a scalar of the curve
 */
export function sign(digest: Hex, privateKey: Hex, curve: PrivateKeyCurve = secp256k1ForKeys()): Hex {
  // RFC 6979 and java-tron reduce the digest by the order before they derive the nonce; libsecp256k1 does not.
  const reduced = digest < ORDER_HEX ? hexToBytes(digest) : wordOf(BigInt(`0x${digest}`) % CURVE_ORDER);
  const { rs, recoveryId } = curve.sign(reduced, hexToBytes(privateKey));
  return `${Buffer.from(rs.buffer, rs.byteOffset, 64).toString('hex')}0${recoveryId}`;
}
