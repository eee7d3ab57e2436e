/**
 * Runs a program's plain steps in WebAssembly: those that need only stack, memory, code and call data.
 *
 * `assembly/` has the machine and says when it returns; the interpreter (`machine.ts`) does the step at which it
 * stopped. Owns what the two sides exchange: programs and frames in linear memory, the table of steps.
 */

import { Instance, Module } from '../../primitives/web-assembly.js';
import { keccakModuleOn } from '../../protocol/hashes.js';
import type { Frame } from '../frame.js';
import { FRAMES_AT, type LinearMemory, linearMemory, PROGRAMS_AT } from '../linear-memory.js';
import { type Operations, SPENDS_ITSELF } from '../opcodes/table.js';
import { writeLimbs } from '../words.js';
import type { WorkBudget } from '../work.js';
import { ENGINE_MODULE } from './module.js';

const STATE = 1024;
const STEPS = 2048;
const WORK_PER_ENERGY = 4096;
/** Positions in the state, as 32-bit numbers and doubles. */
const PC = STATE / 4;
const HEIGHT = PC + 1;
const ENERGY_LEFT = STATE / 8 + 1;
const PENALTY = ENERGY_LEFT + 1;
const WORK_LEFT = ENERGY_LEFT + 2;
const FACTOR = ENERGY_LEFT + 3;
const MEMORY_SIZE = PC + 10;
const CODE = PC + 11;
const CODE_LENGTH = PC + 12;
const FRAME = PC + 13;
const INPUT = PC + 14;
const INPUT_LENGTH = PC + 15;
const MEMORY = PC + 16;
const RETURN_DATA_LENGTH = PC + 17;

/** Zeros behind a program, as in `assembly/machine.ts`. */
const CODE_END = 64;
/** A program has its jump destinations behind it. Larger ones stay with the interpreter. */
const MAX_PROGRAM = (FRAMES_AT - PROGRAMS_AT) / 2 - CODE_END;
/** A frame that skips more bytes of memory than this stays with the interpreter, which does not zero them. */
const MAX_ZEROED = 256 * 1024;
/** Without a limit of work. */
const BOUNDLESS = 2 ** 60;
const STACK_LIMIT = 1024;

interface Engine {
  readonly run: () => void;
  readonly analyse: (code: number, length: number) => void;
}

/** Shared by all chains: the module has no state but the linear memory. */
let engine: Engine | undefined;

function instantiate(): Engine {
  const { memory } = linearMemory();
  const module = new Module(Buffer.from(ENGINE_MODULE, 'base64'));
  return new Instance(module, { env: { memory }, keccak: { absorb: keccakModuleOn(memory) } }).exports as Engine;
}

/** The steps that the engine does, if the chain's flags have them. */
const PLAIN: readonly (readonly [first: number, last: number])[] = [
  [0x01, 0x0b],
  [0x10, 0x1e],
  [0x20, 0x20],
  [0x30, 0x30],
  [0x33, 0x39],
  [0x3d, 0x3d],
  [0x50, 0x53],
  [0x56, 0x5b],
  [0x5e, 0x9f],
];

interface StepTable {
  readonly steps: BigUint64Array;
  readonly workPerEnergy: Uint32Array;
}

const tables = new WeakMap<Operations, StepTable>();
/** Shared by all chains: the table in linear memory. */
let installed: Operations | undefined;

const JUMP = 0x56;
const JUMPI = 0x57;
/** In a step's cost: the engine has to look at its operands before it can pay, or do it. */
const BY_OPERANDS = 0x8000;
/** A step that the engine never does: no stack is so high. */
const REFUSED = 0xffffn << 32n;

function tableOf(operations: Operations): StepTable {
  const { action, cost, costOf, required, growth, work, workPerEnergy } = operations;
  const steps = new BigUint64Array(256).fill(REFUSED);
  for (const [first, last] of PLAIN) {
    for (let opcode = first; opcode <= last; opcode++) {
      const price = cost[opcode] as number;
      if (action[opcode] === undefined || price === SPENDS_ITSELF) continue;
      const lowest = required[opcode] as number;
      const heights = STACK_LIMIT - (growth[opcode] as number) - lowest;
      const effort = (work[opcode] as number) + price * (workPerEnergy[opcode] as number);
      const byOperands = costOf[opcode] !== undefined || opcode === JUMP || opcode === JUMPI;
      steps[opcode] =
        BigInt(price | (byOperands ? BY_OPERANDS : 0)) |
        (BigInt(effort) << 16n) |
        (BigInt(lowest) << 32n) |
        (BigInt(heights) << 48n);
    }
  }
  return { steps, workPerEnergy: Uint32Array.from(workPerEnergy) };
}

