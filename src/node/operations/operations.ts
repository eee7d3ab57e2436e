/**
 * What may change a chain other than a transaction, but for making blocks (`mining.ts`), going
 * back to a snapshot (`node.ts`) and leaving for another branch (`branches.ts`). The library, the command's subcommands
 * and the rows of `devtools/` all come through here.
 *
 * What changes the state is one function each in `ledger/operations/`, which keeps every invariant, and becomes a step of
 * the chain's history. What changes how the chain goes on (time, mining, what is pending) is the node's own and goes back
 * with a snapshot.
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

/** What the operations work on. */
export interface Operated {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly producer: Producer;
  /** To be called when blocks come at other times than before. */
  readonly paceChanged: () => void;
  /** Whether the chain is not a whole one at the moment. */
  readonly isAlone: () => boolean;
  readonly loggingSet: (on: boolean) => void;
}

/** The next broadcasts are refused. */
export interface ArrangedRefusals {
  readonly refusal: ArrangedRefusal;
  readonly left: number;
}

export interface Epoch {
  /** How many maintenances there were, with rewards by votes. */
  readonly cycle: number;
  readonly nextMaintenanceTimeMs: number;
}

export class Operations {
  arranged: ArrangedRefusals | undefined;

  constructor(private readonly node: Operated) {}

  /**
   * Changes the state, at once and without a block.
   *
   * @throws OperationError for what would break a rule; the chain is as before
   * @example node.operations.apply('setBalance', { address, balanceSun: 5_000_000n })
   */
  apply<Name extends OperationName>(name: Name, given: ArgumentsOf<Name>): ResultOf<Name> {
    if (this.node.isAlone())
      throw new BusyError('the chain is being reset or loaded. Changes are possible when this is done');
    return this.node.chain.operate({ name, arguments: given });
  }

  /** Whose transactions count without a signature. */
  impersonated(): { readonly accounts: readonly Address[]; readonly everybody: boolean } {
    const { ledger } = this.node.chain;
    return { accounts: impersonatedAccounts(ledger), everybody: impersonatesEverybody(ledger) };
  }

  /** Whether transactions of this account count without a signature. */
  impersonates(account: Address): boolean {
    return impersonates(this.node.chain.ledger, account);
  }

  /** Transactions of these accounts count without a signature. Those that did already are passed over. */
  impersonate(accounts: readonly Address[]): void {
    const known = this.node.chain.ledger.state.tables.impersonations;
    const added = accounts.filter((account) => !known.has(account));
    if (added.length > 0) this.apply('impersonate', { accounts: added });
  }

  stopImpersonating(account: Address): void {
    if (this.node.chain.ledger.state.tables.impersonations.has(account)) this.#stopImpersonating(account);
  }

  /** Lets in this one transaction without a signature. */
  acceptUnsigned(transaction: SignedTransaction): void {
    const { ledger } = this.node.chain;
    const accepted = { txId: transaction.txId };
    // On a fork what is asked for once more, when a row is there, is another transaction: so its rows come first.
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

  /** What was sent meanwhile stays pending. */
  #stopImpersonating(account: Address | typeof EVERYBODY): void {
    const { chain } = this.node;
    const pending = chain.pool
      .members()
      .filter(({ transaction }) => account === EVERYBODY || transaction.owner === account)
      .map(({ transaction }) => transaction.txId);
    this.apply('stopImpersonating', { account, pending });
  }

  /**
   * The next block has exactly this time, and the clock goes on from there.
   *
   * @throws ParametersError for a time that is not after the head
   */
  setNextBlockTimestamp(timestampMs: bigint): void {
    requireAfterHead(this.node.chain, timestampMs);
    this.#set({ nextTimestampMs: timestampMs });
  }

  /** Time passes without a block: the next one shows it. From the head on, where that is ahead of the clock. */
  increaseTime(byMs: bigint): void {
    const { chain, clock } = this.node;
    if (byMs < 0n) throw new ParametersError(`time cannot go back: milliseconds must be 0 or more, got ${byMs}`);
    const nowMs = clock.nowMs();
    const targetMs = (nowMs > chain.headTimeMs ? nowMs : chain.headTimeMs) + byMs;
    requireMoment(targetMs);
    clock.moveTo(targetMs);
    this.#set({ notBeforeMs: targetMs });
  }

  /** Sets the clock, also to an earlier time: blocks are later than their parents all the same. */
  setTime(timeMs: bigint): void {
    const { chain, clock } = this.node;
    requireMoment(timeMs);
    clock.setTo(timeMs);
    this.#set({ notBeforeMs: timeMs > chain.headTimeMs ? timeMs : undefined });
  }

  /**
   * Halts the clock, sets it, or makes it go faster.
   *
   * @param rate 0: it stands still, and blocks take it along
   * @throws OperationError on a chain whose time is virtual, which has no clock to follow
   */
  setClock({ timeMs, rate }: { readonly timeMs?: bigint | undefined; readonly rate?: number | undefined }): void {
    const { clock, paceChanged } = this.node;
    try {
      if (rate !== undefined) clock.setRate(rate);
    } catch (error) {
      if (error instanceof RangeError) throw new OperationError(error.message);
      throw error;
    }
    if (timeMs !== undefined) this.setTime(timeMs);
    paceChanged();
  }

  /**
   * Every block is exactly so much later than the one before it; undefined: by the clock again.
   *
   * @throws ParametersError for more than a day
   */
  setTimestampStep(stepMs: bigint | undefined): void {
    if (stepMs !== undefined) requireInterval(stepMs);
    this.#set({ timestampStepMs: stepMs });
  }

  /** Who makes the next block, whoever's turn it is. @throws OperationError for an account that is no witness */
  setNextWitness(address: Address): void {
    this.#requireWitness(address);
    this.#set({ nextWitness: address });
  }

  /** Who makes all blocks from here on; undefined: whose turn it is. @throws OperationError as above */
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

  /** The next `count` broadcasts are refused so, whatever they are; 0: none. */
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

  /** Whether lines tell of what happens. */
  setLogging(on: boolean): void {
    this.node.loggingSet(on);
  }

  /**
   * What is pending when blocks come at once from here on is in one of them: nothing else might ever follow it.
   *
   * @param blockTimeMs interval mode: how often a block is made
   * @throws ParametersError for no time, or more than a day
   */
  setMining(mode: MiningMode, blockTimeMs?: bigint): MiningSettings {
    if (blockTimeMs !== undefined) requireInterval(blockTimeMs);
    const { producer } = this.node;
    producer.settings = withMode(producer.settings, mode);
    if (blockTimeMs !== undefined) this.#set({ blockTimeMs });
    this.#modeChanged();
    return producer.settings;
  }

  /** No block is made by itself, until `resumeMining`. */
  pauseMining(): void {
    this.node.producer.settings = paused(this.node.producer.settings);
    this.node.paceChanged();
  }

  resumeMining(): void {
    this.node.producer.settings = resumed(this.node.producer.settings);
    this.#modeChanged();
  }

  #modeChanged(): void {
    const { chain, producer, paceChanged } = this.node;
    if (producer.mode === 'instant' && chain.pool.size > 0) producer.mineNow();
    paceChanged();
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

/** The longest time from a block to the next, as with `--block-time` and `--block-step`. */
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
