/**
 * Steps as JSON text, in the two forms of `debug_traceTransaction`: geth's struct logs, and those of TRE, TronBox's
 * node. Written while the execution runs, so that an oversized trace ends the execution instead of filling the memory.
 */

import { bytesToHex } from '../primitives/hex.js';
import { wordToHex } from '../tvm/words.js';
import type { StepRecord } from './step-recorder.js';
import { TraceTooLong } from './trace-too-long.js';

/** By opcode: java-tron's names. */
export type OpcodeNames = readonly (string | undefined)[];

/** Opcodes that Ethereum's tools expect under another name. */
const GETH_NAMES: ReadonlyMap<string, string> = new Map([
  ['SHA3', 'KECCAK256'],
  ['SUICIDE', 'SELFDESTRUCT'],
]);

const WORD_BYTES = 32;

export class StructLogs {
  readonly #logs: string[] = [];
  #length = 0;

  /**
   * @param form `tre`: sorted keys, Energy as 16 hex digits, storage from the next step on
   * @param room maximum number of characters of all logs
   */
  constructor(
    private readonly form: 'geth' | 'tre',
    private readonly names: OpcodeNames,
    private readonly room: number,
  ) {}

  /** @throws TraceTooLong */
  readonly report = (step: StepRecord): void => {
    const log = this.form === 'geth' ? gethLog(step, this.names) : treLog(step, this.names);
    this.#length += log.length + 1;
    if (this.#length > this.room) throw new TraceTooLong();
    this.#logs.push(log);
  };

  /** A JSON array. */
  get text(): string {
    return `[${this.#logs.join()}]`;
  }
}

function nameOf(opcode: number, names: OpcodeNames): string {
  return names[opcode] ?? `opcode 0x${opcode.toString(16)} not defined`;
}

function gethLog(step: StepRecord, names: OpcodeNames): string {
  const { pc, opcode, energyLeft, cost, penalty, depth, exception, stack, memory, storage, slot, returnData } = step;
  const name = nameOf(opcode, names);
  // geth shows all slots known so far, at steps that touch one.
  const slots = slot === undefined || storage === undefined ? undefined : new Map([...storage, slot]);
  return JSON.stringify({
    pc,
    op: GETH_NAMES.get(name) ?? name,
    gas: energyLeft,
    gasCost: cost,
    ...(penalty > 0 && { energyPenalty: penalty }),
    depth: depth + 1,
    ...(exception !== undefined && { error: exception.message }),
    ...(stack !== undefined && { stack: stack.map((word) => `0x${word.toString(16)}`) }),
    ...(returnData !== undefined && returnData.length > 0 && { returnData: `0x${bytesToHex(returnData)}` }),
    ...(memory !== undefined && { memory: wordsOf(memory) }),
    ...(slots !== undefined && { storage: storageObject(slots) }),
  });
}

/**
 * The top frame has depth 1, as in the trace of a deployment among TronBox's own tests
 * (test/tre/test/helpers/simpleTraceTransactionData.json of tronprotocol/tronbox;
 * protocol/devnet-methods.md#tre-methods-exact). Its newer tests check the names of the members only.
 */
function treLog(step: StepRecord, names: OpcodeNames): string {
  const { pc, opcode, energyLeft, cost, depth, exception, stack = [], memory, storage = new Map() } = step;
  return JSON.stringify({
    depth: depth + 1,
    error: exception?.message ?? '',
    gas: `0x${energyLeft.toString(16).padStart(16, '0')}`,
    gasCost: cost,
    memory: memory === undefined ? [] : wordsOf(memory),
    op: nameOf(opcode, names),
    pc,
    stack: stack.map(wordToHex),
    storage: storageObject(storage),
  });
}

function wordsOf(memory: Uint8Array): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < memory.length; at += WORD_BYTES) words.push(bytesToHex(memory.subarray(at, at + WORD_BYTES)));
  return words;
}

function storageObject(slots: ReadonlyMap<bigint, bigint>): Readonly<Record<string, string>> {
  return Object.fromEntries([...slots].map(([slot, value]) => [wordToHex(slot), wordToHex(value)]));
}
