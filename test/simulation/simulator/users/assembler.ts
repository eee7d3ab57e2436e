/** Bytecode of the TRON virtual machine from numbers: what `programs.ts` writes its programs with. */

/** Names are the machine's (protocol/opcodes.md). */
export const OP = {
  STOP: '00',
  ADD: '01',
  MUL: '02',
  SUB: '03',
  DIV: '04',
  EXP: '0a',
  LT: '10',
  ISZERO: '15',
  XOR: '18',
  SHA3: '20',
  ADDRESS: '30',
  BALANCE: '31',
  CALLER: '33',
  CALLVALUE: '34',
  CALLDATALOAD: '35',
  CALLDATASIZE: '36',
  CALLDATACOPY: '37',
  CODESIZE: '38',
  EXTCODESIZE: '3b',
  EXTCODEHASH: '3f',
  BLOCKHASH: '40',
  COINBASE: '41',
  TIMESTAMP: '42',
  NUMBER: '43',
  SELFBALANCE: '47',
  BASEFEE: '48',
  POP: '50',
  MLOAD: '51',
  MSTORE: '52',
  SLOAD: '54',
  SSTORE: '55',
  JUMP: '56',
  JUMPI: '57',
  GAS: '5a',
  JUMPDEST: '5b',
  TLOAD: '5c',
  TSTORE: '5d',
  MCOPY: '5e',
  CODECOPY: '39',
  RETURNDATASIZE: '3d',
  DUP1: '80',
  DUP2: '81',
  SWAP1: '90',
  LOG0: 'a0',
  LOG1: 'a1',
  LOG3: 'a3',
  CREATE: 'f0',
  CALL: 'f1',
  RETURN: 'f3',
  DELEGATECALL: 'f4',
  CREATE2: 'f5',
  STATICCALL: 'fa',
  REVERT: 'fd',
  INVALID: 'fe',
  SUICIDE: 'ff',
} as const;

export type Code = string;

/** The number on the stack. */
export function push(value: number | bigint | { readonly hex: string }): Code {
  const digits = typeof value === 'object' ? value.hex : value.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return (0x5f + even.length / 2).toString(16) + even;
}

/** The place of code in a program, on the stack: always two bytes, so that programs can be put together. */
export function pushPlace(place: number): Code {
  return `61${place.toString(16).padStart(4, '0')}`;
}

export function bytesIn(code: Code): number {
  return code.length / 2;
}

/** Code that creates a contract with this code. It runs `before` first. */
export function creationOf(runtime: Code, before: Code = ''): Code {
  const size = bytesIn(runtime);
  const tail = (from: number) =>
    pushPlace(size) + pushPlace(from) + push(0) + OP.CODECOPY + pushPlace(size) + push(0) + OP.RETURN;
  const from = bytesIn(before) + bytesIn(tail(0));
  return before + tail(from) + runtime;
}
