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
import type { Producer, Steps } from '../production/producer.js';
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

/** What is asked of steps under way. */
interface Stepping {
  /** @param blocks that the step made */
  readonly stepped: (blocks: number) => void;
  readonly isDone: () => boolean;
  readonly counted: () => Pick<Mined, 'blocks' | 'epochs' | 'maintenances'>;
  /** How far it has come, for who is told that it ended early. */
  readonly where: () => string;
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

  #endEpochs({ epochs: count, inTime }: EpochsRequest, ended: EndedEpoch[], work: Work): Promise<Mined> {
    const { ledger } = this.chain;
    work.progress = () => ({ done: ended.length, total: count, unit: 'epochs' });
    const steps = inTime ? this.producer.passEpochs(count) : this.producer.hastenEpochs(count);
    return this.#take(steps, work, {
      stepped: () =>
        ended.push({
          blockNumber: this.chain.headNumber,
          timestampMs: this.chain.headTimeMs,
          cycle: ledger.long('CURRENT_CYCLE_NUMBER'),
          nextMaintenanceTimeMs: ledger.long('NEXT_MAINTENANCE_TIME'),
        }),
      isDone: () => ended.length >= count,
      counted: () => ({ blocks: ended.length, epochs: ended.length, maintenances: ended.length }),
      where: () => `after ${ended.length} of ${count} epochs`,
    });
  }

  #mine({ blocks: count, apartMs, firstMs, byClock = false }: BlocksRequest, work: Work): Promise<Mined> {
    if (firstMs !== undefined && count > 0) {
      requireAfterHead(this.chain, BigInt(firstMs));
      this.producer.settings = { ...this.producer.settings, nextTimestampMs: BigInt(firstMs) };
    }
    const made = this.#countingBlocks();
    work.progress = () => ({ done: made.blocks(), total: count, unit: 'blocks' });
    const steps = this.producer.mine(count, byClock ? 'by-clock' : apartMs === undefined ? undefined : BigInt(apartMs));
    return this.#take(steps, work, {
      ...made,
      isDone: () => made.blocks() >= count,
      where: () => `after ${made.blocks()} of ${count} blocks`,
    });
  }

  async #pass(request: { readonly advanceMs: number } | { readonly timestampMs: number }, work: Work): Promise<Mined> {
    const { headTimeMs } = this.chain;
    const nowMs = this.clock.nowMs();
    const laterMs = nowMs > headTimeMs ? nowMs : headTimeMs;
    const targetMs = 'advanceMs' in request ? laterMs + BigInt(request.advanceMs) : BigInt(request.timestampMs);
    if (targetMs < headTimeMs) {
      throw new RangeError(`mine: the head is already at ${isoTime(headTimeMs)}, after ${isoTime(targetMs)}`);
    }
    const total = Number(targetMs - headTimeMs);
    work.progress = () => ({ done: Number(this.chain.headTimeMs - headTimeMs), total, unit: 'ms' });
    const mined = await this.#take(this.producer.passTo(targetMs), work, {
      ...this.#countingBlocks(),
      isDone: () => this.chain.headTimeMs >= targetMs,
      where: () => `at ${isoTime(this.chain.headTimeMs)} on the way to ${isoTime(targetMs)}`,
    });
    return { ...mined, lateMs: Number(this.chain.headTimeMs - targetMs) };
  }

  /**
   * Takes steps to their end. Between two of them others have their turn. A step that lacks a row of a fork's network is
   * taken again when the row is there.
   *
   * @throws MiningStoppedError when it has to end before it is done
   */
  async #take(steps: Steps, work: Work, { stepped, isDone, counted, where }: Stepping): Promise<Mined> {
    const mined = (): Mined => ({ ...this.#head(), ...counted() });
    for (const made of steps) {
      if (made instanceof MissingRow) {
        await made.obtain('asked-block');
        continue;
      }
      stepped(made);
      const why = await this.giveWay(work);
      if (why !== undefined && !isDone()) throw new MiningStoppedError(mined(), where(), why);
    }
    return mined();
  }

  /** Blocks and what they ended. A step has one maintenance or none. */
  #countingBlocks() {
    const { ledger } = this.chain;
    const first = ledger.long('NEXT_MAINTENANCE_TIME');
    let last = first;
    let maintenances = 0;
    let blocks = 0;
    return {
      stepped(made: number) {
        const next = ledger.long('NEXT_MAINTENANCE_TIME');
        if (next !== last) maintenances++;
        last = next;
        blocks += made;
      },
      blocks: () => blocks,
      counted: () => ({
        blocks,
        epochs: Number((last - first) / ledger.long('MAINTENANCE_TIME_INTERVAL')),
        maintenances,
      }),
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
