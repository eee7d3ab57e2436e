/**
 * Changes of a chain other than by transactions, except making blocks (`mining.ts`), reverting to a snapshot
 * (`node.ts`) and replacing the chain (`branches.ts`). The library, the subcommands and `devtools/` all use it.
 * Changes of the state are functions in `ledger/operations/`, which keep every invariant, and are steps of the chain's
 * history. Changes of time, mining and pool belong to the node and are reverted with a snapshot.
 */

import type { ArrangedRefusal } from '../../errors/arranged-refusal.js';
import { JavaException } from '../../errors/java-exception.js';
import { BusyError, OperationError, ParametersError } from '../../errors/operation-error.js';
import {
  EVERYBODY,
  impersonatedAccounts,
  impersonates,
  impersonatesEverybody,
} from '../../ledger/accounts/impersonation.js';
import { applyTransaction } from '../../ledger/apply-transaction.js';
import { EmptyHeader } from '../../ledger/blocks/block-place.js';
import type { Ledger } from '../../ledger/ledger.js';
import { acceptUnsigned } from '../../ledger/operations/impersonation.js';
import type { ArgumentsOf, OperationName, ResultOf } from '../../ledger/operations/registry.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Chain } from '../chain/chain.js';
import { type Clock, requireMoment } from '../clock/clock.js';
import { type MiningMode, type MiningSettings, paused, resumed, withMode } from '../clock/mining-settings.js';
import type { Producer } from '../production/producer.js';

/** Parts of the node that operations change. */
export interface Operated {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly producer: Producer;
  /** Call it when the mode or interval of block production changes. */
  readonly productionChanged: () => void;
  /** Whether the chain is being replaced. */
  readonly isAlone: () => boolean;
  readonly loggingSet: (on: boolean) => void;
}

/** The next broadcasts are refused. */
export interface ArrangedRefusals {
  readonly refusal: ArrangedRefusal;
  readonly left: number;
}

export interface Epoch {
  /** Number of maintenances with rewards by votes. */
  readonly cycle: number;
  readonly nextMaintenanceTimeMs: number;
}

export class Operations {
  arranged: ArrangedRefusals | undefined;

  constructor(private readonly node: Operated) {}

  /**
   * Changes the state at once, without a block.
   *
   * @throws OperationError if it would break a rule; the chain is unchanged
   * @example node.operations.apply('setBalance', { address, balanceSun: 5_000_000n })
   */
  apply<Name extends OperationName>(name: Name, given: ArgumentsOf<Name>): ResultOf<Name> {
    if (this.node.isAlone())
      throw new BusyError('the chain is being reset or loaded. Changes are possible when this is done');
    return this.node.chain.operate({ name, arguments: given });
  }

  /** Accounts whose transactions need no signature. */
  impersonated(): { readonly accounts: readonly Address[]; readonly everybody: boolean } {
    const { ledger } = this.node.chain;
    return { accounts: impersonatedAccounts(ledger), everybody: impersonatesEverybody(ledger) };
  }

  /** Whether transactions of this account need no signature. */
  impersonates(account: Address): boolean {
    return impersonates(this.node.chain.ledger, account);
  }

  /** Accepts transactions of these accounts without a signature. Accounts that already are impersonated are skipped. */
  impersonate(accounts: readonly Address[]): void {
    const known = this.node.chain.ledger.state.tables.impersonations;
    const added = accounts.filter((account) => !known.has(account));
    if (added.length > 0) this.apply('impersonate', { accounts: added });
  }

  stopImpersonating(account: Address): void {
    if (this.node.chain.ledger.state.tables.impersonations.has(account)) this.#stopImpersonating(account);
  }

  /** Accepts this one transaction without a signature. */
  acceptUnsigned(transaction: SignedTransaction): void {
    const { ledger } = this.node.chain;
    const accepted = { txId: transaction.txId };
    // On a fork, a repetition after a missing row would be another transaction, so its rows are fetched first.
    if (ledger.state.elsewhere !== undefined)
      ledger.state.dryRun(() => {
        acceptUnsigned(ledger, accepted);
        applyIfAccepted(ledger, transaction);
      });
    this.apply('acceptUnsigned', accepted);
  }

  impersonateEverybody(on: boolean): void {
    if (on === impersonatesEverybody(this.node.chain.ledger)) return;
    if (on) this.apply('impersonate', { accounts: [EVERYBODY] });
    else this.#stopImpersonating(EVERYBODY);
  }

