/** Finds in one execution what behaves differently on TRON, and adds up its Energy with all factors at their cap. */

import { bytesToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { Transaction_Result_contractResult as ContractResult } from '../../protocol/generated/tron.js';
import { CALL_STIPEND, FACTOR_UNIT } from '../../tvm/energy-cost.js';
import type { TvmException } from '../../tvm/errors.js';
import type { TracedFrame, Tracer } from '../../tvm/trace.js';
import { addressOfWord, saturatedInt, wordAt } from '../../tvm/words.js';
import { BY_OPCODE, CALLS, computesWithGas, GAS } from './code-scan.js';
import type { DifferenceId } from './differences.js';
import { ADDRESS, AMOUNT, CHAIN_ID, CONSTANT, DECIMALS, isLongAddress, isOfDecimals, WordTags } from './word-tags.js';

/** An executed program. */
export interface RunningCode {
  readonly bytes: Uint8Array;
  readonly isCreation: boolean;
  /** Its address; of init code, the address of the contract that it creates. */
  readonly address: Address;
  /** Selector of the called method; empty for a creation. */
  readonly selector: string;
}

/** Receives the differences that an execution meets. */
export interface Sightings {
  entered(code: RunningCode): void;
  /** @param trail offsets of the steps before, the latest last, for steps without a source line of their own */
  met(id: DifferenceId, code: RunningCode, pc: number, trail: () => readonly number[]): void;
  /** Runtime code stored by a creation. */
  stored(code: Uint8Array, address: Address): void;
  /** The execution is over. */
  ended(): void;
  /** Storage slots with a constant of many decimals; filled while contracts are deployed. */
  readonly slotsOfDecimals: Set<string>;
}

interface PendingCall {
  readonly pc: number;
  /** The code sets the callee's Energy itself. */
  readonly isFixed: boolean;
  readonly to: Address;
  /** Memory area of its output. */
  readonly outputAt: bigint;
  readonly outputLength: bigint;
  readonly isCreation: boolean;
}

const TRAIL_STEPS = 64;

/** A frame while it runs. */
class Watched implements RunningCode {
  readonly tags = new WordTags();
  readonly selector: string;
  readonly #trail = new Int32Array(TRAIL_STEPS);
  #steps = 0;
  opcode = 0;
  pc = 0;
  call: PendingCall | undefined;
  /** The target is a precompiled contract on Ethereum; cleared when it is one here, too. */
  maybeMissing = false;
  /** Whether a word from memory may be an address of 21 bytes. */
  mayHoldAddress = false;
  /** Energy of its steps and of its calls, with every factor at its cap. */
  capped = 0;

  constructor(
    readonly bytes: Uint8Array,
    readonly isCreation: boolean,
    readonly address: Address,
    input: Uint8Array,
    readonly via: PendingCall | undefined,
    /** Whether the caller keeps no Energy. */
    readonly hasAll: boolean,
  ) {
    this.selector = isCreation ? '' : bytesToHex(input.subarray(0, 4));
  }

  at(pc: number, opcode: number): void {
    this.pc = pc;
    this.opcode = opcode;
    this.#trail[this.#steps++ % TRAIL_STEPS] = pc;
  }

  get trail(): readonly number[] {
    const known = Math.min(this.#steps, TRAIL_STEPS);
    return Array.from({ length: known }, (_, i) => this.#trail[(this.#steps - known + i) % TRAIL_STEPS] as number);
  }
}

const [ADD, MUL, SUB, DIV, MOD] = [0x01, 0x02, 0x03, 0x04, 0x06] as const;
const [LT, GT, SLT, SGT, EQ, AND, OR, XOR, SHR] = [0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1c] as const;
const [EXP, SHL, SHA3] = [0x0a, 0x1b, 0x20] as const;
const [BALANCE, CALLVALUE, COINBASE, CHAINID, SELFBALANCE] = [0x31, 0x34, 0x41, 0x46, 0x47] as const;
const [MLOAD, SLOAD, SSTORE] = [0x51, 0x54, 0x55] as const;
const [CREATE, CALL, CALLCODE, CREATE2, CALLTOKEN] = [0xf0, 0xf1, 0xf2, 0xf5, 0xd0] as const;

const COMPUTES: ReadonlySet<number> = new Set([ADD, MUL, SUB, DIV, MOD]);
const COMPARES: ReadonlySet<number> = new Set([LT, GT, SLT, SGT, EQ, XOR, SUB]);
const SCALES: ReadonlySet<number> = new Set([MUL, DIV, MOD]);
const OF_TWO_WORDS: ReadonlySet<number> = new Set([...COMPUTES, ...COMPARES, ...[EXP, AND, OR, SHL, SHR]]);

const MAX_DEPTH = 64;
const NEW_ACCOUNT_CALL = 40 + 9_000 + 25_000;
const DEPOSIT = 200;
/** BLS12-381 and P256. */
const isOfEthereum = (target: bigint) => (target >= 0x0bn && target <= 0x11n) || target === 0x100n;
const TRANSFER = [0xa9, 0x05, 0x9c, 0xbb];
const TRANSFER_BYTES = 68n;
const CREATE2_BYTES = 85n;
/** RLP list of an address and a nonce: length of the list, then length of the address. */
const CREATE_BYTES = { least: 23n, most: 31n, list: 0xd6, longestList: 0xde, address: 0x94 };
/** Solidity's free memory pointer; below it is scratch space. */
const FREE_POINTER = 64;
const WORD_BYTES = 32;
const LOW_128 = (1n << 128n) - 1n;

export class Detector implements Tracer {
  readonly #frames = new Map<TracedFrame, Watched>();
  readonly #slots = new Map<string, bigint>();
  #total = 0;

  /**
   * @param maxFactor the cap of the energy factor, in 1/10,000
   * @param isDeployment whether the top frame runs init code
   */
  constructor(
    private readonly sightings: Sightings,
    private readonly maxFactor: number,
    private readonly isDeployment: boolean,
  ) {}

  /** Energy that the execution would use with the factor of every contract at its cap. */
  get cappedEnergy(): number {
    return this.#total;
  }

  enter(frame: TracedFrame): void {
    const { parent, code, context, input } = frame;
    const above = parent && this.#frames.get(parent);
    const via = above?.call;
    const isCreation = above === undefined ? this.isDeployment : via?.isCreation === true;
    const address = via === undefined || isCreation ? context : via.to;
    if (above !== undefined) {
      above.call = undefined;
      above.maybeMissing = false;
    }
    const watched = new Watched(code, isCreation, address, input, via, parent?.energyLeft === 0);
    this.#frames.set(frame, watched);
    this.sightings.entered(watched);
  }

  step(frame: TracedFrame, opcode: number, cost: number, penalty: number): void {
    const watched = this.#of(frame);
    const height = frame.stackHeight;
    this.#settle(watched, frame, height);
    const before = watched.opcode;
    watched.at(frame.pc, opcode);
    const isCall = CALLS.has(opcode);
    this.#spend(watched, cost - penalty - (isCall ? frame.forwardedEnergy : 0));
    const id = opcode === GAS ? this.#gas(frame) : BY_OPCODE.get(opcode);
    if (id !== undefined) this.#met(id, watched);
    let tag = 0;
    if (OF_TWO_WORDS.has(opcode)) tag = this.#twoWords(watched, frame, opcode, height);
    else if (isCall) this.#calls(watched, frame, opcode, height, before === GAS, cost - penalty);
    else tag = this.#other(watched, frame, opcode, height);
    watched.tags.expect(opcode, height, tag);
  }

  precompile(
    frame: TracedFrame,
    address: bigint,
    input: Uint8Array,
    output: Uint8Array | undefined,
    energy: number,
  ): void {
    const watched = this.#of(frame);
    watched.maybeMissing = false;
    watched.capped += output === undefined ? frame.forwardedEnergy : energy;
    if (address === 1n) watched.mayHoldAddress = true;
    else if (address === 3n) this.#met('ripemd160', watched);
    else if (address === 9n) this.#met('blake2f', watched);
    else if (address === 10n) this.#met('point-evaluation', watched);
    else if (address === 0x100000bn && input.length === 64) this.#met('chain-parameter-64', watched);
    else if (address === 5n && output?.length === 0 && input.subarray(64, 96).some((byte) => byte !== 0))
      this.#met('modexp-zero', watched);
    const { call } = watched;
    if (call === undefined || output === undefined) return;
    if (overwritesUsed(frame, call, output.length)) this.#met('precompile-output', watched);
  }

  fault(frame: TracedFrame, { contractResult }: TvmException): void {
    const watched = this.#of(frame);
    if (!frame.isActing) watched.at(frame.pc, 0);
    if (contractResult === ContractResult.OUT_OF_MEMORY) this.#met('memory-limit', watched);
    if (contractResult === ContractResult.OUT_OF_TIME) this.#met('time-limit', watched);
  }

  exit(frame: TracedFrame): void {
    const watched = this.#of(frame);
    const { exception, output, parent, energyLimit } = frame;
    if (exception !== undefined) watched.capped = Math.max(watched.capped, energyLimit);
    else if (watched.isCreation && !frame.reverted) {
      watched.capped += DEPOSIT * output.length;
      this.sightings.stored(output, frame.context);
    }
    const above = parent && this.#frames.get(parent);
    this.#frames.delete(frame);
    if (above === undefined) {
      this.#total = watched.capped;
      this.sightings.ended();
      return;
    }
    above.capped += watched.capped;
    const { via } = watched;
    if (via === undefined) return;
    const ranOut = exception?.contractResult === ContractResult.OUT_OF_ENERGY;
    if (via.isFixed && !watched.hasAll && (ranOut || watched.capped > energyLimit))
      this.#met('fixed-gas', above, via.pc);
    if (exception !== undefined && !ranOut && !exception.endsTransaction && watched.hasAll)
      this.#met('callee-exception', above, via.pc);
  }

  /** Tags the result of the previous step, which has run by now. */
  #settle(watched: Watched, frame: TracedFrame, height: number): void {
    watched.tags.settle(height);
    if (watched.maybeMissing) {
      watched.maybeMissing = false;
      this.#met('missing-precompile', watched);
    }
    watched.call = undefined;
    if (watched.mayHoldAddress && watched.opcode === MLOAD && isLongAddress(frame.peek(0)))
      watched.tags.add(height, ADDRESS);
  }

  #spend(watched: Watched, base: number): void {
    watched.capped += base + Math.trunc((base * this.maxFactor) / FACTOR_UNIT);
  }

  #gas(frame: TracedFrame): DifferenceId | undefined {
    return computesWithGas(frame.code, frame.pc) ? 'gas-left' : undefined;
  }

  /** @returns tags of the result */
  #twoWords(watched: Watched, frame: TracedFrame, opcode: number, height: number): number {
    const [a, b] = [watched.tags.at(height, 0), watched.tags.at(height, 1)];
    if ((a | b) === 0) return 0;
    if ((a & b & CONSTANT) !== 0) return CONSTANT;
    if (COMPARES.has(opcode)) this.#compared(watched, frame, a, b);
    const isKnown = COMPUTES.has(opcode) || COMPARES.has(opcode);
    if (!isKnown) return 0;
    const [first, second] = [isOfDecimals(a, frame, 0), isOfDecimals(b, frame, 1)];
    const isMet = ((a & AMOUNT) !== 0 && second) || ((b & AMOUNT) !== 0 && first);
    if (isMet) this.#met(SCALES.has(opcode) ? 'value-scale' : 'value-units', watched);
    if (!COMPUTES.has(opcode)) return 0;
    const isRatio = opcode === DIV && (a & b & AMOUNT) !== 0;
    const amount = isRatio ? 0 : (a | b) & AMOUNT;
    const decimals = opcode === DIV || opcode === MOD ? first : first || second;
    return amount | (decimals && !isMet ? DECIMALS : 0);
  }

  #compared(watched: Watched, frame: TracedFrame, a: number, b: number): void {
    const [first, second] = [frame.peek(0), frame.peek(1)];
    if (((a & ADDRESS) !== 0 && isLongAddress(first)) || ((b & ADDRESS) !== 0 && isLongAddress(second)))
      this.#met('long-address', watched);
    // A contract may store the chain id, as domain separators do.
    const isId = ((a & CHAIN_ID) !== 0 && (b & CONSTANT) !== 0) || ((b & CHAIN_ID) !== 0 && (a & CONSTANT) !== 0);
    if (isId && first !== second) this.#met('chain-id', watched);
  }

  #calls(
    watched: Watched,
    frame: TracedFrame,
    opcode: number,
    height: number,
    hasGasOnTop: boolean,
    base: number,
  ): void {
    const [target, hasValue] = [frame.peek(1), opcode === CALL || opcode === CALLCODE || opcode === CALLTOKEN];
    const value = hasValue ? frame.peek(2) : 0n;
    const outputAt = hasValue ? (opcode === CALLTOKEN ? 6 : 5) : 4;
    watched.call = {
      pc: frame.pc,
      isFixed: !hasGasOnTop,
      to: addressOfWord(target),
      outputAt: frame.peek(outputAt),
      outputLength: frame.peek(outputAt + 1),
      isCreation: false,
    };
    watched.maybeMissing = isOfEthereum(target);
    if (frame.depth >= MAX_DEPTH) this.#met('call-depth', watched);
    if (opcode === CALL && isTokenTransfer(frame)) this.#met('token-transfer', watched);
    if (value === 0n) return;
    watched.capped -= CALL_STIPEND;
    if (opcode !== CALL) return;
    if (addressOfWord(target) === frame.context) this.#met('self-transfer', watched);
    if (base - frame.forwardedEnergy >= NEW_ACCOUNT_CALL) this.#met('activation', watched);
    if (isOfDecimals(watched.tags.at(height, 2), frame, 2)) this.#met('value-units', watched);
  }

  /** @returns tags of the result */
  #other(watched: Watched, frame: TracedFrame, opcode: number, height: number): number {
    switch (opcode) {
      case BALANCE:
      case CALLVALUE:
      case SELFBALANCE:
        return AMOUNT;
      case CHAINID:
        return CHAIN_ID;
      case COINBASE:
        return ADDRESS;
      case CREATE:
      case CREATE2:
        watched.mayHoldAddress = true;
        watched.call = { ...CREATION, pc: frame.pc };
        return ADDRESS;
      case SHA3:
        this.#hashed(watched, frame);
        return 0;
      case SLOAD:
        this.#touched(watched, frame);
        return this.sightings.slotsOfDecimals.has(slotKey(frame)) ? DECIMALS : 0;
      case SSTORE:
        this.#stored(watched, frame, height);
        return 0;
      default:
        return 0;
    }
  }

  #hashed(watched: Watched, frame: TracedFrame): void {
    const length = frame.peek(1);
    const isCreate = length >= CREATE_BYTES.least && length <= CREATE_BYTES.most;
    if (length !== CREATE2_BYTES && !isCreate) return;
    const at = saturatedInt(frame.peek(0));
    if (at + Number(length) > frame.memory.size) return;
    const [first, second] = frame.memory.read(at, 2) as unknown as [number, number];
    if (length === CREATE2_BYTES) {
      if (first === 0xff) this.#met('create2-prediction', watched);
    } else if (first >= CREATE_BYTES.list && first <= CREATE_BYTES.longestList && second === CREATE_BYTES.address)
      this.#met('create-prediction', watched);
  }

  #touched(watched: Watched, frame: TracedFrame): void {
    const slot = frame.peek(0);
    const key = `${frame.context} ${slot & LOW_128}`;
    const known = this.#slots.get(key);
    if (known === undefined) this.#slots.set(key, slot);
    else if (known !== slot) this.#met('slot-alias', watched);
  }

  #stored(watched: Watched, frame: TracedFrame, height: number): void {
    this.#touched(watched, frame);
    const tag = watched.tags.at(height, 1);
    if ((tag & ADDRESS) !== 0 && isLongAddress(frame.peek(1))) this.#met('long-address', watched);
    const { slotsOfDecimals } = this.sightings;
    // Values computed with such a constant are mostly scaled shares and rates, not amounts.
    if ((tag & CONSTANT) !== 0 && isOfDecimals(tag, frame, 1)) slotsOfDecimals.add(slotKey(frame));
    else if (slotsOfDecimals.size > 0) slotsOfDecimals.delete(slotKey(frame));
  }

  #met(id: DifferenceId, watched: Watched, pc = watched.pc): void {
    this.sightings.met(id, watched, pc, () => watched.trail);
  }

  #of(frame: TracedFrame): Watched {
    return this.#frames.get(frame) as Watched;
  }
}

const CREATION: Omit<PendingCall, 'pc'> = {
  isFixed: false,
  to: '' as Address,
  outputAt: 0n,
  outputLength: 0n,
  isCreation: true,
};

/** Whether a CALL is `transfer(address,uint256)`. */
function isTokenTransfer(frame: TracedFrame): boolean {
  if (frame.peek(4) !== TRANSFER_BYTES) return false;
  const at = saturatedInt(frame.peek(3));
  if (at + TRANSFER.length > frame.memory.size) return false;
  const selector = frame.memory.read(at, TRANSFER.length);
  return TRANSFER.every((byte, i) => selector[i] === byte);
}

/** Whether an output is longer than the call expects, and overwrites memory that Solidity uses. */
function overwritesUsed({ memory }: TracedFrame, { outputAt, outputLength }: PendingCall, length: number): boolean {
  if (BigInt(length) <= outputLength || memory.size < FREE_POINTER + WORD_BYTES) return false;
  const free = wordAt(memory.read(FREE_POINTER, WORD_BYTES), 0);
  return outputAt + outputLength < free && outputAt + BigInt(length) > BigInt(FREE_POINTER);
}

function slotKey(frame: TracedFrame): string {
  return `${frame.context} ${frame.peek(0)}`;
}
