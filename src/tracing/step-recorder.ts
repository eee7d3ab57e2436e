/**
 * Reports the steps of an execution one by one. Only the last step is kept, because it may fail. Stack, memory and
 * storage are copied only on request.
 */

import type { Address } from '../primitives/ids.js';
import type { TvmException } from '../tvm/errors.js';
import type { TracedFrame, Tracer } from '../tvm/trace.js';

/** One step, after its payment and before its effect. */
export interface StepRecord<Note = unknown> {
  readonly pc: number;
  readonly opcode: number;
  /** 0 for the frame of the transaction. */
  readonly depth: number;
  /** Before the payment of the step. */
  readonly energyLeft: number;
  /** Including penalty and forwarded Energy; 0 if the Energy did not suffice. */
  readonly cost: number;
  readonly penalty: number;
  /** Bottom first. */
  readonly stack?: readonly bigint[];
  readonly memory?: Uint8Array;
  /** Slots of the context read or written so far, with their values; grows with later steps. */
  readonly storage?: ReadonlyMap<bigint, bigint>;
  /** The slot that this step reads or writes, and its value afterwards. */
  readonly slot?: readonly [slot: bigint, value: bigint];
  readonly returnData?: Uint8Array;
  /** Set if the step failed. */
  readonly exception?: TvmException;
  /** What the caller of the recorder notes about the frame at this step. */
  readonly note?: Note;
}

/** Which steps are reported. */
export interface StepRange {
  /** Steps before it are counted, but not reported. */
  readonly from?: number;
  /** Maximum number of reported steps; 0: all. */
  readonly limit?: number;
}

export interface StepParts {
  readonly stack: boolean;
  readonly memory: boolean;
  readonly storage: boolean;
  readonly returnData: boolean;
}

/** Memory that Energy can pay for. Some opcodes reach further without payment. */
const MAX_MEMORY_BYTES = 3 * 1024 * 1024;

const NO_SLOTS: ReadonlyMap<bigint, bigint> = new Map();

const SLOAD = 0x54;
const SSTORE = 0x55;

export class StepRecorder<Note = unknown> implements Tracer {
  readonly #slots = new Map<Address, Map<bigint, bigint>>();
  #last: StepRecord<Note> | undefined;
  #seen = 0;
  readonly #from: number;
  readonly #end: number;
  /** Slot touched by the last step. Its value is known from the next step on. */
  #touched: { readonly context: Address; readonly slot: readonly [bigint, bigint] } | undefined;

  /**
   * @param report may throw to end the execution, which must be one without lasting effects
   * @param noteOf called at each reported step
   */
  constructor(
    private readonly parts: StepParts,
    private readonly report: (step: StepRecord<Note>) => void,
    { from = 0, limit = 0 }: StepRange = {},
    private readonly noteOf?: (frame: TracedFrame) => Note,
  ) {
    this.#from = from;
    this.#end = limit === 0 ? Number.POSITIVE_INFINITY : from + limit;
  }

  /** The number of all steps so far. */
  get seen(): number {
    return this.#seen;
  }

  step(frame: TracedFrame, opcode: number, cost: number, penalty: number): void {
    this.end();
    const at = this.#seen++;
    if (at >= this.#end) return;
    if (this.parts.storage) this.#remember();
    if (at >= this.#from) this.#last = this.#record(frame, opcode, cost, penalty);
    if (!this.parts.storage || (opcode !== SLOAD && opcode !== SSTORE)) return;
    const slot = frame.peek(0);
    const value = opcode === SLOAD ? frame.storageWord(slot) : frame.peek(1);
    this.#touched = { context: frame.context, slot: [slot, value] };
    if (this.#last !== undefined) this.#last = { ...this.#last, slot: [slot, value] };
  }

  fault(frame: TracedFrame, exception: TvmException): void {
    const { isActing, code, pc } = frame;
    if (isActing) {
      this.#touched = undefined;
      if (this.#last !== undefined) this.#last = { ...this.#last, exception };
    } else if (pc < code.length) {
      this.end();
      const at = this.#seen++;
      if (at < this.#from || at >= this.#end) return;
      this.#remember();
      this.#last = { ...this.#record(frame, code[pc] as number, 0, 0), exception };
    }
  }

  /** Reports the last step, at the latest at the end of the execution. */
  end(): void {
    if (this.#last === undefined) return;
    const step = this.#last;
    this.#last = undefined;
    this.report(step);
  }

  #record(frame: TracedFrame, opcode: number, cost: number, penalty: number): StepRecord<Note> {
    const { parts, noteOf } = this;
    const { pc, depth, energyLeft, memory, context, returnData } = frame;
    return {
      ...{ pc, opcode, depth, cost, penalty, energyLeft: energyLeft + cost },
      ...(parts.stack && { stack: frame.stackWords() }),
      ...(parts.memory && { memory: memory.read(0, Math.min(memory.size, MAX_MEMORY_BYTES)) }),
      ...(parts.storage && { storage: this.#slots.get(context) ?? NO_SLOTS }),
      ...(parts.returnData && { returnData }),
      ...(noteOf !== undefined && { note: noteOf(frame) }),
    };
  }

  /** A slot is part of the storage from the step after the one that touched it. */
  #remember(): void {
    if (this.#touched === undefined) return;
    const { context, slot } = this.#touched;
    this.#touched = undefined;
    let slots = this.#slots.get(context);
    if (slots === undefined) {
      slots = new Map();
      this.#slots.set(context, slots);
    }
    slots.set(...slot);
  }
}
