/**
 * Replaces the chain by a saved one: back to the beginning, then step by step. Owns that a load which fails leaves the
 * chain of before: its steps are kept until the other chain is complete.
 */

import { OperationError, StoppedError } from '../../errors/operation-error.js';
import type { Spool } from '../../platform/spool.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import type { Chain } from '../chain/chain.js';
import { type Clock, restoreDumped } from '../clock/clock.js';
import type { Branching } from '../control.js';
import type { Producer } from '../production/producer.js';
import { isOfChain, notLoadable, type SavedChain, type SavedSteps } from '../steps/saved-chain.js';
import { type SignersAhead, withSigners } from '../steps/signers-ahead.js';
import { SpooledSteps } from '../steps/spooled-steps.js';
import { applyStep, StepError, StoredSteps } from '../steps/steps.js';
import { NoRoomError } from '../storage/commits.js';
import { withRows } from '../with-rows.js';
import type { Branches } from './branches.js';
import type { Mining, YieldTurn } from './mining.js';
import type { Requester, Work } from './work.js';

/** Number of rows of a saved chain that are written together. */
const ROWS_AT_ONCE = 1_000;

type LoadProgress = (done: number, total: number) => void;

export interface ChainLoaderParts {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly producer: Producer;
  readonly mining: Mining;
  readonly branches: Branches;
  /** Called when the replacement is complete, or the chain of before is there again. */
  readonly branched: (how: Branching) => void;
  readonly yieldTurn: YieldTurn;
  readonly signers: SignersAhead | undefined;
  readonly spool: () => Spool;
}

export class ChainLoader {
  constructor(private readonly parts: ChainLoaderParts) {}

  /**
   * Loads a saved chain. On failure the chain is unchanged, but snapshots are used up.
   *
   * @throws OperationError for another chain, or if a block's id differs
   */
  load(saved: SavedChain, progress?: LoadProgress, requester?: Requester): Promise<void> {
    return this.#load(saved, { progress, requester, restores: true });
  }

  /** The same for a new chain, which cannot be used after a failure. */
  loadFirst(saved: SavedChain, progress?: LoadProgress): Promise<void> {
    return this.#load(saved, { progress, restores: false });
  }

