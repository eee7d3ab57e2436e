/** The limit that ends what runs too long: it counts the same everywhere, and everything that Energy does not bound. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContractResult } from '../../../src/tvm/errors.js';
import { operationsFor } from '../../../src/tvm/opcodes/table.js';
import { WorkBudget, workOfContract, workOfStep } from '../../../src/tvm/work.js';
import { contextWith, hex, run } from './fixture.js';

/** Ends at the limit if at all, with the steps so far as logs. */
function logsOf(code: string, limit: number): number {
  const result = run({ code, energyLimit: 10 ** 12, context: { work: new WorkBudget(limit) } });
  expect([ContractResult.OUT_OF_TIME, ContractResult.OUT_OF_ENERGY]).toContain(result.contractResult);
  return result.emittedLogs.length;
}

const unit = fc.constantFrom(
  '5f195f190a50',
  '365f5f37',
  '5a3150',
  '5a5450',
  '61ffff5f2050',
  '5f5f5f5f5f5a5af150',
  '5f5f5f5f60025afa50',
  '60045f5ff050',
  '621000005150',
);

test('the same program ends at the same step, however often it ran before', () => {
  fc.assert(
    fc.property(
      fc.array(unit, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 3_000_000 }),
      (body, limit) => {
        const code = `5b${body.join('')}5f5fa05f56`;
        const first = logsOf(code, limit);
        expect(logsOf(code, limit)).toBe(first);
        expect(logsOf(code, 2 * limit)).toBeGreaterThanOrEqual(first);
      },
    ),
    { numRuns: 100 },
  );
});

test.each<[what: string, code: string, callee?: string]>([
  [
    'output that a frame hands out of memory it got for nothing',
    '5b5f5f5f5f5f60bb5af1505f56',
    '5f622fffe05f5f600261fffffa50622fffff5ff3',
  ],
  ['input that a call keeps', '5f622fffe05f5f600261fffffa505b5f5f622fffff5f5f60cc5af150600e56'],
  ['init code', '5f622fffe05f5f600261fffffa505b622fffff5f5ff050600e56'],
  ['output far away', '5f622fffe05f5f600261fffffa505b5f6310000000622fffff5f60045afa50600e56'],
  ['new rows', '5a5b8054505f19025a01600156'],
])('%s is counted', (_, code, callee) => {
  const result = run({
    code,
    ...(callee !== undefined && { callee }),
    energyLimit: 10 ** 9,
    context: { work: new WorkBudget(200_000_000) },
  });
  expect(result.contractResult).toBe(ContractResult.OUT_OF_TIME);
  expect(result.internalTransactions.length).toBeLessThan(20_000);
  expect(hex(result.output)).toBe('');
});

test('what a contract may not begin because it is too long does not begin', () => {
  // A pairing of as many pairs as the memory holds.
  const context = { work: new WorkBudget(100_000_000) };
  const result = run({ code: '5f5f622ffd005f60085afa', energyLimit: 10 ** 12, context });
  expect(result.contractResult).toBe(ContractResult.OUT_OF_TIME);
});

test('an opcode or a precompiled contract without a weight is an error', () => {
  expect(() => workOfStep('NEWOPCODE')).toThrow('opcode NEWOPCODE has no weight');
  expect(() => workOfContract(0x1000016, new Uint8Array(), 0)).toThrow('precompiled contract 0x1000016 has no weight');
});

test('every opcode and precompiled contract has a weight', () => {
  const { names } = operationsFor(contextWith({ osaka: true, freezeV1: true, compatibleEvm: true }).flags);
  for (const name of names)
    if (name !== undefined) expect(workOfStep(name).base + workOfStep(name).perEnergy).toBeGreaterThan(0);
  const known = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0x100, 0x20003, 0x20009];
  for (const address of [...known, ...Array.from({ length: 0x15 }, (_, i) => 0x1000001 + i)]) {
    const input = new Uint8Array(320);
    expect(workOfContract(address, input, 1_000)).toBeGreaterThanOrEqual(300);
    expect(workOfContract(address, new Uint8Array(3_000), 100_000)).toBeGreaterThanOrEqual(
      workOfContract(address, input, 1_000),
    );
  }
});
