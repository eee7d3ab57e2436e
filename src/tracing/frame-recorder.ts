/**
 * The observer that makes the recorded form (`frames.ts`).
 *
 * What a frame spends is counted where the machine charges it (`step`) and checked against what it has left: the parts
 * of all frames add up to `energy_usage_total` of the receipt, to the unit.
 */

import type { Address } from '../primitives/ids.js';
import { CALL_STIPEND, FACTOR_UNIT } from '../tvm/energy-cost.js';
import type { InternalTransaction } from '../tvm/internal-transactions.js';
import type { Log } from '../tvm/substate.js';
import type { TracedFrame, Tracer } from '../tvm/trace.js';
import { addressOfWord } from '../tvm/words.js';
import type { BareCall, FrameEvent, FrameKind, FrameRecord, Value } from './frames.js';
import { memoryPart, type Operands, operandsOf } from './operands.js';

/** What precompiled contracts and refused calls were given and gave: of the rest only the beginning is kept. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const BEGINNING_BYTES = 256;

/** A call that is being made, until it is known what became of it. */
interface Pending {
  readonly operands: Operands;
  /** Where it became an internal transaction: it happened. */
  recorded?: InternalTransaction;
  precompile?: { readonly input: Uint8Array; readonly output: Uint8Array | undefined; readonly energy: number };
}

/** Is told where in the code Energy goes while frames are recorded; frames in the order of `allFrames`. */
export interface SpendingWatcher {
  enter(frame: TracedFrame, kind: FrameKind, codeAddress: Address): void;
  /** What the step at `frame.pc` spends itself: without what it hands over. */
  step(frame: TracedFrame, opcode: number, base: number, penalty: number): void;
  /** More for the last step of a frame: a precompiled contract; negative for Energy that came along for nothing. */
  further(frame: TracedFrame, energy: number): void;
  exit(frame: TracedFrame): void;
}

type RunningEvent =
  | Exclude<FrameEvent, { readonly type: 'frame' }>
  | { readonly type: 'frame'; readonly child: Running };

/** A frame while it runs. */
class Running {
  kind: FrameKind = 'transaction';
  codeAddress: Address;
  caller: Address;
  value: Value;
  base = 0;
  penalty = 0;
  precompiles = 0;
  /** Of the call that is being made; who gets it is known when the frame goes on. */
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

  /** All that left the parent's budget for good. */
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

/** Records the frames of one execution. Costs a call per step: for executions that somebody looks at. */
export class FrameRecorder implements Tracer {
  readonly #running = new Map<TracedFrame, Running>();
  #top: Running | undefined;
  #keptBytes = 0;

  constructor(private readonly watcher?: SpendingWatcher) {}

  enter(frame: TracedFrame): void {
    const record = new Running(frame);
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
    if (record.pending !== undefined) record.pending.precompile = { input, output, energy };
    // A failure keeps what was handed over, and its stipend with it.
    const taken = output === undefined ? frame.forwardedEnergy : energy;
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
   * The tree, once the execution is over; undefined where no program ran.
   *
   * @param energyUsed of the whole execution: what the deposit of code and exceptions behind the last step cost is in it
   * @param isDeployment whether the transaction runs init code
   */
  tree(energyUsed: number, isDeployment: boolean): FrameRecord | undefined {
    return this.#top?.finished(energyUsed, isDeployment);
  }

  /** The callee was no program: what was handed over is back, and what was given to it on top has stayed here. */
  #settleStipend(record: Running): void {
    if (record.pendingStipend === 0) return;
    record.keptStipends += record.pendingStipend;
    this.watcher?.further(record.frame, -record.pendingStipend);
    record.pendingStipend = 0;
  }

  #of(frame: TracedFrame): Running {
    return this.#running.get(frame) as Running;
  }

  /** A call whose frame goes on without a callee's having run. @param word what the call left on the stack */
  #settle(record: Running, word: bigint): void {
    const { operands, recorded, precompile } = record.pending as Pending;
    record.pending = undefined;
    const { kind, to, target, inputAt, inputLength } = operands;
    // Where another contract stood already, nothing was created, but was to be.
    const placeOfCreation = recorded === undefined ? undefined : (recorded.transferToAddress as Address);
    const whole = precompile?.input ?? recorded?.data;
    const room = Math.max(BEGINNING_BYTES, MAX_KEPT_BYTES - this.#keptBytes);
    const call: BareCall = {
      kind,
      caller: record.frame.context,
      to: to ?? placeOfCreation,
      value: recorded === undefined ? operands.value : movedBy(recorded),
      // Internal transactions keep theirs anyway.
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
