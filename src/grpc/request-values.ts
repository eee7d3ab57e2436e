/**
 * How much a request says. A message of 4 MB may hold two million empty ones, which take seconds to read and to check;
 * counting them takes milliseconds, and stops at the limit.
 */

import { JavaException } from '../errors/java-exception.js';
import { contractCodec, contractTypesWithMessage } from '../protocol/contract-types.js';
import type { MessageType } from '../protocol/message-type.js';
import { WireReader } from '../protocol/wire-reader.js';

/** The same as of a JSON request. */
export const MAX_VALUES = 200_000;
/** A field is at least a tag and a value. */
const SHORTEST_VALUE_BYTES = 2;

const ANY = 'google.protobuf.Any';
const TYPE_URL = 10;
const VALUE = 18;

/** Whether a message has more than {@link MAX_VALUES} fields, those of the messages inside it included. */
export function hasTooManyValues(type: MessageType, bytes: Uint8Array): boolean {
  if (bytes.length <= MAX_VALUES * SHORTEST_VALUE_BYTES) return false;
  try {
    return countFrom(MAX_VALUES, type, new WireReader(bytes)) < 0;
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    // It is not the message at all, and its reader will say so.
    return false;
  }
}

/** What is left of `left` behind the last field; below 0 as soon as it was too much. */
function countFrom(left: number, type: MessageType, reader: WireReader): number {
  let still = left;
  let url = '';
  while (reader.pos < reader.end && still >= 0) {
    still--;
    const tag = reader.tag();
    const inside = type.fieldByTag.get(tag)?.messageType;
    if (inside !== undefined) {
      const outer = reader.enter();
      still = countFrom(still, inside, reader);
      reader.leave(outer);
    } else if (type.fullName === ANY && tag === TYPE_URL) url = reader.string();
    else if (type.fullName === ANY && tag === VALUE) {
      const contract = contractNamed(url.slice(url.lastIndexOf('/') + 1));
      const value = reader.bytes();
      if (contract !== undefined) still = countFrom(still, contract, new WireReader(value));
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
