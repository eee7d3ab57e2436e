import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8ToHex } from '../../../../src/primitives/hex.js';
import { AccountUpdateContract } from '../../../../src/protocol/generated/account-contract.js';
import { SmartContract as Contract } from '../../../../src/protocol/generated/smart-contract.js';
import { Proposal, Witness } from '../../../../src/protocol/generated/tron.js';
import { javaMapOrder, javaStringHash } from '../../../../src/protocol/json/java-map-order.js';
import { readObject } from '../../../../src/protocol/json/lenient-reader.js';
import { compactObject, printCompact, printMessage } from '../../../../src/protocol/json/message-printer.js';
import { readMessage } from '../../../../src/protocol/json/message-reader.js';
import { writeCompact } from '../../../../src/protocol/json/value.js';

describe('the order of a Java HashMap', () => {
  test('the example of the specification: a Permission', () => {
    const keys = ['type', 'id', 'permission_name', 'threshold', 'operations', 'keys'];
    expect(javaMapOrder(keys).map((i) => keys[i])).toEqual([
      'operations',
      'keys',
      'threshold',
      'id',
      'type',
      'permission_name',
    ]);
  });

  test('hashes wrap at 32 bits', () => {
    expect(javaStringHash('polygenelubricants')).toBe(-2147483648);
    expect(javaStringHash('')).toBe(0);
  });

  test('more than twelve keys use other buckets, and no key is lost', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 60 }), (keys) => {
        expect([...javaMapOrder(keys)].sort((a, b) => a - b)).toEqual(keys.map((_, i) => i));
      }),
    );
  });
});

describe('texts', () => {
  const witness = (url: string) => Witness.create({ url });

  test('JsonFormat escapes control characters and pairs, fastjson other ones', () => {
    const text = 'a"\\\n\u0001é\u2028\u007f😀/';
    expect(printMessage(Witness, witness(text), false)).toBe(
      '{"url": "a\\"\\\\\\n\\u0001é\u2028\u007f\\ud83d\\ude00/"}',
    );
    expect(printCompact(Witness, witness(text), false)).toBe('{"url":"a\\"\\\\\\n\\u0001é\\u2028\\u007F😀/"}');
  });

  test('what is printed can be read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const isWellFormed = text === Buffer.from(text).toString();
        for (const print of [printMessage, printCompact]) {
          const url = readObject(print(Witness, witness(text), false))?.get('url') ?? '';
          expect(url).toBe(isWellFormed ? text : url);
        }
      }),
    );
  });

  test('a visible name is its characters with quotes escaped; hex where that is no JSON text', () => {
    const name = (text: string, print = printMessage) =>
      print(AccountUpdateContract, AccountUpdateContract.create({ account_name: utf8ToHex(text) }), true);
    expect(name('Eleven & <Sons> "ü"')).toBe('{"account_name": "Eleven & <Sons> \\"ü\\""}');
    expect(name('a\\nb')).toBe('{"account_name": "a\\nb"}');
    expect(name('zwölf \\"12\\"')).toBe('{"account_name": "7a77c3b66c66205c2231325c22"}');
    expect(name('zwölf \\"12\\"', printCompact)).toBe('{"account_name":"7a77c3b66c66205c2231325c22"}');
  });
});

describe('values', () => {
  test('defaults are left out, set submessages are not, map entries print everything', () => {
    expect(printMessage(Contract, Contract.create({ abi: { entrys: [] } }), false)).toBe('{"abi": {}}');
    const proposal = Proposal.create({ parameters: new Map([[0n, 0n]]), state: 2 });
    expect(printMessage(Proposal, proposal, false)).toBe('{"parameters": [{"key": 0,"value": 0}],"state": "APPROVED"}');
    expect(printCompact(Proposal, proposal, false)).toBe('{"state":"APPROVED","parameters":[{"value":0,"key":0}]}');
  });

  test('an unknown enum number is a number', () => {
    expect(printMessage(Proposal, Proposal.create({ state: 99 }), false)).toBe('{"state": 99}');
  });

  test('both layouts hold the same', () => {
    const proposal = Proposal.create({ proposal_id: 5n, approvals: ['41', ''], create_time: -1n });
    const spaced = readMessage(Proposal, printMessage(Proposal, proposal, false), false);
    const compact = readMessage(Proposal, writeCompact(readObject(printCompact(Proposal, proposal, false))!), false);
    expect(spaced).toEqual(proposal);
    expect(compact).toEqual(proposal);
    expect(compactObject([])).toBe('{}');
  });
});
