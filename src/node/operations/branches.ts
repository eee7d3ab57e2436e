/**
 * Replaces the chain by another with the same genesis: fewer blocks, other blocks, a reset (`chain-loader.ts`: a saved chain). Time
 * does not decrease with a reorganisation, as on a network: replacing blocks are made later, and so they differ.
 */

import { JavaException } from '../../errors/java-exception.js';
import { OperationError, StoppedError } from '../../errors/operation-error.js';
import { oldestReference } from '../../ledger/config.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { MissingRow } from '../../state/missing-row.js';
import type { Chain } from '../chain/chain.js';
import type { Rollback } from '../chain/rollback.js';
import type { Clock } from '../clock/clock.js';
import type { MiningSettings } from '../clock/mining-settings.js';
import type { Branching } from '../control.js';
import type { Producer } from '../production/producer.js';
import { NoRoomError } from '../storage/commits.js';
import { withRows } from '../with-rows.js';
import type { Mining } from './mining.js';
import type { Requester, Work } from './work.js';

/** Number of reverted steps between two turns of other work. */
const STEPS_AT_ONCE = 20;

export interface ReorgOptions {
  /** Whether the transactions of the replaced blocks go into the new ones if valid; default true. */
  readonly keepTransactions?: boolean;
  /** Additional transactions, each with the index of its new block, from 0. */
  readonly transactions?: readonly { readonly transaction: SignedTransaction; readonly block: number }[];
}

