/** Ethereum's transactions, against ethers: whatever it signs is read, has its hash and sender, and is written again. */

import { getBytes, getCreateAddress, Transaction, Wallet } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.js';
import {
  decodeEthereumTransaction,
  decodeTerms,
  EthereumFormatError,
  encodeEthereumTransaction,
  encodeTerms,
  ethereumContractAddress,
  ethereumHash,
  ethereumSender,
} from '../../../src/protocol/ethereum-transaction.js';

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((one) => `0x${bytesToHex(one)}`);
const amount = fc.oneof(
  fc.constant(0n),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
  fc.bigInt({ min: 0n, max: 2n ** 255n }),
);
const accessList = fc.array(fc.record({ address: hexOf(20), storageKeys: fc.array(hexOf(32), { maxLength: 2 }) }), {
  maxLength: 2,
});
const common = {
  nonce: fc.integer({ min: 0, max: 2 ** 50 }),
  gasLimit: amount,
  to: fc.option(hexOf(20), { nil: null }),
  value: amount,
  data: fc.uint8Array({ maxLength: 100 }).map((bytes) => `0x${bytesToHex(bytes)}`),
};
const chainId = fc.bigInt({ min: 1n, max: 2n ** 53n });
const transactions = fc.oneof(
  fc.record({ ...common, type: fc.constant(0), gasPrice: amount, chainId: fc.oneof(fc.constant(0n), chainId) }),
  fc.record({ ...common, type: fc.constant(1), gasPrice: amount, chainId, accessList }),
  fc
    .record({ ...common, type: fc.constant(2), maxFeePerGas: amount, tip: amount, chainId, accessList })
    .map(({ tip, ...rest }) => ({
      ...rest,
      maxPriorityFeePerGas: tip > rest.maxFeePerGas ? rest.maxFeePerGas : tip,
    })),
);
const keys = hexOf(32).filter((key) => BigInt(key) > 0n && BigInt(key) < 2n ** 255n);

test('what ethers signs is read, has its hash and sender, and is written to the same bytes', () => {
  fc.assert(
    fc.property(transactions, keys, (fields, key) => {
      const wallet = new Wallet(key);
      const signed = Transaction.from(fields as never);
      signed.signature = wallet.signingKey.sign(signed.unsignedHash);
      const read = decodeEthereumTransaction(getBytes(signed.serialized));
      expect(`0x${ethereumHash(read)}`).toBe(signed.hash);
      expect(`0x${ethereumSender(read).slice(2)}`).toBe(wallet.address.toLowerCase());
      expect(`0x${bytesToHex(encodeEthereumTransaction(read))}`).toBe(signed.serialized);
      const { to, valueSun, data, ...terms } = read;
      expect(decodeTerms(encodeTerms(read))).toEqual(terms);
      expect(`0x${ethereumContractAddress(ethereumSender(read), read.nonce).slice(2)}`).toBe(
        getCreateAddress({ from: wallet.address, nonce: read.nonce }).toLowerCase(),
      );
    }),
    { numRuns: 200 },
  );
});

test('bytes that are cut, changed or made up are refused, or are another transaction', () => {
  const wallet = new Wallet(`0x${'11'.repeat(32)}`);
  const signed = Transaction.from({
    type: 2,
    chainId: 5,
    nonce: 1,
    gasLimit: 21_000,
    maxFeePerGas: 9,
    to: wallet.address,
  });
  signed.signature = wallet.signingKey.sign(signed.unsignedHash);
  const bytes = getBytes(signed.serialized);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, by, cuts) => {
      const changed = cuts ? bytes.slice(0, at) : bytes.map((byte, i) => (i === at ? byte ^ by : byte));
      try {
        const read = decodeEthereumTransaction(changed);
        expect(bytesToHex(encodeEthereumTransaction(read))).toBe(bytesToHex(changed));
        expect(`0x${ethereumHash(read)}`).not.toBe(signed.hash);
      } catch (error) {
        expect(error).toBeInstanceOf(EthereumFormatError);
      }
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (junk) => {
      try {
        decodeEthereumTransaction(junk);
      } catch (error) {
        expect(error).toBeInstanceOf(EthereumFormatError);
      }
      expect(decodeTerms(bytesToHex(junk))).toBeUndefined();
    }),
  );
});

describe('is refused by name', () => {
  it.each([
    ['03c0', 'a blob transaction (type 3, EIP-4844) is not supported'],
    ['04c0', 'a transaction that sets code (type 4, EIP-7702) is not supported'],
    ['05', 'transaction type 5 is not known'],
    ['02c0', 'expected 12 fields of a signed transaction, got 0'],
    ['c0', 'expected 9 fields of a signed transaction, got 0'],
    ['c9808080808080808080', 'the transaction is not signed'],
    ['c980808080808025' + '8080', 'the signature is not valid'],
  ])('%s', (hex, text) => {
    expect(() => decodeEthereumTransaction(hexToBytes(hex))).toThrow(text);
  });
});
