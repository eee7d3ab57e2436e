/**
 * Counts the values of a request. A message of 4 MB may contain two million empty messages, which take seconds to read
 * and check; counting takes milliseconds, and stops at the limit.
 */

import { JavaException } from '../errors/java-exception.js';
import { contractCodec, contractTypesWithMessage } from '../protocol/contract-types.js';
import type { MessageType } from '../protocol/message-type.js';
import { WireReader } from '../protocol/wire-reader.js';

/** The same limit as for a JSON request. */
export const MAX_VALUES = 200_000;
/** A field has at least a tag and a value. */
const MIN_VALUE_BYTES = 2;

const ANY = 'google.protobuf.Any';
const TYPE_URL = 10;
const VALUE = 18;

/** Whether a message has more than {@link MAX_VALUES} fields, including those of nested messages. */
export function hasTooManyValues(type: MessageType, bytes: Uint8Array): boolean {
  if (bytes.length <= MAX_VALUES * MIN_VALUE_BYTES) return false;
  try {
    return remainingAfter(MAX_VALUES, type, new WireReader(bytes)) < 0;
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    // It is not a valid message; its reader will throw.
    return false;
  }
}

/** The rest of `left` after the last field; negative once the limit is exceeded. */
function remainingAfter(left: number, type: MessageType, reader: WireReader): number {
  let still = left;
  let url = '';
  while (reader.pos < reader.end && still >= 0) {
    still--;
    const tag = reader.tag();
    const inside = type.fieldByTag.get(tag)?.messageType;
    if (inside !== undefined) {
      const outer = reader.enter();
      still = remainingAfter(still, inside, reader);
      reader.leave(outer);
    } else if (type.fullName === ANY && tag === TYPE_URL) url = reader.string();
    else if (type.fullName === ANY && tag === VALUE) {
      const contract = contractNamed(url.slice(url.lastIndexOf('/') + 1));
      const value = reader.bytes();
      if (contract !== undefined) still = remainingAfter(still, contract, new WireReader(value));
    } else reader.skip(tag);
  }
  return still;
}

function contractNamed(fullName: string): MessageType | undefined {
  for (const contractType of contractTypesWithMessage()) {
    const type = contractCodec(contractType)?.type;
    if (type?.fullName === fullName) return type;
  }
  return undefined;
}
