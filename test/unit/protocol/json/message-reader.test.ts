import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JavaException } from '../../../../src/errors/java-exception.js';
import { TransferContract } from '../../../../src/protocol/generated/balance-contract.js';
import { ProposalCreateContract } from '../../../../src/protocol/generated/proposal-contract.js';
import { SmartContract_ABI } from '../../../../src/protocol/generated/smart-contract.js';
import { Account, Permission } from '../../../../src/protocol/generated/tron.js';
import { readMessage } from '../../../../src/protocol/json/message-reader.js';

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof JavaException) {
      return error.wireText.replace(/^class org\.tron\.core\.services\.http\.JsonFormat\$ParseException : /, '');
    }
    throw error;
  }
  return 'accepted';
}

const transfer = (text: string, visible = false) => readMessage(TransferContract, text, visible);

describe('integers', () => {
  test.each([
    ['5', 5n],
    ['-5', -5n],
    ['010', 8n],
    ['0777777777777777777777', 9223372036854775807n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['null', 0n],
    ['[1,2]', 2n],
  ])('%s', (text, value) => {
    expect(transfer(`{"amount":${text}}`).amount).toBe(value);
  });

  test.each([
    ['9223372036854775808', 'Number out of range for 64-bit signed integer: 9223372036854775808'],
    ['08', 'For input string: "08" under radix 8'],
    ['1e6', 'For input string: "1e6"'],
    ['"1000000000000000"', 'For input string: ""10000000"'],
  ])('%s is refused', (text, message) => {
    expect(refusal(() => transfer(`{"amount":${text}}`))).toBe(`1:11: Couldn't parse integer: ${message}`);
  });
});

test('integers of millions of digits are judged by their length', () => {
  const nines = '9'.repeat(4_000_000);
  const sevens = '7'.repeat(30).padStart(60, '0');
  for (const text of [nines, `-${nines}`, sevens]) {
    expect(refusal(() => transfer(`{"amount":${text}}`))).toBe(
      `1:11: Couldn't parse integer: Number out of range for 64-bit signed integer: ${text}`,
    );
  }
  expect(transfer(`{"amount":${'1'.padStart(4_000_000, '0')}}`).amount).toBe(1n);
});

describe('members', () => {
  const address = `41${'ab'.repeat(20)}`;

  test('by their number, the last of two, unquoted', () => {
    expect(transfer(`{"1":"${address}"}`).owner_address).toBe(address);
    expect(transfer(`{owner_address:"00",owner_address:"${address}"}`).owner_address).toBe(address);
  });

  test('unknown ones are skipped if they are not empty or a fraction', () => {
    expect(transfer('{"x":{"y":[1,"z",{"w":true}]},"visible":null,"amount":7}').amount).toBe(7n);
    expect(refusal(() => transfer('{"x":{}}'))).toBe('1:7: Expected identifier. -}');
    expect(refusal(() => transfer('{"x":[]}'))).toBe('1:7: Expected string.');
    expect(refusal(() => transfer('{"ownerAddress":1.5}'))).toBe(
      '1:17: Couldn\'t parse integer: For input string: "1.5"',
    );
  });

  test('lines are counted', () => {
    expect(refusal(() => transfer('{\n  "amount":\n  "x"}'))).toBe(
      '3:3: Couldn\'t parse integer: For input string: ""x""',
    );
  });
});

describe('bytes', () => {
  test.each([
    ['0x4', '04'],
    ['ABCDEF', 'abcdef'],
    ['', ''],
    ['41 42', '4142'.padStart(6, '0').slice(2)],
  ])('hex %s', (text, hex) => {
    if (text.includes(' ')) {
      // Five characters are padded to six, and the space is then skipped: an odd number of digits is left.
      expect(refusal(() => transfer(`{"owner_address":"${text}"}`))).toBe('1:18: INVALID hex String');
    } else {
      expect(transfer(`{"owner_address":"${text}"}`).owner_address).toBe(hex);
    }
  });

  test('visible addresses', () => {
    const visible = (text: string) => transfer(`{"owner_address":"${text}"}`, true).owner_address;
    expect(visible('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC')).toBe('417e5f4552091a69125d5dfcb7b8c2659029395bdf');
    expect(refusal(() => visible('41f0'))).toBe('1:18: INVALID base58 String, Illegal character 0 at 3');
    expect(refusal(() => visible('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HD'))).toBe(
      'class java.lang.NullPointerException : null',
    );
    expect(refusal(() => visible(''))).toBe('class java.lang.NullPointerException : null');
  });

  test('visible names are the raw characters', () => {
    expect(readMessage(Account, '{"account_name":"a\\n"}', true).account_name).toBe(
      Buffer.from('a\\n').toString('hex'),
    );
  });
});

describe('enums, maps, lists', () => {
  test('lower-case enum names get a capital', () => {
    const abi = readMessage(
      SmartContract_ABI,
      '{"entrys":[{"type":"function","stateMutability":"nonpayable","internalType":"x"},{"type":"Event"}]}',
      false,
    );
    expect(abi.entrys.map(({ type, stateMutability }) => [type, stateMutability])).toEqual([
      [2, 3],
      [3, 0],
    ]);
    expect(refusal(() => readMessage(Permission, '{"type":"active_x"}', false))).toBe(
      '1:9: Enum type "protocol.Permission.PermissionType" has no value named "active_x".',
    );
  });

  test('a map is a list of entries or one of them', () => {
    const parameters = (text: string) => [
      ...readMessage(ProposalCreateContract, `{"parameters":${text}}`, false).parameters,
    ];
    expect(parameters('[{"key":9,"value":1},{"value":2,"key":0}]')).toEqual([
      [9n, 1n],
      [0n, 2n],
    ]);
    expect(parameters('{"key":9,"value":1}')).toEqual([[9n, 1n]]);
    expect(parameters('{"9":1}')).toEqual([[0n, 0n]]);
  });

  test('a long list takes time in proportion', () => {
    const keys = Array.from({ length: 50_000 }, () => '{"weight":1}').join(',');
    expect(readMessage(Permission, `{"keys":[${keys}]}`, false).keys).toHaveLength(50_000);
    expect(Permission.empty.keys).toHaveLength(0);
  });
});

test('whatever the text, it is a message or a JavaException', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'{}[]:,"\'\\ \n#-+.0123x', '"amount"', '"owner_address"', 'null', 'true'),
  });
  fc.assert(
    fc.property(letters, fc.boolean(), (text, visible) => {
      try {
        return typeof transfer(`{${text}`, visible) === 'object';
      } catch (error) {
        return error instanceof JavaException;
      }
    }),
    { numRuns: 3000 },
  );
});