function install(operations: Operations, { limbs, ints }: LinearMemory): void {
  let table = tables.get(operations);
  if (table === undefined) {
    table = tableOf(operations);
    tables.set(operations, table);
  }
  limbs.set(table.steps, STEPS / 8);
  ints.set(table.workPerEnergy, WORK_PER_ENERGY / 4);
  installed = operations;
}

/** Shared by all chains: how often the place for programs was begun anew; positions of earlier times are not valid. */
let filling = 0;
/** Shared by all chains: where the next program goes. */
let freeAt = PROGRAMS_AT;

function programAt(frame: Frame, { analyse }: Engine, { bytes }: LinearMemory): number {
  const { analysis, code } = frame;
  if (analysis.enginePlace?.filling === filling) return analysis.enginePlace.at;
  const room = 2 * (code.length + CODE_END);
  if (freeAt + room > FRAMES_AT) {
    filling++;
    freeAt = PROGRAMS_AT;
  }
  // PUSH reads whole limbs: up to 32 bytes before its own.
  const at = freeAt + 32;
  freeAt += Math.ceil((room + 32) / 32) * 32;
  bytes.set(code, at);
  analyse(at, code.length);
  analysis.enginePlace = { filling, at };
  return at;
}

function writeMessage(frame: Frame, { bytes, limbs }: LinearMemory): void {
  const { place, input } = frame;
  const at = place.start / 8;
  writeLimbs(limbs, at, frame.caller);
  writeLimbs(limbs, at + 4, frame.callValue);
  writeLimbs(limbs, at + 8, frame.ownWord);
  bytes.set(input, place.input);
  bytes.fill(0, place.input + input.length, place.input + input.length + 32);
}

/**
 * Runs the frame up to a step that the interpreter has to do. The frame then has that step's operands on its stack.
 *
 * @returns false if the frame stays with the interpreter
 */
export function runPlainSteps(frame: Frame, operations: Operations, budget: WorkBudget): boolean {
  if (frame.code.length > MAX_PROGRAM || !frame.memory.fill(MAX_ZEROED)) return false;
  engine ??= instantiate();
  const linear = linearMemory();
  const { ints, doubles } = linear;
  if (installed !== operations) install(operations, linear);
  const { place, memory } = frame;
  if (frame.pc === 0) writeMessage(frame, linear);
  frame.giveStack(linear);
  const work = Math.min(Math.floor(budget.left), BOUNDLESS);
  ints[PC] = frame.pc;
  ints[HEIGHT] = frame.stackHeight;
  doubles[ENERGY_LEFT] = frame.energyLeft;
  doubles[WORK_LEFT] = work;
  doubles[FACTOR] = frame.factor;
  ints[MEMORY_SIZE] = memory.size;
  ints[CODE] = programAt(frame, engine, linear);
  ints[CODE_LENGTH] = frame.code.length;
  ints[FRAME] = place.start;
  ints[INPUT] = place.input;
  ints[INPUT_LENGTH] = frame.input.length;
  ints[MEMORY] = place.memory;
  ints[RETURN_DATA_LENGTH] = frame.returnData.length;
  engine.run();
  const pc = ints[PC] as number;
  const energyLeft = doubles[ENERGY_LEFT] as number;
  const penalty = doubles[PENALTY] as number;
  frame.pc = pc;
  frame.baseEnergy += frame.energyLeft - energyLeft - penalty;
  frame.energyPenalty += penalty;
  frame.energyLeft = energyLeft;
  budget.left -= work - (doubles[WORK_LEFT] as number);
  if (memory.size !== ints[MEMORY_SIZE]) memory.setFilled(ints[MEMORY_SIZE] as number);
  frame.takeStack(ints[HEIGHT] as number, operations.required[frame.code[pc] ?? 0] as number, linear);
  return true;
}
