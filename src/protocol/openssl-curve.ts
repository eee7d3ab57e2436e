/**
 * The curve with Node's own functions: public keys by OpenSSL, and signatures (RFC 6979, s in the lower half) with one
 * multiplication by OpenSSL and bigint arithmetic. Ten times slower than the addon. But the addon computes tables for
 * 10 ms when it is loaded, and a start derives one address and signs two blocks. Cannot recover signers.
 */

import { createECDH, createHmac } from 'node:crypto';
import { CURVE_ORDER, numberOf, power, wordOf } from './scalars.js';

const ZERO = Buffer.of(0);
const ONE = Buffer.of(1);

/**
 * Uncompressed, 65 bytes.
 *
 * @param privateKey a scalar of the curve
 * @throws Error if OpenSSL is built without the curve
 */
export function publicKeyByOpenssl(privateKey: Uint8Array): Uint8Array {
  const exchange = createECDH('secp256k1');
  exchange.setPrivateKey(privateKey);
  return exchange.getPublicKey();
}

/** @param digest 32 bytes, below the order @param privateKey a scalar of the curve @throws Error as above */
export function signByOpenssl(
  digest: Uint8Array,
  privateKey: Uint8Array,
): { readonly rs: Uint8Array; readonly recoveryId: number } {
  const scalars = nonces(digest, privateKey);
  const nonce = scalars.next().value;
  const point = publicKeyByOpenssl(wordOf(nonce));
  const x = numberOf(point.subarray(1, 33));
  const r = x % CURVE_ORDER;
  // Blinded with a random factor, so that the time of the inversion does not reveal the nonce.
  const blind = scalars.next().value;
  const inverse = blind * power((nonce * blind) % CURVE_ORDER, CURVE_ORDER - 2n, CURVE_ORDER);
  const s = (inverse * (numberOf(digest) + r * numberOf(privateKey))) % CURVE_ORDER;
  const high = 2n * s > CURVE_ORDER;
  const odd = (point[64]! & 1) === 1;
  return {
    rs: Buffer.concat([wordOf(r), wordOf(high ? CURVE_ORDER - s : s)]),
    recoveryId: (x < CURVE_ORDER ? 0 : 2) | (odd === high ? 0 : 1),
  };
}

/** RFC 6979, 3.2: scalars derived from digest and key. */
function* nonces(digest: Uint8Array, privateKey: Uint8Array): Generator<bigint, never> {
  let key: Buffer = Buffer.alloc(32);
  let value: Buffer = Buffer.alloc(32, 1);
  const hmac = (...parts: readonly Uint8Array[]): Buffer =>
    createHmac('sha256', key).update(Buffer.concat(parts)).digest();
  for (const step of [ZERO, ONE]) {
    key = hmac(value, step, privateKey, digest);
    value = hmac(value);
  }
  for (;;) {
    value = hmac(value);
    const scalar = numberOf(value);
    if (scalar > 0n && scalar < CURVE_ORDER) yield scalar;
    key = hmac(value, ZERO);
    value = hmac(value);
  }
}
