/**
 * The steps of a transaction for a debugger: a range of them, each with its position in the sources, and on request with
 * stack, memory and storage. `debug-trace.ts` has the formats of other nodes.
 */

import { tvmFlags } from '../../ledger/smart-contracts/flags.js';
import { bytesToHex } from '../../primitives/hex.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { combineTracers } from '../../tracing/combined-tracers.js';
import { FrameRecorder } from '../../tracing/frame-recorder.js';
import { type StepRecord, StepRecorder } from '../../tracing/step-recorder.js';
import { operationsFor } from '../../tvm/opcodes/table.js';
import type { TracedFrame } from '../../tvm/trace.js';
import { wordToHex } from '../../tvm/words.js';
import { inPlace, placeOf, run, type Scene, type Stage } from '../rerun/in-place.js';
import { NumberedFiles, type SourceFileText } from '../sources/call-sources.js';
import { spendingOf } from '../sources/source-spending.js';

export interface StepsRequest {
  readonly from: number;
  /** Maximum number of steps. */
  readonly count: number;
  /** Whether steps have stack, memory and storage. */
  readonly state: boolean;
}

export interface ExecutedSteps {
  readonly txid: string;
  readonly block: number;
  /** The number of all steps of the transaction; 0 if no code ran. */
  readonly total: number;
  /** The number of the first step of `steps`. */
  readonly from: number;
  readonly steps: readonly ExecutedStep[];
  /** The sources of `file`. */
  readonly files: readonly SourceFileText[];
}

/** The machine before the step. */
export interface ExecutedStep {
  readonly pc: number;
  /** java-tron's name of the opcode. */
  readonly op: string;
  /** 0 for the call of the transaction itself. */
  readonly depth: number;
  /** The number of its call, as `frame` of a trace. */
  readonly frame: number;
  readonly energyLeft: number;
  /** Energy of the step, with the penalty and with Energy that it forwards to a call. */
  readonly energy: number;
  readonly penalty?: number;
  /** Why it failed, in java-tron's words. */
  readonly error?: string;
  /** Index into `files`, and the line from 1; absent if the source is unknown. */
  readonly file?: number;
  readonly line?: number;
  /** Words in hex, bottom first. */
  readonly stack?: readonly string[];
  /** Hex; only the beginning of a large memory. */
  readonly memory?: string;
  readonly memoryBytes?: number;
  /** Slots of the contract that were read or written so far: words in hex. */
  readonly storage?: Readonly<Record<string, string>>;
}

/** More memory than anybody reads at one step. */
const MAX_MEMORY_BYTES = 16_384;

/** @throws NotExplainableError as `traceOf` */
export function stepsOf(stage: Stage, txid: string, request: StepsRequest): Promise<ExecutedSteps> {
  const { block, index } = placeOf(stage, txid);
  return inPlace(stage, block, index, (scene) => stepsIn(scene, request));
}

interface Position {
  readonly frame: number;
  readonly at?: { readonly file: number; readonly line: number };
}

function stepsIn(scene: Scene, { from, count, state }: StepsRequest): ExecutedSteps {
  const { before, place, transaction } = scene;
  const { names } = operationsFor(tvmFlags(before));
  const spending = spendingOf(before, transaction.contractType === ContractType.CreateSmartContract, 'line');
  const files = new NumberedFiles();
  const positionOf = (frame: TracedFrame): Position => {
    const found = spending.placeNow(frame);
    const at = found && { file: files.numberOf(found.source, found.path), line: found.line };
    return { frame: spending.numberOf(frame), ...(at && { at }) };
  };
  const steps: ExecutedStep[] = [];
  const recorder = new StepRecorder<Position>(
    { stack: state, memory: state, storage: state, returnData: false },
    (step) => steps.push(executedStep(step, names[step.opcode])),
    { from, limit: count },
    positionOf,
  );
  // The observer of the sources is at a step before the recorder asks for its position.
  run(scene, { tracer: combineTracers([new FrameRecorder(spending), recorder]) });
  recorder.end();
  return { txid: transaction.txId, block: place.number, total: recorder.seen, from, steps, files: files.texts };
}

function executedStep(
  { pc, opcode, depth, energyLeft, cost, penalty, exception, stack, memory, storage, slot, note }: StepRecord<Position>,
  name = `opcode 0x${opcode.toString(16)} not defined`,
): ExecutedStep {
  const slots = slot === undefined || storage === undefined ? storage : new Map([...storage, slot]);
  return {
    ...{ pc, op: name, depth, frame: note?.frame ?? 0, energyLeft, energy: cost },
    ...(penalty > 0 && { penalty }),
    ...(exception !== undefined && { error: exception.message }),
    ...note?.at,
    ...(stack !== undefined && { stack: stack.map(wordToHex) }),
    ...(memory !== undefined && {
      memory: bytesToHex(memory.subarray(0, MAX_MEMORY_BYTES)),
      memoryBytes: memory.length,
    }),
    ...(slots !== undefined && {
      storage: Object.fromEntries([...slots].map(([key, value]) => [wordToHex(key), wordToHex(value)])),
    }),
  };
}
