/**
 * The steps of an execution, told one by one as they come: nothing is kept but the last one, which may yet turn out to
 * fail. What a step is seen with (stack, memory, storage) is copied only where it is wanted.
 */

import type { Address } from '../primitives/ids.js';
import type { TvmException } from '../tvm/errors.js';
import type { TracedFrame, Tracer } from '../tvm/trace.js';

/** One step, seen when it had been paid for and had not acted yet. */
export interface StepRecord {
  readonly pc: number;
  readonly opcode: number;
  /** 0 for the frame of the transaction. */
  readonly depth: number;
  /** Before the step was paid for. */
  readonly energyLeft: number;
  /** Penalty and forwarded Energy included; 0 for one that could not be paid for. */
  readonly cost: number;
  readonly penalty: number;
  /** Bottom first. */
  readonly stack?: readonly bigint[];
  readonly memory?: Uint8Array;
  /** Slots of the context that the execution has read or written so far, with what they hold; grows with later steps. */
  readonly storage?: ReadonlyMap<bigint, bigint>;
  /** The slot that this step reads or writes, and what it holds afterwards. */
  readonly slot?: readonly [slot: bigint, value: bigint];
  readonly returnData?: Uint8Array;
  /** Of a step that failed. */
  readonly exception?: TvmException;
}

export interface StepParts {
  readonly stack: boolean;
  readonly memory: boolean;
  readonly storage: boolean;
  readonly returnData: boolean;
}

/** What Energy can pay for; beyond lies what some opcodes reach without paying. */
const MAX_MEMORY_BYTES = 3 * 1024 * 1024;

const NO_SLOTS: ReadonlyMap<bigint, bigint> = new Map();

const SLOAD = 0x54;
const SSTORE = 0x55;

export class StepRecorder implements Tracer {
  readonly #slots = new Map<Address, Map<bigint, bigint>>();
  #last: StepRecord | undefined;
  #told = 0;
  /** Of the last step: known to hold from the next one on. */
  #touched: { readonly context: Address; readonly slot: readonly [bigint, bigint] } | undefined;

  /**
   * @param tell may throw to end the execution: it is one of those that nothing stays of
   * @param limit how many steps are told of; 0: all
   */
  constructor(
    private readonly parts: StepParts,
    private readonly tell: (step: StepRecord) => void,
    private readonly limit = 0,
  ) {}

  step(frame: TracedFrame, opcode: number, cost: number, penalty: number): void {
    this.end();
    if (this.limit > 0 && this.#told >= this.limit) return;
    this.#last = this.#seen(frame, opcode, cost, penalty);
    if (!this.parts.storage || (opcode !== SLOAD && opcode !== SSTORE)) return;
    const slot = frame.peek(0);
    const value = opcode === SLOAD ? frame.storageWord(slot) : frame.peek(1);
    this.#touched = { context: frame.context, slot: [slot, value] };
    this.#last = { ...this.#last, slot: [slot, value] };
  }

  fault(frame: TracedFrame, exception: TvmException): void {
    const { isActing, code, pc } = frame;
    if (isActing) {
      this.#touched = undefined;
      if (this.#last !== undefined) this.#last = { ...this.#last, exception };
    } else if (pc < code.length && (this.limit === 0 || this.#told < this.limit)) {
      this.end();
      this.#last = { ...this.#seen(frame, code[pc] as number, 0, 0), exception };
    }
  }

  /** Tells of the last step: it is over, and so may be the execution. */
  end(): void {
    if (this.#last === undefined) return;
    const step = this.#last;
    this.#last = undefined;
    this.#told++;
    this.tell(step);
  }

  #seen(frame: TracedFrame, opcode: number, cost: number, penalty: number): StepRecord {
    const { parts } = this;
    this.#remember();
    const { pc, depth, energyLeft, memory, context, returnData } = frame;
    return {
      ...{ pc, opcode, depth, cost, penalty, energyLeft: energyLeft + cost },
      ...(parts.stack && { stack: frame.stackWords() }),
      ...(parts.memory && { memory: memory.read(0, Math.min(memory.size, MAX_MEMORY_BYTES)) }),
      ...(parts.storage && { storage: this.#slots.get(context) ?? NO_SLOTS }),
      ...(parts.returnData && { returnData }),
    };
  }

  /** A slot is seen from the step on that follows the one that touched it. */
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
