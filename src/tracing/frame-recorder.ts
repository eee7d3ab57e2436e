/**
 * The tracer that produces the recorded form (`frames.ts`).
 *
 * A frame's Energy is counted when the machine charges it (`step`), and compared with the rest of its budget: the sum
 * over all frames is exactly `energy_usage_total` of the receipt.
 */

import type { Address } from '../primitives/ids.js';
import { CALL_STIPEND, FACTOR_UNIT } from '../tvm/energy-cost.js';
import type { InternalTransaction } from '../tvm/internal-transactions.js';
import type { Log } from '../tvm/substate.js';
import type { TracedFrame, Tracer } from '../tvm/trace.js';
import { addressOfWord } from '../tvm/words.js';
import type { BareCall, FrameEvent, FrameKind, FrameRecord, Value } from './frames.js';
import { memoryPart, type Operands, operandsOf } from './operands.js';

/**
 * Limit of kept input and output of precompiled contracts and refused calls; only the start of further ones is kept.
 */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const BEGINNING_BYTES = 256;

/** A call in progress, until its result is known. */
interface Pending {
  readonly operands: Operands;
  /** Set if it became an internal transaction: the call happened. */
  recorded?: InternalTransaction;
  precompile?: { readonly input: Uint8Array; readonly output: Uint8Array | undefined; readonly energy: number };
}

/** Receives the places in the code that use Energy, while frames are recorded; frames in the order of `allFrames`. */
export interface EnergyObserver {
  enter(frame: TracedFrame, kind: FrameKind, codeAddress: Address): void;
  /** Energy of the step at `frame.pc`, without Energy forwarded to a callee. */
  step(frame: TracedFrame, opcode: number, base: number, penalty: number): void;
  /** Additional Energy of a frame's last step: of a precompiled contract; negative for a stipend. */
  further(frame: TracedFrame, energy: number): void;
  exit(frame: TracedFrame): void;
}

type RunningEvent =
  | Exclude<FrameEvent, { readonly type: 'frame' }>
  | { readonly type: 'frame'; readonly child: RunningFrame };

/** A running frame. */
class RunningFrame {
  kind: FrameKind = 'transaction';
  codeAddress: Address;
  caller: Address;
  value: Value;
  base = 0;
  penalty = 0;
  precompiles = 0;
  /** Stipend of the call in progress. When the frame continues, it is known which frame gets it. */
  pendingStipend = 0;
  pending: Pending | undefined;
  keptStipends = 0;
  ownStipend = 0;
  usedAtExit = 0;
  lackedCoin: FrameRecord['lackedCoin'];
  readonly events: RunningEvent[] = [];

  constructor(readonly frame: TracedFrame) {
    const { context, caller, callValue, tokenId, tokenValue } = frame;
    this.codeAddress = context;
    this.caller = addressOfWord(caller);
    this.value = { sun: callValue, ...(tokenId !== 0n && { token: { id: tokenId, amount: tokenValue } }) };
  }

  /** Energy that left the parent's budget for good. */
  get used(): number {
    const { exception, energyLimit, energyUsed } = this.frame;
    return exception === undefined ? energyUsed : energyLimit;
  }

  finished(total: number, isCreation: boolean): FrameRecord {
    const { frame, base, penalty, precompiles, kind, caller, codeAddress, value, lackedCoin } = this;
    const { context, depth, isStatic, energyLimit, reverted, exception, output } = frame;
    let own = total - this.ownStipend;
    const children: FrameRecord[] = [];
    const events = this.events.map((event): FrameEvent => {
      if (event.type !== 'frame') return event;
      const { child } = event;
      own -= child.used - child.ownStipend;
      const record = child.finished(child.used, child.kind === 'CREATE' || child.kind === 'CREATE2');
      children.push(record);
      return { type: 'frame', frame: record };
    });
    const stipends = this.keptStipends + this.ownStipend;
    const rest = own + stipends - base - penalty - precompiles;
    const deposit = isCreation && !frame.failed ? total - this.usedAtExit : 0;
    return {
      ...{ kind, caller, context, codeAddress, depth, isStatic, isCreation, value },
      input: isCreation ? frame.code : frame.input,
      factor: frame.factor - FACTOR_UNIT,
      energyLimit,
      energy: { base, penalty, precompiles, deposit, forfeited: rest - deposit, stipends, total: own },
      energyUsed: total,
      ...{ reverted, exception, output, lackedCoin, events, children },
    };
  }
}

/** Records the frames of one execution. Adds a function call per step, so it is only used on demand. */
export class FrameRecorder implements Tracer {
  readonly #running = new Map<TracedFrame, RunningFrame>();
  #top: RunningFrame | undefined;
  #keptBytes = 0;

  constructor(private readonly watcher?: EnergyObserver) {}

  enter(frame: TracedFrame): void {
    const record = new RunningFrame(frame);
    this.#running.set(frame, record);
    const parent = frame.parent && this.#running.get(frame.parent);
    if (parent === undefined) {
      this.#top = record;
      this.watcher?.enter(frame, record.kind, record.codeAddress);
      return;
    }
    const { pending } = parent;
    parent.pending = undefined;
    record.kind = pending?.operands.kind ?? 'CALL';
    record.codeAddress = pending?.operands.to ?? frame.context;
    record.caller = parent.frame.context;
    if (pending?.recorded !== undefined) record.value = movedBy(pending.recorded);
    record.ownStipend = parent.pendingStipend;
    parent.pendingStipend = 0;
    parent.events.push({ type: 'frame', child: record });
    if (this.watcher === undefined) return;
    if (record.ownStipend > 0) this.watcher.further(parent.frame, -record.ownStipend);
    this.watcher.enter(frame, record.kind, record.codeAddress);
  }

