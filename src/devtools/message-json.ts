/** Messages in the HTTP interface's JSON with `visible`, as values for answers of developer methods. */

import { toJson } from '../primitives/amount-json.js';
import { readValue } from '../protocol/json/lenient-reader.js';
import { printMessage } from '../protocol/json/message-printer.js';
import { DecimalText, isJsonObject, type JsonValue } from '../protocol/json/value.js';
import type { MessageCodec, Sent } from '../protocol/message-type.js';

export function messageJson<M>(codec: MessageCodec<M>, message: M | Sent<M>): unknown {
  return jsonOf(printMessage(codec, message, true));
}

/** The output of an HTTP printer, parsed. */
export function jsonOf(text: string): unknown {
  return plain(readValue(text));
}

function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return toJson(value);
  if (value instanceof DecimalText) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([name, member]) => [name, plain(member)]));
  return value;
}
