/**
 * Signatures as the network makes and reads them: r, s and one byte v over a transaction id or a header hash
 * (protocol/transactions.md#signature). Mirrors ECKey and SignUtils of java-tron.
 *
 * java-tron recovers with the bare formula and checks neither range nor malleability, so a few signatures that every
 * library refuses have a signer here. Which account may sign is not decided here.
 */

import { JavaException } from '../errors/java-exception.js';
import { type Hex, hexToBytes } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { addressFromPublicKey } from './address.js';
import { CURVE_ORDER, FIELD_PRIME, power, wordOf } from './scalars.js';
import { type PrivateKeyCurve, type Secp256k1, secp256k1, secp256k1ForKeys } from './secp256k1.js';

const SIGNATURE_BYTES = 65;
/** In the place of a signature where nobody signs: bandwidth is paid for its bytes, too. */
export const NO_SIGNATURE: Hex = '00'.repeat(SIGNATURE_BYTES);
const ORDER_HEX = CURVE_ORDER.toString(16);
/** keccak256 of nothing: the address java-tron computes from the point at infinity. */
const ADDRESS_OF_INFINITY = '41dcc703c0e500b653ca82273b7bfad8045d85a470' as Address;

/**
 * Two generations of recovered signers, so that a transaction is recovered once on its way through pool, block and
 * import. A signature is the key because it is a string that lives anyway; one that signs several things is not kept.
 */
const GENERATION = 8192;
interface Recovered {
  readonly digest: Hex;
  readonly signer: Address;
}
/**
 * Shared by all chains, deliberately: who signed follows from digest and signature, the same transaction comes by in pool,
 * block and import, and recovering is the dearest thing about it. The older half goes when the younger is full.
 */
let young = new Map<Hex, Recovered>();
/** Shared by all chains: see `young`. */
let old = new Map<Hex, Recovered>();

/**
 * The address whose key made `signature` over `digest`.
 *
 * @param digest a transaction id or the sha256 of a block header
 * @param signature r ‖ s ‖ v; what follows the 65th byte is ignored
 * @throws JavaException with the texts of protocol/pipeline.md#signature-and-permission-check rows 8 and 9; the class of the cause stands in the message too,
 *   as java-tron prints it
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

/** Whether {@link recoverAddress} would answer from its cache. */
export function isKnownSigner(digest: Hex, signature: Hex): boolean {
  return knownSigner(digest, signature) !== undefined;
}

/** Puts what {@link recoverUncached} found, on another thread perhaps, into the cache. */
export function rememberSigner(digest: Hex, signature: Hex, signer: Address): void {
  if (young.size >= GENERATION) {
    old = young;
    young = new Map();
  }
  young.set(signature, { digest, signer });
}

/** {@link recoverAddress} without the cache, with a backend of choice. */
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

/** v is a signed byte: below 27 it is the recovery id itself, 31..34 mark a compressed key. */
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
 * The formula of java-tron for what a library refuses: the right text, or the signer of an r or s that is out of range.
 * Q = r⁻¹ (sR − eG); everything of it that can be computed is taken modulo the order.
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
  // A library computes R from r (+ n with the high bit of the recovery id), so r + n is named by that bit.
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
 * {@link sign}, and nobody has to recover the signer.
 *
 * @param signer the address of the key, which is not checked
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
 * @throws RangeError when the key is not a scalar of the curve
 */
export function sign(digest: Hex, privateKey: Hex, curve: PrivateKeyCurve = secp256k1ForKeys()): Hex {
  // RFC 6979 reduces the digest by the order before it derives the nonce, and so does java-tron; libsecp256k1 does not.
  const reduced = digest < ORDER_HEX ? hexToBytes(digest) : wordOf(BigInt(`0x${digest}`) % CURVE_ORDER);
  const { rs, recoveryId } = curve.sign(reduced, hexToBytes(privateKey));
  return `${Buffer.from(rs.buffer, rs.byteOffset, 64).toString('hex')}0${recoveryId}`;
}
