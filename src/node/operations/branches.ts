/**
 * Leaving the chain that there is for another one with the same genesis: some blocks fewer, other blocks in their place,
 * the beginning, or a chain that was saved.
 *
 * Time does not go back with a reorganisation, as it does not on a network: the blocks that take the place of others are
 * made later, and so are other blocks.
 */

import { JavaException } from '../../errors/java-exception.js';
import { OperationError, StoppedError } from '../../errors/operation-error.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { MissingRow } from '../../state/missing-row.js';
import type { Chain } from '../chain/chain.js';
import type { Rollback } from '../chain/rollback.js';
import { type Clock, restoreDumped } from '../clock/clock.js';
import type { MiningSettings } from '../clock/mining-settings.js';
import type { Branching } from '../control.js';
import type { Producer } from '../production/producer.js';
import { isOfChain, notLoadable, type SavedChain } from '../steps/saved-chain.js';
import { applyStep, type Step, StepError, type Steps, StoredSteps } from '../steps/steps.js';
import { withRows } from '../with-rows.js';
import type { Mining, YieldTurn } from './mining.js';
import type { Asker, Work } from './work.js';

/** So many steps of the chain's history are taken back between two looks at whether somebody waits. */
const STEPS_AT_ONCE = 20;
/** So many rows of a saved chain are written at a time. */
const ROWS_AT_ONCE = 1_000;

export interface ReorgOptions {
  /** Whether the transactions of the replaced blocks come into the new ones as far as they are valid; default true. */
  readonly keepTransactions?: boolean;
  /** Further transactions, each with the number of the new block it belongs into, from 0. */
  readonly transactions?: readonly { readonly transaction: SignedTransaction; readonly block: number }[];
}

/** What hangs on the chain as it is, and has to be told that it is another one. */
export interface Hangers {
  /** Blocks above `height` are no more. */
  readonly cut: (height: number) => void;
  /** Nothing of what there was holds any more. */
  readonly begun: () => void;
  /** Makes what the chain has before anybody comes. */
  readonly firstBlocks: () => void | Promise<void>;
  /** It has happened. */
  readonly branched: (how: Branching) => void;
}

export class Branches {
  readonly #firstSettings: MiningSettings;
  readonly #firstLag: Chain['solidityLag'];

  constructor(
    private readonly chain: Chain,
    private readonly clock: Clock,
    private readonly producer: Producer,
    private readonly mining: Mining,
    private readonly hangers: Hangers,
    private readonly yieldTurn: YieldTurn,
  ) {
    this.#firstSettings = producer.settings;
    this.#firstLag = chain.solidityLag;
  }

  /**
   * Takes the last blocks back; their transactions are gone. What is pending stays as far as it is valid.
   *
   * @throws OperationError when there are not so many blocks
   */
  rollback(depth: number, asker?: Asker): Promise<void> {
    return this.mining.alone({ name: 'rollback', asker }, async (work) => {
      const height = this.#below(depth);
      const { pending, why } = await this.#takeBack(height, work);
      const { headNumber } = this.chain;
      const left = headNumber - height;
      this.hangers.cut(headNumber);
      this.chain.pool.putBack(pending);
      this.hangers.branched({ kind: 'rollback', depth: depth - left });
      if (left > 0)
        throw new StoppedError(
          `rollback: stopped after ${depth - left} of ${depth} blocks, ${why}. The head is block ${headNumber}`,
        );
    });
  }

