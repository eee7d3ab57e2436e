/**
 * Merges JSON text into a protobuf message by its descriptor, as java-tron's JsonFormat does
 * (protocol/http-requests.md#jsonformat-json--protobuf, #bytes-fields-and-visible): proto names only, unknown members
 * skipped by their own rules, integers unquoted, `bytes` as hex or, if visible, as base58 address or text. The lenient
 * reader (`lenient-reader.ts`) has read the text before.
 */

import { JavaException } from '../../errors/java-exception.js';
import type { Hex } from '../../primitives/hex.js';
import type { FieldType, MessageCodec, MessageType, Sent } from '../message-type.js';
import { type Draft, decodeBytesText, draftOf, enumName, MAXIMUM_DEPTH, ownList, ownMap } from './draft.js';
import { parseJavaLong } from './java-numbers.js';
import type { ReadingLimits } from './reading-limits.js';
import { Tokenizer } from './tokenizer.js';

/**
 * @param visible whether addresses are base58 and names text, instead of hex
 * @param limits for text that no other reader has checked
 * @throws JavaException JsonFormat$ParseException `<line>:<column>: <text>`; NullPointerException for a visible address
 *   with a wrong checksum
 * @example readMessage(Account, '{"address":"41…"}', false).address
 */
export function readMessage<M>(
  codec: MessageCodec<M>,
  text: string,
  visible: boolean,
  limits?: ReadingLimits,
): Sent<M> {
  const tokenizer = new Tokenizer(text, limits);
  const draft = draftOf(codec.type);
  tokenizer.consume('{');
  while (!tokenizer.tryConsume('}')) {
    readMembers(tokenizer, codec.type, draft, visible);
  }
  if (!tokenizer.atEnd()) {
    throw tokenizer.error(
      'Expecting the end of the stream, but there seems to be more data!  Check the input for a valid JSON format.',
    );
  }
  return draft as Sent<M>;
}

/** Reads members until one is not followed by a comma. */
function readMembers(tokenizer: Tokenizer, type: MessageType, draft: Draft, visible: boolean, depth = 0): void {
  do {
    const name = tokenizer.consumeIdentifier();
    let field = type.fieldByName.get(name);
    const byNumber = field === undefined && /^[0-9]+$/.test(name);
    if (byNumber) {
      field = type.fieldByNumber.get(Number(parseJavaLong(name, 32)));
    }
    if (field === undefined) {
      skipUnknown(tokenizer, depth);
      continue;
    }
    tokenizer.consume(':');
    if (tokenizer.tryConsume('[')) {
      while (!tokenizer.tryConsume(']')) {
        readElement(tokenizer, type, field, draft, visible, byNumber, depth);
        tokenizer.tryConsume(',');
      }
    } else {
      readElement(tokenizer, type, field, draft, visible, byNumber, depth);
    }
  } while (tokenizer.tryConsume(','));
}

function readElement(
  tokenizer: Tokenizer,
  type: MessageType,
  field: FieldType,
  draft: Draft,
  visible: boolean,
  byNumber: boolean,
  depth: number,
): void {
  tokenizer.countValue();
  if (field.label === 'map') {
    const [key, value] = readMapEntry(tokenizer, field, visible, depth);
    ownMap(type, field, draft).set(key, value);
    return;
  }
  const value = readFieldValue(tokenizer, field, visible, byNumber, depth);
  if (value === undefined) {
    return;
  }
  if (field.label === 'repeated') {
    ownList(type, field, draft).push(value);
  } else {
    draft[field.name] = value;
  }
}

/** `undefined` for `null`, which leaves the field unchanged. */
function readFieldValue(
  tokenizer: Tokenizer,
  field: FieldType,
  visible: boolean,
  byNumber: boolean,
  depth: number,
): unknown {
  if (field.kind === 'message') {
    return readSubmessage(tokenizer, field.messageType!, visible, byNumber, depth + 1);
  }
  if (tokenizer.tryConsume('null')) {
    return undefined;
  }
  switch (field.kind) {
    case 'int32':
      return Number(tokenizer.consumeInteger(true, 32));
    case 'int64':
      return tokenizer.consumeInteger(true, 64);
    case 'double':
      return tokenizer.consumeDouble();
    case 'bool':
      return tokenizer.consumeBoolean();
    case 'string':
      return tokenizer.consumeString();
    case 'bytes':
      return readBytes(tokenizer, field, visible);
    case 'enum':
      return readEnum(tokenizer, field);
  }
}