  step(frame: TracedFrame, opcode: number, cost: number, penalty: number): void {
    const record = this.#of(frame);
    this.#settleStipend(record);
    if (record.pending !== undefined) this.#settle(record, frame.peek(0));
    const operands = operandsOf(frame, opcode);
    const handedOver = operands?.target === undefined ? 0 : frame.forwardedEnergy;
    const base = cost - penalty - handedOver;
    record.penalty += penalty;
    record.base += base;
    this.watcher?.step(frame, opcode, base, penalty);
    if (operands === undefined) return;
    record.pending = { operands };
    if (operands.target === undefined) return;
    const { sun, token } = operands.value;
    if (sun === 0n && (token?.amount ?? 0n) === 0n) return;
    record.pendingStipend = CALL_STIPEND;
    if (token !== undefined) return;
    const { balanceSun } = frame;
    record.lackedCoin = balanceSun < sun ? { balanceSun, valueSun: sun } : undefined;
  }

  internal(frame: TracedFrame, transaction: InternalTransaction): void {
    const record = this.#of(frame);
    const { note } = transaction;
    if (note !== 'call' && note !== 'create') {
      record.events.push({ type: 'operation', operation: transaction });
      return;
    }
    if (record.pending !== undefined) record.pending.recorded = transaction;
  }

  log(frame: TracedFrame, log: Log): void {
    this.#of(frame).events.push({ type: 'log', log });
  }

  precompile(
    frame: TracedFrame,
    _address: bigint,
    input: Uint8Array,
    output: Uint8Array | undefined,
    energy: number,
  ): void {
    const record = this.#of(frame);
    // A failed call keeps its forwarded Energy, including the stipend.
    const taken = output === undefined ? frame.forwardedEnergy : energy;
    if (record.pending !== undefined) record.pending.precompile = { input, output, energy: taken };
    if (output === undefined) record.pendingStipend = 0;
    record.precompiles += taken;
    this.watcher?.further(frame, taken);
  }

  exit(frame: TracedFrame): void {
    const record = this.#of(frame);
    this.#settleStipend(record);
    if (record.pending !== undefined) this.#settle(record, frame.exception === undefined ? frame.peek(0) : 0n);
    record.usedAtExit = frame.energyUsed;
    this.watcher?.exit(frame);
  }

  /**
   * The tree after the execution; undefined if no program ran.
   *
   * @param energyUsed of the whole execution, including the code deposit and exceptions after the last step
   * @param isDeployment whether the transaction runs init code
   */
  tree(energyUsed: number, isDeployment: boolean): FrameRecord | undefined {
    return this.#top?.finished(energyUsed, isDeployment);
  }

  /** The callee was not a program: forwarded Energy returned, and the stipend stayed in this frame. */
  #settleStipend(record: RunningFrame): void {
    if (record.pendingStipend === 0) return;
    record.keptStipends += record.pendingStipend;
    this.watcher?.further(record.frame, -record.pendingStipend);
    record.pendingStipend = 0;
  }

  #of(frame: TracedFrame): RunningFrame {
    return this.#running.get(frame) as RunningFrame;
  }

  /**
   * Ends a call whose callee did not run.
   *
   * @param word the call's result on the stack
   */
  #settle(record: RunningFrame, word: bigint): void {
    const { operands, recorded, precompile } = record.pending as Pending;
    record.pending = undefined;
    const { kind, to, target, inputAt, inputLength } = operands;
    // If a contract already existed at the address, the creation failed, but its address is known.
    const placeOfCreation = recorded === undefined ? undefined : (recorded.transferToAddress as Address);
    const whole = precompile?.input ?? recorded?.data;
    const room = Math.max(BEGINNING_BYTES, MAX_KEPT_BYTES - this.#keptBytes);
    const call: BareCall = {
      kind,
      caller: record.frame.context,
      to: to ?? placeOfCreation,
      value: recorded === undefined ? operands.value : movedBy(recorded),
      // Internal transactions keep their input anyway.
      input: recorded?.data ?? this.#kept(whole ?? memoryPart(record.frame, inputAt, inputLength, room)),
      succeeded: word !== 0n,
      ...(precompile && {
        precompile: {
          address: target ?? 0n,
          energy: precompile.energy,
          output: this.#kept(precompile.output ?? NOTHING),
        },
      }),
    };
    record.events.push({ type: 'call', call });
  }

  #kept(bytes: Uint8Array): Uint8Array {
    if (bytes.length <= BEGINNING_BYTES || this.#keptBytes + bytes.length <= MAX_KEPT_BYTES) {
      this.#keptBytes += bytes.length;
      return bytes;
    }
    return bytes.slice(0, BEGINNING_BYTES);
  }
}

const NOTHING = new Uint8Array(0);

function movedBy({ callValueSun, tokens }: InternalTransaction): Value {
  const [token] = tokens;
  return { sun: callValueSun, ...(token !== undefined && { token: { id: BigInt(token[0]), amount: token[1] } }) };
}
