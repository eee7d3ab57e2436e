/**
 * Definition of an HTTP endpoint, and how its request is read: converts a GET query, form body or JSON body to a
 * protocol message, by the rules of each endpoint (protocol/http.md#how-to-read-the-tables, #market-and-shielded,
 * protocol/http-requests.md). Endpoints are data in `endpoints/`, one file for each topic. An endpoint names its wallet
 * operation and contains no rule of the chain.
 */

import type { Readable } from 'node:stream';
import type { Callers } from '../access/access.js';
import { nullPointerException } from '../errors/java-exception.js';
import type { Hex } from '../primitives/hex.js';
import { utf8ToHex } from '../primitives/hex.js';
import type { Release } from '../primitives/release.js';
import { readBase58Address, readHex } from '../protocol/json/hex-text.js';
import { numberFormatException, parseJavaLong } from '../protocol/json/java-numbers.js';
import { type Longs, printCompact, printMessage } from '../protocol/json/message-printer.js';
import { readMessage } from '../protocol/json/message-reader.js';
import { writeCompact } from '../protocol/json/value.js';
import type { MessageCodec, MessageType, Sent } from '../protocol/message-type.js';
import type { JsonBody } from './json-body.js';
import type { WireRequest } from './wire-request.js';

/**
 * The path prefixes of endpoints: java-tron's services `/wallet/`, `/walletsolidity/`, `/walletpbft/`, `/net/`,
 * `/monitor/`, `/wallet/` on the solidity service's own port, and Sunup's `/sunup/`. An endpoint lists all of its
 * services.
 */
export type Service = 'wallet' | 'walletsolidity' | 'walletpbft' | 'net' | 'monitor' | 'solidityPort' | 'sunup';

export const WALLET: readonly Service[] = ['wallet'];
/** Also at the solidity service. */
export const SOLIDITY: readonly Service[] = ['wallet', 'walletsolidity'];
/** Also at the solidity and PBFT services. */
export const CONFIRMED: readonly Service[] = [...SOLIDITY, 'walletpbft'];

export interface HttpEndpoint<View> {
  /** The first java-tron release with the endpoint; absent: all releases. */
  readonly since?: Release;
  /** The last part of the path `/<service>/<name>`, case-sensitive. */
  readonly name: string;
  readonly services: readonly Service[];
  /** Behaviour of GET: most builders answer 200 with an empty body, some refuse with 405. */
  readonly get: 'answers' | 'empty' | 'refused';
  readonly post: 'answers' | 'refused';
  /** `anyone` for java-tron's interface; `trusted` for endpoints that control the chain or return private data. */
  readonly callers: Callers;
  /** Whether an answer may take long: it executes a contract. */
  readonly isCostly?: true;
  /** Whether it takes uploads, which it reads from `WireRequest.upload`. */
  readonly takesUploads?: true;
  /** Class name on java-tron's error page for a refused method. */
  readonly servlet?: string;
  /** For documentation: messages of request and answer. */
  readonly request?: MessageType;
  readonly response?: MessageType;
  /** For documentation: parameters of GET besides `visible`. */
  readonly parameters?: readonly string[];
  /** The complete body of the answer. A JavaException becomes `{"Error":…}`. */
  readonly answer: (view: View, request: WireRequest) => Answer | Promise<Answer>;
}

/** A text, or a stream that is sent as fast as the client reads it. */
export type Answer = string | Readable;

/** A parsed request: the message, and whether the answer shows addresses and names as text. */
export interface ReadRequest<Q> {
  readonly message: Q;
  readonly visible: boolean;
}

/**
 * Form of a POST body: `raw` must be JSON; `form` may also be form-encoded
 * (protocol/http-requests.md#form-bodies-f-endpoints); `ignored` is not read, and `visible` comes from the query string
 * only.
 */
export type BodyKind = 'raw' | 'form' | 'ignored';

export function jsonBody(request: WireRequest, kind: BodyKind): JsonBody {
  return kind === 'form' ? request.bodyOrForm : request.body;
}

/** The message in a POST body. */
export function readBody<Q>(codec: MessageCodec<Q>, request: WireRequest, kind: BodyKind): ReadRequest<Sent<Q>> {
  const { text, visible } = jsonBody(request, kind);
  return { message: readMessage(codec, text, visible), visible };
}

/**
 * Kinds of GET parameters, after the way their servlet reads them:
 * `hex` bytes as hex; `address` base58 when visible, else hex; `text` as it is; `name` text when visible, else hex;
 * `i64`, `i32` required numbers; `i64?`, `i32?` numbers that may be missing; `bool` true in any case;
 * `json` is put into a JSON object and read like a body.
 */
export type QueryKind =
  | 'hex'
  | 'address'
  | 'text'
  | 'name'
  | 'i64'
  | 'i64?'
  | 'i32'
  | 'i32?'
  | 'bool'
  | 'json'
  | 'textBytes';

/** Kinds of parameters by the field of the request message with the same name. */
export type QueryFields<Q> = { readonly [F in keyof Q & string]?: QueryKind };

export function readQuery<Q>(
  codec: MessageCodec<Q>,
  fields: QueryFields<Q>,
  request: WireRequest,
): ReadRequest<Sent<Q>> {
  const visible = request.visibleParameter;
  const entries = Object.entries(fields) as [string, QueryKind][];
  if (entries.some(([, kind]) => kind === 'json')) {
    const object = new Map(entries.map(([name]) => [name, request.parameter(name) ?? null] as const));
    return { message: readMessage(codec, writeCompact(object), visible), visible };
  }
  const partial: Record<string, unknown> = {};
  for (const [name, kind] of entries) {
    partial[name] = readParameter(request.parameter(name), kind, visible);
  }
  return { message: codec.create(partial as Partial<Sent<Q>>), visible };
}

