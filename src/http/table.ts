/**
 * What an endpoint of the HTTP API is, and how its request is read: the form that turns (GET query | form body | JSON body)
 * into a protocol message, each endpoint its own way (protocol/http.md#how-to-read-the-tables, #market-and-shielded,
 * protocol/http-requests.md). Endpoints are data, in `endpoints/`, one file a topic; an endpoint names the wallet operation it calls and holds
 * no rule of the chain.
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
 * Where endpoints are served: java-tron's services `/wallet/`, `/walletsolidity/`, `/walletpbft/`, `/net/`, `/monitor/`, what
 * stands below `/wallet/` on the solidity service's own port, and our own `/sunup/`. An endpoint names all of its places.
 */
export type Service = 'wallet' | 'walletsolidity' | 'walletpbft' | 'net' | 'monitor' | 'solidityPort' | 'sunup';

export const WALLET: readonly Service[] = ['wallet'];
/** Also on the solidity service. */
export const SOLIDITY: readonly Service[] = ['wallet', 'walletsolidity'];
/** Also on the solidity service and on that of PBFT. */
export const CONFIRMED: readonly Service[] = [...SOLIDITY, 'walletpbft'];

export interface HttpEndpoint<View> {
  /** The release of java-tron that it came with; absent: all have it. */
  readonly since?: Release;
  /** The last part of the path; `/<service>/<name>`, case-sensitive. */
  readonly name: string;
  readonly services: readonly Service[];
  /** What GET does: most builders answer 200 with an empty body, some refuse with 405. */
  readonly get: 'answers' | 'empty' | 'refused';
  readonly post: 'answers' | 'refused';
  /** `anyone` for the network's own interface; `trusted` for what controls this chain or is nobody else's business. */
  readonly callers: Callers;
  /** Whether an answer may take long to make: a contract is executed for it. */
  readonly isCostly?: true;
  /** Class name that java-tron's error page shows when a method is refused. */
  readonly servlet?: string;
  /** For documentation: the messages that go in and out. */
  readonly request?: MessageType;
  readonly response?: MessageType;
  /** For documentation: what a GET is asked with, beside `visible`. */
  readonly parameters?: readonly string[];
  /** The complete body of the answer. Throws JavaException for what becomes `{"Error":…}`. */
  readonly answer: (view: View, request: WireRequest) => Answer | Promise<Answer>;
}

/** A text, or what is written as fast as the client reads it. */
export type Answer = string | Readable;

/** A request that has been read: the message, and how the answer shows addresses and names. */
export interface ReadRequest<Q> {
  readonly message: Q;
  readonly visible: boolean;
}

/**
 * How a POST body is read: `raw` must be JSON; `form` may also be form-encoded
 * (protocol/http-requests.md#form-bodies-f-endpoints); `ignored` is not looked at, then `visible` comes from the query string
 * only.
 */
export type BodyKind = 'raw' | 'form' | 'ignored';

export function jsonBody(request: WireRequest, kind: BodyKind): JsonBody {
  return kind === 'form' ? request.bodyOrForm : request.body;
}

/** The message that a POST body holds. */
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

/** Field of the request message → kind of the parameter with the same name. */
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
      return visible ? addressOrNothing(text) : readHex(text ?? '');
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

/** java-tron Util.getHexAddress: empty for text with a wrong checksum or length, or none at all. */
export function addressOrNothing(text: string | undefined): Hex {
  return text === undefined ? '' : (readBase58Address(text) ?? '');
}

/** A name: text when visible, and then it may not be missing (java-tron Util.getHexString); otherwise hex. */
export function readName(text: string | undefined, visible: boolean): Hex {
  if (!visible) {
    return readHex(text ?? '');
  }
  if (text === undefined) {
    throw nullPointerException();
  }
  return utf8ToHex(text);
}

/** How an answer is printed: in JsonFormat's layout, compact, or by a printer of its own. */
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
  /** GET parameters; without this GET is refused with 405. */
  readonly query?: QueryFields<Q>;
  readonly operation: (view: View, request: Sent<Q>) => A | Sent<A> | undefined | Promise<A | Sent<A>>;
  /** The answer's message, where it is one. */
  readonly response?: MessageCodec<A>;
  /** The message that a printer of its own shows, where the answer is another form of it. */
  readonly shows?: MessageType;
  /** Default `spaced`; needed where the answer is not a message. */
  readonly print?: Printer<A>;
  /** For an endpoint whose POST body is not simply the message. */
  readonly readPost?: (request: WireRequest) => ReadRequest<Sent<Q>>;
  /** For an endpoint whose GET parameters are not simply fields, and then for documentation what they are. */
  readonly parameters?: readonly string[];
  readonly readGet?: (request: WireRequest) => ReadRequest<Sent<Q>>;
  readonly servlet?: string;
}

/** A query: a message goes in, a message or nothing (`{}`) comes out. */
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
