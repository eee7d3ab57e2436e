/**
 * Decides when a block is made, for which slot and with whose key (ledger.md 6.1), and moves time.
 *
 * Owns slots of the future. Timers belong to the entries: an interval chain is driven from outside, which calls
 * `mineDue` when the wall clock has reached the next slot.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { addressFromPrivateKey } from '../protocol/address.js';
import { sign } from '../protocol/signature.js';
import type { AppliedBlock } from '../ledger/apply-block.js';
import { witnessSigner } from '../ledger/permissions.js';
import { scheduledWitness, slotAt, slotTimeMs } from '../ledger/schedule.js';
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

  /** Makes `count` blocks in consecutive slots. Returns the last one. */
  mine(count: number): AppliedBlock | undefined {
    let last: AppliedBlock | undefined;
    for (let i = 0; i < count; i++) last = this.#mineAt(this.#nextTurn(1n));
    return last;
  }

  /**
   * Jumps `byMs` ahead of the head as a pause of all producers does: one block at each maintenance boundary on the way,
   * one at the target. Returns the last one.
   */
  advance(byMs: bigint): AppliedBlock | undefined {
    const targetMs = this.chain.headTimeMs + byMs;
    let last: AppliedBlock | undefined;
    for (;;) {
      const { ledger } = this.chain;
      const boundaryMs = ledger.long('NEXT_MAINTENANCE_TIME');
      const dueMs = boundaryMs < targetMs ? boundaryMs : targetMs;
      const firstMs = slotTimeMs(ledger, 1n);
      if (firstMs > targetMs) break;
      const slot = dueMs <= firstMs ? 1n : (dueMs - firstMs + 2999n) / 3000n + 1n;
      const turn = this.#nextTurn(slot);
      if (slotTimeMs(ledger, turn.slot) > targetMs && last !== undefined) break;
      last = this.#mineAt(turn);
      if (this.chain.headTimeMs >= targetMs) break;
    }
    return last;
  }

  /** A block now, off the slots: time max(now, previous + 1 ms). Such a chain is not strict. */
  mineInstant(): AppliedBlock {
    const { ledger } = this.chain;
    const nowMs = this.clock.nowMs();
    const afterHeadMs = this.chain.headTimeMs + 1n;
    this.chain.relaxConsensus();
    const { producer, key } = this.#nextTurn(1n);
    return this.#produce(nowMs > afterHeadMs ? nowMs : afterHeadMs, producer, key);
  }

  #mineAt(turn: Turn): AppliedBlock {
    return this.#produce(slotTimeMs(this.chain.ledger, turn.slot), turn.producer, turn.key);
  }

  #produce(timestampMs: bigint, producer: Address, key: Hex): AppliedBlock {
    if (addressFromPrivateKey(key) !== this.#signerOf(producer)) this.chain.relaxConsensus();
    const block = this.chain.produce({ timestampMs, producer, sign: (hash) => sign(hash, key) });
    this.clock.moveTo(timestampMs);
    return block;
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
    const own = this.keys.get(this.#signerOf(producer));
    const key = own ?? (this.options.fillForeignSlots ? this.keys.values().next().value : undefined);
    return key === undefined ? undefined : { slot, producer, key };
  }

  /** The address whose key signs for a witness: its witness permission's, where it has one (ledger.md 2.11). */
  #signerOf(witness: Address): Address {
    const account = this.chain.ledger.state.tables.accounts.get(witness);
    return account === undefined ? witness : witnessSigner(account);
  }
}
