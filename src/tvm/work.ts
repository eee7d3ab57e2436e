/**
 * CPU time of each step of the machine: the deterministic replacement of java-tron's limit of CPU time.
 *
 * java-tron stops a transaction after 80 ms of its own clock, which differs between machines. Here each step,
 * precompiled contract and amount of data has a weight, and an execution ends with OUT_OF_TIME when its limit is used
 * up: at the same step on every machine. A weight is the measured time of the step's worst case, in nanoseconds on the
 * reference machine (one of two virtual processors of an AMD EPYC, Node 20; `npm run bench -- worst-programs` runs the
 * worst program for each). Energy does not bound this time: TRON charges 40 Energy for an EXP and 3 for an ADD.
 *
 * Weights affect receipts. A change of a weight must increase {@link WORK_VERSION}: a chain stores the version at its
 * start (`node/storage/open-chain.ts`) and does not open with another.
 */

import { saturatedInt, wordAt } from './words.js';

export const WORK_VERSION = 2;

const WORK_PER_MS = 1_000_000;

/** A row of the state that the execution has not read before: a read of the database in the worst case. */
export const NEW_ROW = 5_000;
/** A transfer of TRX or tokens by a call, in addition to the call. */
export const TRANSFER = 4_000;
/** A byte of input that a call or creation keeps: copied, and hashed for its internal transaction. */
export const KEPT_BYTE = 5;
/** A byte of a program that runs for the first time: its jump destinations and constants are searched. */
export const CODE_BYTE = 12;
/** A byte of a frame's output: copied twice. */
export const OUTPUT_BYTE = 1;
/** A byte of memory without payment. */
export const FREE_BYTE = 1;
/** A byte written beyond paid memory: it is kept until the frame ends. */
export const FAR_BYTE = 10;
/** A token in the account of a contract that destroys itself or sends tokens. */
export const HELD_TOKEN = 300;
/** A delegation partner of owner or receiver: the lists of both are rewritten. */
export const DELEGATION_PARTNER = 200;

/** Work of a step: a fixed part, and a part for each Energy of a computed price. */
interface StepWork {
  readonly base: number;
  readonly perEnergy?: number;
}

/** Cheap steps: jumps, pushes, available words of the environment. */
const PLAIN = 20;
/** Steps that create a new number. */
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

/**
 * Work of an opcode, by its name in the opcode table. A missing weight is an error, because the step would not be
 * limited.
 */
export function workOfStep(name: string): Required<StepWork> {
  const work = STACK_STEP.test(name) ? PLAIN : STEPS[name];
  if (work === undefined) throw new Error(`opcode ${name} has no weight in tvm/work.ts`);
  return typeof work === 'number' ? { base: work, perEnergy: 0 } : { perEnergy: 0, ...work };
}

/** Work of a precompiled contract; its price depends on its input. */
interface ContractWork {
  readonly base: number;
  readonly perByte?: number;
  readonly perEnergy?: number;
}

/** Queries of contracts about the chain: a few rows. */
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
  /** Shielded tokens; their proofs are not verified. */
  ...[0x1000001, 0x1000002, 0x1000003, 0x1000004].map((address) => [address, { base: QUERY }] as const),
  /** The rewards for thirty votes. */
  [0x1000005, { base: 200_000 }],
  ...Array.from({ length: 0x10 }, (_, i) => [0x1000006 + i, { base: QUERY }] as const),
  [0x100, { base: 3_000_000 }],
  [0x20003, { base: 5_000, perByte: 200 }],
  [0x20009, { base: 20_000, perEnergy: 2_000 }],
]);

const MODEXP = 0x05;

/** Schoolbook multiplications, one for each bit of the exponent and a quarter more; then the division. */
function modexpWork(input: Uint8Array): number {
  const [base, exponent, modulus] = [0, 32, 64].map((at) => Math.min(saturatedInt(wordAt(input, at)), input.length));
  const words = Math.ceil((modulus as number) / 8);
  const step = 250 + 55 * words + 3 * words ** 2;
  const division = 4 * Math.ceil((base as number) / 8) * words;
  return 3_000 + 20 * input.length + 10 * (exponent as number) * step + division;
}

/** Work of a precompiled contract, by its address. */
export function workOfContract(address: number, input: Uint8Array, energy: number): number {
  if (address === MODEXP) return modexpWork(input);
  const weight = CONTRACTS.get(address);
  if (weight === undefined)
    throw new Error(`precompiled contract 0x${address.toString(16)} has no weight in tvm/work.ts`);
  const { base, perByte = 0, perEnergy = 0 } = weight;
  return base + perByte * input.length + perEnergy * Math.max(0, energy);
}

/** A work limit as stored by a chain: receipts are only reproducible with the same weights. */
export interface WorkLimit {
  /** {@link WORK_VERSION} at the chain's start. */
  readonly weights: number;
  /** Milliseconds of the reference machine. */
  readonly ms: number;
}

export function workLimit(ms: number): WorkLimit {
  return { weights: WORK_VERSION, ms };
}

/** Work as milliseconds of the reference machine. */
export function workMs(work: number): number {
  return work / WORK_PER_MS;
}

/** Limit of a block's contracts, as a multiple of one transaction's limit: one second with the default. */
const TRANSACTIONS_TIME_IN_BLOCK = 2;

/**
 * Above this work a block takes no more transactions, because it is made in one go. java-tron ends a block's
 * transactions after half of its slot, 1.5 s.
 */
export function fullBlockWork({ ms }: WorkLimit): number {
  return ms * WORK_PER_MS * TRANSACTIONS_TIME_IN_BLOCK;
}

/** Work limit of the look-ahead from one missing row to the next. */
const LOOK_AHEAD = 5 * WORK_PER_MS;

/** Remaining work of an execution; several executions for one answer share a budget. */
export class WorkBudget {
  readonly #limit: number;
  /** Work beyond the limit of a look-ahead. */
  #reserved = 0;

  constructor(public left: number) {
    this.#limit = left;
  }

  /** Used work. */
  get done(): number {
    return this.#limit - this.left - this.#reserved;
  }

  /** Switches to look-ahead, which only finds further missing rows: it ends soon, unless it is called again. */
  readonly lookAhead = (): void => {
    const all = this.left + this.#reserved;
    this.left = Math.min(all, LOOK_AHEAD);
    this.#reserved = all - this.left;
  };

  /** Undefined without a limit: nothing is counted. */
  static of(limit: WorkLimit | undefined): WorkBudget | undefined {
    return limit && new WorkBudget(limit.ms * WORK_PER_MS);
  }
}
