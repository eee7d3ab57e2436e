/**
 * The table of protocol/opcodes.md#check-vectors, and what java-tron's own tests expect with the older memory
 * prices.
 */

import { expect, test } from 'vitest';
import { ContractResult } from '../../../src/tvm/errors.js';
import { CC, run, type Scene } from './fixture.js';

type Row = [name: string, code: string, energy: number, scene?: Partial<Scene>];

const succeeding: Row[] = [
  ['ADD', '6001600101', 9],
  ['EXP, 2-byte exponent', '61010060020a', 36],
  ['SHA3 of 32 bytes', '6020600020', 45],
  ['MLOAD 0', '5f51', 6],
  ['MSTORE 0', '60015f52', 9],
  ['MSTORE8 31', '6001601f53', 10],
  ['MSTORE at 0x7fe0', '6001617fe052', 5127],
  ['CALLDATACOPY 64', '60405f5f37', 19],
  ['EXTCODECOPY 32 of self', '60205f5f303c', 35],
  ['MCOPY 32', '60205f60205e', 20],
  ['SLOAD', '5f54', 52],
  ['SSTORE 0 to 1', '60015f55', 20005],
  ['SSTORE 0, 1, 0, 2', '60015f555f5f5560025f55', 30014],
  ['SSTORE 0 to 0', '5f5f55', 5004],
  ['SSTORE 0, 0, 1', '5f5f5560015f55', 10009],
  ['LOG2, 32 bytes', '6001600260205fa2', 1395],
  ['CALL without value to STOP', '5f5f5f5f5f60bb5af1', 55, { callee: '00' }],
  ['CALL to REVERT', '5f5f5f5f5f60bb5af1', 59, { callee: '5f5ffd' }],
  ['CALL value 1 to a missing account', '5f5f5f5f600160cc5af1', 31756],
  ['CALL value 1 to STOP', '5f5f5f5f600160bb5af1', 6756, { callee: '00' }],
  ['CALL value 1 without balance', '5f5f5f5f600160bb5af1', 6756, { callee: '00', balance: 0n }],
  ['CALL(100000) to INVALID', '5f5f5f5f5f60bb620186a0f1', 100056, { callee: 'fe' }],
  ['CREATE with empty init code', '5f5f5ff05f5260205ff3', 32017],
];

test.each(succeeding)('%s', (_, code, energy, scene) => {
  const result = run({ code, ...scene });
  expect(result.runtimeError).toBeUndefined();
  expect(result.energyUsed).toBe(energy);
});

test('a value call creates a missing account', () => {
  const { host } = run({ code: '5f5f5f5f600160cc5af1' });
  expect(host.balance(CC)).toBe(1n);
});

test('SSTORE of an existing row costs 5,000 whatever is written', () => {
  const first = run({ code: '60055f55' });
  expect(first.host.rows.size).toBe(1);
  const prepare: Scene['prepare'] = (host) => {
    for (const [row, value] of first.host.rows) host.rows.set(row, value);
  };
  expect(run({ code: '60065f55', prepare }).energyUsed).toBe(5005);
  expect(run({ code: '5f5f55', prepare }).energyUsed).toBe(5004);
});

test('CREATE pushes 21 bytes', () => {
  const { output } = run({ code: '5f5f5ff05f5260205ff3' });
  expect(output[11]).toBe(0x41);
});

type Failure = [
  name: string,
  code: string,
  energy: number,
  result: ContractResult,
  text: string,
  scene?: Partial<Scene>,
];

const failing: Failure[] = [
  [
    'CALL to itself with value',
    '5f5f5f5f600160aa5af1',
    6756,
    ContractResult.TRANSFER_FAILED,
    'transfer trx failed: Cannot transfer TRX to yourself.',
  ],
  [
    'CALL(all) to INVALID, then POP',
    '5f5f5f5f5f60bb5af150',
    1_000_000,
    ContractResult.OUT_OF_ENERGY,
    "Not enough energy for 'POP' operation executing: curInvokeEnergyLimit[1000000], curOpEnergy[2], usedEnergy[1000000]",
    { callee: 'fe' },
  ],
  ['INVALID', 'fe', 1_000_000, ContractResult.ILLEGAL_OPERATION, 'Invalid operation code: opCode[fe];'],
  ['bad jump', '600356', 1_000_000, ContractResult.BAD_JUMP_DESTINATION, "Operation with pc isn't 'JUMPDEST': PC[3];"],
  ['underflow', '01', 1_000_000, ContractResult.STACK_TOO_SMALL, 'Expected stack size 2 but actual 0;'],
  [
    'memory limit',
    '60016230000052',
    1_000_000,
    ContractResult.OUT_OF_MEMORY,
    "Out of Memory when 'MSTORE' operation executing",
  ],
  [
    'loop',
    '5b600056',
    100,
    ContractResult.OUT_OF_ENERGY,
    "Not enough energy for 'JUMP' operation executing: curInvokeEnergyLimit[100], curOpEnergy[8], usedEnergy[100]",
    { energyLimit: 100 },
  ],
];

test.each(failing)('%s', (_, code, energy, contractResult, text, scene) => {
  const result = run({ code, ...scene });
  expect(result.runtimeError).toBe(text);
  expect(result.contractResult).toBe(contractResult);
  expect(result.energyUsed).toBe(energy);
  expect(result.logs).toEqual([]);
});

test.each([
  ['600151', 9],
  ['6001600152', 12],
  ['61123460005260206000a0', 646],
  ['600161123460005260206000a1', 1024],
  ['6001600261123460005260206000a2', 1402],
  ['60016002600361123460005260206000a3', 1780],
  ['600160026003600461123460005260206000a4', 2158],
])('java-tron OperationsTest: %s with free memory access', (code, energy) => {
  const result = run({ code, flags: { higherCpuLimit: false } });
  expect(result.runtimeError).toBeUndefined();
  expect(result.energyUsed).toBe(energy);
});
