import { secp256k1 as noble } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JavaException } from '../../../src/errors/java-exception.js';
import { bytesToHex, type Hex, hexToBytes } from '../../../src/primitives/hex.js';
import { addressFromPrivateKey, addressFromPublicKey } from '../../../src/protocol/address.js';
import { sha256OfHex } from '../../../src/protocol/hashes.js';
import { publicKeyByOpenssl, signByOpenssl } from '../../../src/protocol/openssl-curve.js';
import { CURVE_ORDER, FIELD_PRIME } from '../../../src/protocol/scalars.js';
import { isPrivateKey, type Secp256k1, secp256k1, secp256k1Backend } from '../../../src/protocol/secp256k1.js';
import { isKnownSigner, recoverAddress, recoverUncached, sign, signAs } from '../../../src/protocol/signature.js';

const word = (value: bigint): Hex => value.toString(16).padStart(64, '0');
const KEY = sha256OfHex('01');
const DIGEST = sha256OfHex('02');
const SIGNER = addressFromPrivateKey(KEY);
const SIGNATURE = sign(DIGEST, KEY);
const [R, S, V] = [SIGNATURE.slice(0, 64), SIGNATURE.slice(64, 128), Number.parseInt(SIGNATURE.slice(128), 16)];
const byte = (value: number) => (value & 0xff).toString(16).padStart(2, '0');

/** What a call gives or throws, so that two of them can be compared. */
function outcome(call: () => string): string {
  try {
    return call();
  } catch (error) {
    return error instanceof JavaException ? `${error.javaClass} / ${error.javaMessage}` : String(error);
  }
}

