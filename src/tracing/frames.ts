/**
 * The recorded form of an execution: a tree of frames, each with its own Energy by kind, and its events in order. All
 * reports about an execution are views of this tree: Energy by contract, the call tree of the log, tracers of Ethereum
 * nodes, the place of a revert.
 */

import type { Address } from '../primitives/ids.js';
import { ContractResult, type TvmException } from '../tvm/errors.js';
import type { InternalTransaction } from '../tvm/internal-transactions.js';
import type { Log } from '../tvm/substate.js';

/** Opcodes that enter a frame, call an account, or create a contract. */
export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CALLTOKEN' | 'CREATE' | 'CREATE2';

/** How a frame was entered: by the transaction, or by an opcode of its parent. */
export type FrameKind = 'transaction' | CallKind;

/** Energy of a frame itself, without its children. `base + penalty + … − stipends` is `total`. */
export interface FrameEnergy {
  /** Base price of its steps. */
  readonly base: number;
  /** Addition by the contract's dynamic energy factor. */
  readonly penalty: number;
  /** Precompiled contracts that it called; they have no factor. */
  readonly precompiles: number;
  /** 200 for each byte of code that a creation stored. */
  readonly deposit: number;
  /** Unused Energy that an exception consumed. */
  readonly forfeited: number;
  /** Energy that no budget contained: 2,300 for each call with value, paid by the 9,000 of such a call. */
  readonly stipends: number;
  readonly total: number;
}

/** Value of a call or creation. It moved only if the call succeeded. */
export interface Value {
  readonly sun: bigint;
  /** TRC-10. */
  readonly token?: { readonly id: bigint; readonly amount: bigint };
}

/** A frame: a program that ran. */
export interface FrameRecord {
  readonly kind: FrameKind;
  /** The caller or creator. For a DELEGATECALL, the contract whose code called. */
  readonly caller: Address;
  /** The contract whose storage and factor apply. */
  readonly context: Address;
  /** The contract whose code ran; for a creation, the new contract. */
  readonly codeAddress: Address;
  readonly depth: number;
  readonly isStatic: boolean;
  /** A deployment, CREATE or CREATE2: the context is a new contract. */
  readonly isCreation: boolean;
  readonly value: Value;
  /** Call data; for a creation, the init code. */
  readonly input: Uint8Array;
  /** `energy_factor` of the context: the penalty on the base price, in 1/10,000. */
  readonly factor: number;
  readonly energyLimit: number;
  readonly energy: FrameEnergy;
  /** Including its children: the price for its caller. */
  readonly energyUsed: number;
  readonly reverted: boolean;
  readonly exception: TvmException | undefined;
  /** Data of RETURN or REVERT. */
  readonly output: Uint8Array;
  /**
   * The last call with value that was refused because the sender's balance was too low: the frame continued with a
   * failed call.
   */
  readonly lackedCoin: { readonly balanceSun: bigint; readonly valueSun: bigint } | undefined;
  /** Its events, in order. Steps without an effect outside of the frame are omitted. */
  readonly events: readonly FrameEvent[];
  readonly children: readonly FrameRecord[];
}

/** A call that ran no program: to an account without code, to a precompiled contract, or a refused call. */
export interface BareCall {
  readonly kind: CallKind;
  readonly caller: Address;
  /** Undefined for a creation that failed before it had an address. */
  readonly to: Address | undefined;
  readonly value: Value;
  readonly input: Uint8Array;
  readonly succeeded: boolean;
  readonly precompile?: {
    /** The word on the stack: a small number. */
    readonly address: bigint;
    /** What it took of the calling frame: its price, or all that was forwarded if it failed. */
    readonly energy: number;
    readonly output: Uint8Array;
  };
}

export type FrameEvent =
  | { readonly type: 'frame'; readonly frame: FrameRecord }
  | { readonly type: 'call'; readonly call: BareCall }
  | { readonly type: 'log'; readonly log: Log }
  /** A self-destruct or a staking opcode, with the note of its internal transaction: `suicide`, `voteWitness`. */
  | { readonly type: 'operation'; readonly operation: InternalTransaction };

/** All frames, parents before children, in execution order. */
export function* allFrames(top: FrameRecord): Iterable<FrameRecord> {
  const waiting = [top];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    yield frame;
    // One by one: a function call has limited arguments, and a frame may have more children.
    for (const child of frame.children.toReversed()) waiting.push(child);
  }
}

/** Reverted, or ended by an exception: no effect of it or its children remains. */
export function failed(frame: FrameRecord): boolean {
  return frame.reverted || frame.exception !== undefined;
}

/**
 * Whether the receipt has the logs of the top frame, and of frames below it if neither they nor their callers failed.
 * It also has them if a Java error ended the transaction (protocol/contract-runs.md#errors-that-end-all-frames). A
 * transaction that is out of time has none: the node that makes the block does not run it a second time.
 */
export function keepsLogs(top: FrameRecord): boolean {
  const { exception } = top;
  if (exception?.contractResult === ContractResult.OUT_OF_TIME) return false;
  return !failed(top) || exception?.endsTransaction === true;
}
