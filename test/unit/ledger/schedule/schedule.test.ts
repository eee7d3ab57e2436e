import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importBlock, produceBlock } from '../../../../src/ledger/apply-block.js';
import {
  isScheduled,
  scheduledWitness,
  setActiveWitnesses,
  slotAt,
  slotTimeMs,
  sortWitnesses,
  standbyWitnesses,
} from '../../../../src/ledger/schedule/schedule.js';
import { updateSolidified } from '../../../../src/ledger/schedule/solidified-block.js';
import { recordProduction } from '../../../../src/ledger/schedule/statistics.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { Witness } from '../../../../src/protocol/generated/tron.js';
import { address, EpochLedger } from '../epoch-ledger.js';

describe('slots (protocol/blocks.md#slots)', () => {
  it('start with the genesis, skip two after a maintenance block, and name the witness in turn', () => {
    const test = new EpochLedger({ witnessVotes: [3n, 2n, 1n], genesisTimestampMs: 30_000n });
    expect([1n, 2n].map((slot) => slotTimeMs(test.ledger, slot))).toEqual([33_000n, 36_000n]);
    test.blockAt(33_000n);
    expect(slotTimeMs(test.ledger, 1n)).toBe(42_000n);
    expect([41_999n, 42_000n, 44_999n, 45_000n].map((time) => slotAt(test.ledger, time))).toEqual([0n, 1n, 1n, 2n]);
    test.blockAt(42_000n);
    expect(slotTimeMs(test.ledger, 1n)).toBe(45_000n);
    const turns = [1n, 2n, 3n, 4n].map((slot) => scheduledWitness(test.ledger, slot));
    expect(turns).toEqual([3, 1, 2, 3].map(address));
  });

  it('only the scheduled producer on a slot after the head is valid', () => {
    const test = new EpochLedger({ witnessVotes: [2n, 1n] });
    test.blockAt(3000n);
    const scheduled = scheduledWitness(test.ledger, 1n);
    const other = scheduled === address(1) ? address(2) : address(1);
    expect(isScheduled(test.ledger, 12_000n, scheduled)).toBe(true);
    expect(isScheduled(test.ledger, 12_000n, other)).toBe(false);
    expect(isScheduled(test.ledger, 3_000n, scheduled)).toBe(false);
    expect(isScheduled(test.ledger, 9_000n, scheduled)).toBe(false);
    expect(isScheduled(test.ledger, 12_001n, scheduled)).toBe(false);
    test.ledger.setLong('CONSENSUS_LOGIC_OPTIMIZATION', 0n);
    expect(isScheduled(test.ledger, 12_001n, scheduled)).toBe(true);
  });
});

describe('rank', () => {
  it('breaks ties by address, before CONSENSUS_LOGIC_OPTIMIZATION by a hash of its signed bytes, both descending', () => {
    const { ledger } = new EpochLedger();
    const candidates = [0x7f, 0x80, 0x01].map((n) =>
      Witness.create({ address: address(n), voteCount: n === 1 ? 9n : 5n }),
    );
    const ranked = () => sortWitnesses(ledger, candidates).map((witness) => witness.address);
    expect(ranked()).toEqual([0x01, 0x80, 0x7f].map(address));
    ledger.setLong('CONSENSUS_LOGIC_OPTIMIZATION', 0n);
    expect(ranked()).toEqual([0x01, 0x7f, 0x80].map(address));
  });

  it('remembers the last list it split, not the ledger it was for', () => {
    const [a, b] = [new EpochLedger({ witnessVotes: [1n] }), new EpochLedger({ witnessVotes: [7n, 8n] })];
    for (let i = 0; i < 2; i++) {
      expect(standbyWitnesses(a.ledger).map(({ voteCount }) => voteCount)).toEqual([1n]);
      expect(standbyWitnesses(b.ledger).map(({ voteCount }) => voteCount)).toEqual([8n, 7n]);
    }
  });
});

describe('statistics', () => {
  it('a jump counts missed slots as a walk over all of them does', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 400 }),
        fc.nat(300),
        (count, slot, ring) => {
          const test = new EpochLedger({ witnessVotes: Array.from({ length: count }, (_, i) => BigInt(i + 1)) });
          test.blockAt(3000n);
          const { ledger } = test;
          ledger.setLong('BLOCK_FILLED_SLOTS_INDEX', BigInt(ring % 128));
          const time = slotTimeMs(ledger, BigInt(slot));
          const missed = new Map<string, bigint>();
          const filled = [...ledger.text('BLOCK_FILLED_SLOTS')];
          let index = ring % 128;
          for (let i = 1; i < slot; i++) {
            const witness = scheduledWitness(ledger, BigInt(i));
            missed.set(witness, (missed.get(witness) ?? 0n) + 1n);
            filled[index] = '0';
            index = (index + 1) % 128;
          }
          filled[index] = '1';
          recordProduction(ledger, 2, time, scheduledWitness(ledger, BigInt(slot)));
          for (const [key, { totalMissed }] of ledger.state.tables.witnesses.entries()) {
            expect(totalMissed).toBe(missed.get(key) ?? 0n);
          }
          expect(ledger.text('BLOCK_FILLED_SLOTS')).toBe(filled.join(''));
          expect(ledger.long('BLOCK_FILLED_SLOTS_INDEX')).toBe(BigInt((index + 1) % 128));
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    [1, 0],
    [3, 0],
    [4, 1],
    [10, 3],
    [27, 8],
  ])('with %i witnesses the block of the one at index %i is solid', (count, index) => {
    const { ledger } = new EpochLedger({ witnessVotes: Array.from({ length: count }, () => 1n) });
    const { witnesses } = ledger.state.tables;
    const addresses = Array.from({ length: count }, (_, i) => address(i + 1));
    setActiveWitnesses(ledger, addresses);
    const record = (witness: Address, latestBlockNum: bigint) =>
      witnesses.set(witness, Witness.create({ address: witness, latestBlockNum }));
    for (const [i, witness] of addresses.entries()) record(witness, BigInt(100 - i));
    updateSolidified(ledger);
    expect(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')).toBe(BigInt(100 - count + 1 + index));
    for (const witness of addresses) record(witness, 1n);
    updateSolidified(ledger);
    expect(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')).toBe(BigInt(100 - count + 1 + index));
  });
});

describe('a block from elsewhere', () => {
  it('is refused out of turn, except by a chain that is relaxed already', () => {
    const made = (relaxed: boolean) => {
      const test = new EpochLedger({ witnessVotes: [2n, 1n] });
      test.blockAt(3000n);
      if (relaxed) test.ledger.state.tables.meta.set('relaxed', 'yes');
      return test.ledger;
    };
    const ledger = made(false);
    const producer = scheduledWitness(ledger, 2n);
    const mark = ledger.state.mark();
    const { header: block } = produceBlock(ledger, { timestampMs: 12_000n, producer, sign: () => '00'.repeat(65) }, []);
    ledger.state.revert(mark);
    expect(() => importBlock(ledger, block, [])).toThrow('validateWitnessSchedule error');
    expect(importBlock(made(true), block, []).number).toBe(2);
  });
});