describe('recovering a signer', () => {
  it('of a mainnet transaction (protocol/transactions.md#signature)', () => {
    const txId = 'b2b8e32a745b7a9332ac9229086683907265e4328706c238bbf3232a134782a1';
    const signature =
      'a0a5d0c012a6de298c12e88998b50e592a693c47700585a30983760fcff176b9d7c74b320e73e6f164a3dfc09da3ccc8594a7ea4dee0128aab485f0ab6221c0e01';
    expect(recoverAddress(txId, signature)).toBe('41f615d248adf4d6941de111f6d7a098dc44266fbe');
  });

  it.each([V, V + 27, V + 31])('takes v = %i', (v) => {
    expect(recoverUncached(DIGEST, R + S + byte(v))).toBe(SIGNER);
  });

  it('takes the high s with the other v', () => {
    const high = word(CURVE_ORDER - BigInt(`0x${S}`));
    expect(recoverUncached(DIGEST, R + high + byte(V ^ 1))).toBe(SIGNER);
  });

  it('ignores what follows the 65th byte', () => {
    expect(recoverUncached(DIGEST, `${SIGNATURE}ff00`)).toBe(SIGNER);
  });

  it('takes an s beyond the order, since java-tron only computes with it', () => {
    // s + n fits into 32 bytes for a tiny s only; the signer of such a signature is nobody's, but there is one.
    const s = 5n;
    const recovered = recoverUncached(DIGEST, R + word(s) + byte(V));
    expect(recoverUncached(DIGEST, R + word(s + CURVE_ORDER) + byte(V))).toBe(recovered);
    expect(secp256k1().recover(hexToBytes(DIGEST), hexToBytes(R + word(s + CURVE_ORDER)), V)).toBeUndefined();
  });

  it('takes an r beyond the order, which is the same point as r − n with v + 2', () => {
    let small = 1n;
    while (outcome(() => recoverUncached(DIGEST, word(small) + S + byte(2))).includes('/')) small++;
    const recovered = recoverUncached(DIGEST, word(small) + S + byte(2));
    expect(recoverUncached(DIGEST, word(small + CURVE_ORDER) + S + byte(0))).toBe(recovered);
  });

  it('takes an s of zero: the key is −e/r times the generator', () => {
    const recovered = recoverUncached(DIGEST, R + word(0n) + byte(V));
    expect(recoverUncached(DIGEST, R + word(CURVE_ORDER) + byte(V))).toBe(recovered);
    // With e = n − r the factor is 1, and the key that of the scalar 1.
    const e = word(CURVE_ORDER - BigInt(`0x${R}`));
    expect(recoverUncached(e, R + word(0n) + byte(V))).toBe('417e5f4552091a69125d5dfcb7b8c2659029395bdf');
  });

  it('gives the address of nothing for the point at infinity', () => {
    expect(recoverUncached(word(0n), R + word(0n) + byte(V))).toBe('41dcc703c0e500b653ca82273b7bfad8045d85a470');
    // R = G, s = e: (sG − eG) / r.
    const gx = bytesToHex(secp256k1().publicKey(hexToBytes(word(1n)))).slice(2, 66);
    expect(recoverUncached(word(7n), gx + word(7n) + byte(0))).toBe('41dcc703c0e500b653ca82273b7bfad8045d85a470');
  });

  it.each([
    [35, 35],
    [255, 26],
    [26, 53],
    [128, -101],
    [0xab, -58],
    [127, 127],
  ])('refuses v = %i', (v, named) => {
    expect(() => recoverAddress(DIGEST, R + S + byte(v))).toThrow(
      expect.objectContaining({ javaMessage: `java.security.SignatureException: Header byte out of range: ${named}` }),
    );
  });

  it('refuses v = 2 with an ordinary r, whose x is beyond the field', () => {
    expect(BigInt(`0x${R}`) + CURVE_ORDER).toBeGreaterThan(FIELD_PRIME);
    expect(() => recoverAddress(DIGEST, R + S + byte(2))).toThrow(
      expect.objectContaining({
        javaMessage: 'java.security.SignatureException: Could not recover public key from signature',
      }),
    );
  });

  it('refuses an r that is on no point', () => {
    const text = 'java.lang.IllegalArgumentException: Invalid point compression';
    expect(() => recoverAddress(DIGEST, '00'.repeat(65))).toThrow(expect.objectContaining({ javaMessage: text }));
    expect(() => recoverAddress(DIGEST, word(5n) + S + byte(V))).toThrow(
      expect.objectContaining({ javaMessage: text }),
    );
  });

  it.each([0, 1, 64])('refuses %i bytes', (size) => {
    expect(() => recoverAddress(DIGEST, SIGNATURE.slice(0, 2 * size))).toThrow(
      expect.objectContaining({
        javaClass: 'org.tron.core.exception.SignatureFormatException',
        javaMessage: `Signature size is ${size}`,
      }),
    );
  });

  it('answers from the cache only for the digest it was asked about', () => {
    const other = sha256OfHex('03');
    const first = recoverAddress(DIGEST, SIGNATURE);
    expect(first).toBe(SIGNER);
    expect(recoverAddress(other, SIGNATURE)).toBe(recoverUncached(other, SIGNATURE));
    expect(recoverAddress(DIGEST, SIGNATURE)).toBe(SIGNER);
    expect(recoverAddress(DIGEST, SIGNATURE)).toBe(SIGNER);
  });
});

describe('signing', () => {
  it('is deterministic, low in s, and v is 0 or 1', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: CURVE_ORDER - 1n }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (key, digest) => {
          const signature = sign(bytesToHex(digest), word(key));
          expect(signature).toBe(sign(bytesToHex(digest), word(key)));
          expect(signature).toMatch(/^[0-9a-f]{128}0[01]$/);
          expect(BigInt(`0x${signature.slice(64, 128)}`)).toBeLessThanOrEqual(CURVE_ORDER / 2n);
          expect(recoverUncached(bytesToHex(digest), signature)).toBe(addressFromPrivateKey(word(key)));
        },
      ),
    );
  });

  it('for somebody leaves nothing to recover, and gives the same', () => {
    const digest = sha256OfHex('03');
    expect(isKnownSigner(digest, sign(digest, KEY))).toBe(false);
    const signature = signAs(SIGNER, digest, KEY);
    expect(signature).toBe(sign(digest, KEY));
    expect(isKnownSigner(digest, signature)).toBe(true);
    expect(recoverUncached(digest, signature)).toBe(SIGNER);
  });

  it('refuses what is no key', () => {
    expect(() => sign(DIGEST, word(0n))).toThrow(RangeError);
    expect(() => sign(DIGEST, word(CURVE_ORDER))).toThrow(RangeError);
  });
});

