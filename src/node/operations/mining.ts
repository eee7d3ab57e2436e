/**
 * Blocks and time on demand, in slices: many blocks, or years, are made a step at a time, and between steps whoever else
 * waits gets a turn. Requests are answered meanwhile, and who ends the node need not wait for the last block.
 *
 * One caller at a time: a second `mine`, and a `revert`, wait until the first is done. What comes between two steps
 * comes as it does between two calls of `mine`: a broadcast is pending until the next block of ours takes it in, and
 * with instant mining it makes a block of its own, which does not count.
 */

import { MissingRow } from '../../state/missing-row.js';
import type { Chain } from '../chain/chain.js';
import type { Clock } from '../clock/clock.js';
import type { BlocksRequest, EpochsRequest, MineRequest, MiningRequest } from '../clock/mine-request.js';
import { type Mined, MiningStoppedError } from '../control.js';
import type { Producer } from '../production/producer.js';
import { requireAfterHead } from './operations.js';

/** Undefined as long as nobody waits; else a promise that resolves when the others have had their turn. */
export type Breathe = () => Promise<void> | undefined;

/** What the maintenance block of an epoch left. */
export interface EndedEpoch {
  readonly blockNumber: number;
  readonly timestampMs: bigint;
  readonly cycle: bigint;
  readonly nextMaintenanceTimeMs: bigint;
}

export class Mining {
  #last: Promise<unknown> = Promise.resolve();
  #busy = false;
  #stopping = false;
  #isAlone = false;

  constructor(
    private readonly chain: Chain,
    private readonly clock: Clock,
    private readonly producer: Producer,
    private readonly breathe: Breathe,
    private readonly onMined: (request: MiningRequest, mined: Mined) => void,
  ) {}

  /** Whether blocks are being made: then none is due by the clock. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Runs when all that was asked for before is done, and before anything that is asked for after. */
  inTurn<Result>(task: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Whether the chain is not a whole one at the moment: nothing else may be done to it. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** Whether whoever makes or takes back many blocks has to come to an end. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  /** `inTurn` for what leaves the chain between two whole ones while others have their turn. */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.inTurn(async () => {
      this.#busy = this.#isAlone = true;
      try {
        return await task();
      } finally {
        this.#busy = this.#isAlone = false;
      }
    });
  }

  /** @throws MiningStoppedError when the node is closed before it is done */
  mine(request: MineRequest): Promise<Mined> {
    return this.#made(request, () => ('blocks' in request ? this.#mine(request) : this.#pass(request)));
  }

  /** Ends epochs one by one. @returns each, in order. @throws MiningStoppedError as {@link mine} */
  async endEpochs(request: EpochsRequest): Promise<readonly EndedEpoch[]> {
    const ended: EndedEpoch[] = [];
    await this.#made(request, () => this.#endEpochs(request, ended));
    return ended;
  }

