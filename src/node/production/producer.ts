/**
 * Decides when a block is made, for which slot and with which key (protocol/blocks.md#slots), and advances time.
 * Timers are outside: for an interval chain, the caller calls `mineDue` when the wall clock has reached the next slot.
 */

import { witnessSigner } from '../../ledger/accounts/permissions.js';
import type { AppliedBlock } from '../../ledger/apply-block.js';
import { emptyRunLength } from '../../ledger/mine-empty-run.js';
import {
  activeWitnesses,
  firstSlotFrom,
  scheduledWitness,
  slotAt,
  slotTimeMs,
} from '../../ledger/schedule/schedule.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { Account } from '../../protocol/generated/tron.js';
import { sign } from '../../protocol/signature.js';
import type { MissingRow } from '../../state/missing-row.js';
import type { Chain } from '../chain/chain.js';
import { type Clock, requireMoment } from '../clock/clock.js';
import { type MiningMode, type MiningSettings, withoutNext } from '../clock/mining-settings.js';
import { whole } from '../with-rows.js';

export interface ProducerOptions {
  readonly mode: MiningMode;
  /**
   * Whether slots of witnesses without a known key are filled (signed by our key, with the scheduled witness in the
   * header). Off: such slots are missed, as on the network.
   */
  readonly fillForeignSlots: boolean;
  /** Time between blocks of an interval chain; default: every slot. */
  readonly blockTimeMs?: bigint;
  /** Minimum time between blocks outside of slots; default: a millisecond. */
  readonly stepMs?: bigint;
}

/** No witness with a known key has a turn in the near future. */
export class NoWitnessKeyError extends Error {
  override readonly name = 'NoWitnessKeyError';
  constructor(witness: Address) {
    super(`no key for any scheduled witness (the next is ${witness})`);
  }
}

interface Turn {
  readonly slot: bigint;
  readonly producer: Address;
  readonly key: Hex;
}

export class Producer {
  settings: MiningSettings;

  constructor(
    private readonly chain: Chain,
    private readonly clock: Clock,
    private readonly keys: ReadonlyMap<Address, Hex>,
    private readonly options: ProducerOptions,
  ) {
    const { mode, blockTimeMs = chain.config.slotMs } = options;
    this.settings = { mode, blockTimeMs, beside: mode === 'instant' ? 'instant' : 'manual' };
  }

  get mode(): MiningMode {
    return this.settings.mode;
  }