  /**
   * Puts other blocks in the place of the last ones, as many as there were.
   *
   * @throws OperationError when there are not so many blocks, or a further transaction is refused; in the latter case the
   *   new blocks before it stand
   */
  reorg(
    depth: number,
    { keepTransactions = true, transactions = [] }: ReorgOptions = {},
    asker?: Asker,
  ): Promise<void> {
    return this.mining.alone({ name: 'reorg', asker }, async (work) => {
      const height = this.#below(depth);
      const wrong = transactions.find(({ block }) => !(block >= 0 && block < depth));
      if (wrong !== undefined)
        throw new OperationError(
          `a transaction is for block ${wrong.block}, but must be for one from 0 to ${depth - 1}`,
        );
      const oldHeadMs = this.chain.headTimeMs;
      const { lost, pending, why } = await this.#takeBack(height, work);
      if (why !== undefined) {
        this.hangers.cut(this.chain.headNumber);
        this.chain.pool.putBack(pending);
        this.hangers.branched({ kind: 'rollback', depth: height + depth - this.chain.headNumber });
        throw new StoppedError(`reorg: stopped at block ${this.chain.headNumber}, before new blocks were made, ${why}`);
      }
      this.hangers.cut(height);
      const receivedMs = this.chain.headTimeMs;
      this.chain.pool.putBack([
        ...(keepTransactions ? lost.map((transaction) => ({ transaction, receivedMs })) : []),
        ...pending,
      ]);
      const furtherAt = new Set(transactions.map(({ block }) => block));
      let block = 0;
      work.progress = () => ({ done: block, total: depth, unit: 'blocks' });
      while (block < depth) {
        for (const further of transactions)
          if (further.block === block) await withRows(() => this.#accept(further.transaction));
        if (block === 0) {
          // What is gone cannot be gone back to: whatever row this misses, it is not done again as a whole.
          await withRows(() => void this.producer.mineAfter(oldHeadMs));
          block++;
          continue;
        }
        let next = block + 1;
        while (next < depth && !furtherAt.has(next)) next++;
        for (const made of this.producer.mine(next - block)) {
          if (made instanceof MissingRow) {
            await made.obtain('asked-block');
            continue;
          }
          block += made;
          const stop = await this.mining.giveWay(work);
          if (stop === undefined || block >= depth) continue;
          this.hangers.branched({ kind: 'reorg', depth });
          throw new StoppedError(`reorg: stopped after ${block} of ${depth} blocks, ${stop}`);
        }
      }
      this.hangers.branched({ kind: 'reorg', depth });
    });
  }

  /** Goes back so far that the rest of the way to a height is short. What is pending is lost. */
  async approach(height: number, work: Work): Promise<void> {
    const { headNumber } = this.chain;
    work.progress = () => ({ done: headNumber - this.chain.headNumber, total: headNumber - height, unit: 'blocks' });
    while (this.chain.headNumber - height > STEPS_AT_ONCE) {
      const next = this.#stepsDownTo(height);
      if (next <= height) return;
      this.chain.back.to(next);
      // Half of the way would be nowhere: what waits for it or not, it is gone to its end.
      await this.mining.giveWay(work);
    }
  }

  /** The chain as it began: no blocks but the first ones, no operations; time, mining and solidity lag as at the start. */
  reset(asker?: Asker): Promise<void> {
    return this.mining.alone({ name: 'reset', asker }, async (work) => {
      await this.#toGenesis(work);
      await this.hangers.firstBlocks();
      this.hangers.branched({ kind: 'reset' });
    });
  }

  /**
   * Makes a saved chain this one. When that fails, the chain is what it was; snapshots are used up all the same.
   *
   * @throws OperationError for another chain, or one of which a block comes to something else
   */
  load(saved: SavedChain, progress: (done: number, total: number) => void = () => {}, asker?: Asker): Promise<void> {
    if (!isOfChain(saved, this.chain)) {
      const { genesisId } = this.chain.config;
      const { genesis } = saved;
      const { fork } = saved.beginning.genesis;
      const other =
        fork !== undefined && genesis === genesisId
          ? `a fork at block ${fork.number} that was created differently`
          : genesis === genesisId
            ? 'a chain with other initial chain parameters, network stake or contracts'
            : `the chain with genesis ${genesis}, and this one has genesis ${genesisId}`;
      const text = `the chain cannot be loaded: it is ${other}. Start a node with --load-state FILE instead`;
      return Promise.reject(new OperationError(text));
    }
    return this.mining.alone({ name: 'load', asker }, async (work) => {
      const before: Step[] = [];
      for (const step of new StoredSteps(this.chain)) {
        before.push(step);
        const why = await this.mining.giveWay(work);
        if (why !== undefined) throw new StoppedError(`load: cancelled, ${why}`);
      }
      const { pending, solidity } = this.chain.back.snapshot();
      const clock = this.clock.save();
      const { settings } = this.producer;
      const { solidityLag } = this.chain;
      await this.#toGenesis(work);
      try {
        await this.#keep(saved.fetched);
        await this.#apply(saved.steps, work, progress, (why, done) => {
          throw new StoppedError(
            `load: cancelled after ${done} of ${saved.steps.length} steps, ${why}. The chain is unchanged`,
          );
        });
      } catch (error) {
        await this.#toGenesis(work);
        // Nobody can want it to be half of itself.
        await this.#apply(before, work);
        this.clock.restore(clock);
        this.producer.settings = settings;
        this.chain.solidityLag = solidityLag;
        this.chain.restoreSolidity(solidity);
        this.chain.pool.putBack(pending);
        throw error instanceof StepError ? notLoadable(error.message, error) : error;
      }
      if (saved.end !== undefined) {
        this.chain.restoreSolidity(saved.end.solidity);
        restoreDumped(this.clock, saved.end.clock);
      }
      this.clock.moveTo(this.chain.headTimeMs);
      const receivedMs = this.chain.headTimeMs;
      this.chain.pool.putBack(saved.pending.map((transaction) => ({ transaction, receivedMs })));
      this.hangers.branched({ kind: 'load' });
    });
  }

  async #toGenesis(work: Work): Promise<void> {
    this.hangers.begun();
    if (this.chain.commits.stateFrom > this.chain.config.beginsAt) await this.chain.back.toBeginning();
    else {
      await this.approach(this.chain.config.beginsAt, work);
      this.chain.back.to(this.chain.config.beginsAt, 0);
    }
    this.clock.startOver();
    this.producer.settings = this.#firstSettings;
    this.chain.solidityLag = this.#firstLag;
  }

  /**
   * @returns the transactions of the blocks that are no more, in their order, what was pending, and why it came to an end
   *   before the height, if it did
   */
  async #takeBack(
    height: number,
    work: Work,
  ): Promise<ReturnType<Rollback['to']> & { readonly why?: string | undefined }> {
    const { headNumber } = this.chain;
    work.progress = () => ({ done: headNumber - this.chain.headNumber, total: headNumber - height, unit: 'blocks' });
    const { lost, pending } = this.chain.back.to(this.#stepsDownTo(height));
    const earlier: (readonly SignedTransaction[])[] = [lost];
    let why: string | undefined;
    while (this.chain.headNumber > height) {
      why = await this.mining.giveWay(work);
      if (why !== undefined) break;
      earlier.push(this.chain.back.to(this.#stepsDownTo(height)).lost);
    }
    return { lost: earlier.reverse().flat(), pending, why };
  }

  /** Where the chain is when some steps of its history are taken back: between two of them, never inside of a run of blocks. */
  #stepsDownTo(height: number): number {
    const { chain } = this;
    let steps = 0;
    let lowest = chain.headNumber;
    for (const { from } of chain.commits.down(height)) {
      lowest = from;
      if (++steps >= STEPS_AT_ONCE && lowest < chain.headNumber) break;
    }
    return Math.max(height, lowest);
  }

  /** @param stop called when nobody waits for it any more; absent: it goes on to its end */
  async #apply(
    steps: Steps,
    work: Work,
    progress: (done: number, total: number) => void = () => {},
    stop: (why: string, done: number) => void = () => {},
  ): Promise<void> {
    let done = 0;
    work.progress = () => ({ done, total: steps.length, unit: 'steps' });
    for (const step of steps) {
      await withRows(() => applyStep(this.chain, step));
      done++;
      const why = await this.mining.giveWay(work);
      if (why !== undefined && done < steps.length) stop(why, done);
      progress(done, steps.length);
    }
    progress(steps.length, steps.length);
  }

  /** Rows of a fork's network. */
  async #keep(rows: SavedChain['fetched']): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await this.chain.store.keepFetched?.(rows.slice(at, at + ROWS_AT_ONCE));
      await this.yieldTurn();
    }
  }

  #accept(transaction: SignedTransaction): void {
    try {
      this.chain.broadcast(transaction);
    } catch (error) {
      if (error instanceof JavaException) throw new OperationError(`a transaction is refused: ${error.wireText}`);
      throw error;
    }
  }

  #below(depth: number): number {
    const height = this.chain.headNumber - depth;
    if (!Number.isSafeInteger(depth) || depth < 0 || height < this.chain.config.beginsAt)
      throw new OperationError(`depth must be a whole number from 0 to ${this.chain.headNumber}, the head's number`);
    const { stateFrom } = this.chain.commits;
    if (height < stateFrom)
      throw new OperationError(
        `the chain cannot be rolled back to block ${height}: its state is kept from block ${stateFrom} on (--state-history)`,
      );
    return height;
  }
}
