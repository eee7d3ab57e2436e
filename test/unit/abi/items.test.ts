/** Functions, errors and events by the ABI of the chain, against the names that ethers computes. */

import { id } from 'ethers';
import { expect, it } from 'vitest';
import { errorOf, eventOf, functionOf, hasFallback, hasReceive } from '../../../src/abi/items.js';
import {
  SmartContract_ABI_Entry_EntryType as EntryType,
  SmartContract_ABI_Entry_Param as Param,
  SmartContract_ABI,
  SmartContract_ABI_Entry,
} from '../../../src/protocol/generated/smart-contract.js';

const entry = (type: number, name: string, inputs: readonly (readonly [string, string, boolean?])[] = [], rest = {}) =>
  SmartContract_ABI_Entry.create({
    type,
    name,
    inputs: inputs.map(([kind, parameter, indexed = false]) => Param.create({ type: kind, name: parameter, indexed })),
    ...rest,
  });

const abi = SmartContract_ABI.create({
  entrys: [
    entry(
      EntryType.Function,
      'pay',
      [
        ['address', 'to'],
        ['trcToken', 'token'],
      ],
      { payable: true },
    ),
    entry(EntryType.Function, 'order', [['tuple', 'order']]),
    entry(EntryType.Error, 'Poor', [['uint256', 'has']]),
    entry(EntryType.Event, 'Paid', [
      ['address', 'to', true],
      ['uint256', 'amount'],
    ]),
    entry(EntryType.Event, 'Paid', [
      ['address', 'to', true],
      ['uint256', 'amount', true],
    ]),
    entry(EntryType.Event, 'Hidden', [['address', 'to', true]], { anonymous: true }),
    entry(EntryType.Receive, ''),
  ],
});

const selector = (signature: string) => id(signature).slice(2, 10);
const topic = (signature: string) => id(signature).slice(2);

it('finds functions by the selector of their signature', () => {
  expect(functionOf(abi, `${selector('pay(address,trcToken)')}00`)).toMatchObject({
    signature: 'pay(address,trcToken)',
    payable: true,
  });
  expect(functionOf(abi, selector('pay(address,uint256)'))).toBeUndefined();
  expect(functionOf(abi, 'ab')).toBeUndefined();
  // Its components are not on the chain, so that its real selector belongs to nothing.
  expect(functionOf(abi, selector('order((uint256,address))'))).toBeUndefined();
});

it('knows the standards where there is no ABI, and only there', () => {
  expect(functionOf(undefined, selector('transfer(address,uint256)'))?.signature).toBe('transfer(address,uint256)');
  expect(functionOf(abi, selector('transfer(address,uint256)'))).toBeUndefined();
});

it('finds errors in any of the ABIs, and those of Solidity without one', () => {
  expect(errorOf([SmartContract_ABI.create({}), abi], `${selector('Poor(uint256)')}00`)?.name).toBe('Poor');
  expect(errorOf([], selector('Poor(uint256)'))).toBeUndefined();
  expect(errorOf([], '08c379a0')?.signature).toBe('Error(string)');
  expect(errorOf([], '4e487b71')?.signature).toBe('Panic(uint256)');
});

it('tells events with one signature apart by what is indexed', () => {
  const paid = topic('Paid(address,uint256)');
  const word = '0'.repeat(64);
  const indexed = (topics: readonly string[]) => eventOf(abi, topics)?.inputs.map((input) => input.indexed);
  expect(indexed([paid, word])).toEqual([true, false]);
  expect(indexed([paid, word, word])).toEqual([true, true]);
  expect(eventOf(abi, [paid])).toBeUndefined();
  expect(eventOf(abi, [topic('Hidden(address)'), word])).toBeUndefined();
  expect(eventOf(abi, [])).toBeUndefined();
  const transfer = topic('Transfer(address,address,uint256)');
  expect(eventOf(undefined, [transfer, word, word])?.inputs.at(-1)).toMatchObject({ name: 'value', indexed: false });
  expect(eventOf(undefined, [transfer, word, word, word])?.inputs.at(-1)).toMatchObject({
    name: 'tokenId',
    indexed: true,
  });
});

it('knows what a contract takes without a function', () => {
  expect([hasFallback(abi), hasReceive(abi)]).toEqual([false, true]);
});
