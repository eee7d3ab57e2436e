import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { parseProtoFiles } from '../../../scripts/generate-messages.js';
import { JavaException } from '../../../src/errors/java-exception.js';
import { bytesToHex } from '../../../src/primitives/hex.js';
import { BytesMessage, NumberMessage, Return } from '../../../src/protocol/generated/api.js';
import { ProposalCreateContract } from '../../../src/protocol/generated/proposal-contract.js';
import {
  Account,
  Permission,
  Transaction,
  Transaction_Result,
  TransactionInfo,
} from '../../../src/protocol/generated/tron.js';
import type { MessageType } from '../../../src/protocol/message-type.js';
import { arbitraryFields, arbitraryMessage } from './arbitrary-message.js';
import { messageTypes } from './message-types.js';

const reference = parseProtoFiles();

/** A message of ours as protobufjs wants it. */
function forReference(type: MessageType, message: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of type.fields) {
    const value = (message as Record<string, unknown>)[field.name];
    const one = (item: unknown): unknown => {
      if (field.kind === 'bytes') return Buffer.from(item as string, 'hex');
      if (field.kind === 'int64') return protobuf.util.LongBits.fromHash(hashOf(item as bigint)).toLong(false);
      return field.kind === 'message' ? forReference(field.messageType!, item as object) : item;
    };
    if (field.label === 'repeated') result[field.name] = (value as unknown[]).map(one);
    else if (field.label === 'map') {
      const entries = [...(value as Map<string | bigint, unknown>)];
      result[field.name] = Object.fromEntries(
        entries.map(([key, item]) => [typeof key === 'bigint' ? hashOf(key) : key, one(item)]),
      );
    } else if (value !== undefined) result[field.name] = one(value);
  }
  return result;
}

/** protobufjs keeps an int64 map key as its eight bytes in a string. */
function hashOf(value: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes.toString('latin1');
}

/** JavaScript objects put integer-like keys first, so protobufjs loses the order of such a map. */
function hasUnorderableMap(value: unknown): boolean {
  if (value instanceof Map) return value.size > 1 || value.has('__proto__');
  if (Array.isArray(value)) return value.some(hasUnorderableMap);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnorderableMap);
}

describe('messages', () => {
  it('encode as protobufjs does and decode to what they were', () => {
    for (const type of messageTypes) {
      const other = reference.lookupType(type.fullName);
      fc.assert(
        fc.property(arbitraryMessage(type), (message) => {
          const bytes = type.codec.encode(message);
          expect(type.codec.decode(bytes)).toEqual(message);
          expect(type.codec.encodedSize(message)).toBe(bytes.length);
          expect(type.codec.encodeHex(message)).toBe(bytesToHex(bytes));
          fc.pre(!hasUnorderableMap(message));
          expect(bytesToHex(other.encode(forReference(type, message)).finish())).toBe(bytesToHex(bytes));
        }),
        { numRuns: 12 },
      );
    }
  });

  it('leave no default on the wire and no field undefined in memory', () => {
    for (const type of messageTypes) {
      const empty = type.codec.create() as Record<string, unknown>;
      expect(type.codec.encode(empty)).toHaveLength(0);
      expect(Object.keys(empty)).toEqual(type.fields.map(({ name }) => name));
      for (const field of type.fields) {
        expect(empty[field.name] === undefined).toBe(field.kind === 'message' && field.label === 'singular');
      }
    }
  });

  it('write what has presence or is an element, empty or not', () => {
    expect(Transaction.encodeHex(Transaction.create({ ret: [Transaction_Result.create()] }))).toBe('2a00');
    expect(TransactionInfo.encodeHex(TransactionInfo.create({ contractResult: [''] }))).toBe('2a00');
    expect(Transaction.encodeHex(Transaction.decodeHex('0a00'))).toBe('0a00');
    const parameters = new Map([
      [0n, 0n],
      [16n, -1n],
    ]);
    const encoded = ProposalCreateContract.encodeHex(ProposalCreateContract.create({ parameters }));
    expect(encoded).toBe('120408001000120d081010ffffffffffffffffff01');
    expect(ProposalCreateContract.decodeHex(encoded).parameters).toEqual(parameters);
  });

  it('write negative 32-bit numbers and open enum values in ten bytes', () => {
    expect(Permission.encodeHex(Permission.create({ id: -1 }))).toBe('10ffffffffffffffffff01');
    expect(Return.decodeHex('10ffffffffffffffffff01').code).toBe(-1);
    expect(Return.decodeHex('10e807').code).toBe(1000);
  });

  it('keep a map in the order of the wire; the last of equal keys wins in the place of the first', () => {
    const entry = (key: string, value: number) =>
      `3205${'0a01'}${Buffer.from(key).toString('hex')}10${value.toString(16).padStart(2, '0')}`;
    const asset = Account.decodeHex(entry('9', 1) + entry('1', 2) + entry('9', 3)).asset;
    expect([...asset]).toEqual([
      ['9', 3n],
      ['1', 2n],
    ]);
  });

  it('merge a submessage that comes twice, and append to its lists', () => {
    const info = TransactionInfo.decodeHex('3a020805' + '3a0410063801' + '3a00');
    expect(info.receipt).toMatchObject({ energy_usage: 5n, energy_fee: 6n, result: 1 });
    const raw = Transaction.decodeHex('0a045a020801' + '0a045a020802').raw_data;
    expect(raw?.contract.map(({ type }) => type)).toEqual([1, 2]);
  });

  it('do not touch the shared default', () => {
    const first = Transaction.decodeHex('1201aa');
    expect(first.signature).toEqual(['aa']);
    expect(Transaction.create().signature).toEqual([]);
    expect(Account.decodeHex('3205' + '0a0139' + '1001').asset.size).toBe(1);
    expect(Account.create().asset.size).toBe(0);
  });

  it('refuse values that the wire cannot hold: our own bug', () => {
    expect(() => NumberMessage.encode({ num: 2n ** 63n })).toThrow(RangeError);
    expect(() => Permission.encode(Permission.create({ id: 2 ** 31 }))).toThrow(RangeError);
    for (const value of ['a', 'zz', '0X', 'ÀÀ', `${'ab'.repeat(20)}g0`, `${'ab'.repeat(20)}c`]) {
      expect(() => BytesMessage.encode({ value }), value).toThrow(TypeError);
    }
    expect(BytesMessage.encodeHex({ value: 'ab' })).toBe('0a01ab');
  });
});

