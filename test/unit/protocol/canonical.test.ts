import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { JavaException } from '../../../src/errors/java-exception.js';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.js';
import { canonicalForm } from '../../../src/protocol/canonical.js';
import { Transaction, Transaction_raw } from '../../../src/protocol/generated/tron.js';
import type { MessageCodec } from '../../../src/protocol/message-type.js';
import { arbitraryFields, arbitraryMessage } from './arbitrary-message.js';
import { messageTypes } from './message-types.js';

/** What java-tron makes of bytes that it was given. */
function canonicalBytes<M>(codec: MessageCodec<M>, bytes: Uint8Array): Uint8Array {
  return canonicalForm(codec, codec.decode(bytes), bytes);
}

function canonical<M>(codec: MessageCodec<M>, hex: string): string {
  return bytesToHex(canonicalBytes(codec, hexToBytes(hex)));
}

describe('the canonical form', () => {
  it.each([
    ['canonical bytes stay', '0a02abcd2208000102030405060740e807', '0a02abcd2208000102030405060740e807'],
    ['nothing', '', ''],
    ['fields in number order', '40e807' + '0a02abcd', '0a02abcd' + '40e807'],
    ['minimal varints', '40e887808000', '40e807'],
    ['a tag in more bytes than it needs', 'c0800001', '4001'],
    ['a length in more bytes than it needs', '0a828000abcd', '0a02abcd'],
    ['defaults left out', '0a00' + '4000' + '5a00', '5a00'],
    ['the last of a singular scalar', '4001' + '4002', '4002'],
    ['a default after a value', '4001' + '4000', ''],
    ['64 bits of a longer varint', '40ffffffffffffffffff7f', '40ffffffffffffffffff01'],
    ['the sign, of any tenth byte', '9001e4d3e19dc58d90818000', '9001e4d3e19dc58d90818001'],
    ['the sign also of a zero in ten bytes', '4080808080808080808000', '4080808080808080808001'],
    ['no sign of an overlong varint in nine bytes', '40e48080808080808000', '4064'],
    ['32 bits of an enum', '5a0608ffffffff1f', '5a0b08ffffffffffffffffff01'],
    ['an unknown enum value', '5a0308e807', '5a0308e807'],
    [
      'submessages merged: the Any of a contract',
      '5a0a' + '12030a0161' + '1203' + '120162',
      '5a08' + '1206' + '0a0161' + '120162',
    ],
    ['empty elements of a list', '5a00' + '5a00', '5a005a00'],
    ['Any.value as it is', '5a08' + '1206' + '1204' + '10001000', '5a08' + '1206' + '1204' + '10001000'],
    ['an unknown field at the end', 'a00605' + '4001', '4001' + 'a00605'],
    ['unknown fields by number', '9a0601ff' + 'c80101' + '4001', '4001' + 'c80101' + '9a0601ff'],
    [
      '… of one number by wire type',
      '920601aa' + '900601' + '950600000000' + '91060000000000000000' + '900602',
      '900601' + '900602' + '950600000000' + '91060000000000000000' + '920601aa',
    ],
    ['an unknown varint in minimal form', 'a0068500', 'a00605'],
    ['an unknown varint with the sign of its tenth byte', 'a00681808080808080808002', 'a00681808080808080808001'],
    ['an unknown field within a contract, at its end', '5a05' + 'a00601' + '0801', '5a05' + '0801' + 'a00601'],
    ['a known number with another wire type', '4200' + '0801' + '4001', '4001' + '0801' + '4200'],
    [
      'a group, its fields sorted too',
      'a306' + '10021001' + '0801' + 'a406' + '4001',
      '4001' + 'a306' + '0801' + '10021001' + 'a406',
    ],
  ])('%s', (_, given, expected) => {
    expect(canonical(Transaction_raw, given)).toBe(expected);
  });

  it('of a map: one entry per key, both halves, nothing else', () => {
    const entry = (hex: string) => `e201${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
    const ret = (hex: string) => `2a${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
    expect(canonical(Transaction, ret(entry('1002') + entry('10011801' + '0a0162') + entry('')))).toBe(
      ret(entry('0a001000') + entry('0a01621001')),
    );
  });

  it('of bytes that are no message: the words of the decoder', () => {
    expect(() => canonical(Transaction_raw, '0c')).toThrow(
      'Protocol message end-group tag did not match expected tag.',
    );
    expect(() => canonical(Transaction_raw, '4001' + '00')).toThrow(
      'Protocol message contained an invalid tag (zero).',
    );
  });

  it('is what the encoder writes, in whatever order and form the fields came', () => {
    const types = messageTypes.filter(({ fields }) => fields.length > 2);
    fc.assert(
      fc.property(
        fc
          .constantFrom(...types)
          .chain((type) => fc.tuple(fc.constant(type), arbitraryMessage(type), fc.infiniteStream(fc.nat()))),
        ([type, message, random]) => {
          const encoded = type.codec.encode(message);
          const fields = split(encoded);
          // Any order that keeps the elements of one list in theirs means the same.
          const numbers = fields.map(({ number }) => number);
          const shuffled = [...numbers].sort(() => (random.next().value % 2 === 0 ? 1 : -1));
          const rest = [...fields];
          const bytes = shuffled.flatMap((number) => {
            const index = rest.findIndex((field) => field.number === number);
            return [...rest.splice(index, 1)[0]!.bytes];
          });
          expect(bytesToHex(canonicalBytes(type.codec, Uint8Array.from(bytes)))).toBe(bytesToHex(encoded));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is its own canonical form, loses no unknown field and changes no known one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...messageTypes), arbitraryFields, (type, fields) => {
        const given = Uint8Array.from(fields);
        let message: unknown;
        try {
          message = type.codec.decode(given);
        } catch (error) {
          expect(error).toBeInstanceOf(JavaException);
          expect(() => canonicalBytes(type.codec, given)).toThrow(
            expect.objectContaining({ javaMessage: (error as JavaException).javaMessage }),
          );
          return;
        }
        const once = canonicalBytes(type.codec, given);
        expect(bytesToHex(canonicalBytes(type.codec, once))).toBe(bytesToHex(once));
        expect(type.codec.decode(once)).toEqual(message);
        const unknown = (bytes: Uint8Array) =>
          split(bytes)
            .map(({ number }) => number)
            .filter((number) => !type.fieldByNumber.has(number));
        expect(unknown(once)).toEqual(unknown(given).sort((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });
});

/** The top-level fields of valid bytes, by protobufjs' reader. */
function split(bytes: Uint8Array): { readonly number: number; readonly bytes: Uint8Array }[] {
  const reader = protobuf.Reader.create(bytes);
  const fields: { number: number; bytes: Uint8Array }[] = [];
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const tag = reader.uint32();
    reader.skipType(tag & 7, 0, tag >>> 3);
    fields.push({ number: tag >>> 3, bytes: bytes.subarray(from, reader.pos) });
  }
  return fields;
}
