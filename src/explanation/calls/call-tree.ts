/**
 * The call tree of a transaction as plain data: all calls, with names, arguments and results decoded by known ABIs, and
 * the Energy of each call. `prose/call-tree.ts` turns it into text.
 */

import type { Sun } from '../../primitives/ids.js';
import type { ExecutedCode } from '../model/created-contracts.js';
import type { ContractRef, FailureReason, MethodRef, Outcome, SourceSite } from '../model/explanation.js';
import type { NamedValue } from '../model/named-value.js';
import type { CallSource, SourceFileText } from '../sources/call-sources.js';
import type { SourceLines } from '../sources/source-lines.js';
import type { SpeedscopeFile } from '../sources/speedscope.js';
import type { TransactionHead } from '../summary/summary.js';
import type { Changes } from './account-changes.js';

/** A transaction and its effects. */
export interface CallTree extends TransactionHead {
  readonly block: number;
  readonly outcome: Omit<Outcome, 'reason'>;
  /** Absent if no code ran, for example for a transfer of TRX or a stake. */
  readonly call?: TracedCall;
  /** Energy by source line, on request. */
  readonly lines?: SourceLines;
  /** The sources of the calls' `source`, on request. */
  readonly files?: readonly SourceFileText[];
  /** What changed on accounts, on request. */
  readonly changes?: Changes;
  /** For a failure, with `lines`: the stack trace, innermost first. */
  readonly stack?: readonly SourceSite[];
  /** A speedscope file for charts, on request. */
  readonly profile?: SpeedscopeFile;
  /** The executed codes, on request. */
  readonly codes?: readonly ExecutedCode[];
}

/** TRX and tokens that a call transfers. */
export interface TracedValue {
  readonly valueSun: Sun;
  /** TRC-10. */
  readonly token?: { readonly id: string; readonly amount: bigint };
}

/** A call that runs code, with its effects in order. */
export interface TracedCall extends TracedValue {
  /** `transaction`, or the opcode of the call: `CALL`, `DELEGATECALL`, `CREATE2`, … */
  readonly kind: string;
  readonly from: string;
  /** The contract whose code ran; for a creation, the new contract. */
  readonly contract: ContractRef;
  /** The contract whose storage the code used, if it differs. */
  readonly storage?: ContractRef;
  /** Absent for creations. */
  readonly method?: MethodRef;
  /**
   * For a creation, those of the constructor. Absent if the ABI does not describe them; then `data` has those of a
   * call.
   */
  readonly arguments?: readonly NamedValue[];
  /** Hex; long data is cut. */
  readonly data?: string;
  readonly energy: TracedEnergy;
  readonly result: CallResult;
  readonly events: readonly TraceEvent[];
  /** The number of further events that are not shown. */
  readonly omitted?: number;
  /** With `sources`: its number among all calls of the transaction, in execution order. */
  readonly frame?: number;
  /** With `sources`: the functions that ran, with the Energy of their lines. Absent if its source is unknown. */
  readonly source?: CallSource;
}

export interface TracedEnergy {
  /** Including its subcalls. */
  readonly total: bigint;
  /** Without its subcalls, including the penalty. */
  readonly own: bigint;
  /** The part of `own` that the contract's dynamic Energy factor added. */
  readonly penalty: bigint;
}

export type CallResult =
  | { readonly kind: 'returned'; readonly values?: readonly NamedValue[]; readonly data?: string }
  | { readonly kind: 'created'; readonly codeBytes: number }
  /** `passedOn`: the revert data is that of its last subcall, which failed. */
  | { readonly kind: 'reverted'; readonly reason: FailureReason; readonly passedOn: boolean }
  /** Ended by an exception of the machine, in java-tron's words. */
  | { readonly kind: 'failed'; readonly exception: string };

export type TraceEvent =
  | { readonly type: 'call'; readonly call: TracedCall }
  /** A call to an account without code, or one that was not executed. */
  | ({
      readonly type: 'transfer';
      readonly kind: string;
      readonly to?: ContractRef;
      readonly data: string;
      readonly succeeded: boolean;
    } & TracedValue)
  | {
      readonly type: 'precompile';
      /** `0x2` */
      readonly address: string;
      readonly name: string;
      readonly energy: bigint;
      readonly data: string;
      readonly output: string;
      readonly succeeded: boolean;
    }
  | {
      readonly type: 'log';
      readonly contract: ContractRef;
      /** The name of the event; absent if no ABI has it. */
      readonly event?: string;
      readonly arguments?: readonly NamedValue[];
      readonly topics: readonly string[];
      readonly data: string;
    }
  | { readonly type: 'console'; readonly line: string }
  /** A self-destruct, or an opcode that stakes, votes or delegates, with the note of its internal transaction. */
  | {
      readonly type: 'operation';
      readonly note: string;
      readonly to?: ContractRef;
      readonly valueSun: Sun;
      readonly tokens: readonly { readonly id: string; readonly amount: bigint }[];
      readonly refused: boolean;
    };
