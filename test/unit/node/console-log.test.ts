import { AbiCoder, id } from 'ethers';
import { expect, test } from 'vitest';
import { consoleLine } from '../../../src/node/chain/console-log.js';

/** The data that Solidity sends for `console.log(...)`, made by another library than ours. */
function call(signature: string, values: readonly unknown[]): string {
  const types = /\((.*)\)/.exec(signature)?.[1]?.split(',').filter(Boolean) ?? [];
  const canonical = types.map((type) => (type === 'uint' ? 'uint256' : type === 'int' ? 'int256' : type));
  return id(signature).slice(2, 10) + AbiCoder.defaultAbiCoder().encode(canonical, values).slice(2);
}

test.each([
  ['log()', [], ''],
  ['log(string)', ['hello'], 'hello'],
  ['log(uint256)', [42n], '42'],
  ['log(uint)', [42n], '42'],
  ['logInt(int256)', [-7n], '-7'],
  ['log(bool)', [true], 'true'],
  ['log(address)', ['0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'], 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'],
  ['log(string,uint256)', ['balance', 5n], 'balance 5'],
  ['log(string,uint256)', ['balance %d of', 5n], 'balance 5 of'],
  ['log(string,string,string,string)', ['a', 'b', 'c', 'ü'], 'a b c ü'],
  ['logBytes(bytes)', ['0x0102'], '0x0102'],
  ['logBytes4(bytes4)', ['0x01020304'], '0x01020304'],
] as const)('%s', (signature, values, line) => {
  expect(consoleLine(call(signature, values))).toBe(line);
});

test('the selectors that the field knows', () => {
  expect(consoleLine('51973ec9')).toBe('');
  expect(consoleLine(`f5b1bba9${'0'.repeat(63)}1`)).toBe('1');
});

test('data that is no line, or is cut off, prints nothing', () => {
  expect(consoleLine('')).toBeUndefined();
  expect(consoleLine('deadbeef')).toBeUndefined();
  const whole = call('log(string)', ['hello']);
  for (let length = 8; length < whole.length - 54; length += 8)
    expect(consoleLine(whole.slice(0, length))).toBeUndefined();
  // An offset far beyond the data.
  expect(consoleLine(`41304fac${'f'.repeat(64)}`)).toBeUndefined();
});
