/**
 * The call tree of a transaction, as plain data: which contract called which, with names, arguments and results by the
 * ABIs that are known, and the Energy of each call. Every line about it is made from this (`prose/call-tree.ts`).
 */

import type { AbiValue } from '../../abi/values.js';
import type { Sun } from '../../primitives/ids.js';
import type { RanCode } from '../model/created-contracts.js';
import type { ContractRef, FailureReason, MethodRef, Outcome, SourceSite } from '../model/explanation.js';
import type { SourceLines } from '../sources/source-lines.js';
import type { SpeedscopeFile } from '../sources/speedscope.js';
import type { TransactionHead } from '../summary/summary.js';

export interface NamedValue {
  readonly name: string;
  readonly type: string;
  /** Of a tuple, or of the tuples in an array: what stands in each, in order. */
  readonly components?: readonly Component[];
  readonly value: AbiValue;
}

export interface Component {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly Component[];
}

/** A transaction and what it did. */
export interface CallTree extends TransactionHead {
  readonly block: number;
  readonly outcome: Omit<Outcome, 'reason'>;
  /** Absent where no program ran: for a transfer of coin, a stake. */
  readonly call?: TracedCall;
  /** Energy by line of the sources, where it was asked for. */
  readonly lines?: SourceLines;
  /** Of a failure, with the lines: where it arose and how execution came there, innermost first. */
  readonly stack?: readonly SourceSite[];
  /** For charts, where it was asked for: a file of speedscope. */
  readonly profile?: SpeedscopeFile;
  /** The codes that ran, where they were asked for. */
  readonly codes?: readonly RanCode[];
}

/** What was handed over with a call. */
export interface TracedValue {
  readonly valueSun: Sun;
  /** TRC-10. */
  readonly token?: { readonly id: string; readonly amount: bigint };
}

/** A program that ran, and what it did in order. */
export interface TracedCall extends TracedValue {
  /** `transaction`, or by which opcode it was entered: `CALL`, `DELEGATECALL`, `CREATE2`, … */
  readonly kind: string;
  readonly from: string;
  /** Whose code ran; of a creation, what was created. */
  readonly contract: ContractRef;
  /** Whose storage the code worked on, where that is another contract's. */
  readonly storage?: ContractRef;
  /** Absent for creations. */
  readonly method?: MethodRef;
  /** Of a creation, the constructor's. Absent where the ABI does not say what they are; then `data` has those of a call. */
  readonly arguments?: readonly NamedValue[];
  /** Hex, of long ones the beginning. */
  readonly data?: string;
  readonly energy: TracedEnergy;
  readonly result: CallResult;
  readonly events: readonly TraceEvent[];
  /** Events behind these, of which there were too many. */
  readonly omitted?: number;
}

export interface TracedEnergy {
  /** With that of the calls that it made. */
  readonly total: bigint;
  /** Its own, penalty included. */
  readonly own: bigint;
  /** What the contract's dynamic factor added to its own. */
  readonly penalty: bigint;
}

export type CallResult =
  | { readonly kind: 'returned'; readonly values?: readonly NamedValue[]; readonly data?: string }
  | { readonly kind: 'created'; readonly codeBytes: number }
  /** `passedOn`: the same data as the last call of it gave, which failed with them. */
  | { readonly kind: 'reverted'; readonly reason: FailureReason; readonly passedOn: boolean }
  /** Ended by the machine, in java-tron's words. */
  | { readonly kind: 'failed'; readonly exception: string };

export type TraceEvent =
  | { readonly type: 'call'; readonly call: TracedCall }
  /** To an account without code, or one that did not happen. */
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
      /** Of its event; absent where no ABI knows it. */
      readonly event?: string;
      readonly arguments?: readonly NamedValue[];
      readonly topics: readonly string[];
      readonly data: string;
    }
  | { readonly type: 'console'; readonly line: string }
  /** A self-destruct, or an opcode that stakes, votes or delegates, by the note of its internal transaction. */
  | {
      readonly type: 'operation';
      readonly note: string;
      readonly to?: ContractRef;
      readonly valueSun: Sun;
      readonly tokens: readonly { readonly id: string; readonly amount: bigint }[];
      readonly refused: boolean;
    };
