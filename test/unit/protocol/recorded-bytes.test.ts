/**
 * Every byte of a recorded chain goes through our messages and comes out the same; ids, roots and signatures follow.
 * `RECORDINGS=DIR` checks all recordings below DIR instead of the one that is committed.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.js';
import { addressFromPrivateKey } from '../../../src/protocol/address.js';
import { blockHash, blockIdOf, decodeBlock, encodeBlock } from '../../../src/protocol/block.js';
import { AccountResourceMessage } from '../../../src/protocol/generated/api.js';
import { Account, Block, BlockHeader, TransactionInfo } from '../../../src/protocol/generated/tron.js';
import { merkleRoot } from '../../../src/protocol/merkle.js';
import type { MessageCodec } from '../../../src/protocol/message-type.js';
import { recoverAddress, sign } from '../../../src/protocol/signature.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';

interface Line {
  readonly kind: 'genesis' | 'broadcast' | 'refused' | 'block';
  readonly id?: string;
  readonly block?: string;
  readonly infos?: readonly string[];
  readonly transaction?: string;
  readonly txid?: string;
  readonly after?: {
    readonly accounts?: Readonly<Record<string, { account: string | null; resource: string | null }>>;
  };
}

const directory =
  process.env.RECORDINGS ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../fixtures/recorded');
const names = readdirSync(directory, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(names)('the recording %s', (name) => {
  const lines: Line[] = gunzipSync(readFileSync(path.join(directory, name, 'chain.ndjson.gz')))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { network } = JSON.parse(readFileSync(path.join(directory, name, 'scenario.json'), 'utf8'));

  it('comes out of our messages as it went in', () => {
    const comesBack = <M>(codec: MessageCodec<M>, hex: string) =>
      expect(codec.encodeHex(codec.decodeHex(hex))).toBe(hex);
    for (const { block, infos = [], after } of lines) {
      if (block !== undefined) comesBack(Block, block);
      for (const info of infos) comesBack(TransactionInfo, info);
      for (const { account, resource } of Object.values(after?.accounts ?? {})) {
        if (account !== null) comesBack(Account, account);
        if (resource !== null) comesBack(AccountResourceMessage, resource);
      }
    }
  });

  it('has the ids, roots and witness signatures that we compute', () => {
    const keys = new Map<string, string>(network.witnessKeys.map((key: string) => [addressFromPrivateKey(key), key]));
    for (const { kind, id, block, infos } of lines) {
      if (block === undefined) continue;
      const { header, transactions } = decodeBlock(hexToBytes(block));
      const raw = header.raw_data!;
      const hash = blockHash(raw);
      const encoded = transactions.map((transaction) => transaction.encode());
      expect(bytesToHex(encodeBlock(encoded, BlockHeader.encode(header)))).toBe(block);
      expect(merkleRoot(transactions.map((transaction) => transaction.leafHash()))).toBe(raw.txTrieRoot);
      if (kind === 'genesis') continue;
      expect(blockIdOf(raw.number, hash)).toBe(id);
      const key = keys.get(recoverAddress(hash, header.witness_signature))!;
      expect(sign(hash, key)).toBe(header.witness_signature);
      expect(infos?.map((info) => TransactionInfo.decodeHex(info).id)).toEqual(transactions.map(({ txId }) => txId));
      for (const transaction of transactions) {
        expect(transaction.contract).toBeDefined();
        for (const signature of transaction.signatures) recoverAddress(transaction.txId, signature);
      }
    }
  });

  it('names refused transactions as we do', () => {
    for (const { transaction, txid } of lines) {
      if (transaction === undefined) continue;
      const decoded = SignedTransaction.decode(hexToBytes(transaction));
      expect(decoded.txId).toBe(txid);
      expect(bytesToHex(decoded.bytes)).toBe(transaction);
    }
  });
});
