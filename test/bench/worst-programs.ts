/**
 * How long the virtual machine runs before its limit stops it: the worst program that is known for each step and each
 * precompiled contract, on a chain in LevelDB, with more Energy than anybody has. What is aimed at is the limit itself,
 * half a second of processor time (the garbage collector's threads included): a weight (`src/tvm/work.ts`) that is too low shows as a figure above it.
 */

import { NETWORK_SETTINGS } from '../../src/ledger/config.js';
import { ConstantCalls } from '../../src/ledger/smart-contracts/constant-call.js';
import { LedgerHost } from '../../src/ledger/smart-contracts/host.js';
import type { Node } from '../../src/node/node.js';
import { declarations } from '../../src/options/declarations.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { addressFromPrivateKey } from '../../src/protocol/address.js';
import { TriggerSmartContract } from '../../src/protocol/generated/smart-contract.js';
import { Account } from '../../src/protocol/generated/tron.js';
import { sign } from '../../src/protocol/signature.js';
import { TABLES } from '../../src/state/tables.js';
import { ContractResult } from '../../src/tvm/errors.js';
import { workLimit } from '../../src/tvm/work.js';
import { NO_TRANSACTION } from '../../src/wallet/calls.js';
import type { Bench, Figure } from './bench.js';
import { openBenchNode } from './bench-chain.js';
import { inScratchDirectory, levelStore } from './scratch.js';

const KEY = '11'.repeat(32);
const OWNER = addressFromPrivateKey(KEY);
const CONTRACT = `41${'c0'.repeat(20)}` as Address;
const CALLEE = `41${'ca'.repeat(20)}` as Address;
const LIMIT_MS = declarations.vmLimitMs.default;
const ENERGY = 10 ** 12;
const STORED_ACCOUNTS = 50_000;
const FIRST_ACCOUNT = 1n << 120n;
const MIB = 1024 * 1024;

function push(value: number | bigint | string): string {
  const digits = typeof value === 'string' ? value : value.toString(16);
  const even = digits.padStart(digits.length + (digits.length % 2), '0');
  return `${(0x5f + even.length / 2).toString(16)}${even}`;
}

const word = (value: number | bigint): string => BigInt(value).toString(16).padStart(64, '0');
const mstore = (at: number, value: string): string => `${push(value)}${push(at)}52`;

/** Writes bytes into memory from 0. */
const store = (data: string): string =>
  (data.match(/.{1,64}/g) ?? []).map((part, i) => mstore(32 * i, part.padEnd(64, '0'))).join('');

interface Program {
  /** Runs once; leaves the stack as the body expects it. */
  readonly before?: string;
  /** Runs until it is stopped. Leaves the stack as it was. */
  readonly body: string;
  readonly callee?: string;
  /** How often the body stands in the loop. */
  readonly times?: number;
}

const A = `${'f'.repeat(63)}5`;
const B = `7${'d'.repeat(62)}3`;
const C = `0${'a'.repeat(31)}${'1'.repeat(32)}`;
const D = `1${'e'.repeat(33)}`;
const operands = push(D) + push(C) + push(B) + push(A);

const unary = (opcode: string): Program => ({ before: operands, body: `80${opcode}50` });
const binary = (opcode: string): Program => ({ before: operands, body: `8181${opcode}50` });
/** By a number of two words, which takes longest. */
const division = (opcode: string): Program => ({ before: operands, body: `8381${opcode}50` });
const ternary = (opcode: string): Program => ({ before: operands, body: `828282${opcode}50` });
const nullary = (opcode: string): Program => ({ body: `${opcode}50` });
/** With a number on the stack that is another one each time. */
const counting = (use: string, from: bigint = FIRST_ACCOUNT): Program => ({
  before: push(from),
  body: `${use}${push('9e3779b97f4a7c15f39cc0605cedc835')}01`,
});
const stored = (use: string): Program => ({ before: push(FIRST_ACCOUNT), body: `${use}600101` });

