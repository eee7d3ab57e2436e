/**
 * What each step of the machine costs a processor: the deterministic stand-in for java-tron's limit on processor time.
 *
 * java-tron stops a transaction after 80 ms of its own clock, which no two machines share. Here every step, precompiled
 * contract and amount of data has a weight, and an execution ends OUT_OF_TIME when its limit is used up: at the same
 * step on every machine. A weight is the time that the step's worst form was measured to take, in nanoseconds on the
 * reference machine (one of two virtual processors of an AMD EPYC, Node 20; `npm run bench -- worst-programs` runs the
 * worst program for each). Energy does not bound this time: TRON sells an EXP at 40 Energy and an ADD at 3.
 *
 * Weights decide receipts. Whoever changes one counts {@link WORK_VERSION} up: a chain remembers by which version it
 * was begun (`node/storage/open-chain.ts`) and does not open under another.
 */

import { saturatedInt, wordAt } from './words.js';

export const WORK_VERSION = 2;

const WORK_PER_MS = 1_000_000;

/** A row of the state that the execution has not asked for before: in the worst case a read of the database. */
export const NEW_ROW = 5_000;
/** A transfer of coins or tokens by a call, over what the call is. */
export const TRANSFER = 4_000;
/** A byte of input that a call or creation keeps: copied, and hashed for its internal transaction. */
export const KEPT_BYTE = 5;
/** A byte of a program that runs for the first time: its jumps and constants are looked for. */
export const CODE_BYTE = 12;
/** A byte that is handed out of a frame: copied twice. */
export const OUTPUT_BYTE = 1;
/** A byte of memory that nobody paid for. */
export const FREE_BYTE = 1;
/** A byte written beyond the memory that can be paid for: it is kept until the frame ends. */
export const FAR_BYTE = 10;
/** A token in the account of a contract that destroys itself or sends tokens. */
export const HELD_TOKEN = 300;
/** Somebody to whom the lender lends, or who lends to the receiver: the lists of both are written anew. */
export const LENDING_PARTNER = 200;

/** Work of a step: what is fixed, and what comes with each Energy of a price that depends on operands. */
interface StepWork {
  readonly base: number;
  readonly perEnergy?: number;
}

/** Cheap steps: jumps, pushes, words of the environment that are at hand. */
const PLAIN = 20;
/** Those that make a new number. */
const FRESH = 40;

const STEPS: Readonly<Record<string, number | StepWork>> = {
  STOP: PLAIN,
  CALLER: PLAIN,
  CALLVALUE: PLAIN,
  CALLTOKENVALUE: PLAIN,
  CALLTOKENID: PLAIN,
  GASPRICE: PLAIN,
  DIFFICULTY: PLAIN,
  GASLIMIT: PLAIN,
  BASEFEE: PLAIN,
  BLOBHASH: PLAIN,
  BLOBBASEFEE: PLAIN,
  POP: PLAIN,
  JUMP: PLAIN,
  JUMPI: PLAIN,
  JUMPDEST: PLAIN,
  ADD: 70,
  MUL: 120,
  SUB: 70,
  DIV: 140,
  SDIV: 200,
  MOD: 140,
  SMOD: 200,
  ADDMOD: 200,
  MULMOD: 300,
  EXP: { base: 200, perEnergy: 180 },
  SIGNEXTEND: 140,
  LT: 35,
  GT: 35,
  SLT: 100,
  SGT: 100,
  EQ: 35,
  ISZERO: 30,
  AND: 65,
  OR: 65,
  XOR: 65,
  NOT: 65,
  BYTE: 100,
  SHL: 110,
  SHR: 100,
  SAR: 150,
  CLZ: 400,
  SHA3: { base: 1_800, perEnergy: 18 },
  ADDRESS: 25,
  BALANCE: 400,
  ORIGIN: 180,
  CALLDATALOAD: 100,
  CALLDATASIZE: FRESH,
  CALLDATACOPY: { base: 100, perEnergy: 2 },
  CODESIZE: FRESH,
  CODECOPY: { base: 150, perEnergy: 2 },
  EXTCODESIZE: 500,
  EXTCODECOPY: { base: 450, perEnergy: 2 },
  RETURNDATASIZE: FRESH,
  RETURNDATACOPY: { base: 150, perEnergy: 2 },
  EXTCODEHASH: 800,
  BLOCKHASH: 2_000,
  COINBASE: 180,
  TIMESTAMP: 60,
  NUMBER: FRESH,
  CHAINID: 150,
  SELFBALANCE: 150,
  MLOAD: { base: 170, perEnergy: 1 },
  MSTORE: { base: 115, perEnergy: 1 },
  MSTORE8: { base: 65, perEnergy: 1 },
  SLOAD: 120,
  SSTORE: 400,
  PC: FRESH,
  MSIZE: FRESH,
  GAS: FRESH,
  TLOAD: 120,
  TSTORE: 1_200,
  MCOPY: { base: 100, perEnergy: 2 },
  LOG0: { base: 300, perEnergy: 2 },
  LOG1: { base: 300, perEnergy: 2 },
  LOG2: { base: 300, perEnergy: 2 },
  LOG3: { base: 300, perEnergy: 2 },
  LOG4: { base: 300, perEnergy: 2 },
  CREATE: { base: 0, perEnergy: 1 },
  CREATE2: { base: 0, perEnergy: 1 },
  CALL: 6_000,
  CALLCODE: 6_000,
  DELEGATECALL: 6_000,
  STATICCALL: 6_000,
  CALLTOKEN: 8_000,
  RETURN: { base: 100, perEnergy: 1 },
  REVERT: { base: 100, perEnergy: 1 },
  SUICIDE: 50_000,
  TOKENBALANCE: 1_500,
  ISCONTRACT: 400,
  FREEZE: 60_000,
  UNFREEZE: 60_000,
  FREEZEEXPIRETIME: 20_000,
  VOTEWITNESS: { base: 200_000, perEnergy: 1 },
  WITHDRAWREWARD: 150_000,
  FREEZEBALANCEV2: 25_000,
  UNFREEZEBALANCEV2: 150_000,
  CANCELALLUNFREEZEV2: 50_000,
  WITHDRAWEXPIREUNFREEZE: 50_000,
  DELEGATERESOURCE: 220_000,
  UNDELEGATERESOURCE: 220_000,
};

