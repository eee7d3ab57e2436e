/**
 * The frame machine: steps programs until the top frame has ended (java-tron VM.play).
 *
 * Owns the loop, the order of checks within a step, the charge of Energy with the dynamic penalty, and the stack of
 * frames. Opcodes are in `opcodes/`, the engine for plain ones in `engine/`, calls and creations in `message-call.ts` and `creation.ts`, whole transactions in
 * `run.ts`.
 */

import { ArithmeticOverflow } from '../primitives/java-math.js';
import { FACTOR_UNIT, penaltyOf } from './energy-cost.js';
import { runPlainSteps } from './engine/engine.js';
import {
  illegalOperation,
  javaFailure,
  notEnoughEnergy,
  outOfTime,
  stackTooLarge,
  stackTooSmall,
  TvmException,
} from './errors.js';
import { type Frame, FrameStatus } from './frame.js';
import { type Operations, operationsFor, SPENDS_ITSELF } from './opcodes/table.js';
import type { Tracer } from './trace.js';
import type { WorkBudget } from './work.js';

const STACK_LIMIT = 1024;

/** Shared by all chains: see `linear-memory.ts`. */
let isRunning = false;

/**
 * Runs the top frame and all frames that it starts. Results are in the frames; only bugs are thrown.
 *
 * Frames are in a list instead of on JavaScript's stack, because CREATE2 nests as deep as Energy allows.
 */
export function runFrames(top: Frame): void {
  if (isRunning) throw new Error('a contract runs inside of another: both would use the same linear memory');
  isRunning = true;
  try {
    runFrom(top);
  } finally {
    isRunning = false;
  }
}

function runFrom(top: Frame): void {
  const { flags, work, tracer } = top.execution;
  const operations = operationsFor(flags);
  let frame = top;
  begin(frame);
  for (;;) {
    try {
      run(frame, operations, work, tracer);
    } catch (thrown) {
      const exception = exceptionOf(thrown);
      tracer?.fault?.(frame, exception);
      if (exception.endsTransaction) {
        abandon(frame, top, exception);
        return;
      }
      frame.fail(exception);
    }
    if (frame.entered !== undefined) {
      const child: Frame = frame.entered;
      frame.entered = undefined;
      frame = child;
      begin(frame);
      continue;
    }
    end(frame);
    const { parent, deliver } = frame;
    if (frame === top || parent === undefined || deliver === undefined) return;
    parent.status = FrameStatus.RUNNING;
    parent.energyPenalty += frame.energyPenalty;
    deliver(parent, frame);
    frame.release();
    frame = parent;
  }
}

function begin(frame: Frame): void {
  const { flags, host, tracer } = frame.execution;
  if (flags.dynamicEnergy) frame.factor = FACTOR_UNIT + host.contractEnergyFactor(frame.context);
  tracer?.enter?.(frame);
}

function end(frame: Frame): void {
  const { flags, host, tracer } = frame.execution;
  if (flags.dynamicEnergy && frame.exception === undefined && !frame.reverted) {
    host.addContractEnergyUsage(frame.context, frame.baseEnergy);
  }
  tracer?.exit?.(frame);
}

/**
 * Ends all frames after an exception that ends the transaction; no frame catches it as a failed call. In java-tron a
 * frame collects logs, internal transactions and penalties in its own result, which its caller takes over when the call
 * ends. Here no caller does that, so only the top frame's result remains: its own, and those of calls that had ended.
 */
function abandon(frame: Frame, top: Frame, exception: TvmException): void {
  for (let each: Frame | undefined = frame; each !== undefined; each = each.parent) {
    each.fail(exception);
    each.execution.tracer?.exit?.(each);
    if (each.parent === top) top.execution.substate.discardCall(each.mark);
    if (each !== top) each.release();
  }
}

/** Steps a frame until it ends, or waits for a frame that it has entered. */
function run(frame: Frame, operations: Operations, budget: WorkBudget, tracer: Tracer | undefined): void {
  // Observers see every step, so the interpreter does all of them.
  let isInterpreted = tracer !== undefined;
  while (frame.status === FrameStatus.RUNNING) {
    if (!isInterpreted) isInterpreted = !runPlainSteps(frame, operations, budget);
    step(frame, operations, budget, tracer);
  }
}

function step(frame: Frame, operations: Operations, budget: WorkBudget, tracer: Tracer | undefined): void {
  const { required, growth, cost: costs, costOf, action, names, work: works, workPerEnergy } = operations;
  const { code, factor, pc } = frame;
  if (pc >= code.length) {
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
    const penaltyBefore = frame.energyPenalty;
    costOf[opcode]?.(frame);
    cost = before - frame.energyLeft;
    penalty = frame.energyPenalty - penaltyBefore;
  } else {
    const more = costOf[opcode];
    if (more !== undefined) {
      cost += more(frame);
      budget.left -= cost * (workPerEnergy[opcode] as number);
    }
    frame.baseEnergy += cost;
    if (factor > FACTOR_UNIT) {
      penalty = penaltyOf(cost, factor);
      if (frame.energyLeft < cost + penalty) {
        throw notEnoughEnergy(names[opcode] as string, frame.energyLimit, cost, frame.energyUsed, penalty);
      }
      cost += penalty;
      frame.energyPenalty += penalty;
    } else if (frame.energyLeft < cost) {
      throw notEnoughEnergy(names[opcode] as string, frame.energyLimit, cost, frame.energyUsed, undefined);
    }
    frame.energyLeft -= cost;
  }
  budget.left -= works[opcode] as number;
  if (budget.left < 0) throw outOfTime(names[opcode] as string);
  if (tracer === undefined) {
    frame.pc = pc + 1;
    act(frame);
    return;
  }
  tracer.step?.(frame, opcode, cost, penalty);
  frame.pc = pc + 1;
  frame.isActing = true;
  act(frame);
  frame.isActing = false;
}

/** Converts a thrown value to the frame's exception; bugs are thrown again. */
function exceptionOf(thrown: unknown): TvmException {
  if (thrown instanceof TvmException) return thrown;
  if (thrown instanceof ArithmeticOverflow) return javaFailure('java.lang.ArithmeticException', thrown.message);
  throw thrown;
}