function readSubmessage(
  tokenizer: Tokenizer,
  type: MessageType,
  visible: boolean,
  byNumber: boolean,
  depth: number,
): unknown {
  if (depth > MAXIMUM_DEPTH) {
    throw new JavaException('java.lang.StackOverflowError', null);
  }
  if (byNumber) {
    // A submessage whose field is given by number has its bytes as value.
    return type.codec.decodeHex(
      tokenizer.consumeRawString((raw) => decodeBytesText('hex', raw, (complaint) => tokenizer.error(complaint))),
    );
  }
  tokenizer.consume('{');
  if (tokenizer.tryConsume('}')) {
    return type.codec.empty;
  }
  const draft = draftOf(type);
  while (!tokenizer.tryConsume('}')) {
    if (tokenizer.atEnd()) {
      throw tokenizer.error('Expected "}".');
    }
    readMembers(tokenizer, type, draft, visible, depth);
  }
  return draft;
}

/** A map is written as a list of entries; `{"9":1}` is an entry with an unknown member, so its key and value are 0. */
function readMapEntry(tokenizer: Tokenizer, field: FieldType, visible: boolean, depth: number): [unknown, unknown] {
  let key: unknown = field.keyKind === 'string' ? '' : 0n;
  let value = defaultOf(field);
  tokenizer.consume('{');
  while (!tokenizer.tryConsume('}')) {
    if (tokenizer.atEnd()) {
      throw tokenizer.error('Expected "}".');
    }
    do {
      const name = tokenizer.consumeIdentifier();
      if (name === 'key' || name === '1') {
        tokenizer.consume(':');
        key = field.keyKind === 'string' ? tokenizer.consumeString() : tokenizer.consumeInteger(true, 64);
      } else if (name === 'value' || name === '2') {
        tokenizer.consume(':');
        value = readFieldValue(tokenizer, field, visible, false, depth + 1) ?? value;
      } else {
        skipUnknown(tokenizer, depth);
      }
    } while (tokenizer.tryConsume(','));
  }
  return [key, value];
}

function defaultOf(field: FieldType): unknown {
  switch (field.kind) {
    case 'int64':
      return 0n;
    case 'bool':
      return false;
    case 'string':
    case 'bytes':
      return '';
    case 'message':
      return field.messageType!.codec.empty;
    default:
      return 0;
  }
}

function readEnum(tokenizer: Tokenizer, field: FieldType): number {
  const enumType = field.enumType!;
  if (tokenizer.lookingAtInteger()) {
    const number = Number(tokenizer.consumeInteger(true, 32));
    if (enumType.nameOf(number) === undefined) {
      throw tokenizer.errorAtPrevious(`Enum type "${enumType.fullName}" has no value with number ${number}.`);
    }
    return number;
  }
  const name = enumName(tokenizer.consumeIdentifier());
  const number = enumType.numberOf(name);
  if (number === undefined) {
    throw tokenizer.errorAtPrevious(`Enum type "${enumType.fullName}" has no value named "${name}".`);
  }
  return number;
}

function readBytes(tokenizer: Tokenizer, field: FieldType, visible: boolean): Hex {
  return tokenizer.consumeRawString((raw) =>
    decodeBytesText(visible ? field.form : 'hex', raw, (complaint) => tokenizer.error(complaint)),
  );
}

/**
 * Skips the value of an unknown member. The rules are looser than for known fields, but empty objects, empty arrays and
 * fractions are errors, as in java-tron.
 */
function skipUnknown(tokenizer: Tokenizer, depth: number): void {
  if (depth > MAXIMUM_DEPTH) {
    throw new JavaException('java.lang.StackOverflowError', null);
  }
  tokenizer.countValue();
  tokenizer.tryConsume(':');
  if (tokenizer.tryConsume('{')) {
    do {
      tokenizer.consumeIdentifier();
      skipUnknown(tokenizer, depth + 1);
    } while (tokenizer.tryConsume(','));
    tokenizer.consume('}');
  } else if (tokenizer.tryConsume('[')) {
    do {
      skipUnknown(tokenizer, depth + 1);
    } while (tokenizer.tryConsume(','));
    tokenizer.consume(']');
  } else if (!tokenizer.tryConsume('null')) {
    if (tokenizer.lookingAtInteger()) {
      tokenizer.skipInteger();
    } else if (tokenizer.lookingAtBoolean()) {
      tokenizer.consumeBoolean();
    } else {
      tokenizer.consumeString();
    }
  }
}