/** PUSH0 to PUSH32, DUP1 to DUP16, SWAP1 to SWAP16. */
const STACK_STEP = /^(PUSH|DUP|SWAP)\d+$/;

/** Of an opcode, by its name in the table of opcodes. An opcode without a weight is a fault of ours: it would run unmeasured. */
export function workOfStep(name: string): Required<StepWork> {
  const work = STACK_STEP.test(name) ? PLAIN : STEPS[name];
  if (work === undefined) throw new Error(`opcode ${name} has no weight in tvm/work.ts`);
  return typeof work === 'number' ? { base: work, perEnergy: 0 } : { perEnergy: 0, ...work };
}

/** Work of a precompiled contract, whose price depends on its input. */
interface ContractWork {
  readonly base: number;
  readonly perByte?: number;
  readonly perEnergy?: number;
}

/** What contracts ask the chain: a few rows of it. */
const QUERY = 20_000;

const CONTRACTS: ReadonlyMap<number, ContractWork> = new Map<number, ContractWork>([
  [0x01, { base: 120_000 }],
  [0x02, { base: 1_500, perByte: 4 }],
  [0x03, { base: 3_000, perByte: 4 }],
  [0x04, { base: 300, perByte: 2 }],
  [0x06, { base: 100_000 }],
  [0x07, { base: 4_000_000 }],
  [0x08, { base: 8_000_000, perEnergy: 200 }],
  [0x09, { base: 10_000, perEnergy: 70 }],
  [0x0a, { base: 20_000, perEnergy: 100 }],
  /** Shielded tokens, whose proofs are not verified. */
  ...[0x1000001, 0x1000002, 0x1000003, 0x1000004].map((address) => [address, { base: QUERY }] as const),
  /** The rewards of thirty votes. */
  [0x1000005, { base: 200_000 }],
  ...Array.from({ length: 0x10 }, (_, i) => [0x1000006 + i, { base: QUERY }] as const),
  [0x100, { base: 3_000_000 }],
  [0x20003, { base: 5_000, perByte: 200 }],
  [0x20009, { base: 20_000, perEnergy: 2_000 }],
]);

const MODEXP = 0x05;

/** Multiplications, one for each bit of the exponent and a quarter more, by the school's method; then the division. */
function modexpWork(input: Uint8Array): number {
  const [base, exponent, modulus] = [0, 32, 64].map((at) => Math.min(saturatedInt(wordAt(input, at)), input.length));
  const words = Math.ceil((modulus as number) / 8);
  const step = 250 + 55 * words + 3 * words ** 2;
  const division = 4 * Math.ceil((base as number) / 8) * words;
  return 3_000 + 20 * input.length + 10 * (exponent as number) * step + division;
}

/** Of a precompiled contract, by the address it is known under. */
export function workOfContract(address: number, input: Uint8Array, energy: number): number {
  if (address === MODEXP) return modexpWork(input);
  const weight = CONTRACTS.get(address);
  if (weight === undefined)
    throw new Error(`precompiled contract 0x${address.toString(16)} has no weight in tvm/work.ts`);
  const { base, perByte = 0, perEnergy = 0 } = weight;
  return base + perByte * input.length + perEnergy * Math.max(0, energy);
}

/** A limit as a chain keeps it: receipts come out the same only with the same weights. */
export interface WorkLimit {
  /** {@link WORK_VERSION} when the chain was begun. */
  readonly weights: number;
  /** Milliseconds of the reference machine. */
  readonly ms: number;
}

export function workLimit(ms: number): WorkLimit {
  return { weights: WORK_VERSION, ms };
}

/** In how many times the time of one transaction the contracts of a block are to be done: of the default a second. */
const TRANSACTIONS_TIME_IN_BLOCK = 2;

/**
 * With this much to do no more is taken in for a block, which is made in one go. java-tron ends a block's transactions
 * when half of its slot is over, 1.5 s.
 */
export function fullBlockWork({ ms }: WorkLimit): number {
  return ms * WORK_PER_MS * TRANSACTIONS_TIME_IN_BLOCK;
}

/** So far is looked from a row that is missing to the next one. */
const LOOK_AHEAD = 5 * WORK_PER_MS;

/** How much an execution may still do; several that answer one question share one. */
export class WorkBudget {
  readonly #limit: number;
  /** What is left beyond the next step's. */
  #later = 0;

  constructor(public left: number) {
    this.#limit = left;
  }

  /** How much of it is used up. */
  get done(): number {
    return this.#limit - this.left - this.#later;
  }

  /** From here on it is only a look at what else will be read: it ends soon, unless that is asked for again. */
  readonly lookAhead = (): void => {
    const all = this.left + this.#later;
    this.left = Math.min(all, LOOK_AHEAD);
    this.#later = all - this.left;
  };

  /** Without a limit nobody counts. */
  static of(limit: WorkLimit | undefined): WorkBudget | undefined {
    return limit && new WorkBudget(limit.ms * WORK_PER_MS);
  }
}
