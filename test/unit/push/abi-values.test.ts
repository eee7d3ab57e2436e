/** Values of events as java-tron's event subscription tells them: the table of protocol/events.md#abi-decoding. */

import { describe, expect, test } from 'vitest';
import type { AbiItem } from '../../../src/abi/items.js';
import { dataValues, topicValues } from '../../../src/push/event-queue/abi-values.js';

const SIGNATURE = 'ab'.repeat(32);
const word = (digits: string) => digits.padStart(64, '0');
const ADDRESS = 'e2e1a54926527fbb4e4420de4c6bab82beaee24d';
const BASE58 = 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6';

/** `indexed address from, uint256` */
function event(text: string): AbiItem {
  const inputs = text.split(',').flatMap((one) => {
    const words = one.trim().split(' ').filter(Boolean);
    const indexed = words[0] === 'indexed';
    const [type, name = ''] = indexed ? words.slice(1) : words;
    return type === undefined ? [] : [{ type, name, indexed }];
  });
  return { name: 'E', signature: '', inputs, outputs: [], payable: false };
}

describe('indexed parameters', () => {
  test.for([
    ['uint256', word('3e8'), '1000'],
    ['uint8', word('ff'), '255'],
    ['uint256', 'f'.repeat(64), '-1'],
    ['int64', 'f'.repeat(64), '-1'],
    ['trcToken', word('f4241'), '1000001'],
    ['bool', word('1'), 'true'],
    ['bool', word(''), 'false'],
    ['address', word(ADDRESS), BASE58],
    ['string', 'cd'.repeat(32), 'cd'.repeat(32)],
    ['bytes', 'cd'.repeat(32), 'cd'.repeat(32)],
    ['bytes4', 'cd'.repeat(32), 'cd'.repeat(32)],
    ['uint256[]', 'cd'.repeat(32), 'cd'.repeat(32)],
  ])('%s %s is %s', ([type, topic, value]) => {
    expect(topicValues(event(`indexed ${type}`), [SIGNATURE, topic!])).toEqual({ 0: value });
  });

  test('stand under their names and their places among all inputs', () => {
    const item = event('uint256 value, indexed address from, indexed bool');
    expect(topicValues(item, [SIGNATURE, word(ADDRESS), word('1')])).toEqual({ 1: BASE58, from: BASE58, 2: 'true' });
  });

  test('of another number than the ABI says stand as they are', () => {
    const topics = [SIGNATURE, word('1'), word('2')];
    expect(topicValues(event('indexed address from, uint256 value'), topics)).toEqual({ 0: word('1'), 1: word('2') });
    expect(dataValues(event('indexed address from, uint256 value'), topics, word('5'))).toEqual({ 2: word('5') });
  });
});

describe('other parameters', () => {
  const text = Buffer.from('Grüße').toString('hex');
  const dynamic = (hex: string) => word('20') + word((hex.length / 2).toString(16)) + hex.padEnd(64, '0');
  test.for([
    ['uint256', word('3e8'), '1000'],
    ['int256', 'f'.repeat(64), '-1'],
    ['bool', word('2'), 'true'],
    ['address', word(ADDRESS), BASE58],
    ['bytes32', 'cd'.repeat(32), 'cd'.repeat(32)],
    ['bytes4', 'cdcdcdcd'.padEnd(64, '0'), 'cdcdcdcd'.padEnd(64, '0')],
    ['string', dynamic(text), 'Grüße'],
    ['bytes', dynamic('cdef'), 'cdef'],
    ['string', word('20') + word(''), ''],
  ])('%s %s is %s', ([type, data, value]) => {
    expect(dataValues(event(`${type} x`), [SIGNATURE], data!)).toEqual({ x: value, 0: value });
  });

  test.for([
    ['uint256[] x', word('20')],
    ['tuple x', word('1')],
    ['uint256 x', '00'],
    ['string x', word('40') + word('1')],
    ['bytes x', 'f'.repeat(64)],
    ['bytes x', word('20') + word('21') + word('1')],
    ['string x', word('80000000') + word('1')],
  ])('%s that cannot be read stands as it is: %s', ([input, data]) => {
    expect(dataValues(event(input!), [SIGNATURE], data!)).toEqual({ 0: data });
  });

  test('all of them stand as they are under the place of the first one', () => {
    const data = word('1') + word('2');
    expect(dataValues(event('indexed bool, uint8 a, uint8[] b'), [SIGNATURE, word('1')], data)).toEqual({ 1: data });
    expect(dataValues(event('indexed bool, uint8[] a, uint8 b'), [SIGNATURE, word('1')], data)).toEqual({ 1: data });
  });

  test('place 0 stands for none yet, so it is that of the next one', () => {
    const data = word('1') + word('2');
    expect(dataValues(event('uint8 a, indexed bool, uint8[] b'), [SIGNATURE, word('1')], data)).toEqual({ 2: data });
    expect(dataValues(event('uint8[] a, uint8 b'), [SIGNATURE], data)).toEqual({ 0: data });
  });

  test('of an event without any, and without data', () => {
    expect(dataValues(event(''), [SIGNATURE], 'cd')).toEqual({ 0: 'cd' });
    expect(dataValues(event(''), [SIGNATURE], '')).toEqual({});
    expect(dataValues(event('uint256 x'), [SIGNATURE], '')).toEqual({});
  });
});

test('parameters have any name', () => {
  const text = 'indexed uint256 __proto__, indexed uint256 constructor';
  expect(Object.entries(topicValues(event(text), [SIGNATURE, word('1'), word('2')]))).toEqual([
    ['0', '1'],
    ['1', '2'],
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
  const data = dataValues(event('uint256 __proto__, uint256 toString'), [SIGNATURE], word('1') + word('2'));
  expect(Object.entries(data).slice(-2)).toEqual([
    ['__proto__', '1'],
    ['toString', '2'],
  ]);
});
