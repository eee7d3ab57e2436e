import { describe, expect, it } from 'vitest';
import { bytesToHex, utf8ToHex } from '../../../src/primitives/hex.js';
import type { Address } from '../../../src/primitives/ids.js';
import { addressFromPrivateKey, fromBase58 } from '../../../src/protocol/address.js';
import {
  blockHash,
  blockIdOf,
  blockIdOfHeader,
  blockNumberOf,
  decodeBlock,
  encodeBlock,
  refBlockBytesOf,
  refBlockHashOf,
} from '../../../src/protocol/block.js';
import { packAny } from '../../../src/protocol/contract-types.js';
import { TransferContract } from '../../../src/protocol/generated/balance-contract.js';
import {
  Block,
  BlockHeader,
  BlockHeader_raw,
  Transaction_Contract,
  Transaction_Contract_ContractType,
  Transaction_raw,
} from '../../../src/protocol/generated/tron.js';
import { sha256OfHex } from '../../../src/protocol/hashes.js';
import { EMPTY_MERKLE_ROOT, merkleRoot } from '../../../src/protocol/merkle.js';
import { recoverAddress, sign } from '../../../src/protocol/signature.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';

describe('block ids and signatures', () => {
  it('of a Nile block (protocol/blocks.md#structure)', () => {
    const raw = BlockHeader_raw.decodeHex(
      '08e8d7f0bfdd331220faf8fe3858339ead25cc892461c82a59b84dca4a51c45b026676bf3f45a352a21a200000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed38adccf81f4a1541b2f713d57dbcec679d93a8849fa0cd0e4db594ba5022',
    );
    const id = blockIdOfHeader(raw);
    expect(id).toBe('0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e');
    expect(blockNumberOf(id)).toBe(66_987_565);
    expect(refBlockBytesOf(id)).toBe('262d');
    expect(refBlockHashOf(id)).toBe('52bfa4b2814f816f');
    const signer = recoverAddress(
      blockHash(raw),
      '5b3cf6cb15d52947989f7726f4907a144b39ccd667a1a0f98707b40cdfe65b96173ddf34ae8dcc5e78f136e0cf903a15c7128984aa2191f02333209d1879d3f900',
    );
    expect(signer).toBe('41b2f713d57dbcec679d93a8849fa0cd0e4db594ba');
    expect(signer).toBe(raw.witness_address);
  });

  it('of the mainnet genesis, from its configuration (protocol/blocks.md#genesis-from-configuration)', () => {
    const assets = [
      ['TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm', 99_000_000_000_000_000n],
      ['TXmVpin5vq5gdZsciyyjdZgKRUju4st1wM', 0n],
      ['TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', -9_223_372_036_854_775_808n],
    ] as const;
    const transactions = assets.map(([address, amount]) => {
      const parameter = packAny(TransferContract, {
        owner_address: utf8ToHex('0x000000000000000000000'),
        to_address: fromBase58(address)!,
        amount,
      });
      const contract = Transaction_Contract.create({
        type: Transaction_Contract_ContractType.TransferContract,
        parameter,
      });
      return SignedTransaction.fromRaw(Transaction_raw.create({ contract: [contract] }));
    });
    expect(transactions.map(({ txId }) => txId)).toEqual([
      '788b4d0ca432b3d07f895dffe80429bf58398d0e86222460b07f9db38e238803',
      'dfb4a633165cb85963ec1edfb4c9283644a3e136b77c063f4ba2e39307863a75',
      '25b18a55f86afb10e7aca38d0073d04c80397c6636069193953fdefaea0b8369',
    ]);
    const txTrieRoot = merkleRoot(transactions.map((transaction) => transaction.leafHash()));
    expect(txTrieRoot).toBe('8ef446bf3f395af929c218014f6101ec86576c5f61b2ae3236bf3a2ab5e2fecd');
    const raw = BlockHeader_raw.create({
      txTrieRoot,
      parentHash: 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f',
      witness_address: utf8ToHex(
        'A new system must allow existing systems to be linked together without requiring any central control or coordination',
      ),
    });
    expect(blockIdOfHeader(raw)).toBe('00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc');
  });

  it('are signed with v 0 or 1 and give the signer back', () => {
    const key = 'da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0';
    const raw = BlockHeader_raw.create({ number: 1n, timestamp: 3000n, txTrieRoot: EMPTY_MERKLE_ROOT, version: 32 });
    expect(recoverAddress(blockHash(raw), sign(blockHash(raw), key))).toBe(addressFromPrivateKey(key));
  });

  it('carry any number of 64 bits', () => {
    const hash = 'ab'.repeat(32);
    expect(blockIdOf(0, hash)).toBe('0'.repeat(16) + 'ab'.repeat(24));
    expect(blockIdOf(2 ** 40, hash)).toBe(`0000010000000000${'ab'.repeat(24)}`);
    expect(blockIdOf(2n ** 62n, hash)).toBe(`4000000000000000${'ab'.repeat(24)}`);
  });
});

describe('a block', () => {
  it('is its transactions and its header', () => {
    const header = BlockHeader.create({ raw_data: BlockHeader_raw.create({ number: 5n }) });
    const transactions = [1, 2, 200].map((size) =>
      SignedTransaction.fromRaw(Transaction_raw.create({ data: '00'.repeat(size) }), ['ab'.repeat(65) as Address]),
    );
    const bytes = encodeBlock(
      transactions.map(({ bytes: encoded }) => encoded),
      BlockHeader.encode(header),
    );
    expect(bytesToHex(bytes)).toBe(
      Block.encodeHex({ transactions: transactions.map(({ message }) => message), block_header: header }),
    );
    const decoded = decodeBlock(bytes);
    expect(decoded.header).toEqual(header);
    expect(decoded.transactions.map(({ txId }) => txId)).toEqual(transactions.map(({ txId }) => txId));
  });

  it('is refused when it is malformed', () => {
    expect(() => decodeBlock(Uint8Array.of(10, 1))).toThrow('input ended unexpectedly');
    expect(() => decodeBlock(Uint8Array.of(18, 1, 12))).toThrow('end-group tag did not match');
  });
});

describe('the merkle root', () => {
  const leaf = (i: number) => sha256OfHex(i.toString(16).padStart(2, '0'));
  const pair = (left: string, right: string) => sha256OfHex(left + right);

  it('of nothing is 32 zero bytes', () => {
    expect(merkleRoot([])).toBe('00'.repeat(32));
  });

  it('moves an odd node up as it is', () => {
    expect(merkleRoot([leaf(1)])).toBe(leaf(1));
    expect(merkleRoot([leaf(1), leaf(2)])).toBe(pair(leaf(1), leaf(2)));
    expect(merkleRoot([leaf(1), leaf(2), leaf(3)])).toBe(pair(pair(leaf(1), leaf(2)), leaf(3)));
    expect(merkleRoot([1, 2, 3, 4, 5].map(leaf))).toBe(
      pair(pair(pair(leaf(1), leaf(2)), pair(leaf(3), leaf(4))), leaf(5)),
    );
    expect(merkleRoot([1, 2, 3, 4, 5, 6].map(leaf))).toBe(
      pair(pair(pair(leaf(1), leaf(2)), pair(leaf(3), leaf(4))), pair(leaf(5), leaf(6))),
    );
  });
});
