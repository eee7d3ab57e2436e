/**
 * The network's form of a message: what java-tron writes after it has parsed what it was given.
 *
 * An id is the hash of that form, not of the client's bytes (protocol/transactions.md#transaction-id): known fields in
 * number order, minimal varints, defaults left out, the last of repeated singular scalars, merged singular messages,
 * and at the end of each message the fields it does not know. `Any.value` is bytes and stays as it is. Mirrors
 * protobuf-java's generated parsers; the unknown fields are `unknown-fields.ts`.
 */

import { readFields, type Values, writeFields } from './message-table.js';
import type { MessageCodec, Sent } from './message-type.js';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/**
 * The canonical form of `bytes`, which `message` was decoded from, in memory of its own.
 *
 * @throws JavaException InvalidProtocolBufferException when they are not such a message
 */
export function canonicalForm<M>(codec: MessageCodec<M>, message: M | Sent<M>, bytes: Uint8Array): Uint8Array {
  // An encoder writes the canonical form of what a decoder keeps, and that is everything unless there are unknown fields.
  const encoded = codec.encode(message);
  if (Buffer.compare(encoded, bytes) === 0) return encoded;
  const whole = readFields(codec.type, new WireReader(bytes), codec.empty as Values, 'keep');
  const writer = new WireWriter();
  writeFields(codec.type, writer, whole, 'keep');
  return writer.toBytes();
}
