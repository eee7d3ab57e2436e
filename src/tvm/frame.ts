/**
 * One running program: stack, memory, program counter and Energy (java-tron Program and ProgramInvoke).
 *
 * The machine steps frames. A frame that calls waits until the machine passes the child's result to it through the
 * child's `deliver`, so nested frames never nest JavaScript calls.
 */

import type { Address } from '../primitives/ids.js';
import { analysisOf, type CodeAnalysis } from './code-analysis.js';
import { FACTOR_UNIT } from './energy-cost.js';
import { staticModification, type TvmException } from './errors.js';
import type { Execution } from './execution.js';
import type { FrameOrigin, InternalTransaction, TokenAmount } from './internal-transactions.js';
import { FRAMES_AT, type FramePlace, framePlace, type LinearMemory, STACK_AT } from './linear-memory.js';
import { Memory } from './memory.js';
import type { ContractStorage } from './storage.js';
import type { SubstateMark } from './substate.js';
import { readLimbs, wordOfAddress, writeLimbs } from './words.js';

export const FrameStatus = { RUNNING: 0, WAITING: 1, ENDED: 2 } as const;

export const NO_BYTES = new Uint8Array(0);

/** Passes the result of an ended child to the frame that started it. */
export type Deliver = (parent: Frame, child: Frame) => void;

/** Input of a frame. */
export interface FrameSetup {
  readonly execution: Execution;
  readonly parent: Frame | undefined;
  /** The internal (or root) transaction that started it. */
  readonly origin: FrameOrigin;
  readonly deliver: Deliver | undefined;
  readonly code: Uint8Array;
  /** The contract whose storage and balance the program uses. */
  readonly context: Address;
  /** The word of `context`, if the caller has it: to parse the address costs more than the rest of a frame. */
  readonly contextWord?: bigint;
  /** The word of the CALLER opcode. */
  readonly caller: bigint;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly input: Uint8Array;
  readonly isStatic: boolean;
  readonly depth: number;
  /** Version of the contract whose code runs; 1 only with the compatible-EVM flag. */
  readonly contractVersion: number;
  readonly energyLimit: number;
  /** Marks of host and substate before the first change of this frame. */
  readonly hostMark: number;
  readonly mark: SubstateMark;
}

/** Shared by all chains: words of an earlier frame are never read. */
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
  /** Where the engine finds the frame in linear memory. */
  readonly place: FramePlace;
  readonly memory: Memory;

  status: number = FrameStatus.RUNNING;
  pc = 0;
  isActing = false;
  energyLeft: number;
  /** Dynamic energy factor in units of 1/10,000; 10,000 is the base price. */
  factor = FACTOR_UNIT;
  /** Base Energy of the frame's own steps, which counts for the contract's next factor. */
  baseEnergy = 0;
  /** Penalties of the frame's own steps, and of ended calls, including failed ones. */
  energyPenalty = 0;
  /** Energy that the current call forwards to its callee, without the stipend. */
  forwardedEnergy = 0;
  /** The frame of the current call or creation: it runs next, then this frame continues. */
  entered: Frame | undefined;
  /** Return data of the last call, for RETURNDATACOPY. */
  returnData: Uint8Array = NO_BYTES;
  /** Data of RETURN or REVERT. */
  output: Uint8Array = NO_BYTES;
  reverted = false;
  exception: TvmException | undefined;
  /** For a call: position of the output in the parent's memory. Unused for a creation. */
  outputAt = 0;
  outputLength = 0;

  /** Words of the stack. If the engine runs the frame, those below `#lowest` are only in linear memory. */
  readonly #stack: bigint[] = stackPool.pop() ?? [];
  #height = 0;
  #lowest = 0;
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
    this.#contextWord = setup.contextWord;
    this.caller = setup.caller;
    this.callValue = setup.callValue;
    this.tokenValue = setup.tokenValue;
    this.tokenId = setup.tokenId;
    this.input = setup.input;
    this.place = framePlace(setup.parent?.memory.end ?? FRAMES_AT, setup.input.length);
    this.memory = new Memory(this.place.memory);
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

  /** Takes the stack over from the engine: its height, and the top `count` words, which are all that a step uses. */
  takeStack(height: number, count: number, linear: LinearMemory): void {
    this.#height = height;
    this.#lowest = Math.max(0, height - count);
    let at = (this.place.start + STACK_AT) / 8 + 4 * this.#lowest;
    for (let i = this.#lowest; i < height; i++, at += 4) this.#stack[i] = readLimbs(linear, at);
  }

  /** Hands the stack over to the engine. */
  giveStack({ limbs }: LinearMemory): void {
    let at = (this.place.start + STACK_AT) / 8 + 4 * this.#lowest;
    for (let i = this.#lowest; i < this.#height; i++, at += 4) writeLimbs(limbs, at, this.#stack[i] as bigint);
    this.#lowest = this.#height;
  }

  /** A copy of the stack, bottom first, for tracers. */
  stackWords(): bigint[] {
    return this.#stack.slice(0, this.#height);
  }

  /** For tracers. If this reads the row, the program's own later read still counts as its first. */
  storageWord(slot: bigint): bigint {
    return this.storage.slot(slot).value;
  }

  get contextWord(): bigint {
    this.#contextWord ??= wordOfAddress(this.context);
    return this.#contextWord;
  }

  /** The word of ADDRESS: 21 bytes before the multi-signature flag. */
  get ownWord(): bigint {
    return this.execution.flags.multiSign ? this.contextWord : BigInt(`0x${this.context}`);
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

  /** Each opcode that changes state calls this first in its action, after its Energy was charged. */
  refuseInStaticCall(): void {
    if (this.isStatic) throw staticModification();
  }

  /** Records an internal transaction of this frame's context, and notifies the tracer. */
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

  /** Waits until `child` has ended. */
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

  /** Returns the stack to its pool. */
  release(): void {
    this.#height = 0;
    if (stackPool.length < STACK_POOL_SIZE) stackPool.push(this.#stack);
  }
}
