/**
 * One running program: its stack, memory, counter and Energy (java-tron Program and ProgramInvoke).
 *
 * A frame does not run itself; the machine steps it. When it calls, it waits until the machine hands the child's outcome
 * back through the child's `deliver`, so that nesting never nests JavaScript calls.
 */

import type { Address } from '../primitives/ids.js';
import { analysisOf, type CodeAnalysis } from './code-analysis.js';
import { FACTOR_UNIT } from './energy-cost.js';
import { staticModification, type TvmException } from './errors.js';
import type { Execution } from './execution.js';
import type { FrameOrigin, InternalTransaction, TokenAmount } from './internal-transactions.js';
import { Memory } from './memory.js';
import type { ContractStorage } from './storage.js';
import type { SubstateMark } from './substate.js';
import { wordOfAddress } from './words.js';

export const FrameStatus = { RUNNING: 0, WAITING: 1, ENDED: 2 } as const;

export const NO_BYTES = new Uint8Array(0);

/** Hands the outcome of an ended child to the frame that started it. */
export type Deliver = (parent: Frame, child: Frame) => void;

/** What a frame starts with. */
export interface FrameSetup {
  readonly execution: Execution;
  readonly parent: Frame | undefined;
  /** Internal transaction (or root transaction) that started it. */
  readonly origin: FrameOrigin;
  readonly deliver: Deliver | undefined;
  readonly code: Uint8Array;
  /** Whose storage and balance the program works on. */
  readonly context: Address;
  /** The word that CALLER pushes. */
  readonly caller: bigint;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly input: Uint8Array;
  readonly isStatic: boolean;
  readonly depth: number;
  /** Of the contract whose code runs; 1 only with the compatible-EVM switch. */
  readonly contractVersion: number;
  readonly energyLimit: number;
  /** Where host and substate stood before anything of this frame happened. */
  readonly hostMark: number;
  readonly mark: SubstateMark;
}

/** Shared by all chains: what a frame has left in one lies above the height of the next, which reads nothing there. */
const stackPool: bigint[][] = [];
const STACK_POOL_SIZE = 64;

export class Frame {
  readonly execution: Execution;
  readonly parent: Frame | undefined;
  readonly origin: FrameOrigin;
  readonly deliver: Deliver | undefined;
  readonly code: Uint8Array;
  readonly analysis: CodeAnalysis;
  readonly context: Address;
  readonly caller: bigint;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly input: Uint8Array;
  readonly isStatic: boolean;
  readonly depth: number;
  readonly contractVersion: number;
  readonly energyLimit: number;
  readonly hostMark: number;
  readonly mark: SubstateMark;
  readonly memory = new Memory();

  status: number = FrameStatus.RUNNING;
  pc = 0;
  isActing = false;
  energyLeft: number;
  /** Dynamic energy factor in units of 1/10,000; 10,000 is the normal price. */
  factor = FACTOR_UNIT;
  /** Base Energy of the frame's own steps: what counts for the contract's next factor. */
  baseEnergy = 0;
  /** Energy that factors above 1 have added: to its own steps, and in calls that have ended, failed ones included. */
  energyPenalty = 0;
  /** Energy that the current call hands to its callee, stipend not included. */
  forwardedEnergy = 0;
  /** The frame of a call or creation that the current step has made: it runs next, and this one goes on after it. */
  entered: Frame | undefined;
  /** Return data of the latest call, as RETURNDATACOPY reads it. */
  returnData: Uint8Array = NO_BYTES;
  /** What RETURN or REVERT gave. */
  output: Uint8Array = NO_BYTES;
  reverted = false;
  exception: TvmException | undefined;
  /** For the child of a call: where its output goes in the parent's memory. For a creation: nothing. */
  outputAt = 0;
  outputLength = 0;

  readonly #stack: bigint[] = stackPool.pop() ?? [];
  #height = 0;
  #contextWord: bigint | undefined;
  #storage: ContractStorage | undefined;

  constructor(setup: FrameSetup) {
    this.execution = setup.execution;
    this.parent = setup.parent;
    this.origin = setup.origin;
    this.deliver = setup.deliver;
    this.code = setup.code;
    this.analysis = analysisOf(setup.code);
    this.context = setup.context;
    this.caller = setup.caller;
    this.callValue = setup.callValue;
    this.tokenValue = setup.tokenValue;
    this.tokenId = setup.tokenId;
    this.input = setup.input;
    this.isStatic = setup.isStatic;
    this.depth = setup.depth;
    this.contractVersion = setup.contractVersion;
    this.energyLimit = setup.energyLimit;
    this.energyLeft = setup.energyLimit;
    this.hostMark = setup.hostMark;
    this.mark = setup.mark;
  }

  get stackHeight(): number {
    return this.#height;
  }

  pop(): bigint {
    return this.#stack[--this.#height] as bigint;
  }

  push(word: bigint): void {
    this.#stack[this.#height++] = word;
  }

  /** The word `depth` places below the top; 0 is the top. */
  peek(depth: number): bigint {
    return this.#stack[this.#height - 1 - depth] as bigint;
  }

  /** Replaces the word `depth` places below the top. */
  poke(depth: number, word: bigint): void {
    this.#stack[this.#height - 1 - depth] = word;
  }

  drop(count: number): void {
    this.#height -= count;
  }

  /** A copy of the stack, bottom first, for tracers. */
  stackWords(): bigint[] {
    return this.#stack.slice(0, this.#height);
  }

  /** For tracers: the row that is read for it counts as read when the program asks for it. */
  storageWord(slot: bigint): bigint {
    return this.storage.slot(slot).value;
  }

  get contextWord(): bigint {
    this.#contextWord ??= wordOfAddress(this.context);
    return this.#contextWord;
  }

  get storage(): ContractStorage {
    this.#storage ??= this.execution.substate.storage(this.context);
    return this.#storage;
  }

  get balanceSun(): bigint {
    return this.execution.host.balance(this.context);
  }

  get energyUsed(): number {
    return this.energyLimit - this.energyLeft;
  }

  /** Every opcode that changes state calls this first in its action, that is, after its Energy was charged. */
  refuseInStaticCall(): void {
    if (this.isStatic) throw staticModification();
  }

  /** Records an internal transaction of this frame's context, and tells the tracer. */
  record(
    note: string,
    receiver: Address | '',
    valueSun: bigint,
    tokens?: readonly TokenAmount[],
    data?: Uint8Array,
  ): InternalTransaction {
    const { substate, tracer } = this.execution;
    const transaction = substate.record(this.origin, note, this.context, receiver, valueSun, tokens, data);
    tracer?.internal?.(this, transaction);
    return transaction;
  }

  /** Waits until `child` has run. */
  enter(child: Frame): void {
    this.status = FrameStatus.WAITING;
    this.entered = child;
  }

  stop(output: Uint8Array = NO_BYTES): void {
    this.output = output;
    this.status = FrameStatus.ENDED;
  }

  revert(output: Uint8Array): void {
    this.reverted = true;
    this.stop(output);
  }

  fail(exception: TvmException): void {
    this.exception = exception;
    if (exception.spendsAllEnergy) this.energyLeft = 0;
    this.stop();
  }

  get failed(): boolean {
    return this.reverted || this.exception !== undefined;
  }

  /** Gives stack and memory back to their pools. */
  release(): void {
    this.memory.release();
    this.#height = 0;
    if (stackPool.length < STACK_POOL_SIZE) stackPool.push(this.#stack);
  }
}
