/** Converts a node's JSON to protocol messages; invalid or missing content is a `RemoteError`. */

import { JavaException } from '../../errors/java-exception.js';
import { readTree } from '../../protocol/json/tree-reader.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json/value.js';
import type { MessageCodec } from '../../protocol/message-type.js';
import { RemoteError } from './remote-error.js';

const ADVICE = 'Use another node of the network (--fork).';

/** URL and request, for errors. */
export interface RequestContext {
  readonly url: string;
  readonly what: string;
}

export function badAnswer({ url, what }: RequestContext, why: string): RemoteError {
  return new RemoteError(url, what, why, ADVICE);
}

/** @throws RemoteError if it is no object, and for `{"Error":…}` */
export function objectOf(json: JsonValue, asked: RequestContext): JsonObject {
  if (!isJsonObject(json)) throw badAnswer(asked, 'its answer is not a JSON object');
  const refusal = json.get('Error');
  if (refusal !== undefined) throw badAnswer(asked, `it says ${JSON.stringify(String(refusal))}`);
  return json;
}

/** @throws RemoteError for values that the message cannot have */
export function messageOf<M>(codec: MessageCodec<M>, json: JsonValue, asked: RequestContext): M {
  return requireMessage(asked, () => readTree(codec, json, false) as M);
}

function requireMessage<Value>(asked: RequestContext, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof JavaException) throw badAnswer(asked, `its answer cannot be read (${error.message})`);
    throw error;
  }
}
