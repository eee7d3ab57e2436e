/**
 * One execution: the data shared by all of its frames, and their sums.
 *
 * Owns the work done against the limit. Knows nothing of frames; `machine.ts` runs them.
 */

import type { Address, TxId } from '../primitives/ids.js';
import { outOfTime } from './errors.js';
import type { TvmFlags } from './flags.js';
import type { BlockEnvironment, Host } from './host.js';
import { Substate } from './substate.js';
import type { Tracer } from './trace.js';
import { CODE_BYTE, NEW_ROW, WorkBudget } from './work.js';

/** Input of an execution. */
export interface ExecutionContext {
  readonly flags: TvmFlags;
  readonly block: BlockEnvironment;
  /** Root of CREATE addresses and of the hashes of internal transactions. */
  readonly txid: TxId;
  /** Work limit, above which the execution ends with OUT_OF_TIME; absent: limited by Energy only. */
  readonly work?: WorkBudget | undefined;
  readonly tracer?: Tracer | undefined;
  /** A call without a transaction: if its top frame reverts, its internal transactions are not marked as rejected. */
  readonly isConstant?: boolean;
}

export class Execution {
  readonly flags: TvmFlags;
  readonly block: BlockEnvironment;
  readonly txid: TxId;
  readonly tracer: Tracer | undefined;
  readonly substate: Substate;
  readonly isConstant: boolean;
  readonly work: WorkBudget;
  /** Accounts and programs read so far, if work is counted. */
  readonly #rows: { readonly accounts: Set<Address>; readonly programs: Set<Address> } | undefined;

  constructor(
    readonly host: Host,
    context: ExecutionContext,
    /** The signer of the root transaction. */
    readonly origin: Address,
  ) {
    this.flags = context.flags;
    this.block = context.block;
    this.txid = context.txid;
    this.tracer = context.tracer;
    this.isConstant = context.isConstant ?? false;
    this.substate = new Substate(host);
    this.work = context.work ?? new WorkBudget(Number.POSITIVE_INFINITY);
    this.#rows = context.work && { accounts: new Set(), programs: new Set() };
  }

  /**
   * Counts work of an operation in addition to its step's weight.
   *
   * @throws OUT_OF_TIME
   */
  spend(work: number, operation: string): void {
    this.work.left -= work;
    if (this.work.left < 0) throw outOfTime(operation);
  }

  /** Counts the read of an account, once. */
  spendAccount(address: Address, operation: string): void {
    if (this.#rows !== undefined) this.#spendRow(this.#rows.accounts, address, 0, operation);
  }

  /** Counts the read and analysis of a program, once. */
  spendCode(address: Address, code: Uint8Array, operation: string): void {
    if (this.#rows !== undefined) this.#spendRow(this.#rows.programs, address, code.length * CODE_BYTE, operation);
  }

  #spendRow(read: Set<Address>, address: Address, more: number, operation: string): void {
    if (read.has(address)) return;
    read.add(address);
    this.spend(NEW_ROW + more, operation);
  }
}