  #made(request: MiningRequest, make: () => Promise<Mined>): Promise<Mined> {
    return this.inTurn(async () => {
      this.#busy = true;
      try {
        const mined = await make();
        this.onMined(request, mined);
        return mined;
      } catch (error) {
        if (error instanceof MiningStoppedError) this.onMined(request, error.mined);
        throw error;
      } finally {
        this.#busy = false;
      }
    });
  }

  /** Ends what is being made after its present step. Resolves when nobody mines any more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#last;
  }

  async #endEpochs({ epochs: count, inTime }: EpochsRequest, ended: EndedEpoch[]): Promise<Mined> {
    const { ledger } = this.chain;
    const end = (): Mined => {
      const { length } = ended;
      return { ...this.#head(), blocks: length, epochs: length, maintenances: length };
    };
    const steps = inTime ? this.producer.passEpochs(count) : this.producer.hastenEpochs(count);
    for (const made of steps) {
      if (made instanceof MissingRow) {
        await made.obtain('asked-block');
        continue;
      }
      ended.push({
        blockNumber: this.chain.headNumber,
        timestampMs: this.chain.headTimeMs,
        cycle: ledger.long('CURRENT_CYCLE_NUMBER'),
        nextMaintenanceTimeMs: ledger.long('NEXT_MAINTENANCE_TIME'),
      });
      await this.#giveWay(() => {
        if (ended.length < count) throw new MiningStoppedError(end(), `after ${ended.length} of ${count} epochs`);
      });
    }
    return end();
  }

  async #mine({ blocks: count, apartMs, firstMs, byClock = false }: BlocksRequest): Promise<Mined> {
    if (firstMs !== undefined && count > 0) {
      requireAfterHead(this.chain, BigInt(firstMs));
      this.producer.settings = { ...this.producer.settings, nextTimestampMs: BigInt(firstMs) };
    }
    let blocks = 0;
    const epochs = this.#countingEpochs();
    const end = (): Mined => ({ ...this.#head(), blocks, ...epochs.counted() });
    const steps = this.producer.mine(count, byClock ? 'by-clock' : apartMs === undefined ? undefined : BigInt(apartMs));
    for (const made of steps) {
      if (made instanceof MissingRow) {
        await made.obtain('asked-block');
        continue;
      }
      blocks += made;
      epochs.stepped();
      await this.#giveWay(() => {
        if (blocks < count) throw new MiningStoppedError(end(), `after ${blocks} of ${count} blocks`);
      });
    }
    return end();
  }

  async #pass(request: { readonly advanceMs: number } | { readonly timestampMs: number }): Promise<Mined> {
    const { headTimeMs } = this.chain;
    const nowMs = this.clock.nowMs();
    const laterMs = nowMs > headTimeMs ? nowMs : headTimeMs;
    const targetMs = 'advanceMs' in request ? laterMs + BigInt(request.advanceMs) : BigInt(request.timestampMs);
    if (targetMs < headTimeMs) {
      throw new RangeError(`mine: the head is at ${isoTime(headTimeMs)} already, after ${isoTime(targetMs)}`);
    }
    let blocks = 0;
    const epochs = this.#countingEpochs();
    const lateMs = () => Number(this.chain.headTimeMs - targetMs);
    const end = (): Mined => ({ ...this.#head(), blocks, ...epochs.counted(), lateMs: lateMs() });
    for (const made of this.producer.passTo(targetMs)) {
      if (made instanceof MissingRow) {
        await made.obtain('asked-block');
        continue;
      }
      blocks += made;
      epochs.stepped();
      await this.#giveWay(() => {
        if (this.chain.headTimeMs >= targetMs) return;
        const { lateMs: _, ...stopped } = end();
        throw new MiningStoppedError(
          stopped,
          `at ${isoTime(this.chain.headTimeMs)} on the way to ${isoTime(targetMs)}`,
        );
      });
    }
    return end();
  }

  async #giveWay(stop: () => void): Promise<void> {
    const breath = this.breathe();
    if (breath === undefined) return;
    await breath;
    // No more is on its way to the store than was made between two breaths.
    await this.chain.durable();
    if (this.#stopping) stop();
  }

  /** A step has one maintenance or none. */
  #countingEpochs() {
    const { ledger } = this.chain;
    const first = ledger.long('NEXT_MAINTENANCE_TIME');
    let last = first;
    let maintenances = 0;
    return {
      stepped() {
        const next = ledger.long('NEXT_MAINTENANCE_TIME');
        if (next !== last) maintenances++;
        last = next;
      },
      counted: () => ({ epochs: Number((last - first) / ledger.long('MAINTENANCE_TIME_INTERVAL')), maintenances }),
    };
  }

  #head(): Pick<Mined, 'number' | 'id' | 'timestampMs' | 'aheadMs'> {
    const { head, headTimeMs } = this.chain;
    const aheadMs = Number(headTimeMs - this.clock.nowMs());
    const waits = this.producer.mode === 'interval' && this.clock.runs && aheadMs > 0;
    return { ...head, ...(waits && { aheadMs }) };
  }
}

function isoTime(timeMs: bigint): string {
  return new Date(Number(timeMs)).toISOString();
}
