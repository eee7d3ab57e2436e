/**
 * A request as java-tron's servlets see it: query and form parameters, and the body as text in the charset that the
 * content type names (protocol/http-requests.md#reading-the-body, #form-bodies-f-endpoints). Nothing is parsed as JSON here.
 */

import { JavaException } from '../errors/java-exception.js';
import type { Asker } from '../node/operations/work.js';
import { type Caller, callerOf } from '../platform/turns.js';
import type { Longs } from '../protocol/json/message-printer.js';
import { type JsonValue, writeCompact } from '../protocol/json/value.js';
import { checkFieldCount, JsonBody } from './json-body.js';
import { FIRST_FORMS, type HttpForms } from './release-forms.js';

const FORM = 'application/x-www-form-urlencoded';

export class WireRequest {
  readonly method: 'GET' | 'POST';
  readonly contentType: string | undefined;
  readonly #queryString: string;
  readonly #bytes: Uint8Array;
  #parameters: URLSearchParams | undefined;
  #json: JsonBody | undefined;
  #jsonOrForm: JsonBody | undefined;

  /** @param client its connection, where there is one */
  constructor(
    method: 'GET' | 'POST',
    queryString: string,
    contentType: string | undefined,
    bytes: Uint8Array,
    private readonly client?: { readonly destroyed: boolean } | undefined,
    readonly forms: HttpForms = FIRST_FORMS,
  ) {
    this.method = method;
    this.contentType = contentType;
    this.#queryString = queryString;
    this.#bytes = bytes;
  }

  /** Who asks, as far as it is known. */
  get caller(): Caller | undefined {
    return this.client && callerOf(this.client);
  }

  /** Nobody waits for the answer any more. */
  get isAbandoned(): boolean {
    return this.client?.destroyed === true;
  }

  /** Who waits for the answer. */
  get asker(): Asker {
    return { isGone: () => this.isAbandoned };
  }

  /** What a servlet's `getParameter` gives: the query string first, then, for a POST, a form body. */
  parameter(name: string): string | undefined {
    this.#parameters ??= this.#readParameters();
    return this.#parameters.get(name) ?? undefined;
  }

  #readParameters(): URLSearchParams {
    const parameters = new URLSearchParams(this.#queryString);
    if (this.method === 'POST' && mediaType(this.contentType) === FORM) {
      for (const [name, value] of formFields(Buffer.from(this.#bytes).toString('utf8'))) parameters.append(name, value);
    }
    return parameters;
  }

  /** `visible` of a query string: `true` in any case, everything else is false. */
  get visibleParameter(): boolean {
    return this.parameter('visible')?.toLowerCase() === 'true';
  }

  /** `int64_as_string` of a GET, where the release knows it: `true` in any case, everything else is false. */
  get longs(): Longs {
    if (!this.forms.longsAsTexts || this.method !== 'GET') return 'numbers';
    return this.parameter('int64_as_string')?.toLowerCase() === 'true' ? 'texts' : 'numbers';
  }

  /** The lines of the body joined by newlines; a last line's end is dropped. */
  get body(): JsonBody {
    this.#json ??= new JsonBody(withoutLastEnd(textOf(this.#bytes, this.contentType, '\n')));
    return this.#json;
  }

  /** The lines of the body joined without anything between them: how getReward and getBrokerage read. */
  get bodyWithoutLineEnds(): JsonBody {
    return new JsonBody(textOf(this.#bytes, this.contentType, ''));
  }

  /**
   * The body through the form-aware reader: if the content type is exactly the form type and the body is not JSON as a
   * whole, it becomes a JSON object of texts.
   */
  get bodyOrForm(): JsonBody {
    this.#jsonOrForm ??= this.#readForm();
    return this.#jsonOrForm;
  }

  #readForm(): JsonBody {
    const { body } = this;
    if (this.contentType !== FORM || body.isEmpty || body.isJson) return body;
    return new JsonBody(formAsJson(body.text));
  }
}

function withoutLastEnd(lines: string): string {
  return lines.endsWith('\n') ? lines.slice(0, -1) : lines;
}

function formFields(form: string): URLSearchParams {
  checkFieldCount(form);
  return new URLSearchParams(withSpaces(form));
}

/** A plus is a space in a form. Millions of them take URLSearchParams a third of a second. */
function withSpaces(form: string): string {
  if (!form.includes('+')) return form;
  const bytes = Buffer.from(form, 'utf8');
  for (let i = 0; i < bytes.length; i += 1) if (bytes[i] === PLUS) bytes[i] = SPACE;
  return bytes.toString('utf8');
}

function formAsJson(form: string): string {
  const fields = new Map<string, string[]>();
  for (const [name, value] of formFields(form)) {
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
function charsetOf(contentType = ''): string {
  if (contentType === 'application/json') return 'utf-8';
  const named = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  return named ?? (/json$|^text\/html$|xml$/.test(mediaType(contentType)) ? 'utf-8' : 'iso-8859-1');
}

/** The text of a body with `end` in place of each end of a line. */
function textOf(bytes: Uint8Array, contentType: string | undefined, end: '\n' | ''): string {
  const charset = charsetOf(contentType);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (charset === 'utf-8' || charset === 'utf8') {
    return withLineEnds(buffer, end).toString('utf8');
  }
  if (charset === 'iso-8859-1' || charset === 'latin1') {
    return withLineEnds(buffer, end).toString('latin1');
  }
  try {
    return withLineEnds(Buffer.from(new TextDecoder(charset).decode(bytes)), end).toString('utf8');
  } catch {
    // A charset that we do not know is one that Java may know, too rare to tell apart: its text.
    throw new JavaException('java.io.UnsupportedEncodingException', charset);
  }
}

const PLUS = 0x2b;
const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;

/** Byte by byte: a replacement of millions of line ends within a text takes half a second. */
function withLineEnds(bytes: Buffer, end: '\n' | ''): Buffer {
  if (!bytes.includes(CR) && (end === '\n' || !bytes.includes(LF))) return bytes;
  const replaced = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]!;
    const isEnd = byte === LF || byte === CR;
    if (isEnd && end === '') continue;
    replaced[length] = byte === CR ? LF : byte;
    length += 1;
    if (byte === CR && bytes[i + 1] === LF) i += 1;
  }
  return replaced.subarray(0, length);
}
