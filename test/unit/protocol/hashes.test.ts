import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKeccakUpToDate } from '../../../scripts/generate-keccak.js';
import { bytesToHex } from '../../../src/primitives/hex.js';
import { keccak256, keccak256Bytes, keccak256OfHex, sha256, sha256OfHex } from '../../../src/protocol/hashes.js';

describe('hashes', () => {
  it('are sha256 and the keccak256 of before SHA-3', () => {
    expect(sha256OfHex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256(Uint8Array.of(0x61, 0x62, 0x63))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(keccak256OfHex('')).toBe('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  });

  it('of every length around the blocks of keccak, as another implementation has them', () => {
    for (let length = 0; length < 420; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => i * 31 + length);
      expect(keccak256(bytes), `${length} bytes`).toBe(bytesToHex(keccak_256(bytes)));
    }
  });

  it('of anything, as another implementation has them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000, size: 'max' }), (bytes) => {
        expect(keccak256Bytes(bytes)).toEqual(keccak_256(bytes));
      }),
    );
  });

  it('are not overwritten by the next one', () => {
    const first = keccak256Bytes(Uint8Array.of(1));
    const copy = first.slice();
    keccak256Bytes(Uint8Array.of(2));
    expect(first).toEqual(copy);
  });

  it('come from a module that is what its generator makes', () => {
    expect(isKeccakUpToDate()).toBe(true);
  });
});
