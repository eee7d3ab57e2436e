/**
 * A request as java-tron's servlets see it: query and form parameters, and the body as text in the charset that the
 * content type names (http-api.md 2.2, 2.3). Nothing is parsed as JSON here.
 */

import { JavaException } from '../errors/java-exception.js';
import { readValue } from '../protocol/json/lenient-reader.js';
import { type JsonValue, writeCompact } from '../protocol/json/value.js';

const FORM = 'application/x-www-form-urlencoded';

export class WireRequest {
  readonly method: 'GET' | 'POST';
  readonly contentType: string | undefined;
  readonly #queryString: string;
  readonly #bytes: Uint8Array;
  #parameters: URLSearchParams | undefined;
  #body: string | undefined;

  constructor(method: 'GET' | 'POST', queryString: string, contentType: string | undefined, bytes: Uint8Array) {
    this.method = method;
    this.contentType = contentType;
    this.#queryString = queryString;
    this.#bytes = bytes;
  }

  /** What a servlet's `getParameter` gives: the query string first, then, for a POST, a form body. */
  parameter(name: string): string | undefined {
    this.#parameters ??= this.#readParameters();
    return this.#parameters.get(name) ?? undefined;
  }

  #readParameters(): URLSearchParams {
    const parameters = new URLSearchParams(this.#queryString);
    if (this.method === 'POST' && mediaType(this.contentType) === FORM) {
      for (const [name, value] of new URLSearchParams(Buffer.from(this.#bytes).toString('utf8'))) {
        parameters.append(name, value);
      }
    }
    return parameters;
  }

  /** `visible` of a query string: `true` in any case, everything else is false. */
  get visibleParameter(): boolean {
    return this.parameter('visible')?.toLowerCase() === 'true';
  }

  /** The lines of the body joined by newlines; a last line's end is dropped. */
  get body(): string {
    this.#body ??= this.#lines().join('\n');
    return this.#body;
  }

  /** The lines of the body joined without anything between them: how getReward and getBrokerage read. */
  get bodyWithoutLineEnds(): string {
    return this.#lines().join('');
  }

  /**
   * The body through the form-aware reader: if the content type is exactly the form type and the body is not JSON as a
   * whole, it becomes a JSON object of texts.
   */
  get bodyOrForm(): string {
    const body = this.body;
    if (this.contentType !== FORM || body.trim() === '') {
      return body;
    }
    return isJson(body) ? body : formAsJson(body);
  }

  #lines(): string[] {
    const lines = decodeBody(this.#bytes, this.contentType).split(/\r\n|\n|\r/);
    if (lines.at(-1) === '') {
      lines.pop();
    }
    return lines;
  }
}

function isJson(text: string): boolean {
  try {
    readValue(text);
    return true;
  } catch (error) {
    if (error instanceof JavaException) {
      return false;
    }
    throw error;
  }
}

function formAsJson(form: string): string {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(form)) {
    const values = fields.get(name);
    if (values === undefined) {
      fields.set(name, [value]);
    } else {
      values.push(value);
    }
  }
  const object = new Map<string, JsonValue>();
  for (const [name, values] of fields) {
    object.set(name, values.length === 1 ? values[0]! : values);
  }
  return writeCompact(object);
}

function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Without a charset Jetty takes JSON, HTML and XML for UTF-8 and everything else for ISO-8859-1. */
function decodeBody(bytes: Uint8Array, contentType: string | undefined): string {
  const named = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
  const type = mediaType(contentType);
  const charset = named ?? (/json$|^text\/html$|xml$/.test(type) ? 'utf-8' : 'iso-8859-1');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (charset === 'utf-8' || charset === 'utf8') {
    return buffer.toString('utf8');
  }
  if (charset === 'iso-8859-1' || charset === 'latin1') {
    return buffer.toString('latin1');
  }
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A charset that we do not know is one that Java may know, too rare to tell apart: its text.
    throw new JavaException('java.io.UnsupportedEncodingException', charset);
  }
}
