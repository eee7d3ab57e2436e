/** Random messages of any type, made from its descriptor; and random bytes that are nearly messages. */

import fc from 'fast-check';
import { bytesToHex } from '../../../src/primitives/hex.js';
import type { FieldType, MessageType } from '../../../src/protocol/message-type.js';

export const arbitraryHex = fc.uint8Array({ maxLength: 40 }).map(bytesToHex);
const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.integer({ min: -3, max: 300 }).map(BigInt),
  fc.constantFrom(0n, 2n ** 28n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n, 2n ** 56n, 2n ** 63n - 1n, -(2n ** 63n), -1n),
);
const int32 = fc.oneof(fc.integer(), fc.integer({ min: -1, max: 129 }));
const text = fc.string({ unit: 'grapheme', maxLength: 20 });

function scalar(field: FieldType): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'bytes':
      return arbitraryHex;
    case 'string':
      return text;
    case 'int64':
      return int64;
    case 'bool':
      return fc.boolean();
    case 'double':
      return fc.double({ noNaN: true });
    case 'message':
      return arbitraryMessage(field.messageType!);
    default:
      return int32;
  }
}

const made = new Map<MessageType, fc.Arbitrary<object>>();

export function arbitraryMessage(type: MessageType): fc.Arbitrary<object> {
  let arbitrary = made.get(type);
  if (arbitrary === undefined) {
    arbitrary = fc.record(
      Object.fromEntries(
        type.fields.map((field) => {
          const value = scalar(field);
          if (field.label === 'map') {
            const key = field.keyKind === 'int64' ? int64 : text;
            return [
              field.name,
              fc.array(fc.tuple(key, value), { maxLength: 3 }).map((entries) => new Map(entries as [])),
            ];
          }
          if (field.label === 'repeated') return [field.name, fc.array(value, { maxLength: 3 })];
          if (field.kind === 'message') return [field.name, fc.option(value, { nil: undefined })];
          return [field.name, value];
        }),
      ),
      { noNullPrototype: true },
    );
    made.set(type, arbitrary);
  }
  return arbitrary;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}

/** Fields with any number and wire type, nested at random: what a hostile or newer client sends. */
export const arbitraryFields = fieldsOfDepth(4);

function fieldsOfDepth(depth: number): fc.Arbitrary<number[]> {
  if (depth === 0) return fc.constant([]);
  const number = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 29 - 1 }));
  // Varints of any length, minimal or not.
  const value = fc
    .tuple(fc.array(fc.integer({ min: 0x80, max: 0xff }), { maxLength: 9 }), fc.nat(0x7f))
    .map(([high, last]) => [...high, last]);
  const inner = fieldsOfDepth(depth - 1);
  const tag = (n: number, wireType: number) => varint(n * 8 + wireType);
  const field = fc.oneof(
    fc.tuple(number, value).map(([n, bytes]) => [...tag(n, 0), ...bytes]),
    fc.tuple(number, fc.uint8Array({ minLength: 8, maxLength: 8 })).map(([n, bytes]) => [...tag(n, 1), ...bytes]),
    fc.tuple(number, inner).map(([n, bytes]) => [...tag(n, 2), ...varint(bytes.length), ...bytes]),
    fc.tuple(number, inner).map(([n, bytes]) => [...tag(n, 3), ...bytes, ...tag(n, 4)]),
    fc.tuple(number, fc.uint8Array({ minLength: 4, maxLength: 4 })).map(([n, bytes]) => [...tag(n, 5), ...bytes]),
  );
  return fc.array(field, { maxLength: 5 }).map((fields) => fields.flat());
}