  #load(
    saved: SavedChain,
    {
      progress = () => {},
      requester,
      restores,
    }: { progress?: LoadProgress | undefined; requester?: Requester | undefined; restores: boolean },
  ): Promise<void> {
    const { chain, clock, branches, branched } = this.parts;
    if (!isOfChain(saved, chain)) return Promise.reject(refusalOf(saved, chain));
    return branches.replacing({ name: 'load', requester }, { kind: 'load' }, async (work) => {
      await using before = restores ? await this.#present(work) : undefined;
      const restoreOthers = this.#others();
      const replaced: FetchedRow[] = [];
      try {
        const untilDurable = chain.durability();
        await branches.toGenesis(work);
        for await (const rows of this.#kept(saved.fetched)) replaced.push(...rows);
        await this.#apply(saved.steps, work, progress, (why, done) => {
          throw new StoppedError(
            `load: cancelled after ${done} of ${saved.steps.length} steps, ${why}. The chain is unchanged`,
          );
        });
        await untilDurable();
      } catch (error) {
        if (before !== undefined) {
          await this.#bringBack(before, replaced, work);
          restoreOthers();
          // Its blocks were told again.
          branched({ kind: 'load' });
        }
        throw error instanceof StepError ? notLoadable(error.message, error) : error;
      }
      if (saved.end !== undefined) {
        chain.restoreSolidity(saved.end.solidity);
        restoreDumped(clock, saved.end.clock);
      }
      clock.moveTo(chain.headTimeMs);
      const receivedMs = chain.headTimeMs;
      chain.pool.putBack(saved.pending.map((transaction) => ({ transaction, receivedMs })));
      for (const waiting of saved.queued) chain.pool.queued.add(waiting);
      branched({ kind: 'load' });
    });
  }

  /** @returns restores what the chain has beside its steps */
  #others(): () => void {
    const { chain, clock, producer } = this.parts;
    const { pending, solidity, solidityLag } = chain.back.snapshot();
    const queued = chain.pool.queued.save();
    const then = clock.save();
    const { settings } = producer;
    return () => {
      clock.restore(then);
      producer.settings = settings;
      chain.solidityLag = solidityLag;
      chain.restoreSolidity(solidity);
      chain.pool.putBack(pending);
      chain.pool.queued.restore(queued);
    };
  }

  /** The steps of the chain so far. */
  async #present(work: Work): Promise<SpooledSteps> {
    const present = new SpooledSteps(this.parts.spool());
    try {
      for (const step of new StoredSteps(this.parts.chain)) {
        await present.add(step).catch((error: Error) => {
          throw new StoppedError(`load: cancelled, because the present chain cannot be kept (${error.message})`);
        });
        const why = await this.parts.mining.yieldTurn(work);
        if (why !== undefined) throw new StoppedError(`load: cancelled, ${why}`);
      }
      return present;
    } catch (error) {
      await present[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The chain cannot stay half loaded: a disk that refuses its steps is waited for. @throws StoppedError */
  async #bringBack(steps: SpooledSteps, fetched: readonly FetchedRow[], work: Work): Promise<void> {
    for (;;) {
      try {
        const untilDurable = this.parts.chain.durability();
        await this.parts.branches.toGenesis(work);
        for await (const _ of this.#kept(fetched));
        await this.#apply(steps, work);
        await untilDurable();
        return;
      } catch (error) {
        if (!(error instanceof NoRoomError)) throw error;
        await this.parts.mining.untilAccepting(work);
      }
    }
  }

  /** @param stop called if the request is cancelled; absent: it runs to its end */
  async #apply(
    steps: SavedSteps,
    work: Work,
    progress: LoadProgress = () => {},
    stop: (why: string, done: number) => void = () => {},
  ): Promise<void> {
    let done = 0;
    work.progress = () => ({ done, total: steps.length, unit: 'steps' });
    const { refusals } = this.parts.chain.commits;
    for await (const step of withSigners(steps, this.parts.signers)) {
      // A step that the disk has refused is missing, even if the disk accepts the next one.
      this.parts.chain.commits.checkNothingRefused(refusals);
      await withRows(() => applyStep(this.parts.chain, step));
      done++;
      const why = await this.parts.mining.yieldTurn(work);
      if (why !== undefined && done < steps.length) stop(why, done);
      progress(done, steps.length);
    }
    progress(steps.length, steps.length);
  }

  /**
   * Gives the store of a fork the network's rows that the steps have read: it may have read others since, as far as a
   * network serves only what is newest. The chain must be at its beginning.
   *
   * @returns those that they replace, some at a time
   * @throws NoRoomError
   */
  async *#kept(rows: Iterable<FetchedRow> | AsyncIterable<FetchedRow>): AsyncIterable<readonly FetchedRow[]> {
    const { store, commits, ledger } = this.parts.chain;
    const keep = async (some: readonly FetchedRow[]) => {
      try {
        return (await store.replaceFetched?.(some)) ?? [];
      } catch (cause) {
        commits.checkWhole();
        commits.rowsRefused(cause);
        throw new NoRoomError({ cause });
      } finally {
        ledger.state.fetchedLost();
      }
    };
    let waiting: FetchedRow[] = [];
    for await (const row of rows) {
      if (waiting.push(row) < ROWS_AT_ONCE) continue;
      yield await keep(waiting);
      waiting = [];
      await this.parts.yieldTurn();
    }
    if (waiting.length > 0) yield await keep(waiting);
  }
}

function refusalOf({ genesis, beginning }: SavedChain, { config: { genesisId } }: Chain): OperationError {
  const { fork } = beginning.genesis;
  const other =
    fork !== undefined && genesis === genesisId
      ? `a fork at block ${fork.number} that was created differently`
      : genesis === genesisId
        ? 'a chain with other initial chain parameters, network stake or contracts'
        : `the chain with genesis ${genesis}, and this one has genesis ${genesisId}`;
  return new OperationError(`the chain cannot be loaded: it is ${other}. Start a node with --load-state FILE instead`);
}