/** Grows memory to 3 MiB with the output of sha256, for nothing. */
const grown = `5f${push(3 * MIB - 32)}5f5f600261fffffa50`;
const precompile = (address: number, input: string): Program => ({
  before: store(input),
  body: `5f${push(0x4000)}${push(input.length / 2)}5f${push(address)}5afa50`,
});
/** The same with as many bytes of memory as input. */
const longPrecompile = (address: number, bytes: number, head = ''): Program => ({
  before: grown + store(head),
  body: `5f${push(2 * MIB)}${push(bytes)}5f${push(address)}5afa50`,
  times: 4,
});

function signatures(count: number): string[] {
  return Array.from({ length: count }, (_, i) => sign('ab'.repeat(32), (i + 1).toString(16).padStart(64, '0')));
}

function bytesArray(items: readonly string[]): string {
  const words = items.map((item) => word(item.length / 2) + item.padEnd(Math.ceil(item.length / 64) * 64, '0'));
  let at = 32 * items.length;
  const offsets = words.map((each) => {
    const offset = word(at);
    at += each.length / 2;
    return offset;
  });
  return word(items.length) + offsets.join('') + words.join('');
}

const batch = (): string => {
  const array = bytesArray(signatures(16));
  const addresses = word(16) + word(1).repeat(16);
  return 'ab'.repeat(32) + word(0x60) + word(0x60 + array.length / 2) + array + addresses;
};
const multi = (): string =>
  word(BigInt(`0x${OWNER.slice(2)}`)) + word(0) + 'ab'.repeat(32) + word(0x80) + bytesArray(signatures(5));

const modexp = (base: number, exponent: number, modulus: number): string =>
  word(base) + word(exponent) + word(modulus) + 'e3'.repeat(base) + 'f7'.repeat(exponent) + 'fb'.repeat(modulus);

const G1 = word(1) + word(2);
const G1_TWICE =
  '030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3' +
  '15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4';
const G2 =
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa';

const recovery = (): string => {
  const signature = sign('ab'.repeat(32), KEY);
  return `${'ab'.repeat(32)}${word(27 + Number(signature.slice(128)))}${signature.slice(0, 128)}`;
};

const call = (opcode: string, value: string, target: string, input = '5f'): string =>
  `5f5f${input}5f${value}${target}5a${opcode}50`;
const callee = push(CALLEE.slice(2));

