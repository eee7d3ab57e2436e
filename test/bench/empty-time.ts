/**
 * Blocks and time without transactions: many blocks at once, and jumps over epochs, with and without voters. The
 * references are the bare hash chain of as many headers, and the slow way, block by block, that gives the same chain.
 */

import { createHash } from 'node:crypto';
import type { Node } from '../../src/node/node.js';
import type { Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { addressFromPrivateKey } from '../../src/protocol/address.js';
import { FreezeBalanceV2Contract } from '../../src/protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { VoteWitnessContract, VoteWitnessContract_Vote } from '../../src/protocol/generated/witness-contract.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import { type Bench, median, medianMilliseconds, milliseconds } from './bench.js';
import { headOf, openBenchNode } from './bench-chain.js';
import { type Nonce, privateKeys, signed } from './signed-transactions.js';

const BLOCKS = 10_000;
const EPOCH_MS = 21_600_000n;
const YEAR_MS = 365n * 86_400_000n;
const VOTERS = 10_000;
const RUNS = 9;

export const bench: Bench = {
  about: '10,000 mined blocks, jumps over 100 epochs and a year, a year with 10,000 voters',

  async *measure(progress) {
    const node = await openBenchNode(new MemoryStore(), privateKeys(1));
    progress(`${BLOCKS} blocks`);
    const mined = await medianMilliseconds(RUNS, () => {
      node.mine(BLOCKS);
      return node.chain.headId;
    });
    yield {
      name: `${BLOCKS.toLocaleString('en-US')} mined blocks, head id read`,
      value: mined,
      unit: 'ms',
      reference: { name: 'sha256 of as many headers', value: await medianMilliseconds(RUNS, () => hashChain(BLOCKS)) },
      aim: { of: 'value', atMost: 30 },
    };
    progress('block by block');
    const perBlock = await slowMillisecondsPerBlock(node);

    progress('100 epochs');
    yield {
      name: '100 epochs',
      value: await jump(node, 100n * EPOCH_MS),
      unit: 'ms',
      reference: byBlocks(perBlock, 100n * EPOCH_MS),
      aim: { of: 'value', atMost: 50 },
    };
    progress('a year');
    yield {
      name: 'a year',
      value: await jump(node, YEAR_MS),
      unit: 'ms',
      reference: byBlocks(perBlock, YEAR_MS),
      aim: { of: 'value', atMost: 300 },
    };

    progress(`${VOTERS} voters`);
    const voted = await chainWithVoters();
    progress('a year with voters');
    yield {
      name: `a year with ${VOTERS.toLocaleString('en-US')} voters`,
      value: await jump(voted, YEAR_MS),
      unit: 'ms',
      reference: byBlocks(await slowMillisecondsPerBlock(voted), YEAR_MS),
      aim: { of: 'value', atMost: 500 },
    };
  },
};

/** What no chain of blocks can be made without: each header is hashed, and holds the hash of the one before. */
function hashChain(headers: number): string {
  const header = Buffer.alloc(110, 7);
  let hash = '';
  for (let i = 0; i < headers; i++) {
    header.write(hash, 10, 'hex');
    hash = createHash('sha256').update(header).digest('hex');
  }
  return hash;
}

async function jump(node: Node, byMs: bigint): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await milliseconds(() => node.advance(byMs)));
  return median(times);
}

/** The way without shortcuts: each slot its block, with its header, its signature and its rows. */
async function slowMillisecondsPerBlock(node: Node): Promise<number> {
  const blocks = 2_000;
  const time = await milliseconds(() => {
    for (let i = 0; i < blocks; i++) node.mine(1);
  });
  return time / blocks;
}

function byBlocks(perBlock: number, ms: bigint): { readonly name: string; readonly value: number } {
  return { name: 'each slot a block (from 2,000 blocks)', value: perBlock * Number(ms / 3_000n) };
}

/** Everybody stakes and votes by signed transactions, then an epoch passes. */
async function chainWithVoters(): Promise<Node> {
  const keys = privateKeys(VOTERS);
  const node = await openBenchNode(new MemoryStore(), keys);
  const witness = node.chain.ledger.state.tables.witnesses.entries()[0]?.[0] as Address;
  let nonce = 0;
  for (const transactionOf of [stake, vote]) {
    for (let from = 0; from < VOTERS; from += 1_000) {
      const reference = headOf(node);
      for (const key of keys.slice(from, from + 1_000)) {
        node.broadcast(transactionOf(key, witness, { reference, nonce: nonce++ }));
      }
      node.mine(1);
    }
  }
  node.advance(EPOCH_MS);
  return node;
}

function stake(key: Hex, _witness: Address, nonce: Nonce) {
  const contract = FreezeBalanceV2Contract.create({
    owner_address: addressFromPrivateKey(key),
    frozen_balance: 1_000_000_000n,
  });
  return signed(key, ContractType.FreezeBalanceV2Contract, contract, nonce);
}

function vote(key: Hex, witness: Address, nonce: Nonce) {
  const contract = VoteWitnessContract.create({
    owner_address: addressFromPrivateKey(key),
    votes: [VoteWitnessContract_Vote.create({ vote_address: witness, vote_count: 100n })],
  });
  return signed(key, ContractType.VoteWitnessContract, contract, nonce);
}