function readParameter(text: string | undefined, kind: QueryKind, visible: boolean): unknown {
  switch (kind) {
    case 'hex':
      return readHex(text ?? '');
    case 'address':
      return visible ? addressOrEmpty(text) : readHex(text ?? '');
    case 'name':
      return readName(text, visible);
    case 'textBytes':
      return utf8ToHex(text ?? '');
    case 'text':
      return text ?? '';
    case 'bool':
      return text?.toLowerCase() === 'true';
    case 'i64':
      return requiredLong(text);
    case 'i64?':
      return text === undefined ? 0n : parseJavaLong(text);
    case 'i32':
      return Number(requiredLong(text, 32));
    case 'i32?':
      return text === undefined ? 0 : Number(parseJavaLong(text, 32));
    case 'json':
      throw new Error('json parameters are read together');
  }
}

function requiredLong(text: string | undefined, bits: 32 | 64 = 64): bigint {
  if (text === undefined) {
    throw numberFormatException('Cannot parse null string');
  }
  return parseJavaLong(text, bits);
}

/** java-tron Util.getHexAddress: empty for missing text, and for a wrong checksum or length. */
export function addressOrEmpty(text: string | undefined): Hex {
  return text === undefined ? '' : (readBase58Address(text) ?? '');
}

/** A name: required text if visible (java-tron Util.getHexString), otherwise hex. */
export function readName(text: string | undefined, visible: boolean): Hex {
  if (!visible) {
    return readHex(text ?? '');
  }
  if (text === undefined) {
    throw nullPointerException();
  }
  return utf8ToHex(text);
}

/** Layout of an answer: JsonFormat's, compact, or a custom printer. */
export type Printer<A> =
  | 'spaced'
  | 'compact'
  | ((answer: A | Sent<A>, visible: boolean, request: WireRequest) => string | Promise<string>);

export interface QueryEndpointDefinition<View, Q, A> {
  readonly since?: Release;
  readonly name: string;
  readonly services?: readonly Service[];
  readonly body: BodyKind;
  readonly request: MessageCodec<Q>;
  /** GET parameters; if absent, GET is refused with 405. */
  readonly query?: QueryFields<Q>;
  readonly operation: (view: View, request: Sent<Q>) => A | Sent<A> | undefined | Promise<A | Sent<A>>;
  /** The answer's message, if it is one. */
  readonly response?: MessageCodec<A>;
  /** The message that a custom printer prints, if the answer is another type. */
  readonly shows?: MessageType;
  /** Default `spaced`; required if the answer is not a message. */
  readonly print?: Printer<A>;
  /** For an endpoint whose POST body is not the plain message. */
  readonly readPost?: (request: WireRequest) => ReadRequest<Sent<Q>>;
  /** For an endpoint whose GET parameters are not plain fields: their names, for documentation. */
  readonly parameters?: readonly string[];
  readonly readGet?: (request: WireRequest) => ReadRequest<Sent<Q>>;
  readonly servlet?: string;
}

/** A query: returns a message, or `{}` if there is none. */
export function queryEndpoint<View, Q, A>(definition: QueryEndpointDefinition<View, Q, A>): HttpEndpoint<View> {
  const { name, body, request: codec, query, operation, response, print = 'spaced' } = definition;
  const shown = definition.shows ?? response?.type;
  const readGet = definition.readGet ?? ((wire) => readQuery(codec, query ?? {}, wire));
  const readPost =
    definition.readPost ??
    ((wire) =>
      body === 'ignored' ? { message: codec.empty, visible: wire.visibleParameter } : readBody(codec, wire, body));
  return {
    name,
    services: definition.services ?? WALLET,
    get: query === undefined && definition.readGet === undefined ? 'refused' : 'answers',
    post: 'answers',
    callers: 'anyone',
    ...(definition.since && { since: definition.since }),
    ...(definition.servlet === undefined ? {} : { servlet: definition.servlet }),
    request: codec.type,
    ...(query !== undefined && { parameters: Object.keys(query) }),
    ...(definition.parameters !== undefined && { parameters: definition.parameters }),
    ...(shown === undefined ? {} : { response: shown }),
    answer: (view, wire) => {
      const { message, visible } = wire.method === 'GET' ? readGet(wire) : readPost(wire);
      const text = (answer: A | Sent<A>) =>
        typeof print === 'function'
          ? print(answer, visible, wire)
          : printMessageOf(response, answer, print, visible, wire.longs);
      const answer = operation(view, message);
      if (answer === undefined) return '{}\n';
      const printed = answer instanceof Promise ? answer.then(text) : text(answer);
      return typeof printed === 'string' ? `${printed}\n` : printed.then((later) => `${later}\n`);
    },
  };
}

function printMessageOf<A>(
  codec: MessageCodec<A> | undefined,
  answer: A | Sent<A>,
  print: 'spaced' | 'compact',
  visible: boolean,
  longs: Longs,
): string {
  if (codec === undefined) {
    throw new Error('an endpoint without a response message needs a printer of its own');
  }
  return (print === 'spaced' ? printMessage : printCompact)(codec, answer, visible, longs);
}
