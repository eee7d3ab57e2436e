/**
 * One execution: what is the same for all of its frames, and what they add up to together.
 *
 * Owns the work that has been done against the limit. Knows nothing of frames: who runs them is `machine.ts`.
 */

import type { Address, TxId } from '../primitives/ids.js';
import { outOfTime } from './errors.js';
import type { TvmFlags } from './flags.js';
import type { BlockEnvironment, Host } from './host.js';
import { Substate } from './substate.js';
import type { Tracer } from './trace.js';
import { CODE_BYTE, NEW_ROW, WorkBudget } from './work.js';

/** What an execution is given. */
export interface ExecutionContext {
  readonly flags: TvmFlags;
  readonly block: BlockEnvironment;
  /** Root of the addresses of CREATE and of the hashes of internal transactions. */
  readonly txid: TxId;
  /** What the execution may do before it ends OUT_OF_TIME; absent: whatever Energy pays for. */
  readonly work?: WorkBudget | undefined;
  readonly tracer?: Tracer | undefined;
  /** A call without a transaction: when its top frame reverts, what it recorded is not rejected. */
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
  /** Rows that have been asked for, where somebody counts. */
  readonly #rows: Set<string> | undefined;

  constructor(
    readonly host: Host,
    context: ExecutionContext,
    /** Who signed the root transaction. */
    readonly origin: Address,
  ) {
    this.flags = context.flags;
    this.block = context.block;
    this.txid = context.txid;
    this.tracer = context.tracer;
    this.isConstant = context.isConstant ?? false;
    this.substate = new Substate(host);
    this.work = context.work ?? new WorkBudget(Number.POSITIVE_INFINITY);
    this.#rows = context.work && new Set();
  }

  /** Counts work that an operation does beyond what its row says. @throws OUT_OF_TIME */
  spend(work: number, operation: string): void {
    this.work.left -= work;
    if (this.work.left < 0) throw outOfTime(operation);
  }

  /** Counts the reading of an account, once. */
  spendAccount(address: Address, operation: string): void {
    if (this.#rows !== undefined) this.#spendRow(address, 0, operation);
  }

  /** Counts the reading of a program and of what is derived from it, once. */
  spendCode(address: Address, code: Uint8Array, operation: string): void {
    if (this.#rows !== undefined) this.#spendRow(`code of ${address}`, code.length * CODE_BYTE, operation);
  }

  #spendRow(row: string, more: number, operation: string): void {
    if (this.#rows?.has(row)) return;
    this.#rows?.add(row);
    this.spend(NEW_ROW + more, operation);
  }
}
