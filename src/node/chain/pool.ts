/**
 * Transactions that were accepted and are in no block yet, in the order they came
 * (protocol/pipeline.md#pending-pool-and-sessions), and what they do to the state above the head, so that reads see
 * their effects.
 *
 * Owns what enters, stays and leaves. Does not own when a block takes them (`chain.ts`).
 */

import { JavaException } from '../../errors/java-exception.js';
import { contractValidateException, serverBusy } from '../../errors/refusals.js';
import { checkNextSlot } from '../../ledger/admission/checks.js';
import { beginBlock, type Candidate, type DroppedTransaction } from '../../ledger/apply-block.js';
import { type AppliedTransaction, applyTransaction, type PendingRun } from '../../ledger/apply-transaction.js';
import { EmptyHeader } from '../../ledger/blocks/block-place.js';
import type { Ledger } from '../../ledger/ledger.js';
import { hasRule } from '../../ledger/release-rules.js';
import type { TxId } from '../../primitives/ids.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { MissingRow } from '../../state/missing-row.js';
import type { Mark } from '../../state/state.js';
import type { SolidityView } from '../views/solidity-view.js';
import type { ChainObserver } from './observer.js';

const PENDING_LIFETIME_MS = 60_000n;

export interface PooledTransaction {
  readonly transaction: SignedTransaction;
  /** Chain time at which it was accepted. java-tron drops what is older than 60 s at the next block it did not get into. */
  readonly receivedMs: bigint;
}

interface Member {
  readonly pooled: PooledTransaction;
  /** Where the journal stood before it. */
  readonly mark: Mark;
  /** Absent: it has not run. */
  readonly run?: PendingRun;
}

export interface PoolRules {
  /** `node.maxTransactionPendingSize`: with more than this many it refuses with SERVER_BUSY. */
  readonly capacity: number;
  /** So does it with more than this to run, as `tvm/work.ts` counts. */
  readonly fullWork: number;
  readonly ignoresShielded: boolean;
}

/** Those whose row is not to be had never come. */
const MOST_WITHDRAWN = 10_000;

export class Pool {
  #members = new Map<TxId, Member>();
  /** Of all members, as far as they have run. */
  #work = 0;
  /** Of whom everybody was told. They wait for a row of a fork's network, and are no news when they come again. */
  readonly #withdrawn = new Set<TxId>();

  constructor(
    private readonly ledger: Ledger,
    private readonly rules: PoolRules,
    private readonly solidity: SolidityView,
    private readonly observer: ChainObserver,
  ) {}

  get size(): number {
    return this.#members.size;
  }

  get(txId: TxId): PooledTransaction | undefined {
    return this.#members.get(txId)?.pooled;
  }

