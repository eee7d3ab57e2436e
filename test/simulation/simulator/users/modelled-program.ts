/**
 * A program of the machine, written step by step together with what each step must leave: stack, memory, storage, return
 * data, and the Energy used. The prices are those of docs/protocol/opcodes.md and calls.md, the arithmetic is
 * `word-steps.ts`; nothing of `src/tvm` is used. Jumps are decided while they are written, so nothing here interprets
 * code.
 */

import { keccak256 } from 'ethers';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.js';
import { bytesIn, type Code, pushPlace } from './assembler.js';
import { hexOf, type WordStep } from './word-steps.js';

/** Programs keep below it. */
const ROOM_BYTES = 32_768;
const NOTHING = new Uint8Array(0);
/** More than any program of the model needs, but for what is handed over to fail. */
export const PLENTY = 100_000;

/** Words that depend on where a program runs. Absent: the model does not know it. */
export type Surroundings = Readonly<Record<string, bigint | undefined>>;

/** Opcodes of `Surroundings`; each costs 2. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  ADDRESS: '30',
  ORIGIN: '32',
  CALLER: '33',
  CALLVALUE: '34',
  NUMBER: '43',
  TIMESTAMP: '42',
  DIFFICULTY: '44',
  GASLIMIT: '45',
  CHAINID: '46',
  BASEFEE: '48',
};

/** Rows that calls in the context of a contract share. */
interface Rows {
  readonly stored: ReadonlyMap<bigint, bigint>;
  readonly transient: ReadonlyMap<bigint, bigint>;
}

interface Range {
  readonly at: number;
  readonly length: number;
}

/** What a call comes to. */
export interface Callee {
  readonly success: boolean;
  readonly output: Uint8Array;
  readonly energy: number;
  /** Energy handed over. Undefined: all that is left. */
  readonly limit: number | undefined;
  /** A precompiled contract writes its whole output, and nobody pays for that memory. */
  readonly isPrecompiled: boolean;
}

export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL';
const CALLS: Readonly<Record<CallKind, Code>> = { CALL: 'f1', CALLCODE: 'f2', DELEGATECALL: 'f4', STATICCALL: 'fa' };

export const wordsIn = (bytes: number): number => Math.ceil(bytes / 32);
/** Of a memory of so many words. */
export const memoryPrice = (words: number): number => 3 * words + Math.floor((words * words) / 512);

/** The Energy that a creation needs for a contract with this code, by the program of `creationCode`. */
export function creationEnergy(runtime: Code): number {
  const size = bytesIn(runtime);
  return 5 * 3 + memoryPrice(wordsIn(size)) + 3 * wordsIn(size) + 200 * size;
}

export class ModelledProgram {
  readonly stack: bigint[] = [];
  energy = 0;
  returnData: Uint8Array = NOTHING;
  readonly #memory = new Uint8Array(ROOM_BYTES);
  #words = 0;
  #code: Code = '';
  /** In a further round of a loop, the code is there already. */
  #isWritten = false;
  #rows: Rows;

  constructor(
    readonly callData: Uint8Array,
    readonly surroundings: Surroundings,
    rows: Rows = { stored: new Map(), transient: new Map() },
    /** The Energy that it is given, where that is known. */
    readonly limit?: number,
    /** Whether 1/64 of the Energy stays with who hands over all (protocol/virtual-machine.md#contracts-of-version-1). */
    private readonly keepsPart = false,
  ) {
    this.#rows = rows;
  }

  get code(): Code {
    return this.#code;
  }

  get rows(): Rows {
    return this.#rows;
  }

  /** Bytes of memory. */
  get size(): number {
    return 32 * this.#words;
  }

  peek(depth: number): bigint {
    return this.stack[this.stack.length - 1 - depth] ?? 0n;
  }

  /** @param bytes as many as the number has, or more */
  push(value: bigint | number, bytes = 0): void {
    const digits = value.toString(16);
    const width = Math.max(Math.ceil(digits.length / 2), bytes);
    this.#write((0x5f + width).toString(16) + digits.padStart(2 * width, '0'), 3);
    this.stack.push(BigInt(value));
  }

