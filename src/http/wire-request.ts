/**
 * A request as java-tron's servlets see it: query and form parameters, and the body as text in the content type's
 * charset (protocol/http-requests.md#reading-the-body, #form-bodies-f-endpoints). Parses no JSON.
 */

import type { Readable } from 'node:stream';
import { JavaException } from '../errors/java-exception.js';
import type { Requester } from '../node/operations/work.js';
import { type Caller, callerOf } from '../platform/turns.js';
import type { Longs } from '../protocol/json/message-printer.js';
import { type JsonValue, writeCompact } from '../protocol/json/value.js';
import { checkFieldCount, JsonBody } from './json-body.js';
import { FIRST_FORMS, type HttpForms } from './release-forms.js';

const FORM = 'application/x-www-form-urlencoded';
const NOTHING = new Uint8Array(0);

export class WireRequest {
  readonly method: 'GET' | 'POST';
  readonly contentType: string | undefined;
  readonly #queryString: string;
  readonly #bytes: Uint8Array;
  /** A body that is not read yet, of an endpoint that takes uploads. */
  readonly upload: Readable | undefined;
  #parameters: URLSearchParams | undefined;
  #json: JsonBody | undefined;
  #jsonOrForm: JsonBody | undefined;

  /**
   * @param content the body, or an upload
   * @param client its connection, if any
   */
  constructor(
    method: 'GET' | 'POST',
    queryString: string,
    contentType: string | undefined,
    content: Uint8Array | Readable,
    private readonly client?: { readonly destroyed: boolean } | undefined,
    readonly forms: HttpForms = FIRST_FORMS,
  ) {
    this.method = method;
    this.contentType = contentType;
    this.#queryString = queryString;
    const isRead = content instanceof Uint8Array;
    this.#bytes = isRead ? content : NOTHING;
    this.upload = isRead ? undefined : content;
  }

  /** The client, if known. */
  get caller(): Caller | undefined {
    return this.client && callerOf(this.client);
  }

  /** Whether the client has disconnected. */
  get isAbandoned(): boolean {
    return this.client?.destroyed === true;
  }

  /** The requester of long work. */
  get requester(): Requester {
    return { isGone: () => this.isAbandoned };
  }

  /** The servlet's `getParameter`: from the query string first, then, for a POST, from a form body. */
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

  /** `visible` in the query string: `true` in any case; all other values are false. */
  get visibleParameter(): boolean {
    return this.parameter('visible')?.toLowerCase() === 'true';
  }

  /** `int64_as_string` of a GET, if the release has it: `true` in any case; all other values are false. */
  get longs(): Longs {
    if (!this.forms.longsAsTexts || this.method !== 'GET') return 'numbers';
    return this.parameter('int64_as_string')?.toLowerCase() === 'true' ? 'texts' : 'numbers';
  }

  /** The lines of the body, joined by newlines; the final line end is dropped. */
  get body(): JsonBody {
    this.#json ??= new JsonBody(withoutLastEnd(textOf(this.#bytes, this.contentType, '\n')));
    return this.#json;
  }

  /** The lines of the body, joined without a separator: for getReward and getBrokerage. */
  get bodyWithoutLineEnds(): JsonBody {
    return new JsonBody(textOf(this.#bytes, this.contentType, ''));
  }

  /**
   * The body for endpoints that accept forms: if the content type is exactly the form type, and the body as a whole is
   * not JSON, it becomes a JSON object of texts.
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

/** Replaces each plus by a space. For millions of them URLSearchParams takes a third of a second. */
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

/** Without a charset, Jetty reads JSON, HTML and XML as UTF-8 and everything else as ISO-8859-1. */
function charsetOf(contentType = ''): string {
  if (contentType === 'application/json') return 'utf-8';
  const named = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  return named ?? (/json$|^text\/html$|xml$/.test(mediaType(contentType)) ? 'utf-8' : 'iso-8859-1');
}

/** The text of a body, with `end` for each line end. */
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
    // Java may know some charsets that are unknown here. They are rare; the error is the same.
    throw new JavaException('java.io.UnsupportedEncodingException', charset);
  }
}

const PLUS = 0x2b;
const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;

/** Works on bytes: replacing millions of line ends in a string takes half a second. */
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
