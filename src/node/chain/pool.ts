/**
 * The pool: accepted transactions that no block contains, in order of arrival
 * (protocol/pipeline.md#pending-pool-and-sessions), with their effects on the state above the head, which reads see.
 * Owns entering, staying and leaving. Blocks are made in `chain.ts`.
 */

import { JavaException } from '../../errors/java-exception.js';
import { contractValidateException, serverBusy } from '../../errors/refusals.js';
import { ethereumNonce } from '../../ledger/accounts/ethereum.js';
import { checkNextSlot } from '../../ledger/admission/checks.js';
import { beginBlock, type Candidate, type DroppedTransaction } from '../../ledger/apply-block.js';
import { type AppliedTransaction, applyTransaction, type PendingRun } from '../../ledger/apply-transaction.js';
import { EmptyHeader } from '../../ledger/blocks/block-place.js';
import type { Ledger } from '../../ledger/ledger.js';
import { hasRule } from '../../ledger/release-rules.js';
import type { TxId } from '../../primitives/ids.js';
import { ethereumHash } from '../../protocol/ethereum-transaction.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { MissingRow } from '../../state/missing-row.js';
import type { Mark } from '../../state/state.js';
import type { SolidityView } from '../views/solidity-view.js';
import { NonceQueue } from './nonce-queue.js';
import type { ChainObserver } from './observer.js';

const PENDING_LIFETIME_MS = 60_000n;

export interface PooledTransaction {
  readonly transaction: SignedTransaction;
  /** Chain time of acceptance. java-tron drops transactions older than 60 s at the next block without them. */
  readonly receivedMs: bigint;
}

interface Member {
  readonly pooled: PooledTransaction;
  /** The journal's mark before it. */
  readonly mark: Mark;
  /** Absent: it has not run. */
  readonly run?: PendingRun;
}

export interface PoolRules {
  /** `node.maxTransactionPendingSize`: with more transactions the pool refuses with SERVER_BUSY. */
  readonly capacity: number;
  /** The same for the work of its transactions, as `tvm/work.ts` counts it. */
  readonly fullWork: number;
  readonly ignoresShielded: boolean;
}

/** A transaction whose row cannot be fetched is dropped. */
const MAX_WITHDRAWN = 10_000;

export class Pool {
  /** Ethereum transactions whose nonce is not due. */
  readonly queued = new NonceQueue();
  #members = new Map<TxId, Member>();
  /** Work of all transactions that have run. */
  #work = 0;
  /** Reported transactions that wait for a row of a fork's network; they are not reported again. */
  readonly #withdrawn = new Set<TxId>();
  /** Whether a pending transaction has not run. */
  #hasUntried = false;

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
   * Accepts a transaction, with java-tron's checks in java-tron's order (protocol/pipeline.md#broadcast).
   *
   * @returns undefined for an ignored one
   * @throws JavaException the refusal; the state is unchanged
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
   * Queues a transaction for the next block without a trial run, so that it runs only once: the block reports its
   * errors and leaves it out. Reads do not see its effects before.
   */
  queue(transaction: SignedTransaction): void {
    this.#enqueue({ transaction: withoutRet(this.ledger, transaction), receivedMs: this.ledger.headTimeMs });
  }

  #enqueue(pooled: PooledTransaction): void {
    this.#begin();
    this.#hasUntried = true;
    this.#add({ pooled, mark: this.ledger.state.mark() });
  }

  /** Empties the pool, reverts its effects, and returns its transactions. */
  takeOut(): readonly PooledTransaction[] {
    this.ledger.state.revert(0);
    const members = this.members();
    this.#clear();
    return members;
  }

  /** Empties the pool for a block, which keeps the effects that it can. */
  handOver(): readonly (PooledTransaction & Candidate)[] {
    const members = Array.from(this.#members.values(), ({ pooled, mark, run }) => ({ ...pooled, mark, run }));
    this.#clear();
    return members;
  }

  /** After a block: remaining transactions that are valid and not too old are pending again; others are dropped. */
  putBack(members: readonly PooledTransaction[]): void {
    for (const member of members) {
      if (this.ledger.headTimeMs - member.receivedMs > PENDING_LIFETIME_MS) {
        this.#drop(member, 'pending-too-long');
      } else if (!this.ledger.state.tables.transactions.has(member.transaction.txId)) this.restore(member);
    }
  }

  /** Restores the pool of a snapshot, without the waiting times. */
  restore({ transaction, receivedMs }: PooledTransaction): void {
    const pooled = { transaction, receivedMs };
    // It may need the effects of one that has not run: the block decides.
    if (this.#hasUntried) {
      this.#enqueue(pooled);
      return;
    }
    try {
      this.#run(pooled);
    } catch (error) {
      // The producer waits for the row, not the pool.
      if (error instanceof MissingRow) this.#enqueue(pooled);
      else if (!(error instanceof JavaException)) throw error;
      else if (!this.#waits(transaction)) this.#drop(pooled, error);
    }
  }

  /** Without those before it, an Ethereum transaction waits for them again. */
  #waits({ owner, ethereum }: SignedTransaction): boolean {
    if (owner === undefined || ethereum === undefined || ethereum.nonce <= ethereumNonce(this.ledger, owner))
      return false;
    this.queued.add({ sender: owner, hash: ethereumHash(ethereum), ethereum });
    return true;
  }

  /** Drops what waits with a nonce that is used: blocks that have it are back. */
  dropUsed(): void {
    for (const [sender] of this.queued.entries()) this.queued.dropBelow(sender, ethereumNonce(this.ledger, sender));
  }

  /** Removes transactions; the others stay if they are valid without them. @returns the number of removed ones */
  remove(isRemoved: (transaction: SignedTransaction) => boolean): number {
    const removed = new Set(this.members().filter(({ transaction }) => isRemoved(transaction)));
    if (removed.size > 0) {
      const members = this.takeOut();
      for (const member of removed) this.#drop(member, 'on-request');
      this.putBack(members.filter((member) => !removed.has(member)));
    }
    return removed.size;
  }

  /** Removes one that will be added again. The others stay as after {@link remove}. */
  withdraw(txId: TxId): void {
    if (this.#withdrawn.size >= MAX_WITHDRAWN) this.#withdrawn.clear();
    this.#withdrawn.add(txId);
    this.putBack(this.takeOut().filter(({ transaction }) => transaction.txId !== txId));
  }

  /** Applies it above the head and the other pending transactions, and keeps it. */
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

  /** The first pending transaction begins a block. */
  #begin(): void {
    if (this.size === 0) beginBlock(this.ledger);
  }

  #clear(): void {
    this.#members = new Map();
    this.#hasUntried = false;
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

/** With the VM on, results in a client's transaction are removed (protocol/pipeline.md#broadcast row 6). */
function withoutRet(ledger: Ledger, transaction: SignedTransaction): SignedTransaction {
  return ledger.vmOn && transaction.ret.length > 0 ? transaction.withRet([]) : transaction;
}
