/**
 * The frames of an execution as a tree, with the Energy that each one spent itself and what for.
 *
 * What a frame spends is counted where the machine charges it (`step`) and checked against what it has left: the parts
 * of all frames add up to `energy_usage_total` of the receipt, to the unit. Everything that is told of an execution
 * (Energy by contract today) is a view of this tree.
 */

import type { Address } from '../primitives/ids.js';
import { CALL_STIPEND, FACTOR_UNIT } from '../tvm/energy.js';
import type { TvmException } from '../tvm/errors.js';

import type { TracedFrame, Tracer } from '../tvm/trace.js';

/** How a frame was entered: by the transaction itself, or by which opcode of its parent. */
export type FrameKind =
  | 'transaction'
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CALLTOKEN'
  | 'CREATE'
  | 'CREATE2';

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

export interface FrameRecord {
  readonly kind: FrameKind;
  /** Whose storage it worked on, and whose factor applied. */
  readonly context: Address;
  readonly depth: number;
  /** `energy_factor` of the context: the penalty on a unit of base price, in 1/10,000. */
  readonly factor: number;
  readonly energyLimit: number;
  readonly energy: FrameEnergy;
  readonly reverted: boolean;
  readonly exception: TvmException | undefined;
  /** What RETURN or REVERT gave. */
  readonly output: Uint8Array;
  /** The last call with coin that was refused, because its sender had less: the frame went on with a failed call. */
  readonly lackedCoin: { readonly balanceSun: bigint; readonly valueSun: bigint } | undefined;
  readonly children: readonly FrameRecord[];
}

const CALL_TOKEN = 0xd0;
const CALLS: ReadonlyMap<number, FrameKind> = new Map([
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xfa, 'STATICCALL'],
  [CALL_TOKEN, 'CALLTOKEN'],
]);
const CREATIONS: ReadonlyMap<number, FrameKind> = new Map([
  [0xf0, 'CREATE'],
  [0xf5, 'CREATE2'],
]);
/** Those whose third operand is an amount. */
const WITH_VALUE: ReadonlySet<number> = new Set([0xf1, 0xf2, CALL_TOKEN]);

/** A frame while it runs. */
class Running {
  kind: FrameKind = 'transaction';
  base = 0;
  penalty = 0;
  precompiles = 0;
  /** Of the call that is being made; who gets it is known when the frame goes on. */
  pendingStipend = 0;
  keptStipends = 0;
  ownStipend = 0;
  opcode = 0;
  usedAtExit = 0;
  lackedCoin: FrameRecord['lackedCoin'];
  readonly children: Running[] = [];

  constructor(readonly frame: TracedFrame) {}

  /** The callee was no program: what was handed over is back, and what was given to it on top has stayed here. */
  settleStipend(): void {
    this.keptStipends += this.pendingStipend;
    this.pendingStipend = 0;
  }

  /** All that left the parent's budget for good. */
  get used(): number {
    const { exception, energyLimit, energyUsed } = this.frame;
    return exception === undefined ? energyUsed : energyLimit;
  }

  finished(total: number): FrameRecord {
    const { frame, base, penalty, precompiles } = this;
    let own = total - this.ownStipend;
    const children = this.children.map((child) => {
      own -= child.used - child.ownStipend;
      return child.finished(child.used);
    });
    const stipends = this.keptStipends + this.ownStipend;
    const rest = own + stipends - base - penalty - precompiles;
    const isCreation = this.kind in { CREATE: 1, CREATE2: 1 } || this.kind === 'transaction';
    const deposit = isCreation && !frame.failed ? total - this.usedAtExit : 0;
    return {
      kind: this.kind,
      context: frame.context,
      depth: frame.depth,
      factor: frame.factor - FACTOR_UNIT,
      energyLimit: frame.energyLimit,
      energy: { base, penalty, precompiles, deposit, forfeited: rest - deposit, stipends, total: own },
      reverted: frame.reverted,
      exception: frame.exception,
      output: frame.output,
      lackedCoin: this.lackedCoin,
      children,
    };
  }
}

/** Records the frames of one execution. Costs a call per step: for executions that somebody looks at. */
export class FrameRecorder implements Tracer {
  readonly #running = new Map<TracedFrame, Running>();
  #top: Running | undefined;

  enter(frame: TracedFrame): void {
    const record = new Running(frame);
    this.#running.set(frame, record);
    const parent = frame.parent && this.#running.get(frame.parent);
    if (parent === undefined) {
      this.#top = record;
      return;
    }
    record.kind = CALLS.get(parent.opcode) ?? CREATIONS.get(parent.opcode) ?? 'CALL';
    record.ownStipend = parent.pendingStipend;
    parent.pendingStipend = 0;
    parent.children.push(record);
  }

  step(frame: TracedFrame, opcode: number, cost: number, penalty: number): void {
    const record = this.#running.get(frame) as Running;
    record.settleStipend();
    const isCall = CALLS.has(opcode);
    record.opcode = opcode;
    record.penalty += penalty;
    record.base += cost - penalty - (isCall ? frame.forwardedEnergy : 0);
    if (!WITH_VALUE.has(opcode)) return;
    const valueSun = frame.peek(2);
    if (valueSun === 0n) return;
    record.pendingStipend = CALL_STIPEND;
    if (opcode === CALL_TOKEN) return;
    const balanceSun = frame.balanceSun;
    record.lackedCoin = balanceSun < valueSun ? { balanceSun, valueSun } : undefined;
  }

  precompile(
    frame: TracedFrame,
    _address: bigint,
    _input: Uint8Array,
    output: Uint8Array | undefined,
    energy: number,
  ): void {
    const record = this.#running.get(frame) as Running;
    if (output !== undefined) {
      record.precompiles += energy;
      return;
    }
    // A failure keeps what was handed over, and its stipend with it.
    record.precompiles += frame.forwardedEnergy;
    record.pendingStipend = 0;
  }

  exit(frame: TracedFrame): void {
    const record = this.#running.get(frame) as Running;
    record.settleStipend();
    record.usedAtExit = frame.energyUsed;
  }

  /**
   * The tree, once the execution is over.
   *
   * @param energyUsed of the whole execution: what the deposit of code and exceptions behind the last step cost is in it
   */
  tree(energyUsed: number): FrameRecord | undefined {
    return this.#top?.finished(energyUsed);
  }
}

/** Every frame, parents before children, in the order in which they began. */
export function* allFrames(top: FrameRecord): Iterable<FrameRecord> {
  const waiting = [top];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    yield frame;
    waiting.push(...frame.children.toReversed());
  }
}
