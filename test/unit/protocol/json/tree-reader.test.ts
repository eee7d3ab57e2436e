import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JavaException } from '../../../../src/errors/java-exception.js';
import { AccountPermissionUpdateContract } from '../../../../src/protocol/generated/account-contract.js';
import { ProposalCreateContract } from '../../../../src/protocol/generated/proposal-contract.js';
import { CreateSmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import { Transaction } from '../../../../src/protocol/generated/tron.js';
import { VoteWitnessContract } from '../../../../src/protocol/generated/witness-contract.js';
import { readObject } from '../../../../src/protocol/json/lenient-reader.js';
import { printCompact } from '../../../../src/protocol/json/message-printer.js';
import { readMessage } from '../../../../src/protocol/json/message-reader.js';
import { readTree } from '../../../../src/protocol/json/tree-reader.js';
import { DecimalText, type JsonValue, writeCompact } from '../../../../src/protocol/json/value.js';
import type { MessageType } from '../../../../src/protocol/message-type.js';
import { arbitraryMessage } from '../arbitrary-message.js';
import { messageTypes } from '../message-types.js';

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof JavaException) return error.wireText;
    throw error;
  }
}

const codecs = [AccountPermissionUpdateContract, ProposalCreateContract, CreateSmartContract, VoteWitnessContract];

/** Names that such a message has at some level, by name or number, and names that it has not. */
function namesOf(type: MessageType, seen = new Set<MessageType>()): string[] {
  if (seen.has(type)) return [];
  seen.add(type);
  return type.fields.flatMap(({ name, number, messageType }) => [
    name,
    String(number),
    ...(messageType === undefined ? [] : namesOf(messageType, seen)),
  ]);
}

const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0n,
    1n,
    -1n,
    2n ** 31n,
    2n ** 63n,
    '',
    '41',
    '4',
    'zz',
    'active',
    '0x41',
  ),
  fc.constantFrom<JsonValue>('Active', 'ENERGY', 'a"b', 'a\\b', 'zwölf\n', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'),
  fc.constantFrom<JsonValue>(new DecimalText('1.5'), new DecimalText('1'), [], new Map(), `41${'ab'.repeat(20)}`),
);

function tree(names: readonly string[]): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ value: JsonValue; object: JsonValue }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, tie('object'), fc.array(tie('value'), { maxLength: 3 })),
    object: fc
      .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4 })
      .map((members) => new Map(members)),
  })).object;
}

describe('a tree is read as its text is', () => {
  test.each(codecs.map((codec) => [codec.type.fullName, codec] as const))('%s', (_, codec) => {
    const names = [...namesOf(codec.type), 'key', 'value', 'x', '', 'a-b', '01', '99999999999'];
    fc.assert(
      fc.property(tree(names), fc.boolean(), (value, visible) => {
        expect(outcome(() => readTree<unknown>(codec, value, visible))).toEqual(
          outcome(() => readMessage<unknown>(codec, writeCompact(value), visible)),
        );
      }),
      { numRuns: 1500 },
    );
  });

  test('every message, as it was printed', () => {
    for (const type of messageTypes) {
      fc.assert(
        fc.property(arbitraryMessage(type), (message) => {
          const text = printCompact(type.codec, message, false);
          expect(outcome(() => readTree(type.codec, readObject(text), false))).toEqual(
            outcome(() => readMessage(type.codec, writeCompact(readObject(text)), false)),
          );
        }),
        { numRuns: 4 },
      );
    }
  });

  test('what is no object, or too deep', () => {
    let deep: JsonValue = new Map();
    for (let i = 0; i < 1500; i += 1) deep = new Map([['x', deep]]);
    for (const value of [null, 5n, 'x', [], [new Map()], deep]) {
      expect(outcome(() => readTree(Transaction, value, false))).toBe(
        outcome(() => readMessage(Transaction, writeCompact(value), false)),
      );
    }
  });
});
