/**
 * The network's form of a message: java-tron's output after it has parsed the input.
 *
 * An id is the hash of that form, not of the client's bytes (protocol/transactions.md#transaction-id): known fields in
 * number order, minimal varints, no default values, the last one of repeated singular scalars, merged singular
 * messages, and at the end of each message its unknown fields. `Any.value` is bytes and stays unchanged. Mirrors
 * protobuf-java's generated parsers; `unknown-fields.ts` has the unknown fields.
 */

import { readFields, type Values, writeFields } from './message-table.js';
import type { MessageCodec, Sent } from './message-type.js';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/**
 * The canonical form of `bytes`, from which `message` was decoded, in its own memory.
 *
 * @throws JavaException InvalidProtocolBufferException if they are not such a message
 */
export function canonicalForm<M>(codec: MessageCodec<M>, message: M | Sent<M>, bytes: Uint8Array): Uint8Array {
  // An encoder writes everything that a decoder keeps in canonical form. Only unknown fields are missing.
  const encoded = codec.encode(message);
  if (Buffer.compare(encoded, bytes) === 0) return encoded;
  const whole = readFields(codec.type, new WireReader(bytes), codec.empty as Values, 'keep');
  const writer = new WireWriter();
  writeFields(codec.type, writer, whole, 'keep');
  return writer.toBytes();
}
