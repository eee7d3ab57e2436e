/**
 * Blocks and time on demand, in slices: many blocks, or years, are made a step at a time, and between steps whoever else
 * waits gets a turn. Requests are answered meanwhile, and who ends the node need not wait for the last block.
 *
 * One caller at a time: a second `mine`, and a `revert`, wait until the first is done; where that takes long, who asks from
 * outside is told so instead. Work ends when nobody waits for it any more; what it has made is kept. What comes between two steps
 * comes as it does between two calls of `mine`: a broadcast is pending until the next block of ours takes it in, and
 * with instant mining it makes a block of its own, which does not count.
 */

import { StoppedError } from '../../errors/operation-error.js';
import { MissingRow } from '../../state/missing-row.js';
import type { Chain } from '../chain/chain.js';
import type { Clock } from '../clock/clock.js';
import type { BlocksRequest, EpochsRequest, MineRequest, MiningRequest } from '../clock/mine-request.js';
import { type Mined, MiningStoppedError } from '../control.js';
import type { Producer } from '../production/producer.js';
import { requireAfterHead } from './operations.js';
import { type Asker, type Progress, Work, type WorkAsked } from './work.js';

/** Undefined as long as nobody waits; else a promise that resolves when the others have had their turn. */
export type YieldTurn = () => Promise<void> | undefined;

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
  /** What goes on, and what waits for it. */
  #underWay: Work | undefined;
  readonly #waiting = new Set<Work>();

  constructor(
    private readonly chain: Chain,
    private readonly clock: Clock,
    private readonly producer: Producer,
    private readonly yieldTurn: YieldTurn,
    private readonly onMined: (request: MiningRequest, mined: Mined) => void,
  ) {}

  /** Whether blocks are being made: then none is due by the clock. */
  get busy(): boolean {
    return this.#busy;
  }

  /** How far the work is that goes on, where something does. */
  get underWay(): { readonly name: string; readonly progress: Progress | undefined } | undefined {
    return this.#underWay && { name: this.#underWay.name, progress: this.#underWay.progress?.() };
  }

  /**
   * Runs when all that was asked for before is done, and before anything that is asked for after.
   *
   * @throws OperationError when its asker is gone before it begins, or is told that other work takes long
   */
  inTurn<Result>(asked: WorkAsked, task: (work: Work) => Result | Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const work = new Work(asked, reject);
      if (this.#underWay?.isLong) work.waitsFor(this.#underWay);
      this.#waiting.add(work);
      this.#last = this.#last
        .then(async () => {
          this.#waiting.delete(work);
          if (work.isAbandoned) throw new StoppedError(`${work.name}: the request was cancelled`);
          this.#underWay = work;
          let result: Result;
          try {
            result = await task(work);
          } finally {
            this.#underWay = undefined;
          }
          resolve(result);
        })
        .catch(reject);
    });
  }

  /**
   * To be called between two steps of work: others have their turn.
   *
   * @returns why the work has to end now, where it has to
   */
  async giveWay(work: Work): Promise<string | undefined> {
    const others = this.yieldTurn();
    if (others === undefined) return undefined;
    await others;
    // No more is on its way to the store than was made between two breaths.
    await this.chain.durable();
    work.yielded();
    if (work.isLong) for (const other of this.#waiting) other.waitsFor(work);
    if (this.#stopping) return 'because the node is being closed';
    return work.isAbandoned ? 'because its request was cancelled' : undefined;
  }

  /** Whether the chain is not a whole one at the moment: nothing else may be done to it. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** `inTurn` for what leaves the chain between two whole ones while others have their turn. */
  alone<Result>(asked: WorkAsked, task: (work: Work) => Promise<Result>): Promise<Result> {
    return this.inTurn(asked, async (work) => {
      this.#busy = this.#isAlone = true;
      try {
        return await task(work);
      } finally {
        this.#busy = this.#isAlone = false;
      }
    });
  }

  /** @throws MiningStoppedError when the node is closed, or the asker gone, before it is done */
  mine(request: MineRequest, asker?: Asker): Promise<Mined> {
    return this.#made(request, asker, (work) =>
      'blocks' in request ? this.#mine(request, work) : this.#pass(request, work),
    );
  }

  /** Ends epochs one by one. @returns each, in order. @throws MiningStoppedError as {@link mine} */
  async endEpochs(request: EpochsRequest, asker?: Asker): Promise<readonly EndedEpoch[]> {
    const ended: EndedEpoch[] = [];
    await this.#made(request, asker, (work) => this.#endEpochs(request, ended, work));
    return ended;
  }

  #made(request: MiningRequest, asker: Asker | undefined, make: (work: Work) => Promise<Mined>): Promise<Mined> {
    return this.inTurn({ name: 'mine', asker }, async (work) => {
      this.#busy = true;
      try {
        const mined = await make(work);
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

  async #endEpochs({ epochs: count, inTime }: EpochsRequest, ended: EndedEpoch[], work: Work): Promise<Mined> {
    const { ledger } = this.chain;
    work.progress = () => ({ done: ended.length, total: count, unit: 'epochs' });
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
      const why = await this.giveWay(work);
      if (why !== undefined && ended.length < count)
        throw new MiningStoppedError(end(), `after ${ended.length} of ${count} epochs`, why);
    }
    return end();
  }

  async #mine({ blocks: count, apartMs, firstMs, byClock = false }: BlocksRequest, work: Work): Promise<Mined> {
    if (firstMs !== undefined && count > 0) {
      requireAfterHead(this.chain, BigInt(firstMs));
      this.producer.settings = { ...this.producer.settings, nextTimestampMs: BigInt(firstMs) };
    }
    let blocks = 0;
    work.progress = () => ({ done: blocks, total: count, unit: 'blocks' });
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
      const why = await this.giveWay(work);
      if (why !== undefined && blocks < count)
        throw new MiningStoppedError(end(), `after ${blocks} of ${count} blocks`, why);
    }
    return end();
  }

  async #pass(request: { readonly advanceMs: number } | { readonly timestampMs: number }, work: Work): Promise<Mined> {
    const { headTimeMs } = this.chain;
    const nowMs = this.clock.nowMs();
    const laterMs = nowMs > headTimeMs ? nowMs : headTimeMs;
    const targetMs = 'advanceMs' in request ? laterMs + BigInt(request.advanceMs) : BigInt(request.timestampMs);
    if (targetMs < headTimeMs) {
      throw new RangeError(`mine: the head is already at ${isoTime(headTimeMs)}, after ${isoTime(targetMs)}`);
    }
    let blocks = 0;
    const total = Number(targetMs - headTimeMs);
    work.progress = () => ({ done: Number(this.chain.headTimeMs - headTimeMs), total, unit: 'ms' });
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
      const why = await this.giveWay(work);
      if (why === undefined || this.chain.headTimeMs >= targetMs) continue;
      const { lateMs: _, ...stopped } = end();
      throw new MiningStoppedError(
        stopped,
        `at ${isoTime(this.chain.headTimeMs)} on the way to ${isoTime(targetMs)}`,
        why,
      );
    }
    return end();
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
