import { keccak256 } from 'ethers';
import fc from 'fast-check';
import { TronWeb } from 'tronweb';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../src/primitives/hex.js';
import type { Address, TxId } from '../../../src/primitives/ids.js';
import {
  addressFromPrivateKey,
  create2ContractAddress,
  createdContractAddress,
  decodeBase58Check,
  deployedContractAddress,
  fromBase58,
  toBase58,
} from '../../../src/protocol/address.js';
import { keccak256OfHex } from '../../../src/protocol/hashes.js';

const KEY_ONE = '1'.padStart(64, '0');
const ADDRESS_ONE = '417e5f4552091a69125d5dfcb7b8c2659029395bdf' as Address;

describe('addresses', () => {
  it('come from a private key', () => {
    expect(addressFromPrivateKey(KEY_ONE)).toBe(ADDRESS_ONE);
    expect(toBase58(ADDRESS_ONE)).toBe('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC');
    expect(toBase58(addressFromPrivateKey('da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0'))).toBe(
      'TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY',
    );
  });

  it.each([
    ['zero', '0'.repeat(64)],
    ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['31 bytes', '01'.repeat(31)],
    ['no key', ''],
  ])('do not come from %s', (_, key) => {
    expect(() => addressFromPrivateKey(key)).toThrow(RangeError);
  });

  it('are in base58check what every client sees', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const address = `41${bytesToHex(bytes)}` as Address;
        const base58 = TronWeb.address.fromHex(address);
        expect(toBase58(address)).toBe(base58);
        expect(fromBase58(base58)).toBe(address);
      }),
    );
  });

  it('are not read from text with an error', () => {
    const text = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
    expect(fromBase58(text.replace('Q', 'R'))).toBeUndefined();
    expect(fromBase58(text.slice(1))).toBeUndefined();
    expect(fromBase58(text.replace('m', '0'))).toBeUndefined();
    expect(fromBase58(`${text} `)).toBeUndefined();
    expect(fromBase58('')).toBeUndefined();
    expect(fromBase58('1'.repeat(100_000))).toBeUndefined();
  });

  it('are 21 bytes; other base58check payloads are still payloads', () => {
    for (const payload of ['', '00', '41', `42${'00'.repeat(20)}`, '41'.repeat(22)]) {
      const text = toBase58(payload);
      expect(decodeBase58Check(text)).toBe(payload === '' ? undefined : payload);
      expect(fromBase58(text)).toBeUndefined();
    }
  });

  it('of contracts follow from what made them', () => {
    const txId = 'b2b8e32a745b7a9332ac9229086683907265e4328706c238bbf3232a134782a1' as TxId;
    const keccak = (hex: string) => keccak256(`0x${hex}`).slice(2);
    expect(deployedContractAddress(txId, ADDRESS_ONE)).toBe(`41${keccak(txId + ADDRESS_ONE).slice(24)}`);
    expect(createdContractAddress(txId, 3n)).toBe(`41${keccak(`${txId}0000000000000003`).slice(24)}`);
    const salt = '5a'.repeat(32);
    const codeHash = keccak256OfHex('6000');
    expect(create2ContractAddress(ADDRESS_ONE, salt, codeHash)).toBe(
      `41${keccak(ADDRESS_ONE + salt + keccak('6000')).slice(24)}`,
    );
  });
});
