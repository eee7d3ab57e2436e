/**
 * The curve, behind one face: the addon of the package `secp256k1` where it has a binary for this platform, WebAssembly
 * elsewhere. Both give the same results (a test compares them with each other and with a third library), so only speed
 * differs: a recovery takes about 46 µs and 220 µs, a signature 32 µs and 94 µs (Node 20, one core). Neither is loaded
 * before it is needed: OpenSSL makes the first few keys and signatures (`openssl-curve.ts`).
 *
 * The bundle carries the addon's binaries and the file that finds them. The package itself is not installed with Sunup:
 * it depends on `elliptic` for a fallback in JavaScript, which Sunup never loads, and which `npm audit` reports.
 *
 * What the network accepts beyond the curve's own rules is in `signature.ts`.
 */

import { createRequire } from 'node:module';
import { publicKeyByOpenssl, signByOpenssl } from './openssl-curve.js';
import { CURVE_ORDER, FIELD_PRIME, numberOf, power, wordOf } from './scalars.js';

export type Secp256k1Backend = 'native' | 'wasm';

export interface RecoverableSignature {
  /** r and s, 32 bytes each; s in the lower half. */
  readonly rs: Uint8Array;
  readonly recoveryId: number;
}

/** What is done with a private key. */
export interface PrivateKeyCurve {
  /** Uncompressed, 65 bytes. @throws RangeError when the key is not a scalar of the curve */
  publicKey(privateKey: Uint8Array): Uint8Array;
  /** RFC 6979. @throws RangeError when the key is not a scalar of the curve */
  sign(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature;
}

export interface Secp256k1 extends PrivateKeyCurve {
  readonly backend: Secp256k1Backend;
  /** The uncompressed key, or `undefined` when r or s is 0 or not below the order, or nothing can be recovered. */
  recover(digest: Uint8Array, rs: Uint8Array, recoveryId: number): Uint8Array | undefined;
}

const require = createRequire(import.meta.url);
/** Shared by all chains: packages. */
const loaded = new Map<Secp256k1Backend, Secp256k1>();
/** Shared by all chains: what this machine has. */
let chosen: Secp256k1 | undefined;

/** The fastest backend of this machine. */
export function secp256k1(): Secp256k1 {
  chosen ??= firstThatLoads();
  return chosen;
}

/** Shared by all chains: how often OpenSSL did instead of a backend. */
let byOpenssl = 0;
/** Of a start's three, and a margin; 40 would cost what loading costs. */
const MOST_BY_OPENSSL = 8;

/** The fastest backend for what a private key is needed for, which is OpenSSL as long as loading costs more. */
export function secp256k1ForKeys(): PrivateKeyCurve {
  return chosen ?? (byOpenssl < MOST_BY_OPENSSL ? openssl : secp256k1());
}

const openssl: PrivateKeyCurve = {
  publicKey: (privateKey) => {
    assertScalar(privateKey);
    return countedOr(
      () => publicKeyByOpenssl(privateKey),
      (curve) => curve.publicKey(privateKey),
    );
  },
  sign: (digest, privateKey) => {
    assertScalar(privateKey);
    return countedOr(
      () => signByOpenssl(digest, privateKey),
      (curve) => curve.sign(digest, privateKey),
    );
  },
};

/** Not every OpenSSL is built with this curve. */
function countedOr<Result>(first: () => Result, otherwise: (curve: Secp256k1) => Result): Result {
  byOpenssl++;
  try {
    return first();
  } catch {
    return otherwise(secp256k1());
  }
}

/** One backend by name; for tests and for measuring. @throws Error when it cannot be loaded here */
export function secp256k1Backend(backend: Secp256k1Backend): Secp256k1 {
  let instance = loaded.get(backend);
  if (instance === undefined) {
    instance = backend === 'native' ? native() : wasm();
    loaded.set(backend, instance);
  }
  return instance;
}

function firstThatLoads(): Secp256k1 {
  try {
    return secp256k1Backend('native');
  } catch {
    // No binary for this platform: WebAssembly is slower and gives the same.
    return secp256k1Backend('wasm');
  }
}

/** What we use of the package `secp256k1`, which ships no types. */
interface NativeLibrary {
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
  ecdsaRecover(rs: Uint8Array, recoveryId: number, digest: Uint8Array, compressed: boolean): Uint8Array;
}

function native(): Secp256k1 {
  // Not the package's main module: that falls back to a JavaScript curve without saying so.
  const library: NativeLibrary = require('secp256k1/bindings.js');
  return {
    backend: 'native',
    publicKey(privateKey) {
      assertScalar(privateKey);
      return library.publicKeyCreate(privateKey, false);
    },
    sign(digest, privateKey) {
      assertScalar(privateKey);
      const { signature, recid } = library.ecdsaSign(digest, privateKey);
      return { rs: signature, recoveryId: recid };
    },
    recover(digest, rs, recoveryId) {
      if (!inRange(rs)) return undefined;
      return orUndefined(() => library.ecdsaRecover(rs, recoveryId, digest, false));
    },
  };
}

function wasm(): Secp256k1 {
  const library = require('tiny-secp256k1') as typeof import('tiny-secp256k1');
  return {
    backend: 'wasm',
    publicKey(privateKey) {
      assertScalar(privateKey);
      const key = library.pointFromScalar(privateKey, false);
      if (key === null) throw new Error('a scalar of the curve has a public key');
      return key;
    },
    sign(digest, privateKey) {
      assertScalar(privateKey);
      const { signature, recoveryId } = library.signRecoverable(digest, privateKey);
      return { rs: signature, recoveryId };
    },
    recover(digest, rs, recoveryId) {
      if (!inRange(rs)) return undefined;
      if (recoveryId < 2) {
        return orUndefined(() => library.recover(digest, rs, recoveryId as 0 | 1, false) ?? undefined);
      }
      // With the high bit the point's x is r + n, but this library (2.2.4) tests whether r is on the curve.
      const r = numberOf(rs.subarray(0, 32));
      const x = r + CURVE_ORDER;
      // 2 and 3 happen to be the prefixes of an even and an odd point as well.
      const point = x < FIELD_PRIME ? wordOf(x, recoveryId) : new Uint8Array(33);
      if (!library.isPoint(point)) return undefined;
      const inverse = power(r, CURVE_ORDER - 2n, CURVE_ORDER);
      const sPart = library.pointMultiply(point, wordOf((inverse * numberOf(rs.subarray(32))) % CURVE_ORDER), false);
      const ePart = (inverse * (CURVE_ORDER - (numberOf(digest) % CURVE_ORDER))) % CURVE_ORDER;
      return (sPart && library.pointAddScalar(sPart, wordOf(ePart), false)) ?? undefined;
    },
  };
}

/** The libraries refuse what cannot be recovered by throwing; for us that is an answer. */
function orUndefined(recover: () => Uint8Array | undefined): Uint8Array | undefined {
  try {
    return recover();
  } catch {
    return undefined;
  }
}

/** Whether 32 bytes are a number between 0 and the group's order, both excluded. */
export function isPrivateKey(privateKey: Uint8Array): boolean {
  return privateKey.length === 32 && isScalar(privateKey, 0);
}

function assertScalar(privateKey: Uint8Array): void {
  if (!isPrivateKey(privateKey)) throw new RangeError('not a private key of secp256k1');
}

function inRange(rs: Uint8Array): boolean {
  return isScalar(rs, 0) && isScalar(rs, 32);
}

const ORDER_BYTES = Buffer.from(CURVE_ORDER.toString(16), 'hex');

/** Whether the 32 bytes at `offset` are between 1 and the order less 1. */
function isScalar(bytes: Uint8Array, offset: number): boolean {
  let nonZero = 0;
  for (let i = 0; i < 32; i++) nonZero |= bytes[offset + i]!;
  if (nonZero === 0) return false;
  for (let i = 0; i < 32; i++) {
    const difference = bytes[offset + i]! - ORDER_BYTES[i]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
