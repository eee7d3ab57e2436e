/**
 * Blocks and time on demand, in steps: between the steps of a long run, other requests get a turn, and the node can be
 * closed. One request at a time: a second `mine`, and a `revert`, wait for the first; after a long wait, external
 * callers get an error instead. Cancelled work keeps its blocks. Work between two steps behaves as between two calls
 * of `mine`: a broadcast is pending until the next block, and with instant mining makes its own block, which does not
 * count.
 */

import { StoppedError } from '../../errors/operation-error.js';
import { MissingRow } from '../../state/missing-row.js';
import type { Chain } from '../chain/chain.js';
import type { Clock } from '../clock/clock.js';
import type { BlocksRequest, EpochsRequest, MineRequest, MiningRequest } from '../clock/mine-request.js';
import { type Mined, MiningStoppedError } from '../control.js';
import type { Producer, Steps } from '../production/producer.js';
import { requireAfterHead } from './operations.js';
import { type Progress, type Requester, Work, type WorkOptions } from './work.js';

/** Undefined as long as nobody waits; otherwise a promise that resolves after the others' turn. */
export type YieldTurn = () => Promise<void> | undefined;

/** Result of the maintenance block of an epoch. */
export interface EndedEpoch {
  readonly blockNumber: number;
  readonly timestampMs: bigint;
  readonly cycle: bigint;
  readonly nextMaintenanceTimeMs: bigint;
}

/** Callbacks of running steps. */
interface Stepping {
  /** @param blocks made by the step */
  readonly stepped: (blocks: number) => void;
  readonly isDone: () => boolean;
  readonly counted: () => Pick<Mined, 'blocks' | 'epochs' | 'maintenances'>;
  /** Progress, for the error of an early end. */
  readonly where: () => string;
}

export class Mining {
  #last: Promise<unknown> = Promise.resolve();
  #busy = false;
  #stopping = false;
  #endWaiting: (() => void) | undefined;
  #isAlone = false;
  /** The running work, and the queue behind it. */
  #underWay: Work | undefined;
  readonly #waiting = new Set<Work>();

  constructor(
    private readonly chain: Chain,
    private readonly clock: Clock,
    private readonly producer: Producer,
    private readonly othersTurn: YieldTurn,
    private readonly onMined: (request: MiningRequest, mined: Mined) => void,
  ) {}

  /** Whether blocks are being made: then the clock makes none. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Progress of the running work, if any. */
  get underWay(): { readonly name: string; readonly progress: Progress | undefined } | undefined {
    return this.#underWay && { name: this.#underWay.name, progress: this.#underWay.progress?.() };
  }

  /**
   * Runs after earlier work, and before later work.
   *
   * @throws OperationError if the request was cancelled before it starts, or other work takes too long
   */
  inTurn<Result>(asked: WorkOptions, task: (work: Work) => Result | Promise<Result>): Promise<Result> {
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
   * Call it between two steps of work: others get a turn.
   *
   * @returns the reason for an early end, if any
   */
  async yieldTurn(work: Work): Promise<string | undefined> {
    const others = this.othersTurn();
    if (others === undefined) return undefined;
    await others;
    // At most the batches between two turns are waiting for the store.
    await this.chain.durable();
    work.yielded();
    if (work.isLong) for (const other of this.#waiting) other.waitsFor(work);
    if (this.#stopping) return 'because the node is being closed';
    return work.isAbandoned ? 'because its request was cancelled' : undefined;
  }

  /** Whether the chain is between two complete states: no other change is possible. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** `inTurn` for work during which the chain is incomplete while others have their turns. */
  alone<Result>(asked: WorkOptions, task: (work: Work) => Promise<Result>): Promise<Result> {
    return this.inTurn(asked, async (work) => {
      this.#busy = this.#isAlone = true;
      try {
        return await task(work);
      } finally {
        this.#busy = this.#isAlone = false;
      }
    });
  }

  /** @throws MiningStoppedError if the node is closed or the request cancelled before it is done */
  mine(request: MineRequest, requester?: Requester): Promise<Mined> {
    return this.#made(request, requester, (work) =>
      'blocks' in request ? this.#mine(request, work) : this.#pass(request, work),
    );
  }

  /** Ends epochs one by one. @returns each, in order. @throws MiningStoppedError as {@link mine} */
  async endEpochs(request: EpochsRequest, requester?: Requester): Promise<readonly EndedEpoch[]> {
    const ended: EndedEpoch[] = [];
    await this.#made(request, requester, (work) => this.#endEpochs(request, ended, work));
    return ended;
  }

  #made(
    request: MiningRequest,
    requester: Requester | undefined,
    make: (work: Work) => Promise<Mined>,
  ): Promise<Mined> {
    return this.inTurn({ name: 'mine', requester }, async (work) => {
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

  /** Resolves when the disk accepts changes again. @throws StoppedError if the node is closed before */
  async untilAccepting(work: Work): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.#endWaiting = resolve;
    });
    if (!this.#stopping) await Promise.race([this.chain.commits.accepting(), stopped]);
    if (this.#stopping) throw new StoppedError(`${work.name}: stopped, because the node is being closed`);
  }

  /** Ends the running work after its present step. Resolves when no work is left. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#endWaiting?.();
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
   * Runs steps to their end, with turns for others between them. A step that misses a row of a fork's network is
   * repeated with the row.
   *
   * @throws MiningStoppedError if it has to end early
   */
  async #take(steps: Steps, work: Work, { stepped, isDone, counted, where }: Stepping): Promise<Mined> {
    const mined = (): Mined => ({ ...this.#head(), ...counted() });
    for (const made of steps) {
      if (made instanceof MissingRow) {
        await made.obtain('asked-block');
        continue;
      }
      stepped(made);
      const why = await this.yieldTurn(work);
      if (why !== undefined && !isDone()) throw new MiningStoppedError(mined(), where(), why);
    }
    return mined();
  }

  /** Blocks and their effects. A step has at most one maintenance. */
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
