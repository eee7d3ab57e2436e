/**
 * Replaces the chain by a saved one: back to the beginning, then step by step. Owns that a load which fails leaves the
 * chain of before: it is kept until the other chain is complete.
 */

import { OperationError, StoppedError } from '../../errors/operation-error.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import type { Chain } from '../chain/chain.js';
import { type Clock, restoreDumped } from '../clock/clock.js';
import type { Branching } from '../control.js';
import type { Producer } from '../production/producer.js';
import { isOfChain, notLoadable, type SavedChain, type SavedSteps } from '../steps/saved-chain.js';
import { type SignersAhead, withSigners } from '../steps/signers-ahead.js';
import { applyStep, StepError } from '../steps/steps.js';
import { NoRoomError } from '../storage/commits.js';
import { withRows } from '../with-rows.js';
import type { Branches } from './branches.js';
import type { Mining, YieldTurn } from './mining.js';
import type { Requester, Work } from './work.js';

/** Number of rows of a saved chain that are written together. */
const ROWS_AT_ONCE = 1_000;

type LoadProgress = (done: number, total: number) => void;

/** The chain of before a load. Its methods throw errors of the file system. */
export interface KeptChain {
  /** @param yieldTurn called between two lines; it throws if the work has to end */
  readonly write: (
    node: { readonly chain: Chain; readonly clock: Clock },
    yieldTurn: () => Promise<void>,
  ) => Promise<void>;
  readonly read: () => Promise<SavedChain>;
  /** Also of a chain that was written in part, and again after a failure. */
  readonly discard: () => Promise<void>;
}

/** A place for one chain. @throws errors of the file system */
export type KeepChain = () => Promise<KeptChain>;

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
  /** Undefined: chains are only loaded into a new one. */
  readonly keep: KeepChain | undefined;
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

  /** The same for a chain that is new, or loaded in part. It cannot be used after a failure. */
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
      const before = restores ? await this.#keepPresent(work) : undefined;
      const restoreOthers = this.#others();
      try {
        const untilDurable = chain.durability();
        await branches.toGenesis(work);
        await this.#replaceFetched(saved.fetched);
        await this.#apply(saved.steps, work, progress, (why, done) => {
          throw new StoppedError(
            `load: cancelled after ${done} of ${saved.steps.length} steps, ${why}. The chain is unchanged`,
          );
        });
        await untilDurable();
        if (before !== undefined) await this.#discard(before, work);
      } catch (error) {
        if (before !== undefined) {
          await this.#bringBack(before, work);
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

  /** @throws StoppedError */
  async #keepPresent(work: Work): Promise<KeptChain> {
    const { keep, mining } = this.parts;
    if (keep === undefined) throw new Error('a chain is to be replaced, and nothing keeps it');
    const yieldTurn = async () => {
      const why = await mining.yieldTurn(work);
      if (why !== undefined) throw new StoppedError(`load: cancelled, ${why}`);
    };
    let kept: KeptChain | undefined;
    try {
      kept = await keep();
      await kept.write(this.parts, yieldTurn);
      return kept;
    } catch (error) {
      // A disk that says that it failed may have done it.
      if (kept !== undefined) await this.#remove(kept, work);
      if (error instanceof OperationError) throw error;
      const { message } = error as Error;
      throw new StoppedError(`load: cancelled, because the present chain cannot be kept (${message})`);
    }
  }

  /** Until the chain is on the platter, a loss of power may take it. @throws NoRoomError @throws StoppedError */
  async #discard(before: KeptChain, work: Work): Promise<void> {
    const { store, commits } = this.parts.chain;
    const { refusals } = commits;
    try {
      await store.sync?.();
    } catch (cause) {
      commits.checkWhole();
      commits.checkNothingRefused(refusals);
      throw new NoRoomError({ cause });
    }
    await this.#remove(before, work);
  }

  /** The next start would bring back a chain that is kept, whatever this one has told since. @throws StoppedError */
  async #remove(kept: KeptChain, work: Work): Promise<void> {
    const { commits } = this.parts.chain;
    for (;;) {
      try {
        return await kept.discard();
      } catch (cause) {
        commits.diskRefused(cause);
        commits.checkWhole();
        await this.parts.mining.untilAccepting(work);
      }
    }
  }

  /** The chain cannot stay half loaded: a disk that refuses its steps is waited for. @throws StoppedError */
  async #bringBack(before: KeptChain, work: Work): Promise<void> {
    const { fetched, steps } = await before.read();
    for (;;) {
      try {
        const untilDurable = this.parts.chain.durability();
        await this.parts.branches.toGenesis(work);
        await this.#replaceFetched(fetched);
        await this.#apply(steps, work);
        await untilDurable();
        await this.#discard(before, work);
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
   * @throws NoRoomError
   */
  async #replaceFetched(rows: SavedChain['fetched']): Promise<void> {
    const { store, commits, ledger } = this.parts.chain;
    const replace = async (some: readonly FetchedRow[]) => {
      try {
        await store.replaceFetched?.(some);
      } catch (cause) {
        commits.checkWhole();
        commits.diskRefused(cause);
        throw new NoRoomError({ cause });
      } finally {
        ledger.state.fetchedLost();
      }
    };
    let waiting: FetchedRow[] = [];
    for await (const row of rows) {
      if (waiting.push(row) < ROWS_AT_ONCE) continue;
      await replace(waiting);
      waiting = [];
      await this.parts.yieldTurn();
    }
    if (waiting.length > 0) await replace(waiting);
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
