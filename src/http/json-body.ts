/**
 * A JSON body as java-tron's two parsers see it (protocol/http-requests.md#the-two-json-parsers): the text for
 * JsonFormat (`readMessage`), and fastjson's tree, parsed once on first use.
 */

import { JavaException, nullPointerException } from '../errors/java-exception.js';
import { asObject, readValue } from '../protocol/json/lenient-reader.js';
import type { ReadingLimits } from '../protocol/json/reading-limits.js';
import { booleanMember, type JsonObject, type JsonValue } from '../protocol/json/value.js';
import { TooManyValues } from './errors.js';

/**
 * Far more than any valid request has, including an ABI of two thousand functions. java-tron reads more, but here
 * parsing blocks all other clients: this number takes some 60 ms, and the same again if the answer repeats the values.
 */
const MAX_VALUES = 40_000;
const MAX_ESCAPES = 300_000;
/** For forms, whose fields cost more. */
const MAX_FIELDS = 10_000;

export const BODY_LIMITS: ReadingLimits = {
  values: MAX_VALUES,
  escapes: MAX_ESCAPES,
  refusal: (what) => new TooManyValues(what, what === 'values' ? MAX_VALUES : MAX_ESCAPES),
};

/** @throws JavaException */
export function checkFieldCount(form: string): void {
  if (form.length <= MAX_FIELDS) return;
  let count = 1;
  for (let at = form.indexOf('&'); at >= 0; at = form.indexOf('&', at + 1)) {
    if (++count > MAX_FIELDS) throw new TooManyValues('fields', MAX_FIELDS);
  }
}

export class JsonBody {
  #value: JsonValue | undefined;

  constructor(readonly text: string) {}

  /** Empty text: servlets treat it as no options. */
  get isEmpty(): boolean {
    return this.text.trim() === '';
  }

  get isJson(): boolean {
    try {
      void this.value;
      return true;
    } catch (error) {
      if (error instanceof JavaException && !(error instanceof TooManyValues)) return false;
      throw error;
    }
  }

  /**
   * The body for servlets that read members themselves.
   *
   * @throws JavaException a null pointer for an empty body
   */
  get object(): JsonObject {
    const object = asObject(this.value);
    if (object === null) throw nullPointerException();
    return object;
  }

  /** @throws JavaException */
  get value(): JsonValue {
    if (this.#value === undefined) {
      this.#value = readValue(this.text, BODY_LIMITS);
    }
    return this.#value;
  }

  /** Whether addresses are base58 and names are text; false for an empty body. */
  get visible(): boolean {
    return !this.isEmpty && booleanMember(this.object, 'visible');
  }
}