  /** Time of the next block of an interval chain: its first own slot that is not over. */
  nextBlockTimeMs(): bigint {
    if (this.#offSlots) return this.chain.headTimeMs + this.#blockTimeMs;
    return slotTimeMs(this.chain.ledger, this.#turnDue(this.clock.nowMs()).slot);
  }

  /**
   * Time of the block for a transaction that is sent now.
   *
   * @param leastStepMs as of {@link mineNow}
   */
  expectedTimeMs(leastStepMs = 0n): bigint {
    if (this.#exactTimeMs !== undefined) return this.#exactTimeMs;
    if (this.mode === 'interval') return this.nextBlockTimeMs();
    if (this.mode === 'instant' || this.#offSlots) return this.#timeOffSlots(leastStepMs);
    const { fillForeignSlots } = this.options;
    // The schedule may be a row that a fork has not read.
    const slot = fillForeignSlots ? this.#nextSlot : this.#nextTurn(this.#nextSlot).slot;
    return slotTimeMs(this.chain.ledger, slot);
  }

  /** The witness of the block with the time of {@link expectedTimeMs}; undefined if there is no key for any. */
  expectedProducer(): Address | undefined {
    const { nextWitness, coinbase } = this.settings;
    const set = nextWitness ?? coinbase;
    if (set !== undefined) return set;
    const timestampMs = this.expectedTimeMs();
    return (this.#turnAtTime(timestampMs) ?? this.#findTurn(this.#slotOffSlots()))?.producer;
  }

  /** Whether somebody has set the time of the next block. */
  get nextTimeIsSet(): boolean {
    const { nextTimestampMs } = this.settings;
    return nextTimestampMs !== undefined && nextTimestampMs > this.chain.headTimeMs;
  }

  /** Makes the next block of an interval chain, if its time has come. */
  mineDue(): AppliedBlock | undefined {
    const nowMs = this.clock.nowMs();
    if (nowMs < this.nextBlockTimeMs()) return undefined;
    if (this.#offSlots || this.#exactTimeMs !== undefined) return this.mineNow();
    return this.#mineAt(this.#turnDue(nowMs));
  }

  /** Makes a block in the latest slot up to `timeMs`, or in the next slot if that is later. */
  mineAtOrBefore(timeMs: bigint): AppliedBlock {
    const slot = slotAt(this.chain.ledger, timeMs);
    return this.#mineAt(this.#nextTurn(slot < 1n ? 1n : slot));
  }

  /**
   * Makes `count` blocks, in consecutive slots or, without slots, now: with pending transactions if any, empty ones
   * together. After each step, which yields its number of blocks, the chain is consistent, and others may change it.
   *
   * @param how milliseconds between two blocks. `by-clock`: with the time of production, also in modes with slots;
   * requires a running clock
   */
  *mine(count: number, how?: bigint | 'by-clock'): Steps {
    for (let left = count; left > 0; ) {
      const made = yield* whole(() => {
        if (how === undefined) return this.#mineSome(left);
        return how === 'by-clock' ? this.#mineByClock(left) : this.#mineApart(left, left === count, how);
      });
      left -= made;
      yield made;
    }
  }

  /** @returns the number of blocks */
  #mineByClock(most: number): number {
    if (!this.clock.runs) return this.#mineSome(most);
    this.mineNow();
    return 1;
  }

  /** @returns the number of blocks */
  #mineSome(most: number): number {
    const run = this.#offSlots ? 0 : this.#emptyRunLength(most);
    if (run > 1) {
      this.#mineEmptyRun(run);
      return run;
    }
    if (this.#offSlots || this.#exactTimeMs !== undefined) this.mineNow();
    else this.#mineAt(this.#nextTurn(this.#nextSlot));
    return 1;
  }

  /** If the distance is a slot, the first block is put on a slot, so that the others can be made together. */
  #mineApart(most: number, isFirst: boolean, apartMs: bigint): number {
    const { ledger, headTimeMs } = this.chain;
    const inSlots = apartMs === this.#slotMs;
    if (isFirst) {
      if (inSlots && most > 1 && this.#exactTimeMs === undefined) this.#mineAt(this.#nextTurn(this.#slotFromNow));
      else this.#mineSome(1);
    } else {
      const run = inSlots && slotTimeMs(ledger, 1n) === headTimeMs + apartMs ? this.#emptyRunLength(most) : 0;
      if (run > 1) {
        this.#mineEmptyRun(run);
        this.clock.moveTo(this.chain.headTimeMs);
        return run;
      }
      this.#mineExactly(headTimeMs + apartMs);
    }
    return 1;
  }

  /**
   * Advances time to `targetMs` as if all producers paused: one block at each maintenance time and one at the end, so
   * that all due changes have happened. The last one has exactly that time; on a strict chain it fills the next slot.
   * Steps as in `mine`.
   *
   * @param how `on-slots`: all of them are in slots, also on a relaxed chain
   */
  *passTo(targetMs: bigint, how?: 'on-slots'): Steps {
    const exact = how !== 'on-slots' && (!this.chain.strict || this.mode === 'instant' || this.#offSlots);
    while (this.chain.headTimeMs < targetMs) {
      const { ledger } = this.chain;
      const maintenance = yield* whole(() =>
        this.#nextTurn(firstSlotFrom(ledger, ledger.long('NEXT_MAINTENANCE_TIME'))),
      );
      yield* whole(() => {
        if (slotTimeMs(ledger, maintenance.slot) <= targetMs) return this.#mineAt(maintenance);
        if (exact) return this.#mineAtTime(targetMs);
        return this.#mineAt(this.#nextTurn(firstSlotFrom(ledger, targetMs)));
      });
      this.clock.moveTo(this.chain.headTimeMs);
      yield 1;
    }
    this.clock.moveTo(targetMs);
  }

  /** Ends epochs one after another, each by the clock. Steps as in `mine`. */
  *passEpochs(count: number): Steps {
    for (let i = 0; i < count; i++) {
      const { ledger } = this.chain;
      yield* whole(() => this.#mineAt(this.#nextTurn(firstSlotFrom(ledger, ledger.long('NEXT_MAINTENANCE_TIME')))));
      this.clock.moveTo(this.chain.headTimeMs);
      yield 1;
    }
  }

  /** Ends epochs before their time, each with a block. */
  *hastenEpochs(count: number): Steps {
    for (let i = 0; i < count; i++) {
      yield* whole(() => this.chain.operate({ name: 'hastenMaintenance', arguments: {} }));
      yield yield* whole(() => this.#mineSome(1));
    }
  }

  /**
   * Makes blocks 1 and 2 at once, in the past: clients cannot read a genesis block without a number, and block 2 must
   * be at least three slots later (protocol/blocks.md#slots).
   */
  mineFirstBlocks(): void {
    const { genesisTimestampMs, slotMs } = this.chain.config;
    // Then block 2 is in the present slot, and no block is due.
    const aheadMs = this.clock.nowMs() - genesisTimestampMs - 3n * slotMs;
    this.mineAtOrBefore(aheadMs > 0n ? genesisTimestampMs + aheadMs : genesisTimestampMs + slotMs);
    this.mineAtOrBefore(this.clock.nowMs());
  }

  /** Makes a block that is later than `timeMs`. */
  mineAfter(timeMs: bigint): AppliedBlock {
    if (!this.#offSlots) return this.#mineAt(this.#nextTurn(firstSlotFrom(this.chain.ledger, timeMs + 1n)));
    const nowMs = this.clock.nowMs();
    const earliestMs = timeMs + (this.options.stepMs ?? 1n);
    return this.#mineAtTime(nowMs > earliestMs ? nowMs : earliestMs);
  }

  /**
   * A block outside of slots: time max(now, previous + step), unless a time was set.
   *
   * @param leastStepMs lower limit of the step
   */
  mineNow(leastStepMs = 0n): AppliedBlock {
    const exactMs = this.#exactTimeMs;
    return exactMs === undefined ? this.#mineAtTime(this.#timeOffSlots(leastStepMs)) : this.#mineExactly(exactMs);
  }

  #timeOffSlots(leastStepMs = 0n): bigint {
    const nowMs = this.clock.nowMs();
    const { stepMs = 1n } = this.options;
    const earliestMs = this.chain.headTimeMs + (stepMs > leastStepMs ? stepMs : leastStepMs);
    return nowMs > earliestMs ? nowMs : earliestMs;
  }

  get #slotMs(): bigint {
    return this.chain.config.slotMs;
  }

  get #blockTimeMs(): bigint {
    return this.settings.blockTimeMs;
  }

  /** The set time of the next block, or the one that follows from the set step. */
  get #exactTimeMs(): bigint | undefined {
    const { nextTimestampMs, timestampStepMs } = this.settings;
    const { headTimeMs } = this.chain;
    if (nextTimestampMs !== undefined && nextTimestampMs > headTimeMs) return nextTimestampMs;
    return timestampStepMs === undefined ? undefined : headTimeMs + timestampStepMs;
  }

  /** The slot of the next block: the next one, or the first after the advanced time. */
  get #nextSlot(): bigint {
    const { notBeforeMs } = this.settings;
    return notBeforeMs === undefined ? 1n : firstSlotFrom(this.chain.ledger, notBeforeMs);
  }

  get #slotFromNow(): bigint {
    return this.clock.runs ? firstSlotFrom(this.chain.ledger, this.clock.nowMs()) : this.#nextSlot;
  }

  /** Whether blocks get the time of their production: with a running clock, outside of slots. */
  get #offSlots(): boolean {
    return this.clock.runs && (this.mode !== 'interval' || this.#blockTimeMs % this.#slotMs !== 0n);
  }

  /** With a requested time, from which the clock continues. */
  #mineExactly(timestampMs: bigint): AppliedBlock {
    const block = this.#mineAtTime(timestampMs);
    this.clock.setTo(timestampMs);
    return block;
  }

  /** With exactly this time: by the witness of the slot, if it is an own slot. */
  #mineAtTime(timestampMs: bigint): AppliedBlock {
    const turn = this.#turnAtTime(timestampMs);
    return turn === undefined ? this.#mineOffSlots(timestampMs) : this.#mineAt(turn);
  }

  /** The turn whose slot begins then, if it is an own slot. */
  #turnAtTime(timestampMs: bigint): Turn | undefined {
    const slot = firstSlotFrom(this.chain.ledger, timestampMs);
    return slotTimeMs(this.chain.ledger, slot) === timestampMs ? this.#turnAt(slot) : undefined;
  }

