/**
 * Decides when a block is made, for which slot and with whose key (ledger.md 6.1), and moves time.
 *
 * Owns slots of the future. Timers belong to the entries: an interval chain is driven from outside, which calls
 * `mineDue` when the wall clock has reached the next slot.
 */

import { witnessSigner } from '../ledger/accounts/permissions.js';
import type { AppliedBlock } from '../ledger/apply-block.js';
import { emptyRunLength } from '../ledger/blocks/empty-blocks.js';
import { activeWitnesses, scheduledWitness, slotAt, slotTimeMs } from '../ledger/epoch/schedule.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { Account } from '../protocol/generated/tron.js';
import { sign } from '../protocol/signature.js';
import type { Chain } from './chain.js';
import type { Clock } from './clock.js';

/** `interval`: a block each slot by the clock. `instant`: a block for every broadcast. `manual`: on demand only. */
export type MiningMode = 'interval' | 'instant' | 'manual';

export interface ProducerOptions {
  readonly mode: MiningMode;
  /**
   * Whether we also fill the slots of witnesses whose key we do not hold (our key signs, the header names the scheduled
   * one). Off: such slots are missed, as on the network.
   */
  readonly fillForeignSlots: boolean;
}

/** Nobody whose key we hold has a turn in the time to come. */
export class NoWitnessKeyError extends Error {
  override readonly name = 'NoWitnessKeyError';
  constructor(witness: Address) {
    super(`no key at hand for any scheduled witness (the next is ${witness})`);
  }
}

interface Turn {
  readonly slot: bigint;
  readonly producer: Address;
  readonly key: Hex;
}

export class Producer {
  mode: MiningMode;

  constructor(
    private readonly chain: Chain,
    private readonly clock: Clock,
    private readonly keys: ReadonlyMap<Address, Hex>,
    private readonly options: ProducerOptions,
  ) {
    this.mode = options.mode;
  }

  /** Time of the next slot that we may fill. */
  nextSlotTimeMs(): bigint {
    return slotTimeMs(this.chain.ledger, this.#nextTurn(1n).slot);
  }

  /** Makes the block of the latest slot that has come, if one has. */
  mineDue(): AppliedBlock | undefined {
    const slot = slotAt(this.chain.ledger, this.clock.nowMs());
    if (slot < 1n) return undefined;
    const turn = this.#turnAt(slot);
    return turn === undefined ? undefined : this.#mineAt(turn);
  }

  /** Makes a block in the latest slot that is not after `timeMs`, or in the next slot if that is later. */
  mineAtOrBefore(timeMs: bigint): AppliedBlock {
    const slot = slotAt(this.chain.ledger, timeMs);
    return this.#mineAt(this.#nextTurn(slot < 1n ? 1n : slot));
  }

  /** Makes `count` blocks in consecutive slots: with transactions if some are pending, the empty ones many at once. */
  mine(count: number): void {
    for (let left = count; left > 0; ) {
      const run = this.#emptyRunLength(left);
      if (run > 1) this.#mineEmptyRun(run);
      else this.#mineAt(this.#nextTurn(1n));
      left -= Math.max(1, run);
    }
  }

  /**
   * Jumps `byMs` ahead of now as a pause of all producers does: one block at each maintenance boundary on the way and
   * one in the last slot until then; under instant mining, where times are off the slots, one at the very end, so that
   * what was to come after `byMs` has come. Now, not the head: jumps that are shorter than a slot add up.
   */
  advance(byMs: bigint): void {
    this.clock.moveTo(this.chain.headTimeMs);
    const targetMs = this.clock.nowMs() + byMs;
    for (;;) {
      const { ledger } = this.chain;
      const firstMs = slotTimeMs(ledger, 1n);
      const boundaryMs = ledger.long('NEXT_MAINTENANCE_TIME');
      if (firstMs > targetMs) break;
      const slotOfBoundary = boundaryMs <= firstMs ? 1n : (boundaryMs - firstMs + 2_999n) / 3_000n + 1n;
      const lastSlot = (targetMs - firstMs) / 3_000n + 1n;
      const turn = this.#nextTurn(slotOfBoundary < lastSlot ? slotOfBoundary : lastSlot);
      if (slotTimeMs(ledger, turn.slot) > targetMs) break;
      this.#mineAt(turn);
    }
    this.clock.moveTo(targetMs);
    if (this.mode === 'instant' && this.chain.headTimeMs < targetMs) this.mineInstant();
  }

  /** A block now, off the slots: time max(now, previous + 1 ms). Such a chain is not strict. */
  mineInstant(): AppliedBlock {
    const nowMs = this.clock.nowMs();
    const afterHeadMs = this.chain.headTimeMs + 1n;
    this.chain.relaxConsensus();
    // In a burst the slot stays the same. Witnesses take turns all the same, or none of them would solidify a block.
    const turns = BigInt(this.chain.headNumber % activeWitnesses(this.chain.ledger).length);
    const { producer, key } = this.#nextTurn(1n + turns);
    const timestampMs = nowMs > afterHeadMs ? nowMs : afterHeadMs;
    const block = this.#produce(timestampMs, producer, key);
    this.clock.overtaken(timestampMs);
    return block;
  }

  /** How many of the next blocks are empty, ours to make, and can be made at once. */
  #emptyRunLength(wanted: number): number {
    const { ledger, pool } = this.chain;
    if (wanted < 2 || pool.size > 0) return 0;
    if (!activeWitnesses(ledger).every((witness) => this.#keyFor(witness) !== undefined)) return 0;
    return emptyRunLength(ledger, wanted);
  }

  #mineEmptyRun(count: number): void {
    const { chain } = this;
    if (!activeWitnesses(chain.ledger).every((witness) => this.keys.has(this.#signerOf(witness))))
      chain.relaxConsensus();
    chain.produceEmptyRun(count);
    this.clock.moveTo(chain.headTimeMs);
  }

  #mineAt(turn: Turn): AppliedBlock {
    const timestampMs = slotTimeMs(this.chain.ledger, turn.slot);
    const block = this.#produce(timestampMs, turn.producer, turn.key);
    this.clock.moveTo(timestampMs);
    return block;
  }

  #produce(timestampMs: bigint, producer: Address, key: Hex): AppliedBlock {
    if (this.keys.get(this.#signerOf(producer)) !== key) this.chain.relaxConsensus();
    return this.chain.produce({ timestampMs, producer, sign: (hash) => sign(hash, key) });
  }

  /** The first slot from `slot` on whose witness we can stand for. */
  #nextTurn(slot: bigint): Turn {
    for (let i = 0n; i < 27n; i++) {
      const turn = this.#turnAt(slot + i);
      if (turn !== undefined) return turn;
    }
    throw new NoWitnessKeyError(scheduledWitness(this.chain.ledger, slot));
  }

  #turnAt(slot: bigint): Turn | undefined {
    const producer = scheduledWitness(this.chain.ledger, slot);
    const key = this.#keyFor(producer);
    return key === undefined ? undefined : { slot, producer, key };
  }

  #keyFor(witness: Address): Hex | undefined {
    const own = this.keys.get(this.#signerOf(witness));
    return own ?? (this.options.fillForeignSlots ? this.keys.values().next().value : undefined);
  }

  /**
   * The address whose key signs for a witness: its witness permission's, where it has one (ledger.md 2.11). The one it
   * had when the block began: a change that is pending signs from the block after the one that takes it in.
   */
  #signerOf(witness: Address): Address {
    const account = this.chain.ledger.state.readSealed<Account>('accounts', witness);
    return account === undefined ? witness : witnessSigner(account);
  }
}