describe('malformed input', () => {
  const TRUNCATED =
    'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either ' +
    'that the input has been truncated or that an embedded message misreported its own length.';

  it.each([
    ['a tag of zero', '00', 'Protocol message contained an invalid tag (zero).'],
    ['a field number of zero', '07', 'Protocol message contained an invalid tag (zero).'],
    ['an end tag that ends nothing', '0c', 'Protocol message end-group tag did not match expected tag.'],
    ['a group that never ends', '7b0801', 'Protocol message end-group tag did not match expected tag.'],
    ['a group that ends as another', '7b84010000', 'Protocol message end-group tag did not match expected tag.'],
    ['no wire type', '0e', 'Protocol message tag had invalid wire type.'],
    ['a tag cut short', '80', TRUNCATED],
    ['a value cut short', '0a05aa', TRUNCATED],
    ['a submessage longer than its message', '0a05080102', TRUNCATED],
    ['a length across the end of a submessage', '0a020a05aabbccddee', TRUNCATED],
    ['a fixed number cut short', '7d0000', TRUNCATED],
    ['a varint cut short', '10ffff', TRUNCATED],
    ['a length of two gigabytes', '0affffffff07', TRUNCATED],
    [
      'a negative length',
      '0affffffff0f',
      'CodedInputStream encountered an embedded string or message which claimed to have negative size.',
    ],
    ['an endless varint', '78ffffffffffffffffffff01', 'CodedInputStream encountered a malformed varint.'],
    [
      'groups in groups',
      '7b'.repeat(101),
      'Protocol message had too many levels of nesting.  May be malicious.  Use setRecursionLimit() to increase the recursion depth limit.',
    ],
  ])('%s', (_, hex, message) => {
    const decode = () => Transaction.decodeHex(hex);
    expect(decode).toThrow(JavaException);
    expect(decode).toThrow(expect.objectContaining({ javaMessage: message }));
    expect(decode).toThrow(
      expect.objectContaining({ javaClass: 'com.google.protobuf.InvalidProtocolBufferException' }),
    );
  });

  it('a string that is not UTF-8', () => {
    expect(() => Permission.decodeHex('1a02c328')).toThrow('Protocol message had invalid UTF-8.');
    expect(() => Permission.decodeHex(`1aac02${'ff'.repeat(300)}`)).toThrow('Protocol message had invalid UTF-8.');
    expect(Permission.decodeHex('1a03e282ac').permission_name).toBe('€');
    expect(Permission.decodeHex('1a03efbbbf').permission_name).toBe('\uFEFF');
  });

  it('never does more than throw, and what is accepted comes out again', () => {
    const types = messageTypes.filter(({ fields }) => fields.some(({ kind }) => kind === 'message'));
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.oneof(
          arbitraryFields.map((bytes) => Uint8Array.from(bytes)),
          fc.uint8Array(),
        ),
        (type, bytes) => {
          let message: unknown;
          try {
            message = type.codec.decode(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(JavaException);
            return;
          }
          expect(type.codec.decode(type.codec.encode(message))).toEqual(message);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is taken and refused as protobufjs takes and refuses it, and means the same', () => {
    const types = messageTypes.filter(({ fields }) => fields.length > 0);
    const outcome = (read: () => unknown) => {
      try {
        return read();
      } catch {
        return 'refused';
      }
    };
    fc.assert(
      fc.property(fc.constantFrom(...types), arbitraryFields, (type, fields) => {
        const bytes = Uint8Array.from(fields);
        // Of a tenth byte Java reads only that there is one (canonical.test.ts).
        fc.pre(!/(?:[89a-f][0-9a-f]){9}/.test(bytesToHex(bytes)));
        const other = reference.lookupType(type.fullName);
        const theirs = outcome(() => type.codec.decode(other.encode(other.decode(bytes)).finish()));
        expect(outcome(() => type.codec.decode(bytes))).toEqual(theirs);
      }),
      { numRuns: 2000 },
    );
  });

  it('costs no more than its length: two million empty submessages share one default', () => {
    const bytes = Buffer.from('2a00'.repeat(2_000_000), 'hex');
    const { ret } = Transaction.decode(bytes);
    expect(ret).toHaveLength(2_000_000);
    expect(ret[1_999_999]).toBe(ret[0]);
  });
});