/** Followers that must learn that the chain was replaced. */
export interface BranchFollowers {
  /** Blocks above `height` were removed. */
  readonly cut: (height: number) => void;
  /** Everything was replaced. */
  readonly replaced: () => void;
  /** Makes the initial blocks. */
  readonly firstBlocks: () => void | Promise<void>;
  /** The replacement is complete. */
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
    private readonly followers: BranchFollowers,
  ) {
    this.#firstSettings = producer.settings;
    this.#firstLag = chain.solidityLag;
  }

  /**
   * Removes the last blocks and their transactions. Pending transactions stay if valid. On a fork, its own first block
   * stays: without it no transaction could be sent ({@link oldestReference}).
   *
   * @throws OperationError if there are not as many blocks
   */
  rollback(depth: number, requester?: Requester): Promise<void> {
    return this.replacing({ name: 'rollback', requester }, { kind: 'rollback' }, async (work) => {
      const height = this.#below(depth, oldestReference(this.chain.config));
      const { pending, why } = await this.#rollBackTo(height, work);
      const { headNumber } = this.chain;
      const left = headNumber - height;
      this.chain.pool.putBack(pending);
      await this.#cut(headNumber);
      this.followers.branched({ kind: 'rollback', depth: depth - left });
      if (left > 0)
        throw new StoppedError(
          `rollback: stopped after ${depth - left} of ${depth} blocks, ${why}. The head is block ${headNumber}`,
        );
    });
  }

  /**
   * Replaces the last blocks by the same number of others.
   *
   * @throws OperationError if there are not as many blocks, or an additional transaction is refused; the new blocks
   * before it then stay
   */
  reorg(
    depth: number,
    { keepTransactions = true, transactions = [] }: ReorgOptions = {},
    requester?: Requester,
  ): Promise<void> {
    return this.replacing({ name: 'reorg', requester }, { kind: 'reorg', depth }, async (work) => {
      const height = this.#below(depth, this.chain.config.beginsAt);
      const wrong = transactions.find(({ block }) => !(block >= 0 && block < depth));
      if (wrong !== undefined)
        throw new OperationError(`a transaction is for block ${wrong.block}; expected a block from 0 to ${depth - 1}`);
      const oldHeadMs = this.chain.headTimeMs;
      const { lost, pending, why } = await this.#rollBackTo(height, work);
      if (why !== undefined) {
        this.chain.pool.putBack(pending);
        await this.#cut(this.chain.headNumber);
        this.followers.branched({ kind: 'rollback', depth: height + depth - this.chain.headNumber });
        throw new StoppedError(`reorg: stopped at block ${this.chain.headNumber}, before new blocks were made, ${why}`);
      }
      const receivedMs = this.chain.headTimeMs;
      this.chain.pool.putBack([
        ...(keepTransactions ? lost.map((transaction) => ({ transaction, receivedMs })) : []),
        ...pending,
      ]);
      await this.#cut(height);
      const furtherAt = new Set(transactions.map(({ block }) => block));
      let block = 0;
      work.progress = () => ({ done: block, total: depth, unit: 'blocks' });
      while (block < depth) {
        for (const further of transactions)
          if (further.block === block) await withRows(() => this.#accept(further.transaction));
        if (block === 0) {
          // Removed blocks cannot be restored: on a missing row, only the step is repeated, not the whole.
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
          const stop = await this.mining.yieldTurn(work);
          if (stop === undefined || block >= depth) continue;
          this.followers.branched({ kind: 'reorg', depth });
          throw new StoppedError(`reorg: stopped after ${block} of ${depth} blocks, ${stop}`);
        }
      }
      this.followers.branched({ kind: 'reorg', depth });
    });
  }

  /**
   * Work that replaces blocks. If the disk refuses a part of it, what is done stays, also if it was not asked for alone:
   * pending transactions are pending again, and followers of the chain learn that blocks are gone.
   *
   * @param how a rollback without its depth was done as far as it goes
   * @throws NoRoomError what has become of the chain
   */
  replacing(
    request: Parameters<Mining['alone']>[0],
    how: Branching | { readonly kind: 'rollback' },
    replace: (work: Work) => Promise<void>,
  ): Promise<void> {
    return this.mining.alone(request, async (work) => {
      const { headId, headNumber, pool } = this.chain;
      const pending = pool.members();
      const untilDurable = this.chain.durability();
      try {
        await replace(work);
        // The disk may refuse the new blocks after it has removed the old ones.
        await untilDurable();
      } catch (error) {
        // Work that was stopped has done this.
        if (error instanceof StoppedError) throw error;
        if (error instanceof NoRoomError) {
          const known = new Set(pool.members().map(({ transaction }) => transaction.txId));
          pool.putBack(pending.filter(({ transaction }) => !known.has(transaction.txId)));
        }
        if (this.chain.headId === headId) throw error;
        const left = this.chain.headNumber;
        this.followers.branched(how.kind === 'rollback' ? { kind: 'rollback', depth: headNumber - left } : how);
        throw error instanceof NoRoomError ? new NoRoomError(error, `The head is block ${left}`) : error;
      }
    });
  }

  /** Rolls back until the rest of the way to a height is short. Pending transactions are dropped. */
  async approach(height: number, work: Work): Promise<void> {
    const { headNumber } = this.chain;
    work.progress = () => ({ done: headNumber - this.chain.headNumber, total: headNumber - height, unit: 'blocks' });
    while (this.chain.headNumber - height > STEPS_AT_ONCE) {
      const next = this.#stepsDownTo(height);
      if (next <= height) return;
      this.chain.back.to(next);
      // An incomplete rollback would be inconsistent: it runs to its end, even if nobody waits.
      await this.mining.yieldTurn(work);
    }
  }

  /**
   * Resets the chain: only its first blocks, no operations but those of options; time, mining and solidity lag as at the
   * start.
   */
  reset(requester?: Requester): Promise<void> {
    return this.replacing({ name: 'reset', requester }, { kind: 'reset' }, async (work) => {
      await this.toGenesis(work);
      await this.followers.firstBlocks();
      this.followers.branched({ kind: 'reset' });
    });
  }

  /** Back to the beginning, with the time and the settings of then. */
  async toGenesis(work: Work): Promise<void> {
    if (this.chain.commits.stateFrom > this.chain.config.beginsAt) await this.chain.back.toBeginning();
    else {
      await this.approach(this.chain.config.beginsAt, work);
      this.chain.back.to(this.chain.config.beginsAt, 0);
      // Where the disk refuses it, snapshots, time and settings stay, too.
      await this.chain.durable();
    }
    this.followers.replaced();
    this.clock.startOver();
    this.producer.settings = this.#firstSettings;
    this.chain.solidityLag = this.#firstLag;
  }

  /** Where the disk refuses to remove blocks, their snapshots stay. @throws NoRoomError */
  async #cut(height: number): Promise<void> {
    await this.chain.durable();
    this.followers.cut(height);
  }

  /** @returns the removed blocks' transactions in order, the pending ones, and the reason of an early end */
  async #rollBackTo(
    height: number,
    work: Work,
  ): Promise<ReturnType<Rollback['to']> & { readonly why?: string | undefined }> {
    const { headNumber } = this.chain;
    work.progress = () => ({ done: headNumber - this.chain.headNumber, total: headNumber - height, unit: 'blocks' });
    const { lost, pending } = this.chain.back.to(this.#stepsDownTo(height));
    const earlier: (readonly SignedTransaction[])[] = [lost];
    let why: string | undefined;
    while (this.chain.headNumber > height) {
      why = await this.mining.yieldTurn(work);
      if (why !== undefined) break;
      earlier.push(this.chain.back.to(this.#stepsDownTo(height)).lost);
    }
    return { lost: earlier.reverse().flat(), pending, why };
  }

  /** The position after some steps of its history were reverted: between two steps, never inside a run of blocks. */
  #stepsDownTo(height: number): number {
    const { chain } = this;
    let steps = 0;
    let lowest = chain.headNumber;
    for (const { from } of chain.commits.down(height)) {
      lowest = from;
      if (++steps >= STEPS_AT_ONCE && lowest < chain.headNumber) break;
    }
    if (lowest === chain.headNumber && height < lowest)
      throw new Error(
        `no way back from block ${lowest} to ${height}: the state is kept from ${chain.commits.stateFrom} on`,
      );
    return Math.max(height, lowest);
  }

  #accept(transaction: SignedTransaction): void {
    try {
      this.chain.broadcast(transaction);
    } catch (error) {
      if (error instanceof JavaException) throw new OperationError(`a transaction is refused: ${error.wireText}`);
      throw error;
    }
  }

  /** @param lowest height of the last block that must stay */
  #below(depth: number, lowest: number): number {
    const { headNumber } = this.chain;
    const height = headNumber - depth;
    if (!Number.isSafeInteger(depth) || depth < 0 || height < lowest)
      throw new OperationError(
        `depth must be a whole number from 0 to ${headNumber - lowest}: the head is block ${headNumber}, and block ${lowest} must stay`,
      );
    const { stateFrom } = this.chain.commits;
    if (height < stateFrom)
      throw new OperationError(
        `the chain cannot be rolled back to block ${height}: its state is kept from block ${stateFrom} on (--state-history)`,
      );
    return height;
  }
}
