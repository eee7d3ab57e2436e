/**
 * The frame machine: steps programs until the top frame has ended (java-tron VM.play).
 *
 * Owns the loop, the order of checks within a step, the spending of Energy with the dynamic penalty, and the stack of
 * frames. What an opcode does stands in `opcodes/`, how calls and creations begin and end in `message-call.ts` and
 * `creation.ts`, what a whole transaction is in `run.ts`.
 */

import type { Address, TxId } from '../primitives/ids.js';
import { ArithmeticOverflow } from '../primitives/java-math.js';
import { FACTOR_UNIT, penaltyOf } from './energy.js';
import {
  illegalOperation,
  javaFailure,
  notEnoughEnergy,
  outOfTime,
  stackTooLarge,
  stackTooSmall,
  TvmException,
} from './errors.js';
import type { TvmFlags } from './flags.js';
import { type Frame, FrameStatus } from './frame.js';
import type { BlockEnvironment, Host } from './host.js';
import { type Operations, operationsFor, SPENDS_ITSELF } from './opcodes/table.js';
import { Substate } from './substate.js';
import type { Tracer } from './trace.js';
import { CODE_BYTE, NEW_ROW, WorkBudget } from './work.js';

/** What is the same for every frame of an execution. */
export interface ExecutionContext {
  readonly flags: TvmFlags;
  readonly block: BlockEnvironment;
  /** Root of the addresses of CREATE and of the hashes of internal transactions. */
  readonly txid: TxId;
  /** What the execution may do before it ends OUT_OF_TIME; absent: whatever Energy pays for. */
  readonly work?: WorkBudget | undefined;
  readonly tracer?: Tracer | undefined;
  /** A call without a transaction: when its top frame reverts, what it recorded is not rejected. */
  readonly isConstant?: boolean;
}

const STACK_LIMIT = 1024;

export class Machine {
  readonly flags: TvmFlags;
  readonly block: BlockEnvironment;
  readonly txid: TxId;
  readonly tracer: Tracer | undefined;
  readonly substate: Substate;
  readonly isConstant: boolean;
  /** Who signed the root transaction. */
  readonly origin: Address;
  /** Energy that factors above 1 have added, in all frames, failed ones included. */
  energyPenalty = 0;

  readonly #operations: Operations;
  readonly #work: WorkBudget;
  /** Rows that the execution has asked for, where somebody counts. */
  readonly #rows: Set<string> | undefined;
  #entered: Frame | undefined;

  constructor(
    readonly host: Host,
    context: ExecutionContext,
    origin: Address,
  ) {
    this.flags = context.flags;
    this.block = context.block;
    this.txid = context.txid;
    this.tracer = context.tracer;
    this.isConstant = context.isConstant ?? false;
    this.substate = new Substate(host);
    this.origin = origin;
    this.#operations = operationsFor(context.flags);
    this.#work = context.work ?? new WorkBudget(Number.POSITIVE_INFINITY);
    this.#rows = context.work && new Set();
  }

