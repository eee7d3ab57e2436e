/**
 * The recorded form of an execution: its frames as a tree, with the Energy that each one spent itself and what for, and
 * what each one did, in order. Everything that is told of an execution is a view of this tree: Energy by contract, the
 * call tree of the log, the tracers of Ethereum's nodes, the place of a revert.
 */

import type { Address } from '../primitives/ids.js';
import { ContractResult, type TvmException } from '../tvm/errors.js';
import type { InternalTransaction } from '../tvm/internal-transactions.js';
import type { Log } from '../tvm/substate.js';

/** By which opcode of a frame another one is entered, an account called, a contract made. */
export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CALLTOKEN' | 'CREATE' | 'CREATE2';

/** How a frame was entered: by the transaction itself, or by which opcode of its parent. */
export type FrameKind = 'transaction' | CallKind;

/** Energy that a frame spent itself, without its children. `base + penalty + … − stipends` is `total`. */
export interface FrameEnergy {
  /** What its steps cost at the normal price. */
  readonly base: number;
  /** What the contract's dynamic energy factor added to that. */
  readonly penalty: number;
  /** Precompiled contracts that it called; a factor does not touch them. */
  readonly precompiles: number;
  /** 200 for each byte of code that a creation stored. */
  readonly deposit: number;
  /** What an exception took with it, unspent. */
  readonly forfeited: number;
  /** Energy that came from nobody's budget: 2,300 for each call with value, paid for by the 9,000 that such a call costs. */
  readonly stipends: number;
  readonly total: number;
}

/** What was handed over with a call or a creation. Nothing moved where it failed. */
export interface Value {
  readonly sun: bigint;
  /** TRC-10. */
  readonly token?: { readonly id: bigint; readonly amount: bigint };
}

/** A program that ran. */
export interface FrameRecord {
  readonly kind: FrameKind;
  /** Who called or created. For a DELEGATECALL, the contract whose code called. */
  readonly caller: Address;
  /** Whose storage it worked on, and whose factor applied. */
  readonly context: Address;
  /** Whose code ran; of a creation, the contract that comes into being. */
  readonly codeAddress: Address;
  readonly depth: number;
  readonly isStatic: boolean;
  /** A deployment, a CREATE or a CREATE2: the context comes into being. */
  readonly isCreation: boolean;
  readonly value: Value;
  /** What it was called with; of a creation, the init code. */
  readonly input: Uint8Array;
  /** `energy_factor` of the context: the penalty on a unit of base price, in 1/10,000. */
  readonly factor: number;
  readonly energyLimit: number;
  readonly energy: FrameEnergy;
  /** With its children: what its caller paid for it. */
  readonly energyUsed: number;
  readonly reverted: boolean;
  readonly exception: TvmException | undefined;
  /** What RETURN or REVERT gave. */
  readonly output: Uint8Array;
  /** The last call with coin that was refused, because its sender had less: the frame went on with a failed call. */
  readonly lackedCoin: { readonly balanceSun: bigint; readonly valueSun: bigint } | undefined;
  /** What it did, in order. Steps that have no effect outside of the frame are not among it. */
  readonly events: readonly FrameEvent[];
  readonly children: readonly FrameRecord[];
}

/** A call that ran no program: to an account without code, to a precompiled contract, or one that did not happen. */
export interface BareCall {
  readonly kind: CallKind;
  readonly caller: Address;
  /** Undefined for a creation that did not come so far as to have an address. */
  readonly to: Address | undefined;
  readonly value: Value;
  readonly input: Uint8Array;
  readonly succeeded: boolean;
  readonly precompile?: {
    /** As it stood on the stack: a small number. */
    readonly address: bigint;
    /** Its price, paid by the calling frame. Where the call failed, all that was handed over is gone. */
    readonly energy: number;
    readonly output: Uint8Array;
  };
}

export type FrameEvent =
  | { readonly type: 'frame'; readonly frame: FrameRecord }
  | { readonly type: 'call'; readonly call: BareCall }
  | { readonly type: 'log'; readonly log: Log }
  /** A self-destruct or a staking opcode, by the note of its internal transaction: `suicide`, `voteWitness`. */
  | { readonly type: 'operation'; readonly operation: InternalTransaction };

/** Every frame, parents before children, in the order in which they began. */
export function* allFrames(top: FrameRecord): Iterable<FrameRecord> {
  const waiting = [top];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    yield frame;
    // One by one: a call takes only so many arguments, and a frame may have more children.
    for (const child of frame.children.toReversed()) waiting.push(child);
  }
}

/** Reverted, or ended by an exception: nothing that it or its children did stands. */
export function failed(frame: FrameRecord): boolean {
  return frame.reverted || frame.exception !== undefined;
}

/**
 * Whether the receipt has the logs of the top frame, and of frames below it of which neither they nor their callers
 * failed. It also has them where a Java error ended the transaction
 * (protocol/contract-runs.md#errors-that-end-all-frames).
 * Of one that is out of time it has none: the node that makes the block does not run it a second time.
 */
export function keepsLogs(top: FrameRecord): boolean {
  const { exception } = top;
  if (exception?.contractResult === ContractResult.OUT_OF_TIME) return false;
  return !failed(top) || exception?.endsTransaction === true;
}
