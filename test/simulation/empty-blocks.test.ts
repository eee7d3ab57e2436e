/**
 * Empty time is cheap, and nobody can tell: blocks that were mined many at once are the blocks that would have been made
 * one by one, byte for byte, with the same state after each; a jump is what producers leave who pause.
 */

import { describe, expect, it } from 'vitest';
import { blockIdAt } from '../../src/ledger/blocks/block-ids.js';
import type { BlockId } from '../../src/primitives/ids.js';
import { blockHash, blockIdOf, blockNumberOf } from '../../src/protocol/block.js';
import { BlockReq, NumberMessage } from '../../src/protocol/generated/api.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type Transaction_raw,
} from '../../src/protocol/generated/tron.js';
import { recoverAddress, sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { getBlock, getBlockById, getBlockByNum } from '../../src/wallet/blocks.js';
import { fullContext } from '../../src/wallet/context.js';
import { allAddresses, ledgerPortrait, rowsThatDifferFromTheStore } from './portrait.js';
import { COIN, SimulatedChain, type SimulationOptions, strangerAddress } from './simulated-chain.js';

/** Epochs of 100 slots, so that a few hundred blocks go through several. */
const SHORT_EPOCHS = { MAINTENANCE_TIME_INTERVAL: 300_000 };

/** What a run does not leave as single blocks do: a row of its own in place of the blocks'. */
function withoutBlockRows(portrait: string): string {
  return portrait
    .split('\n')
    .filter((line) => !line.startsWith('emptyRuns '))
    .join('\n');
}

async function seenOf(chain: SimulatedChain): Promise<string> {
  const portrait = ledgerPortrait(chain.ledger, await allAddresses(chain));
  return `${withoutBlockRows(portrait)}\nmerged ${chain.node.chain.mergedHeight} clock ${chain.node.clock.nowMs()}`;
}

function oneByOne(chain: SimulatedChain, count: number): void {
  for (let i = 0; i < count; i++) chain.node.mine(1);
}

function resigned(chain: SimulatedChain, raw: Transaction_raw): SignedTransaction {
  const transaction = SignedTransaction.fromRaw(raw);
  return transaction.withSignatures([sign(transaction.txId, chain.keyOf(transaction.owner!))]);
}

function isMadeAtOnce(chain: SimulatedChain, number: number): boolean {
  return chain.ledger.state.tables.blocks.get(number.toString(16).padStart(12, '0')) === undefined;
}

const shapes: readonly (readonly [string, SimulationOptions])[] = [
  ['one witness', {}],
  ['three witnesses', { witnessVotes: [300, 200, 100] }],
  ['five witnesses, the view of the network', { witnessVotes: [500, 400, 300, 200, 100], solidityLag: 'network' }],
  ['three witnesses, the view of the network', { witnessVotes: [3, 2, 1], solidityLag: 'network' }],
  ['one witness, the view of the network', { solidityLag: 'network' }],
  ['a witness whose key is elsewhere', { witnessVotes: [300, 200], foreignWitness: strangerAddress(77) }],
  ['slots of 1 s', { witnessVotes: [300, 200, 100], slotMs: 1_000 }],
  ['slots of 10 s', { witnessVotes: [3, 2, 1], slotMs: 10_000, solidityLag: 'network' }],
  ['before reward cycles', { parameters: { ...SHORT_EPOCHS, CHANGE_DELEGATION: 0 } }],
];

describe.each(shapes)('%s', (_, shape) => {
  const open = () => SimulatedChain.open({ parameters: SHORT_EPOCHS, ...shape });

  it.each([2, 3, 7, 40, 96, 97, 98, 99, 100, 101, 250, 731])(
    '%i blocks at once are as many single blocks',
    async (count) => {
      const [fast, slow] = [await open(), await open()];
      for (const chain of [fast, slow]) oneByOne(chain, 2);
      fast.node.mine(count);
      oneByOne(slow, count);
      expect(fast.node.chain.headNumber).toBe(2 + count);
      expect(await seenOf(fast)).toBe(await seenOf(slow));
      expect(fast.blocks()).toEqual(slow.blocks());
      // And it was the fast way that was tested.
      expect(isMadeAtOnce(fast, 3)).toBe(true);
      expect(isMadeAtOnce(slow, 3)).toBe(false);
      expect(await rowsThatDifferFromTheStore(fast)).toEqual([]);
    },
  );

  it('runs and transactions in turn', async () => {
    const [fast, slow] = [await open(), await open()];
    for (const [chain, mine] of [
      [fast, (count: number) => fast.node.mine(count)],
      [slow, (count: number) => oneByOne(slow, count)],
    ] as const) {
      oneByOne(chain, 2);
      chain.send(ContractType.FreezeBalanceV2Contract, {
        owner_address: chain.address(0),
        frozen_balance: 1_000n * COIN,
        resource: 0,
      });
      mine(1);
      const votes = chain.ledger.state.tables.witnesses.entries().map(([vote_address], i) => ({
        vote_address,
        vote_count: BigInt(300 - 100 * i),
      }));
      chain.send(ContractType.VoteWitnessContract, { owner_address: chain.address(0), votes: votes.slice(0, 3) });
      for (const count of [50, 120, 3, 200, 1, 64]) {
        mine(count);
        chain.transfer(1, strangerAddress(count), BigInt(count));
        // The pending transaction goes into the first of these, the rest is a run again.
        mine(20);
      }
    }
    expect(await seenOf(fast)).toBe(await seenOf(slow));
    expect(fast.blocks()).toEqual(slow.blocks());
    expect(isMadeAtOnce(fast, 20)).toBe(true);
  });

  it('every height of a run is the past that it would have been', async () => {
    const [fast, slow] = [await open(), await open()];
    for (const chain of [fast, slow]) oneByOne(chain, 2);
    fast.node.mine(150);
    const seen = new Map<number, string>();
    const people = await allAddresses(slow);
    for (let number = 3; number <= 152; number++) {
      oneByOne(slow, 1);
      seen.set(number, withoutBlockRows(ledgerPortrait(slow.ledger, people)));
    }
    for (const number of [152, 3, 4, 5, 57, 101, 102, 103, 104, 105, 150, 151]) {
      expect(withoutBlockRows(ledgerPortrait(fast.node.chain.ledgerAt(number), people))).toBe(seen.get(number));
    }
  });

  it('a jump is single blocks at the same times', async () => {
    const [fast, slow] = [await open(), await open()];
    for (const chain of [fast, slow]) oneByOne(chain, 2);
    const from = fast.node.chain.headNumber;
    fast.node.advance(3_700_000n);
    for (let number = from + 1; number <= fast.node.chain.headNumber; number++) {
      const { timestamp } = getBlockByNum(fullContext(fast.node), NumberMessage.create({ num: BigInt(number) }))!
        .block_header!.raw_data!;
      for (const _ of slow.node.producer.passTo(timestamp));
    }
    expect(await seenOf(fast)).toBe(await seenOf(slow));
    expect(fast.blocks()).toEqual(slow.blocks());
  });
});

describe('a jump', () => {
  it('makes one block at each maintenance on the way and one at its end', async () => {
    const chain = await SimulatedChain.open({ parameters: SHORT_EPOCHS });
    oneByOne(chain, 2);
    const { headTimeMs, headNumber } = chain.node.chain;
    const boundaryMs = chain.ledger.long('NEXT_MAINTENANCE_TIME');
    chain.node.advance(1_000_000n);
    const timesMs = chain.blocks(headNumber + 1).map((_, i) => {
      const block = getBlockByNum(fullContext(chain.node), { num: BigInt(headNumber + 1 + i) })!;
      return block.block_header!.raw_data!.timestamp;
    });
    const slotMs = headTimeMs + 1_002_000n;
    expect(timesMs).toEqual([boundaryMs, boundaryMs + 300_000n, boundaryMs + 600_000n, slotMs]);
    expect(chain.node.clock.nowMs()).toBe(slotMs);
  });

  it('counts every slot as missed that nobody filled', async () => {
    const chain = await SimulatedChain.open({ witnessVotes: [3, 2, 1] });
    oneByOne(chain, 2);
    chain.node.advance(3_000n * 100n);
    const counts = chain.ledger.state.tables.witnesses.entries().map(([, { totalProduced, totalMissed }]) => ({
      totalProduced,
      totalMissed,
    }));
    const sum = (field: 'totalProduced' | 'totalMissed') => counts.reduce((total, count) => total + count[field], 0n);
    expect(sum('totalProduced')).toBe(3n);
    expect(sum('totalMissed')).toBe(99n);
    for (const { totalMissed } of counts) expect([33n, 32n, 34n]).toContain(totalMissed);
  });

  it('ends in the next slot of a strict chain, and says how late that is', async () => {
    const chain = await SimulatedChain.open();
    oneByOne(chain, 2);
    const { headTimeMs } = chain.node.chain;
    for (const [advanceMs, lateMs] of [
      [1, 2_999],
      [3_000, 0],
      [4_000, 2_000],
      [0, 0],
    ] as const) {
      const before = chain.node.chain.headTimeMs;
      const mined = await chain.node.mining.mine({ advanceMs });
      expect(mined.timestampMs - Number(before)).toBe(advanceMs + lateMs);
      expect([mined.lateMs, mined.blocks]).toEqual([lateMs, advanceMs === 0 ? 0 : 1]);
    }
    expect((chain.node.chain.headTimeMs - headTimeMs) % 3_000n).toBe(0n);
    expect(chain.node.chain.strict).toBe(true);
  });

  it('may be asked for by the moment it is to reach', async () => {
    const chain = await SimulatedChain.open({ mining: 'instant' });
    oneByOne(chain, 2);
    const timestampMs = Number(chain.node.chain.headTimeMs) + 7_777;
    expect(await chain.node.mining.mine({ timestampMs })).toMatchObject({ timestampMs, lateMs: 0, blocks: 1 });
    expect(chain.node.clock.nowMs()).toBe(BigInt(timestampMs));
    await expect(chain.node.mining.mine({ timestampMs: timestampMs - 1 })).rejects.toThrow('the head is already at');
  });

  it('takes what is pending into its first block', async () => {
    const chain = await SimulatedChain.open();
    oneByOne(chain, 2);
    const { transaction } = chain.transfer(0, chain.address(1), 1n);
    chain.node.advance(30_000n);
    const stored = chain.ledger.state.tables.transactions.get(transaction.txId);
    expect(stored?.blockNumber).toBe(3);
    expect(chain.node.chain.headNumber).toBe(3);
  });

  it('of a year is 1,460 maintenance blocks and lands where it should', async () => {
    const chain = await SimulatedChain.open();
    oneByOne(chain, 2);
    const { headTimeMs, headNumber } = chain.node.chain;
    chain.node.advance(365n * 86_400_000n);
    expect(chain.node.chain.headNumber - headNumber).toBe(1_460 + 1);
    expect(chain.node.chain.headTimeMs).toBe(headTimeMs + 365n * 86_400_000n);
  });
});

describe('a block of a run', () => {
  const RUN = 3_000;

  async function withRun(): Promise<SimulatedChain> {
    const chain = await SimulatedChain.open({ witnessVotes: [3, 2, 1] });
    oneByOne(chain, 2);
    chain.node.mine(RUN);
    return chain;
  }

  it('is found by number and by id, linked to its parent and signed by its witness', async () => {
    const chain = await withRun();
    const context = fullContext(chain.node);
    for (const number of [3, 4, 1_024, 1_025, 1_026, 1_027, 2_049, 2_050, 2_051, RUN + 1, RUN + 2]) {
      const block = getBlockByNum(context, { num: BigInt(number) })!;
      const raw = block.block_header!.raw_data!;
      const hash = blockHash(raw);
      const id = blockIdOf(number, hash);
      expect(blockNumberOf(id)).toBe(number);
      expect(blockIdAt(chain.ledger, number)).toBe(id);
      expect(getBlockById(context, { value: id })).toEqual(block);
      expect(getBlock(context, BlockReq.create({ id_or_num: id, detail: true }))).toEqual(block);
      expect(raw.parentHash).toBe(blockIdAt(chain.ledger, number - 1));
      expect(recoverAddress(hash, block.block_header!.witness_signature)).toBe(raw.witness_address);
    }
    const { headNumber, headId } = chain.node.chain;
    expect(blockIdAt(chain.ledger, headNumber)).toBe(headId);
    expect(getBlockByNum(context, { num: BigInt(headNumber + 1) })).toBeUndefined();
    expect(
      getBlockById(context, { value: `${headId.slice(0, -1)}${headId.endsWith('0') ? '1' : '0'}` as BlockId }),
    ).toBeUndefined();
  });

  it('may be the reference block of a transaction, as far back as the ring goes', async () => {
    const chain = await withRun();
    chain.node.mine(65_536);
    const { headNumber } = chain.node.chain;
    const referring = (number: number) => {
      const { raw } = chain.transaction(ContractType.TransferContract, {
        owner_address: chain.address(0),
        to_address: chain.address(1),
        amount: 1n,
      });
      const id = blockIdAt(chain.ledger, number)!;
      return resigned(chain, { ...raw, ref_block_bytes: id.slice(12, 16), ref_block_hash: id.slice(16, 32) });
    };
    chain.node.broadcast(referring(headNumber));
    chain.node.broadcast(referring(headNumber - 1));
    chain.node.broadcast(referring(headNumber - 40_000));
    chain.node.broadcast(referring(headNumber - 65_535));
    // The ring holds 65,536 blocks: the place of the next older one is the head's.
    expect(() => chain.node.broadcast(referring(headNumber - 65_536))).toThrow('tapos failed');
    chain.node.mine(1);
    expect(chain.node.chain.pool.size).toBe(0);
  });

  it('goes when the chain goes back into the middle of a later run', async () => {
    const chain = await withRun();
    const id = chain.node.snapshot();
    const blocks = chain.blocks(RUN - 3);
    chain.node.mine(500);
    chain.node.revert(id);
    chain.transfer(0, chain.address(1), 1n);
    chain.node.mine(3);
    expect(chain.blocks(RUN - 3).slice(0, blocks.length)).toEqual(blocks);
    expect(chain.node.chain.headNumber).toBe(RUN + 5);
  });
});

describe('what makes each block be made on its own', () => {
  it.each([
    ['adaptive energy', { ALLOW_ADAPTIVE_ENERGY: 1 }],
    ['the pool of fees', { ALLOW_TRANSACTION_FEE_POOL: 1 }],
  ])('%s', async (_, parameters) => {
    const [fast, slow] = [await SimulatedChain.open({ parameters }), await SimulatedChain.open({ parameters })];
    for (const chain of [fast, slow]) oneByOne(chain, 2);
    fast.node.mine(50);
    oneByOne(slow, 50);
    expect(isMadeAtOnce(fast, 3)).toBe(false);
    expect(await seenOf(fast)).toBe(await seenOf(slow));
    expect(fast.blocks()).toEqual(slow.blocks());
  });

  it('a head off the slots, until the next block is on one again', async () => {
    const [fast, slow] = [
      await SimulatedChain.open({ mining: 'instant', witnessVotes: [3, 2, 1] }),
      await SimulatedChain.open({ mining: 'instant', witnessVotes: [3, 2, 1] }),
    ];
    for (const [chain, mine] of [
      [fast, (count: number) => fast.node.mine(count)],
      [slow, (count: number) => oneByOne(slow, count)],
    ] as const) {
      oneByOne(chain, 2);
      for (const count of [5, 40, 2]) {
        chain.transfer(0, chain.address(1), 1n);
        chain.transfer(0, chain.address(1), 1n);
        mine(count);
      }
    }
    expect(await seenOf(fast)).toBe(await seenOf(slow));
    expect(fast.blocks()).toEqual(slow.blocks());
    expect(fast.node.chain.strict).toBe(false);
  });
});