  word({ code, energy, takes, gives }: WordStep): void {
    const operands = Array.from({ length: takes }, () => this.#pop());
    this.#write(code, typeof energy === 'number' ? energy : energy(operands));
    const [a = 0n, b = 0n, c = 0n] = operands;
    this.stack.push(gives(a, b, c));
  }

  environment(name: string): void {
    this.#give(ENVIRONMENT[name] as Code, 2, this.surroundings[name] ?? 0n);
  }

  pop(): void {
    this.#pop();
    this.#write('50', 2);
  }

  duplicate(depth: number): void {
    this.#give((0x7f + depth).toString(16), 3, this.peek(depth - 1));
  }

  swap(depth: number): void {
    const top = this.stack.length - 1;
    const [upper, lower] = [this.peek(0), this.peek(depth)];
    this.stack[top] = lower;
    this.stack[top - depth] = upper;
    this.#write((0x8f + depth).toString(16), 3);
  }

  place(): void {
    this.#give('58', 2, BigInt(bytesIn(this.#code)));
  }

  memorySize(): void {
    this.#give('59', 2, BigInt(this.size));
  }

  callDataSize(): void {
    this.#give('36', 2, BigInt(this.callData.length));
  }

  returnDataSize(): void {
    this.#give('3d', 2, BigInt(this.returnData.length));
  }

  callDataWord(): void {
    const at = this.#pop();
    const word = at > 10_000n ? 0n : BigInt(`0x${bytesToHex(part(this.callData, { at: Number(at), length: 32 }))}`);
    this.#give('35', 3, word);
  }

  /** From the stack to memory. */
  store(at: number): void {
    this.push(at);
    this.#pop();
    const value = this.#pop();
    this.#write('52', 1 + this.#grow(at + 32));
    this.#memory.set(hexToBytes(hexOf(value)), at);
  }

  storeByte(at: number): void {
    this.push(at);
    this.#pop();
    const value = this.#pop();
    this.#write('53', 1 + this.#grow(at + 1));
    this.#memory[at] = Number(value % 256n);
  }

  load(at: number): void {
    this.push(at);
    this.#pop();
    const energy = 1 + this.#grow(at + 32);
    this.#give('51', energy, BigInt(`0x${bytesToHex(this.memory({ at, length: 32 }))}`));
  }

  hash({ at, length }: Range): void {
    this.#pushAll(length, at);
    this.stack.length -= 2;
    const energy = 30 + this.#growTo({ at, length }) + 6 * wordsIn(length);
    this.#give('20', energy, BigInt(keccak256(this.memory({ at, length }))));
  }

  copyMemory(to: number, from: Range): void {
    this.#pushAll(from.length, from.at, to);
    this.stack.length -= 3;
    const growth = this.#growTo({ at: Math.max(to, from.at), length: from.length });
    this.#write('5e', 3 + growth + 3 * wordsIn(from.length));
    this.#memory.set(this.memory(from).slice(), to);
  }

  copyCallData(to: number, from: Range): void {
    this.#copy('37', to, from, this.callData);
  }

  /** @param from within the return data */
  copyReturnData(to: number, from: Range): void {
    this.#copy('3e', to, from, this.returnData);
  }

  /** Bytes into memory: they are in the code, behind a jump. */
  copyIn(to: number, bytes: Uint8Array): void {
    // Behind bytes that look like a PUSH, zeros: the destination is a step of its own.
    const hidden = bytesToHex(bytes) + '00'.repeat(33);
    const from = bytesIn(this.#code) + 4;
    this.jumpOver(hidden);
    this.#copy('39', to, { at: from, length: bytes.length }, bytes, 0);
  }

  /** @param hidden whole steps that nobody does */
  jumpOver(hidden: Code): void {
    this.#write(`${pushPlace(bytesIn(this.#code) + 4 + bytesIn(hidden))}56${hidden}5b`, 3 + 8 + 1);
  }

  /** A jump if the top of the stack says so. @param rest what is done otherwise @param hidden as in `jumpOver` */
  jumpUnless(rest: () => void, hidden: Code): void {
    const isTaken = this.#pop() !== 0n;
    const at = this.#code.length;
    this.#write(`${pushPlace(0)}57`, 3 + 10);
    if (isTaken) this.#write(hidden, 0);
    else rest();
    const jump = `${pushPlace(bytesIn(this.#code))}57`;
    this.#code = this.#code.slice(0, at) + jump + this.#code.slice(at + jump.length);
    this.#write('5b', 1);
  }

  /** Does the same steps several times. They leave the height of the stack as it was. */
  repeat(times: number, steps: () => void): void {
    const pushed = this.#pushCounter(times);
    for (let left = times; left > 0; left--) {
      this.#write('5b', 1);
      steps();
      // PUSH1 1, SWAP1, SUB, DUP1, PUSH2, JUMPI
      this.#write(`600190038061${pushed.toString(16).padStart(4, '0')}57`, 3 + 3 + 3 + 3 + 3 + 10);
      this.stack[this.stack.length - 1] = BigInt(left - 1);
      this.#isWritten = true;
    }
    this.#isWritten = false;
    this.pop();
  }

  #pushCounter(times: number): number {
    this.push(times);
    return bytesIn(this.#code);
  }

  storeRow(slot: bigint): void {
    this.push(slot);
    this.#pop();
    const value = this.#pop();
    const { stored } = this.#rows;
    this.#write('55', !stored.has(slot) && value !== 0n ? 20_000 : 5_000);
    this.#rows = { ...this.#rows, stored: new Map([...stored, [slot, value]]) };
  }

  loadRow(slot: bigint): void {
    this.push(slot);
    this.#pop();
    this.#give('54', 50, this.#rows.stored.get(slot) ?? 0n);
  }

  storeTransient(slot: bigint): void {
    this.push(slot);
    this.#pop();
    const value = this.#pop();
    this.#write('5d', 100);
    this.#rows = { ...this.#rows, transient: new Map([...this.#rows.transient, [slot, value]]) };
  }

  loadTransient(slot: bigint): void {
    this.push(slot);
    this.#pop();
    this.#give('5c', 100, this.#rows.transient.get(slot) ?? 0n);
  }

  /** @param rows afterwards, where the callee has changed this contract's */
  call(kind: CallKind, callee: Callee, address: () => void, input: Range, output: Range, rows?: Rows): void {
    this.#pushAll(output.length, output.at, input.length, input.at);
    const hasValue = kind === 'CALL' || kind === 'CALLCODE';
    if (hasValue) this.push(0);
    address();
    const { limit, success, isPrecompiled } = callee;
    if (limit === undefined) this.#give('5a', 2, 0n);
    else this.push(limit);
    const growth = Math.max(this.#growth(input), this.#growth(output));
    this.#growTo(input);
    this.#growTo(output);
    this.#write(CALLS[kind], 40 + growth + callee.energy);
    this.stack.length -= hasValue ? 7 : 6;
    this.returnData = callee.output;
    const written = isPrecompiled ? callee.output : callee.output.subarray(0, output.length);
    if (written.length > 0) this.#grow(output.at + written.length);
    this.#memory.set(written, output.at);
    if (success && rows !== undefined) this.#rows = rows;
    this.stack.push(success ? 1n : 0n);
  }

  /**
   * Leaves an address that the model does not know.
   *
   * @param at where the code goes in memory @param salt of CREATE2
   */
  create(runtime: Code, at: number, salt?: bigint): void {
    const creation = creationCode(runtime);
    const length = bytesIn(creation);
    this.copyIn(at, hexToBytes(creation));
    if (salt !== undefined) this.push(salt);
    this.#pushAll(length, at, 0);
    this.stack.length -= salt === undefined ? 3 : 4;
    const hashed = salt === undefined ? 0 : 6 * wordsIn(length);
    this.#give(salt === undefined ? 'f0' : 'f5', 32_000 + hashed + creationEnergy(runtime), 0n);
    // CREATE2 leaves the return data of the call before.
    if (salt === undefined) this.returnData = NOTHING;
  }

  /** What stays here of all Energy that is left. Undefined: nobody knows it, or too little for the rest of a program. */
  get keepsOfAll(): number | undefined {
    if (!this.keepsPart || this.limit === undefined) return undefined;
    // A creation of so many words costs less than that.
    const left = this.limit - this.energy - PLENTY;
    return left / 64 > PLENTY ? left : undefined;
  }

  /** The Energy that is left, on the stack. */
  energyLeft(): void {
    if (this.limit === undefined) return;
    this.#write('5a', 2);
    this.stack.push(BigInt(this.limit - this.energy));
  }

  /** A creation by code that fails. All Energy is handed over. */
  createInVain(initial: Code, at: number, salt?: bigint): void {
    this.#begin(initial, at, salt, 0);
    const left = (this.limit ?? 0) - this.energy;
    this.energy += left - Math.floor(left / 64);
    if (salt === undefined) this.returnData = NOTHING;
  }

  /** A creation that reverts with zeros. */
  createReverting(size: number, at: number, salt?: bigint): void {
    // PUSH1, PUSH1, REVERT
    this.#begin(`60${size.toString(16).padStart(2, '0')}6000fd`, at, salt, 3 + 3 + memoryPrice(wordsIn(size)));
    this.returnData = new Uint8Array(size);
  }

  /** Leaves 0. @param energy of the code */
  #begin(initial: Code, at: number, salt: bigint | undefined, energy: number): void {
    const length = bytesIn(initial);
    this.copyIn(at, hexToBytes(initial));
    if (salt !== undefined) this.push(salt);
    this.#pushAll(length, at, 0);
    this.stack.length -= salt === undefined ? 3 : 4;
    const hashed = salt === undefined ? 0 : 6 * wordsIn(length);
    this.#give(salt === undefined ? 'f0' : 'f5', 32_000 + hashed + energy, 0n);
  }

  /** Ends with the memory and then the stack as output. @returns the output */
  end(how: 'RETURN' | 'REVERT'): Uint8Array {
    while (this.stack.length > 0) this.store(this.size);
    const range = { at: 0, length: this.size };
    this.#pushAll(range.length, 0);
    this.#write(how === 'RETURN' ? 'f3' : 'fd', 0);
    return this.memory(range).slice();
  }

  /** Ends with an exception. @param code of which one step fails */
  fail(code = 'fe'): void {
    this.#write(code, 0);
  }

  /** Ends with a call whose value is no long: the frame fails, and what it had left is gone (protocol/calls.md#outcome). */
  failToTransfer(): void {
    this.#write(`${'6000'.repeat(4)}67${'80'.padEnd(16, '0')}60996000f1`, 0);
  }

  memory({ at, length }: Range): Uint8Array {
    return this.#memory.subarray(at, at + length);
  }

  #write(code: Code, energy: number): void {
    this.energy += energy;
    if (!this.#isWritten) this.#code += code;
  }

  #give(code: Code, energy: number, value: bigint): void {
    this.#write(code, energy);
    this.stack.push(value);
  }

  #pushAll(...values: readonly number[]): void {
    for (const value of values) this.push(value);
  }

