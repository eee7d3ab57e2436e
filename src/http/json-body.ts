/**
 * A JSON body as java-tron's two parsers see it (http-api.md 2.1): the text for JsonFormat, which `readMessage` stands
 * for, and the tree that fastjson makes of it, parsed once however many members are asked for.
 */

import { JavaException, nullPointerException } from '../errors/java-exception.js';
import { asObject, readValue } from '../protocol/json/lenient-reader.js';
import { booleanMember, type JsonObject, type JsonValue } from '../protocol/json/value.js';
import { tooManyValues } from './errors.js';

/**
 * Far more than any request of this API has, an ABI of thousands of functions included. java-tron would read more, but
 * here reading holds up everybody else: this many take some 50 ms.
 */
const MAX_VALUES = 50_000;
const MAX_ESCAPES = 300_000;

/** Counts what stands between values, or before escapes; in texts too. @throws JavaException */
export function checkSize(text: string, mark: ',' | '&' | '\\'): void {
  const limit = mark === '\\' ? MAX_ESCAPES : MAX_VALUES;
  if (text.length <= limit) return;
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (++count > limit) throw tooManyValues(mark === '\\' ? 'escapes' : 'values', limit);
  }
}

export class JsonBody {
  #value: JsonValue | undefined;

  constructor(readonly text: string) {}

  /** Not even an object without members: what servlets take for no options. */
  get isEmpty(): boolean {
    return this.text.trim() === '';
  }

  get isJson(): boolean {
    try {
      void this.value;
      return true;
    } catch (error) {
      if (error instanceof JavaException) return false;
      throw error;
    }
  }

  /** As servlets that pick members themselves read it. @throws JavaException a null pointer for an empty body */
  get object(): JsonObject {
    const object = asObject(this.value);
    if (object === null) throw nullPointerException();
    return object;
  }

  /** @throws JavaException */
  get value(): JsonValue {
    if (this.#value === undefined) {
      checkSize(this.text, ',');
      checkSize(this.text, '\\');
      this.#value = readValue(this.text);
    }
    return this.#value;
  }

  /** Whether addresses are base58 and names text; not for an empty body. */
  get visible(): boolean {
    return !this.isEmpty && booleanMember(this.object, 'visible');
  }
}