const programs: Readonly<Record<string, () => Program>> = {
  'JUMPDEST alone': () => ({ body: '5b', times: 2000 }),
  'PUSH32, POP': () => ({ body: `${push(A)}50` }),
  'DUP16, POP': () => ({ before: '5f'.repeat(16), body: '8f50' }),
  SWAP16: () => ({ before: '5f'.repeat(17), body: '9f' }),
  'JUMP alone': () => ({ body: '', times: 1 }),
  PC: () => nullary('58'),
  ADD: () => binary('01'),
  MUL: () => binary('02'),
  SUB: () => binary('03'),
  DIV: () => division('04'),
  SDIV: () => division('05'),
  MOD: () => division('06'),
  SMOD: () => division('07'),
  ADDMOD: () => ternary('08'),
  MULMOD: () => ternary('09'),
  EXP: () => binary('0a'),
  'EXP of a small base': () => ({ before: operands, body: `80${push(3)}0a50` }),
  SIGNEXTEND: () => ({ before: operands, body: `80${push(15)}0b50` }),
  LT: () => binary('10'),
  SLT: () => binary('12'),
  EQ: () => binary('14'),
  ISZERO: () => unary('15'),
  AND: () => binary('16'),
  XOR: () => binary('18'),
  NOT: () => unary('19'),
  BYTE: () => ({ before: operands, body: `80${push(0)}1a50` }),
  SHL: () => ({ before: operands, body: `80${push(129)}1b50` }),
  SHR: () => ({ before: operands, body: `80${push(1)}1c50` }),
  SAR: () => ({ before: operands, body: `80${push(1)}1d50` }),
  'SHA3 of nothing': () => ({ body: '5f5f2050' }),
  'SHA3 of 64 changing bytes': () => counting('805f5260405f2050'),
  'SHA3 of 1 MiB': () => ({ before: grown, body: `${push(MIB)}5f2050`, times: 4 }),
  ADDRESS: () => nullary('30'),
  ORIGIN: () => nullary('32'),
  CALLDATALOAD: () => ({ body: '5f3550' }),
  COINBASE: () => nullary('41'),
  TIMESTAMP: () => nullary('42'),
  NUMBER: () => nullary('43'),
  CHAINID: () => nullary('46'),
  SELFBALANCE: () => nullary('47'),
  BASEFEE: () => nullary('48'),
  'BLOCKHASH of changing blocks': () => ({ before: push(1), body: '804303405060010160ff16' }),
  'BALANCE of missing accounts': () => counting('803150'),
  'BALANCE of stored accounts': () => stored('803150'),
  'BALANCE of one account': () => ({ body: '303150' }),
  'EXTCODESIZE of missing accounts': () => counting('803b50'),
  'EXTCODESIZE of one': () => ({ body: `${callee}3b50`, callee: '5b'.repeat(24_000) }),
  'EXTCODEHASH of stored accounts': () => stored('803f50'),
  'EXTCODECOPY of 0 bytes': () => ({ body: '5f5f5f303c' }),
  'ISCONTRACT of missing accounts': () => counting('80d450'),
  'TOKENBALANCE of stored accounts': () => stored('80620f4241d150'),
  'CALLDATACOPY of 0 bytes': () => ({ body: '5f5f5f37' }),
  'CODECOPY of 32 bytes': () => ({ body: '60205f5f39' }),
  'CALLDATACOPY of 1 MiB': () => ({ before: grown, body: `${push(MIB)}5f5f37`, times: 4 }),
  'MCOPY of 1 MiB': () => ({ before: grown, body: `${push(MIB)}${push(MIB)}5f5e`, times: 4 }),
  'MCOPY of 32 bytes': () => ({ body: '60205f60205e' }),
  MLOAD: () => ({ before: mstore(0, A), body: '5f5150' }),
  MSTORE: () => ({ before: operands, body: '805f52' }),
  MSTORE8: () => ({ before: operands, body: '805f53' }),
  'SLOAD of new slots': () => counting('805450'),
  'SLOAD of one slot': () => ({ body: '5f5450' }),
  'SSTORE of new slots': () => counting('808055'),
  'SSTORE of one slot': () => ({ before: operands, body: '805f55' }),
  'TLOAD of one slot': () => ({ body: '5f5c50' }),
  'TSTORE of new slots': () => counting('80805d'),
  MSIZE: () => nullary('59'),
  GAS: () => nullary('5a'),
  'LOG0 of nothing': () => ({ body: '5f5fa0' }),
  'LOG4 of nothing': () => ({ before: operands, body: '808080805f5fa4' }),
  'LOG0 of 32 KiB': () => ({ before: grown, body: `${push(32_768)}5fa0`, times: 10 }),
  'CREATE of nothing': () => ({ body: '5f5f5ff050' }),
  'CREATE that returns a byte': () => ({ before: store('60015ff3'), body: '60045f5ff050' }),
  'CREATE of 1 MiB that jumps': () => ({
    before: `${grown}${store('6003565b00')}`,
    body: `${push(MIB)}5f5ff050`,
    times: 4,
  }),
  'CREATE2 of changing salts': () => counting('805f5f5ff550'),
  'CREATE2 of 1 MiB': () => ({ before: push(1) + grown, body: `80${push(MIB)}5f5ff550600101`, times: 4 }),
  'CALL of one missing account': () => ({ body: call('f1', '5f', push('dd')) }),
  'CALL of changing missing accounts': () => ({
    before: push(FIRST_ACCOUNT),
    body: `5f5f5f5f5f855af150${push('9e3779b97f4a7c15f39cc0605cedc835')}01`,
  }),
  'CALL with 1 MiB of input': () => ({ before: grown, body: call('f1', '5f', push('dd'), push(MIB)), times: 4 }),
  'CALL of a contract': () => ({ body: call('f1', '5f', callee), callee: '00' }),
  'CALL that sends': () => ({ body: call('f1', '6001', callee), callee: '00' }),
  'CALL that sends to missing accounts': () => ({
    before: push(FIRST_ACCOUNT),
    body: `5f5f5f5f6001855af150${push('9e3779b97f4a7c15f39cc0605cedc835')}01`,
  }),
  'CALL that reverts': () => ({ body: call('f1', '6001', callee), callee: '60015f555f5ffd' }),
  'CALL of itself, 64 deep': () => ({ body: '5f5f5f5f5f305af150', times: 1 }),
  DELEGATECALL: () => ({ body: `5f5f5f5f${callee}5af450`, callee: '00' }),
  STATICCALL: () => ({ body: `5f5f5f5f${callee}5afa50`, callee: '00' }),
  CALLTOKEN: () => ({ body: `5f5f5f5f${push(1_000_002)}5f${callee}5ad050`, callee: '00' }),
  'RETURN of 1 MiB that nobody paid for': () => ({
    body: call('f1', '5f', callee),
    callee: `${grown}${push(MIB)}5ff3`,
    times: 10,
  }),
  'memory that nobody paid for': () => ({ body: call('f1', '5f', callee), callee: `${grown}${push(3 * MIB - 32)}51` }),
  'memory of 100 KiB in each callee': () => ({ body: call('f1', '5f', callee), callee: `${push(100_000)}51` }),
  'SUICIDE of a callee': () => ({ body: call('f1', '6001', callee), callee: '30ff' }),
  FREEZEBALANCEV2: () => ({ body: `${push(1_000_000)}5fda50` }),
  UNFREEZEBALANCEV2: () => ({ body: `${push(1)}5fdb50`, before: `${push(10_000_000_000)}5fda50` }),
  CANCELALLUNFREEZEV2: () => ({ body: 'dc50', before: `${push(10_000_000_000)}5fda50` }),
  WITHDRAWEXPIREUNFREEZE: () => ({ body: 'dd50' }),
  DELEGATERESOURCE: () => ({
    before: `${push(100_000_000_000_000)}5fda50`,
    body: `${push(OWNER.slice(2))}${push(1_000_000)}5fde50`,
  }),
  'DELEGATERESOURCE to stored accounts': () => ({
    before: `${push(1_000_000_000_000)}5fda50${push(FIRST_ACCOUNT)}`,
    body: `80${push(1_000_000)}5fde50600101`,
  }),
  VOTEWITNESS: () => ({ body: '60205f60205fd850' }),
  WITHDRAWREWARD: () => nullary('d9'),
  ecrecover: () => precompile(1, recovery()),
  'sha256 of nothing': () => precompile(2, ''),
  'sha256 of 1 MiB': () => longPrecompile(2, MIB),
  'double sha256 of 1 MiB': () => longPrecompile(3, MIB),
  'identity of nothing': () => precompile(4, ''),
  'identity of 1 MiB': () => longPrecompile(4, MIB),
  'identity of 1 MiB, far away': () => ({
    before: `${grown}${push(4 * MIB)}`,
    body: `5f81${push(MIB)}5f60045afa50${push(MIB)}01${push(0x3fff_ffff)}16`,
    times: 2,
  }),
  'MODEXP of a byte': () => precompile(5, modexp(1, 1, 1)),
  'MODEXP of 32 bytes': () => precompile(5, modexp(32, 32, 32)),
  'MODEXP of 256 bytes': () => precompile(5, modexp(256, 256, 256)),
  'MODEXP of 1 KiB': () => precompile(5, modexp(1024, 32, 1024)),
  'MODEXP with an exponent of 16 KiB': () =>
    longPrecompile(5, 16_500, word(1) + word(16_384) + word(1) + 'f7'.repeat(16_386)),
  'MODEXP with a base of 64 KiB': () =>
    longPrecompile(5, 65_900, word(65_536) + word(1) + word(64) + 'f7'.repeat(65_537) + 'fb'.repeat(64)),
  'BN128 addition': () => precompile(6, G1 + G1_TWICE),
  'BN128 multiplication': () => precompile(7, G1_TWICE + A),
  'BN128 pairing of 1': () => precompile(8, G1 + G2),
  'BN128 pairing of 8': () => precompile(8, (G1 + G2).repeat(8)),
  'BN128 pairing of nothing': () => precompile(8, ''),
  '16 signatures at once': () => precompile(9, batch()),
  'multi-signature': () => precompile(10, multi()),
  verifyMintProof: () => precompile(0x1000001, ''),
  rewardBalance: () => precompile(0x1000005, ''),
  voteCount: () => precompile(0x1000007, word(FIRST_ACCOUNT) + word(1)),
  totalVoteCount: () => precompile(0x100000a, word(FIRST_ACCOUNT)),
  chainParameter: () => precompile(0x100000b, word(1)),
  delegatable: () => precompile(0x100000f, word(FIRST_ACCOUNT) + word(1)),
  'delegated to changing accounts': () => ({
    before: push(FIRST_ACCOUNT),
    body: '805f525f5f60605f63010000105afa50600101',
  }),
  resourceUsage: () => precompile(0x1000012, word(FIRST_ACCOUNT) + word(1)),
  totalResource: () => precompile(0x1000013, word(FIRST_ACCOUNT) + word(1)),
};