  /** Such a chain is relaxed. */
  #mineOffSlots(timestampMs: bigint): AppliedBlock {
    this.chain.relaxConsensus();
    const { producer, key } = this.#nextTurn(this.#slotOffSlots());
    const block = this.#produce(timestampMs, producer, key);
    this.clock.overtaken(timestampMs);
    return block;
  }

  /** In a burst the slot stays the same. Witnesses take turns nevertheless, or no block would be solidified. */
  #slotOffSlots(): bigint {
    return 1n + BigInt(this.chain.headNumber % activeWitnesses(this.chain.ledger).length);
  }

  /** Number of next blocks that are empty, in own slots, and can be made together. */
  #emptyRunLength(wanted: number): number {
    const { ledger, pool } = this.chain;
    const { nextTimestampMs, notBeforeMs, timestampStepMs, nextWitness, coinbase } = this.settings;
    const asUsual = [nextTimestampMs, notBeforeMs, timestampStepMs, nextWitness, coinbase].every(
      (set) => set === undefined,
    );
    if (wanted < 2 || pool.size > 0 || !asUsual) return 0;
    if (!activeWitnesses(ledger).every((witness) => this.#keyFor(witness) !== undefined)) return 0;
    return emptyRunLength(ledger, wanted);
  }

  #mineEmptyRun(count: number): void {
    const { chain } = this;
    if (!activeWitnesses(chain.ledger).every((witness) => this.keys.has(this.#signerOf(witness))))
      chain.relaxConsensus();
    chain.produceEmptyRun(count);
    this.clock.overtaken(chain.headTimeMs);
  }

  #mineAt(turn: Turn): AppliedBlock {
    const timestampMs = slotTimeMs(this.chain.ledger, turn.slot);
    const block = this.#produce(timestampMs, turn.producer, turn.key);
    this.clock.overtaken(timestampMs);
    return block;
  }

  #produce(timestampMs: bigint, scheduled: Address, keyOfTurn: Hex): AppliedBlock {
    // A step between blocks and a fast clock can also lead there.
    requireMoment(timestampMs);
    const producer = this.settings.nextWitness ?? this.settings.coinbase ?? scheduled;
    const key = producer === scheduled ? keyOfTurn : (this.keys.get(this.#signerOf(producer)) ?? keyOfTurn);
    if (producer !== scheduled || this.keys.get(this.#signerOf(producer)) !== key) this.chain.relaxConsensus();
    const block = this.chain.produce({ timestampMs, producer, sign: (hash) => sign(hash, key) });
    this.settings = withoutNext(this.settings);
    return block;
  }

  #turnDue(nowMs: bigint): Turn {
    const current = slotAt(this.chain.ledger, nowMs);
    const earliest = this.#blockTimeMs / this.#slotMs;
    return this.#nextTurn(current > earliest ? current : earliest);
  }

  /** The first slot from `slot` on that we can fill. @throws NoWitnessKeyError */
  #nextTurn(slot: bigint): Turn {
    const turn = this.#findTurn(slot);
    if (turn === undefined) throw new NoWitnessKeyError(scheduledWitness(this.chain.ledger, slot));
    return turn;
  }

  #findTurn(slot: bigint): Turn | undefined {
    for (let i = 0n; i < 27n; i++) {
      const turn = this.#turnAt(slot + i);
      if (turn !== undefined) return turn;
    }
    return undefined;
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
   * The signing address of a witness: that of its witness permission, if any (protocol/pipeline.md#block-production).
   * Its value at the start of the block: a pending change applies to the block after the one that contains it.
   */
  #signerOf(witness: Address): Address {
    const account = this.chain.ledger.state.readSealed<Account>('accounts', witness);
    return account === undefined ? witness : witnessSigner(account);
  }
}

/** Number of blocks of each step; or the missing row, with which the step is repeated. */
export type Steps = Generator<number | MissingRow, void>;