  members(): readonly PooledTransaction[] {
    return Array.from(this.#members.values(), ({ pooled }) => pooled);
  }

  /**
   * Takes a transaction in, with java-tron's checks in java-tron's order (protocol/pipeline.md#broadcast).
   *
   * @returns undefined for one that is ignored
   * @throws JavaException the refusal; the state is as before
   */
  accept(transaction: SignedTransaction): AppliedTransaction | undefined {
    if (this.size > this.rules.capacity || this.#work > this.rules.fullWork) throw serverBusy();
    if (transaction.raw.contract.length === 0) throw contractValidateException('No contract!');
    checkNextSlot(this.ledger, transaction);
    if (this.#ignores(transaction)) return undefined;
    try {
      const receivedMs = this.ledger.headTimeMs;
      const { applied } = this.#run({ transaction: withoutRet(this.ledger, transaction), receivedMs });
      this.solidity.transactionProcessed();
      if (!this.#withdrawn.delete(transaction.txId)) this.observer.transactionPending?.(applied);
      return applied;
    } catch (error) {
      if (error instanceof JavaException && error.code !== 'VALIDATE_SIGNATURE') {
        this.solidity.transactionProcessed();
      }
      throw error;
    }
  }

  /**
   * Puts a transaction into the next block's line without a trial run, so that it runs once and not twice: what is wrong
   * with it shows when the block is made, which then leaves it out and says why. Reads see nothing of it before.
   */
  queue(transaction: SignedTransaction): void {
    this.#enqueue({ transaction: withoutRet(this.ledger, transaction), receivedMs: this.ledger.headTimeMs });
  }

  #enqueue(pooled: PooledTransaction): void {
    this.#begin();
    this.#add({ pooled, mark: this.ledger.state.mark() });
  }

  /** Empties the pool, takes what it did out of the state, and hands out what was in it. */
  takeOut(): readonly PooledTransaction[] {
    this.ledger.state.revert(0);
    const members = this.members();
    this.#clear();
    return members;
  }

  /** Empties the pool for a block, which keeps of what was done what it can. */
  handOver(): readonly (PooledTransaction & Candidate)[] {
    const members = Array.from(this.#members.values(), ({ pooled, mark, run }) => ({ ...pooled, mark, run }));
    this.#clear();
    return members;
  }

  /** After a block: what is in none, not too old and still valid is pending again; the rest is dropped. */
  putBack(members: readonly PooledTransaction[]): void {
    for (const member of members) {
      if (this.ledger.headTimeMs - member.receivedMs > PENDING_LIFETIME_MS) {
        this.#drop(member, 'pending-too-long');
      } else if (!this.ledger.state.tables.transactions.has(member.transaction.txId)) this.restore(member);
    }
  }

  /** As it was when a snapshot was taken: how long it has waited does not count. */
  restore({ transaction, receivedMs }: PooledTransaction): void {
    const pooled = { transaction, receivedMs };
    try {
      this.#run(pooled);
    } catch (error) {
      // Who makes the next block waits for the row. Nobody does here.
      if (error instanceof MissingRow) this.#enqueue(pooled);
      else if (error instanceof JavaException) this.#drop(pooled, error);
      else throw error;
    }
  }

  /** Takes transactions out; the others stay as far as they are valid without them. @returns how many were taken out */
  remove(isRemoved: (transaction: SignedTransaction) => boolean): number {
    const removed = new Set(this.members().filter(({ transaction }) => isRemoved(transaction)));
    if (removed.size > 0) {
      const members = this.takeOut();
      for (const member of removed) this.#drop(member, 'on-request');
      this.putBack(members.filter((member) => !removed.has(member)));
    }
    return removed.size;
  }

  /** Takes one out that will come again. The others stay as {@link remove} leaves them. */
  withdraw(txId: TxId): void {
    if (this.#withdrawn.size >= MOST_WITHDRAWN) this.#withdrawn.clear();
    this.#withdrawn.add(txId);
    this.putBack(this.takeOut().filter(({ transaction }) => transaction.txId !== txId));
  }

  /** Applies it above the head and what else is pending, and keeps it. */
  #ignores({ contractType }: SignedTransaction): boolean {
    if (!this.rules.ignoresShielded || contractType !== ContractType.ShieldedTransferContract) return false;
    return !hasRule(this.ledger, 'shieldedTransfersRefused');
  }

  #run(pooled: PooledTransaction): PendingRun {
    const { state } = this.ledger;
    const before = state.mark();
    this.#begin();
    const mark = state.mark();
    const header = new EmptyHeader();
    try {
      const run = { header, applied: applyTransaction(this.ledger, header, pooled.transaction, this.size) };
      this.#add({ pooled, mark, run });
      return run;
    } catch (error) {
      state.revert(before);
      throw error;
    }
  }

  /** What is pending is the beginning of a block. */
  #begin(): void {
    if (this.size === 0) beginBlock(this.ledger);
  }

  #clear(): void {
    this.#members = new Map();
    this.#work = 0;
  }

  #add(member: Member): void {
    this.#work += member.run?.applied.work ?? 0;
    this.#members.set(member.pooled.transaction.txId, member);
  }

  #drop({ transaction }: PooledTransaction, reason: DroppedTransaction['reason']): void {
    this.observer.transactionsDropped?.([{ transaction, reason }]);
  }
}

/** With the VM on, results that a client sends along are thrown away (protocol/pipeline.md#broadcast row 6). */
function withoutRet(ledger: Ledger, transaction: SignedTransaction): SignedTransaction {
  return ledger.vmOn && transaction.ret.length > 0 ? transaction.withRet([]) : transaction;
}