function codeOf({ before = '', body, times = 100 }: Program): string {
  const start = before.length / 2;
  return `${before}5b${body.repeat(times)}${push(start.toString(16).padStart(6, '0'))}56`;
}

export const bench: Bench = {
  about: 'how long a call may run: the worst program for each step and precompiled contract, at the limit',

  async *measure(progress) {
    yield* await inScratchDirectory(async (directory) => {
      progress('accounts');
      const node = await openNode(directory);
      const figures: Figure[] = [];
      for (const [name, make] of Object.entries(programs)) {
        progress(name);

        const program = make();
        const times = [1, 2, 3].map(() => timeOf(node, program, progress));
        const atMost = 1.1 * LIMIT_MS;
        figures.push({ name, value: Math.min(...times), unit: 'ms', aim: { of: 'value', atMost } });
      }
      await node.chain.close();
      return figures;
    });
  },
};

async function openNode(directory: string): Promise<Node> {
  const db = await levelStore(directory);
  await db.write(
    Array.from({ length: STORED_ACCOUNTS }, (_, i) => {
      const address = `41${(FIRST_ACCOUNT + BigInt(i)).toString(16).padStart(40, '0')}`;
      return { key: TABLES.accounts.prefix + address, value: Account.encode(Account.create({ address, balance: 1n })) };
    }),
  );
  const node = await openBenchNode(db, [KEY], {
    settings: {
      ...NETWORK_SETTINGS,
      vmLimit: workLimit(LIMIT_MS),
    },
  });
  node.mine(300);
  return node;
}

function timeOf({ chain: { ledger } }: Node, program: Program, progress: (text: string) => void): number {
  return ledger.state.dryRun(() => {
    const host = new LedgerHost(ledger, { timestampMs: ledger.headTimeMs });
    for (const [address, code] of [
      [CONTRACT, codeOf(program)],
      [CALLEE, program.callee ?? '00'],
    ] as const) {
      host.createContract({ address, creator: OWNER, version: 0, trxHash: '' });
      host.setCode(address, hexToBytes(code));
      const { accounts } = ledger.state.tables;
      accounts.set(address, { ...(accounts.get(address) as Account), balance: 10n ** 15n });
    }
    const call = TriggerSmartContract.create({ owner_address: OWNER, contract_address: CONTRACT });
    const from = process.cpuUsage();
    const result = new ConstantCalls(ENERGY).run(ledger, call, { txId: NO_TRANSACTION });
    const { user, system } = process.cpuUsage(from);
    if (result.contractResult !== ContractResult.OUT_OF_TIME) {
      progress(
        `ended by itself ${codeOf(program).slice(0, 60)}: ${result.runtimeError} after ${result.energyUsed} Energy`,
      );
    }
    return (user + system) / 1000;
  });
}