  /** Counts work that an operation does beyond what its row says. @throws OUT_OF_TIME */
  spend(work: number, operation: string): void {
    this.#work.left -= work;
    if (this.#work.left < 0) throw outOfTime(operation);
  }

  /** Counts the reading of an account, once. */
  spendAccount(address: Address, operation: string): void {
    if (this.#rows !== undefined) this.#spendRow(address, 0, operation);
  }

  /** Counts the reading of a program and of what is derived from it, once. */
  spendCode(address: Address, code: Uint8Array, operation: string): void {
    if (this.#rows !== undefined) this.#spendRow(`code of ${address}`, code.length * CODE_BYTE, operation);
  }

  #spendRow(row: string, more: number, operation: string): void {
    if (this.#rows?.has(row)) return;
    this.#rows?.add(row);
    this.spend(NEW_ROW + more, operation);
  }

  /** Suspends `parent` until `child` has ended. */
  enter(parent: Frame, child: Frame): void {
    parent.status = FrameStatus.WAITING;
    this.#entered = child;
  }

  /**
   * Runs the top frame and everything that it starts. Outcomes stand in the frames; nothing is thrown but bugs.
   *
   * Frames lie on a list of their own instead of JavaScript's stack, because CREATE2 nests as deep as Energy allows.
   */
  run(top: Frame): void {
    let frame = top;
    this.#begin(frame);
    for (;;) {
      try {
        this.#step(frame);
      } catch (thrown) {
        const exception = exceptionOf(thrown);
        if (exception.endsTransaction) {
          this.#abandon(frame, top, exception);
          return;
        }
        frame.fail(exception);
      }
      if (frame.status === FrameStatus.WAITING) {
        frame = this.#entered as Frame;
        this.#begin(frame);
        continue;
      }
      this.#end(frame);
      const { parent, deliver } = frame;
      if (frame === top || parent === undefined || deliver === undefined) return;
      parent.status = FrameStatus.RUNNING;
      deliver(parent, frame);
      frame.release();
      frame = parent;
    }
  }

  #begin(frame: Frame): void {
    if (this.flags.dynamicEnergy) {
      frame.factor = FACTOR_UNIT + this.host.contractEnergyFactor(frame.context);
    }
    this.tracer?.enter?.(frame);
  }

  #end(frame: Frame): void {
    if (this.flags.dynamicEnergy && frame.exception === undefined && !frame.reverted) {
      this.host.addContractEnergyUsage(frame.context, frame.baseEnergy);
    }
    this.tracer?.exit?.(frame);
  }

  /** OUT_OF_TIME is not caught as a failed call: every frame goes. */
  #abandon(frame: Frame, top: Frame, exception: TvmException): void {
    for (let each: Frame | undefined = frame; each !== undefined; each = each.parent) {
      each.fail(exception);
      this.tracer?.exit?.(each);
      if (each !== top) each.release();
    }
  }

  #step(frame: Frame): void {
    const { required, growth, cost: costs, costOf, action, names, work: works, workPerEnergy } = this.#operations;
    const budget = this.#work;
    const { code, factor } = frame;
    const tracer = this.tracer;
    const end = code.length;
    while (frame.status === FrameStatus.RUNNING) {
      const pc = frame.pc;
      if (pc >= end) {
        frame.stop();
        return;
      }
      const opcode = code[pc] as number;
      const act = action[opcode];
      if (act === undefined) throw illegalOperation(opcode);
      const height = frame.stackHeight;
      if (height < (required[opcode] as number)) throw stackTooSmall(required[opcode] as number, height);
      if (height + (growth[opcode] as number) > STACK_LIMIT) throw stackTooLarge();

      let cost = costs[opcode] as number;
      let penalty = 0;
      if (cost === SPENDS_ITSELF) {
        const before = frame.energyLeft;
        const penaltyBefore = this.energyPenalty;
        costOf[opcode]?.(frame);
        cost = before - frame.energyLeft;
        penalty = this.energyPenalty - penaltyBefore;
      } else {
        if (cost < 0) {
          cost = (costOf[opcode] as (frame: Frame) => number)(frame);
          budget.left -= cost * (workPerEnergy[opcode] as number);
        }
        frame.baseEnergy += cost;
        if (factor > FACTOR_UNIT) {
          penalty = penaltyOf(cost, factor);
          if (frame.energyLeft < cost + penalty) {
            throw notEnoughEnergy(names[opcode] as string, frame.energyLimit, cost, frame.energyUsed, penalty);
          }
          cost += penalty;
          this.energyPenalty += penalty;
        } else if (frame.energyLeft < cost) {
          throw notEnoughEnergy(names[opcode] as string, frame.energyLimit, cost, frame.energyUsed, undefined);
        }
        frame.energyLeft -= cost;
      }
      budget.left -= works[opcode] as number;
      if (budget.left < 0) throw outOfTime(names[opcode] as string);
      if (tracer !== undefined) tracer.step?.(frame, opcode, cost, penalty);
      frame.pc = pc + 1;
      act(frame);
    }
  }
}

/** What a thrown value is to the frame; a bug of ours goes on as it came. */
function exceptionOf(thrown: unknown): TvmException {
  if (thrown instanceof TvmException) return thrown;
  if (thrown instanceof ArithmeticOverflow) return javaFailure('java.lang.ArithmeticException', thrown.message);
  throw thrown;
}
