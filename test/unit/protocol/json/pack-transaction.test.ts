/** A broadcast transaction is read as java-tron reads it: contracts packed first, then the printed whole. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JavaException } from '../../../../src/errors/java-exception.js';
import { contractCodec } from '../../../../src/protocol/contract-types.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction,
  Transaction_Contract_ContractType_type,
} from '../../../../src/protocol/generated/tron.js';
import { readMessage } from '../../../../src/protocol/json/message-reader.js';
import { packTransaction } from '../../../../src/protocol/json/transaction-json.js';
import {
  DecimalText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  writeCompact,
} from '../../../../src/protocol/json/value.js';

const OWNER = '417e5f4552091a69125d5dfcb7b8c2659029395bdf';

const object = (members: Record<string, JsonValue>): JsonObject => new Map(Object.entries(members));

function transfer(): JsonObject {
  return object({
    visible: false,
    txID: 'ab'.repeat(32),
    raw_data: object({
      contract: [
        object({
          parameter: object({
            value: object({ owner_address: OWNER, to_address: OWNER, amount: 1n }),
            type_url: 'type.googleapis.com/protocol.TransferContract',
          }),
          type: 'TransferContract',
          Permission_id: 2n,
        }),
      ],
      ref_block_bytes: '0001',
      ref_block_hash: '00112233aabbccdd',
      expiration: 1_700_000_000_000n,
      fee_limit: 5n,
      data: 'ff',
    }),
    raw_data_hex: '0a',
    signature: ['11'.repeat(65)],
  });
}

/** The reference: each contract as bytes in its place, and the text of the whole read again. */
function readByText(json: JsonObject, visible: boolean): Uint8Array | 'refused' {
  const rawData = json.get('raw_data');
  const list = isJsonObject(rawData) ? rawData.get('contract') : undefined;
  if (!isJsonObject(rawData) || !Array.isArray(list)) return 'refused';
  const contract: JsonValue[] = [];
  for (const each of list as readonly JsonValue[]) {
    const parameter = isJsonObject(each) ? each.get('parameter') : undefined;
    if (!isJsonObject(each) || !isJsonObject(parameter)) continue;
    const type = each.get('type');
    const name = type === undefined || type === null ? undefined : typeof type === 'string' ? type : 'other';
    const codec = contractCodec(
      name === undefined ? -1 : (Transaction_Contract_ContractType_type.numberOf(name) ?? -1),
    );
    const value = parameter.get('value');
    if (codec === undefined || value === undefined || value === null) continue;
    try {
      const message = readMessage(codec, writeCompact(value), visible);
      contract.push(new Map(each).set('parameter', new Map(parameter).set('value', codec.encodeHex(message))));
    } catch (error) {
      if (!(error instanceof JavaException)) throw error;
    }
  }
  const whole = new Map(json).set('raw_data', new Map(rawData).set('contract', contract));
  try {
    return Transaction.encode(readMessage(Transaction, writeCompact(whole), visible));
  } catch (error) {
    if (error instanceof JavaException) return 'refused';
    throw error;
  }
}

function packed(json: JsonObject, visible: boolean): Uint8Array | 'refused' {
  try {
    return packTransaction(json, visible).bytes;
  } catch (error) {
    expect(error).toBeInstanceOf(JavaException);
    expect((error as JavaException).javaClass).toBe('java.lang.NullPointerException');
    return 'refused';
  }
}

/** Copies of a tree with one place changed. */
function changedAt(
  tree: JsonValue,
  path: readonly (string | number)[],
  change: (old: JsonValue | undefined) => JsonValue,
): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) return change(tree);
  if (Array.isArray(tree)) return tree.map((item, at) => (at === first ? changedAt(item, rest, change) : item));
  const old = tree as JsonObject;
  const inner = old.get(first as string);
  return new Map(old).set(
    first as string,
    rest.length === 0 ? change(inner) : changedAt(inner ?? new Map(), rest, change),
  );
}

const CONTRACT = ['raw_data', 'contract', 0] as const;
const places: readonly (readonly (string | number)[])[] = [
  [],
  ['raw_data'],
  ['signature'],
  ['ret'],
  ['1'],
  ['x'],
  ['raw_data', 'contract'],
  ['raw_data', '11'],
  ['raw_data', 'auths'],
  ['raw_data', 'data'],
  ['raw_data', 'fee_limit'],
  ['raw_data', 'scripts'],
  ['raw_data', 'a-b'],
  CONTRACT,
  [...CONTRACT, 'type'],
  [...CONTRACT, 'provider'],
  [...CONTRACT, 'ContractName'],
  [...CONTRACT, 'Permission_id'],
  [...CONTRACT, '2'],
  [...CONTRACT, 'parameter'],
  [...CONTRACT, 'parameter', 'type_url'],
  [...CONTRACT, 'parameter', '2'],
  [...CONTRACT, 'parameter', 'unknown'],
  [...CONTRACT, 'parameter', 'value'],
  [...CONTRACT, 'parameter', 'value', 'amount'],
  [...CONTRACT, 'parameter', 'value', 'to_address'],
  [...CONTRACT, 'parameter', 'value', 'x'],
];

/** Unknown members so deep that only the whole's depth refuses them. */
function nested(depth: number): JsonValue {
  let value: JsonValue = 1n;
  for (let i = 0; i < depth; i++) value = object({ x: value });
  return value;
}

const values = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 0n, -1n, 2n ** 31n, 2n ** 63n, '', '4', 'zz', '41', OWNER),
  fc.constantFrom<JsonValue>(
    [],
    new Map(),
    [object({})],
    new DecimalText('1.5'),
    'TransferContract',
    'transferContract',
  ),
  fc.constantFrom<JsonValue>('a"b', '\ud800', 'ENERGY', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', ['11', '22'], [1n]),
  fc.integer({ min: 994, max: 1_003 }).map(nested),
);

test('a transaction with anything anywhere is read as its text is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...places), values), { minLength: 0, maxLength: 3 }),
      fc.boolean(),
      (changes, visible) => {
        let json: JsonValue = transfer();
        for (const [place, value] of changes) {
          if (place.length === 0 || isJsonObject(json)) json = place.length === 0 ? json : safely(json, place, value);
        }
        if (isJsonObject(json)) expect(packed(json, visible)).toEqual(readByText(json, visible));
      },
    ),
    { numRuns: 3_000 },
  );
});

/** The change, unless an earlier one took the place away. */
function safely(json: JsonValue, place: readonly (string | number)[], value: JsonValue): JsonValue {
  try {
    return changedAt(json, place, () => value);
  } catch (error) {
    if (error instanceof TypeError) return json;
    throw error;
  }
}

test('the plain transfer is accepted, and has its contract', () => {
  const { contract, contractType } = packTransaction(transfer(), false);
  expect(contractType).toBe(ContractType.TransferContract);
  expect(contract).toEqual({ owner_address: OWNER, to_address: OWNER, amount: 1n });
});