  #pop(): bigint {
    const value = this.stack.pop();
    if (value === undefined) throw new Error('the model has written a step without its operands');
    return value;
  }

  #growth({ at, length }: Range): number {
    const words = length === 0 ? 0 : wordsIn(at + length);
    return words > this.#words ? memoryPrice(words) - memoryPrice(this.#words) : 0;
  }

  #growTo(range: Range): number {
    const energy = this.#growth(range);
    if (range.length > 0) this.#words = Math.max(this.#words, wordsIn(range.at + range.length));
    if (this.size > ROOM_BYTES) throw new Error(`the model has no memory of ${this.size} bytes`);
    return energy;
  }

  #grow(end: number): number {
    return this.#growTo({ at: 0, length: end });
  }

  /** @param shownAt where `from.at` is in `bytes` */
  #copy(code: Code, to: number, from: Range, bytes: Uint8Array, shownAt = from.at): void {
    this.#pushAll(from.length, from.at, to);
    this.stack.length -= 3;
    this.#write(code, this.#growTo({ at: to, length: from.length }) + 3 * wordsIn(from.length));
    this.#memory.set(part(bytes, { at: shownAt, length: from.length }), to);
  }
}

/** Zeros behind the end. */
function part(bytes: Uint8Array, { at, length }: Range): Uint8Array {
  const cut = new Uint8Array(length);
  cut.set(bytes.subarray(at, at + length));
  return cut;
}

/** Copies the code behind it into memory, and returns it. */
export function creationCode(runtime: Code): Code {
  const size = pushPlace(bytesIn(runtime));
  const head = (from: number) => `${size}${pushPlace(from)}600039${size}6000f3`;
  return head(bytesIn(head(0))) + runtime;
}