  /** Transactions that were sent meanwhile stay pending. */
  #stopImpersonating(account: Address | typeof EVERYBODY): void {
    const { chain } = this.node;
    const pending = chain.pool
      .members()
      .filter(({ transaction }) => account === EVERYBODY || transaction.owner === account)
      .map(({ transaction }) => transaction.txId);
    this.apply('stopImpersonating', { account, pending });
  }

  /**
   * Sets the exact time of the next block; the clock continues from there.
   *
   * @throws ParametersError for a time that is not after the head
   */
  setNextBlockTimestamp(timestampMs: bigint): void {
    requireAfterHead(this.node.chain, timestampMs);
    this.#set({ nextTimestampMs: timestampMs });
  }

  /** Advances time without a block: the next block shows it. Starts at the head, if that is ahead of the clock. */
  increaseTime(byMs: bigint): void {
    const { chain, clock } = this.node;
    if (byMs < 0n) throw new ParametersError(`time cannot go back: milliseconds must be 0 or more, got ${byMs}`);
    const nowMs = clock.nowMs();
    const targetMs = (nowMs > chain.headTimeMs ? nowMs : chain.headTimeMs) + byMs;
    requireMoment(targetMs);
    clock.moveTo(targetMs);
    this.#set({ notBeforeMs: targetMs });
  }

  /** Sets the clock, also to an earlier time: blocks are still later than their parents. */
  setTime(timeMs: bigint): void {
    const { chain, clock } = this.node;
    requireMoment(timeMs);
    clock.setTo(timeMs);
    this.#set({ notBeforeMs: timeMs > chain.headTimeMs ? timeMs : undefined });
  }

  /**
   * Stops the clock, sets it, or changes its rate.
   *
   * @param rate 0: it stands still, and only blocks advance it
   * @throws OperationError on a chain with virtual time, which has no clock
   */
  setClock({ timeMs, rate }: { readonly timeMs?: bigint | undefined; readonly rate?: number | undefined }): void {
    const { clock, productionChanged } = this.node;
    try {
      if (rate !== undefined) clock.setRate(rate);
    } catch (error) {
      if (error instanceof RangeError) throw new OperationError(error.message);
      throw error;
    }
    if (timeMs !== undefined) this.setTime(timeMs);
    productionChanged();
  }

  /**
   * Sets a fixed time between two blocks; undefined: by the clock again.
   *
   * @throws ParametersError for more than a day
   */
  setTimestampStep(stepMs: bigint | undefined): void {
    if (stepMs !== undefined) requireInterval(stepMs);
    this.#set({ timestampStepMs: stepMs });
  }

  /** Sets the witness of the next block. @throws OperationError for an account that is not a witness */
  setNextWitness(address: Address): void {
    this.#requireWitness(address);
    this.#set({ nextWitness: address });
  }

  /** Sets the witness of all further blocks; undefined: the schedule. @throws OperationError as above */
  setCoinbase(address: Address | undefined): void {
    if (address !== undefined) this.#requireWitness(address);
    this.#set({ coinbase: address });
  }

  #requireWitness(address: Address): void {
    if (this.node.chain.ledger.state.tables.witnesses.has(address)) return;
    throw new OperationError(
      `${toBase58(address)} is not a witness, and only a witness can make a block. See /wallet/listwitnesses`,
    );
  }

  /** Refuses the next `count` broadcasts; 0: none. */
  refuseNextBroadcasts(refusal: ArrangedRefusal, count: number): void {
    this.arranged = count === 0 ? undefined : { refusal, left: count };
  }

  /** @throws ArrangedRefusal */
  refuseIfArranged(): void {
    const { arranged } = this;
    if (arranged === undefined) return;
    this.refuseNextBroadcasts(arranged.refusal, arranged.left - 1);
    throw arranged.refusal;
  }

  epoch(): Epoch {
    const { ledger } = this.node.chain;
    return {
      cycle: Number(ledger.long('CURRENT_CYCLE_NUMBER')),
      nextMaintenanceTimeMs: Number(ledger.long('NEXT_MAINTENANCE_TIME')),
    };
  }

  /** Whether log lines are written. */
  setLogging(on: boolean): void {
    this.node.loggingSet(on);
  }

  /**
   * If blocks come at once from now on, pending transactions get a block: otherwise none might follow.
   *
   * @param blockTimeMs interval mode: time between two blocks
   * @throws ParametersError for 0, or more than a day
   */
  setMining(mode: MiningMode, blockTimeMs?: bigint): MiningSettings {
    if (blockTimeMs !== undefined) requireInterval(blockTimeMs);
    const { producer } = this.node;
    producer.settings = withMode(producer.settings, mode);
    if (blockTimeMs !== undefined) this.#set({ blockTimeMs });
    this.#modeChanged();
    return producer.settings;
  }

  /** Stops automatic block production until `resumeMining`. */
  pauseMining(): void {
    this.node.producer.settings = paused(this.node.producer.settings);
    this.node.productionChanged();
  }

  resumeMining(): void {
    this.node.producer.settings = resumed(this.node.producer.settings);
    this.#modeChanged();
  }

  #modeChanged(): void {
    const { chain, producer, productionChanged } = this.node;
    if (producer.mode === 'instant' && chain.pool.size > 0) producer.mineNow();
    productionChanged();
  }

  #set(some: Partial<MiningSettings>): void {
    const { producer } = this.node;
    producer.settings = { ...producer.settings, ...some };
  }
}

function applyIfAccepted(ledger: Ledger, transaction: SignedTransaction): void {
  try {
    applyTransaction(ledger, new EmptyHeader(), transaction, 0);
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
  }
}

/** The longest time between blocks, as for `--block-time` and `--block-step`. */
const LONGEST_INTERVAL_MS = 86_400_000n;

/** @throws ParametersError */
function requireInterval(ms: bigint): void {
  if (ms > 0n && ms <= LONGEST_INTERVAL_MS) return;
  throw new ParametersError(`the interval must be from 1 to ${LONGEST_INTERVAL_MS} ms, got ${ms}`);
}

/** @throws ParametersError */
export function requireAfterHead({ headTimeMs }: Chain, timestampMs: bigint): void {
  requireMoment(timestampMs);
  if (timestampMs > headTimeMs) return;
  throw new ParametersError(
    `the time of the next block must be after the head, which is of ${headTimeMs} ms, got ${timestampMs} ms`,
  );
}