/** A third library, which Sunup does not use: what it says is compared with what the backends say. */
const reference: Omit<Secp256k1, 'backend'> = {
  publicKey(privateKey) {
    if (!isPrivateKey(privateKey)) throw new RangeError('not a private key of secp256k1');
    return noble.getPublicKey(privateKey, false);
  },
  sign(digest, privateKey) {
    if (!isPrivateKey(privateKey)) throw new RangeError('not a private key of secp256k1');
    const bytes = noble.sign(digest, privateKey, { prehash: false, format: 'recovered', lowS: true });
    return { rs: bytes.subarray(1), recoveryId: bytes[0]! };
  },
  recover(digest, rs, recoveryId) {
    try {
      const signature = noble.Signature.fromBytes(Uint8Array.of(recoveryId, ...rs), 'recovered');
      return signature.recoverPublicKey(digest).toBytes(false);
    } catch {
      return undefined;
    }
  },
};

describe('every backend', () => {
  const native = secp256k1Backend('native');
  const wasm = secp256k1Backend('wasm');
  const curves = [native, wasm, reference] as const;
  const edges = [0n, 1n, 2n, CURVE_ORDER - 1n, CURVE_ORDER, CURVE_ORDER + 1n, FIELD_PRIME - CURVE_ORDER - 1n];
  const near = fc.constantFrom(...edges, FIELD_PRIME - CURVE_ORDER, FIELD_PRIME - 1n, FIELD_PRIME, 2n ** 256n - 1n);
  const scalar = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), near).map(word);

  it('is the fastest that loads here', () => {
    expect(secp256k1()).toBe(native);
  });

  it('signs alike', () => {
    fc.assert(
      fc.property(scalar, scalar, (digest, key) => {
        const [first, ...others] = curves.map((curve) => outcome(() => sign(digest, key, curve)));
        for (const other of others) expect(other).toBe(first);
      }),
      { numRuns: 100 },
    );
  });

  it('makes the same public keys', () => {
    fc.assert(
      fc.property(scalar, (key) => {
        const [first, ...others] = curves.map((curve) =>
          outcome(() => addressFromPublicKey(curve.publicKey(hexToBytes(key)))),
        );
        for (const other of others) expect(other).toBe(first);
      }),
      { numRuns: 100 },
    );
  });

  it('makes the signatures and the keys that OpenSSL makes for a start', () => {
    const openssl = { publicKey: publicKeyByOpenssl, sign: signByOpenssl };
    const key = scalar.filter((hex) => isPrivateKey(hexToBytes(hex)));
    fc.assert(
      fc.property(scalar, key, (digest, key) => {
        expect(sign(digest, key, openssl)).toBe(sign(digest, key, secp256k1()));
        expect(bytesToHex(openssl.publicKey(hexToBytes(key)))).toBe(bytesToHex(secp256k1().publicKey(hexToBytes(key))));
      }),
      { numRuns: 200 },
    );
  });

  it('recovers and refuses alike, with r, s and v anywhere', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, fc.constantFrom(0, 1, 2, 3, 27, 30, 34), (digest, r, s, v) => {
        const [first, ...others] = curves.map((curve) =>
          outcome(() => recoverUncached(digest, r + s + byte(v), { backend: 'wasm', ...curve })),
        );
        for (const other of others) expect(other).toBe(first);
      }),
      { numRuns: 200 },
    );
  });
});
