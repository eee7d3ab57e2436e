/**
 * The curve with two backends: the addon of the package `secp256k1` if it has a binary for this platform, otherwise
 * WebAssembly. Their results are the same (a test compares them with each other and with a third library), only speed
 * differs: a recovery takes about 46 µs and 220 µs, a signature 32 µs and 94 µs (Node 20, one core). They are loaded on
 * demand: OpenSSL makes the first few keys and signatures (`openssl-curve.ts`).
 *
 * The bundle contains the addon's binaries and the file that finds them. The package itself is not installed with
 * Sunup: it depends on `elliptic` for a fallback in JavaScript, which Sunup never loads, and which `npm audit` reports.
 *
 * `signature.ts` has the network's additional rules.
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

/** Operations with a private key. */
export interface PrivateKeyCurve {
  /**
   * Uncompressed, 65 bytes.
   *
   * @throws RangeError if the key is not a scalar of the curve
   */
  publicKey(privateKey: Uint8Array): Uint8Array;
  /**
   * RFC 6979.
   *
   * @throws RangeError if the key is not a scalar of the curve
   */
  sign(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature;
}

export interface Secp256k1 extends PrivateKeyCurve {
  readonly backend: Secp256k1Backend;
  /** The uncompressed key; `undefined` if r or s is 0 or not below the order, or no key exists. */
  recover(digest: Uint8Array, rs: Uint8Array, recoveryId: number): Uint8Array | undefined;
}

const require = createRequire(import.meta.url);
/** Shared by all chains: packages. */
const loaded = new Map<Secp256k1Backend, Secp256k1>();
/** Shared by all chains: the backend of this machine. */
let chosen: Secp256k1 | undefined;

/** The fastest backend of this machine. */
export function secp256k1(): Secp256k1 {
  chosen ??= firstThatLoads();
  return chosen;
}

/** Loads it before it is needed: by then a process may have no more files. */
export function loadSecp256k1(): void {
  try {
    secp256k1();
  } catch {
    // Whoever needs it is told.
  }
}

/** Shared by all chains: number of operations by OpenSSL instead of a backend. */
let byOpenssl = 0;
/** A start needs three; 40 would take as long as loading a backend. */
const MAX_BY_OPENSSL = 8;

/** The fastest way for operations with a private key: OpenSSL until loading a backend pays off. */
export function secp256k1ForKeys(): PrivateKeyCurve {
  return chosen ?? (byOpenssl < MAX_BY_OPENSSL ? openssl : secp256k1());
}

const openssl: PrivateKeyCurve = {
  publicKey: (privateKey) => {
    assertScalar(privateKey);
    return opensslOr(
      () => publicKeyByOpenssl(privateKey),
      (curve) => curve.publicKey(privateKey),
    );
  },
  sign: (digest, privateKey) => {
    assertScalar(privateKey);
    return opensslOr(
      () => signByOpenssl(digest, privateKey),
      (curve) => curve.sign(digest, privateKey),
    );
  },
};

/** Some builds of OpenSSL do not have this curve. */
function opensslOr<Result>(first: () => Result, otherwise: (curve: Secp256k1) => Result): Result {
  byOpenssl++;
  try {
    return first();
  } catch {
    return otherwise(secp256k1());
  }
}

/**
 * A backend by name, for tests and measurements.
 *
 * @throws Error if it cannot be loaded
 */
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
    // No binary for this platform: WebAssembly is slower, with the same results.
    return secp256k1Backend('wasm');
  }
}

/** The used part of the package `secp256k1`, which has no types. */
interface NativeLibrary {
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
  ecdsaRecover(rs: Uint8Array, recoveryId: number, digest: Uint8Array, compressed: boolean): Uint8Array;
}

function native(): Secp256k1 {
  // Not the package's main module, which falls back to a JavaScript curve silently.
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
      return recoverOrUndefined(() => library.ecdsaRecover(rs, recoveryId, digest, false));
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
        return recoverOrUndefined(() => library.recover(digest, rs, recoveryId as 0 | 1, false) ?? undefined);
      }
      // With the high bit the point's x is r + n, but this library (2.2.4) checks whether r is on the curve.
      const r = numberOf(rs.subarray(0, 32));
      const x = r + CURVE_ORDER;
      // 2 and 3 are also the prefixes of an even and an odd point.
      const point = x < FIELD_PRIME ? wordOf(x, recoveryId) : new Uint8Array(33);
      if (!library.isPoint(point)) return undefined;
      const inverse = power(r, CURVE_ORDER - 2n, CURVE_ORDER);
      const sPart = library.pointMultiply(point, wordOf((inverse * numberOf(rs.subarray(32))) % CURVE_ORDER), false);
      const ePart = (inverse * (CURVE_ORDER - (numberOf(digest) % CURVE_ORDER))) % CURVE_ORDER;
      return (sPart && library.pointAddScalar(sPart, wordOf(ePart), false)) ?? undefined;
    },
  };
}

/** The libraries throw if no key can be recovered; here the result is undefined. */
function recoverOrUndefined(recover: () => Uint8Array | undefined): Uint8Array | undefined {
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

/** Whether the 32 bytes at `offset` are between 1 and the order minus 1. */
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
