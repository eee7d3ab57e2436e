/**
 * Answers the text of a request: envelope, batches, notifications and errors as jsonrpc4j 1.6.0 produces them, the
 * server of java-tron (protocol/json-rpc.md#http-and-envelope-behaviour, #errors).
 */

import { heldFor } from '../access/held-answers.js';
import { JavaException } from '../errors/java-exception.js';
import { OperationError } from '../errors/operation-error.js';
import { withRows } from '../node/with-rows.js';
import { type Caller, costlyTurn } from '../platform/turns.js';
import { toJson } from '../primitives/amount-json.js';
import { javaDouble } from '../protocol/json/message-printer.js';
import type { WalletContext } from '../wallet/context.js';
import { type Mark, withMarks } from '../wallet/known-blocks.js';
import { numberText } from './arguments.js';
import type { Dialect } from './dialect.js';
import {
  batchTooLong,
  JsonRpcError,
  methodNotFound,
  notHandled,
  requestTooLong,
  responseTooLong,
  UNAUTHORIZED,
  unknownMethod,
} from './errors.js';
import {
  isMembers,
  type Json,
  JsonParseError,
  jsonText,
  NumberText,
  plainJson,
  readJson,
  TooManyValuesError,
} from './json-text.js';
import {
  AnswerTooLong,
  ClientGone,
  type DialectMethod,
  type FurtherMethods,
  type Method,
  RawJson,
  type RpcContext,
} from './table.js';

/** Called for internal errors, not for errors of the client. */
export type OnInternalError = (error: unknown, method: string) => void;

/** The whole request gets an empty answer: jsonrpc4j does not support the type of the id or of the parameters. */
class Unanswerable extends Error {}

const MAX_NESTING = 1_000;

/**
 * Called for every request with its method, or `unknown` if there is none of that name; never with text of the client.
 */
export type OnAnswered = (method: string, succeeded: boolean, tookMs: number) => void;

/** Limits of one request body. */
export interface Limits {
  /** Maximum requests in a batch, including nested batches. */
  readonly batchRequests: number;
  /** Maximum size of an answer; a batch has one answer. */
  readonly answerBytes: number;
}

/** The context of the requests in one body. */
export interface BodyContext extends Omit<RpcContext, 'roomLeft' | 'wallet'> {
  readonly caller: Caller;
  /** The current view. */
  readonly walletNow: () => WalletContext;
  /** By all their names. */
  readonly methods: ReadonlyMap<string, DialectMethod>;
  readonly further?: FurtherMethods | undefined;
  readonly limits: Limits;
  /** The error for all requests of the body, if the client is refused. */
  readonly refused?: JsonRpcError | undefined;
  /** The reason why the caller may not call the method; undefined: it may. */
  readonly refusal: (method: Pick<Method, 'name' | 'callers'>) => string | undefined;
  /** Called with the mark for an answer that contains data of a fork's network. */
  readonly marked?: ((mark: Mark) => void) | undefined;
  readonly onInternalError?: OnInternalError | undefined;
  readonly onAnswered?: OnAnswered | undefined;
}

/**
 * A class, not an object literal with a getter: V8 makes a hidden class for each such literal, which keeps everything
 * of its request until the next major collection. That took a third of the CPU time of a read.
 */
class CallContext implements RpcContext {
  readonly path: RpcContext['path'];
  readonly dialect: Dialect;
  readonly filters: RpcContext['filters'];
  readonly coinbase: RpcContext['coinbase'];
  readonly accounts: RpcContext['accounts'];
  readonly clientVersion: string;
  readonly indexed: boolean;
  readonly subscriber: RpcContext['subscriber'];
  readonly pause: RpcContext['pause'];
  readonly isGone: RpcContext['isGone'];
  readonly #walletNow: () => WalletContext;

  constructor(
    {
      path,
      dialect,
      filters,
      coinbase,
      accounts,
      clientVersion,
      indexed,
      subscriber,
      pause,
      isGone,
      walletNow,
    }: BodyContext,
    readonly roomLeft: number,
  ) {
    this.path = path;
    this.dialect = dialect;
    this.filters = filters;
    this.coinbase = coinbase;
    this.accounts = accounts;
    this.clientVersion = clientVersion;
    this.indexed = indexed;
    this.subscriber = subscriber;
    this.pause = pause;
    this.isGone = isGone;
    this.#walletNow = walletNow;
  }

  get wallet(): WalletContext {
    return this.#walletNow();
  }
}

type Answer = string | undefined;

/**
 * Answers a body: one JSON document and a newline, or nothing for a notification. Synchronous, except for a batch and
 * for slow methods.
 *
 * @throws ClientGone
 * @example answerJsonRpc('{"id":1,"method":"eth_chainId"}', asked) // '{"jsonrpc":"2.0","id":1,"result":"0x…"}\n'
 */
export function answerJsonRpc(body: string, asked: BodyContext): string | Promise<string> {
  const failed = (error: unknown) => withoutRequest(asked.dialect, error);
  try {
    const document = readJson(body);
    const answer = Array.isArray(document)
      ? answerBatch(document, asked)
      : answerOne(document, asked, { left: asked.limits.answerBytes });
    return answer instanceof Promise ? answer.then(line, failed) : line(answer);
  } catch (error) {
    return failed(error);
  }
}

function line(answer: Answer): string {
  return answer === undefined ? '' : `${answer}\n`;
}

/** The answer to an unreadable body. */
function withoutRequest(dialect: Dialect, error: unknown): string {
  if (error instanceof Unanswerable) return '';
  if (error instanceof JsonParseError) return line(parseError(dialect));
  if (error instanceof TooManyValuesError)
    return line(errorAnswer(dialect, '2.0', 'null', requestTooLong(error.what, error.limit)));
  throw error;
}

function parseError(dialect: Dialect, id = 'null'): string {
  return errorAnswer(
    dialect,
    '2.0',
    dialect.unreadableId(id),
    new JsonRpcError(-32_700, 'JSON parse error', undefined),
  );
}

function invalidRequestAnswer(dialect: Dialect): string {
  const text = dialect.forms.strictEnvelope ? 'Invalid Request' : 'invalid request';
  return errorAnswer(dialect, '2.0', dialect.unreadableId('null'), new JsonRpcError(-32_600, text, undefined));
}

/** Answers requests one after the other, with turns of other clients in between. */
async function answerBatch(document: readonly Json[], asked: BodyContext): Promise<Answer> {
  const length = requestsIn(document, 0);
  const { batchRequests, answerBytes } = asked.limits;
  if (length === 0 && asked.dialect.forms.strictEnvelope) return invalidRequestAnswer(asked.dialect);
  if (length > batchRequests)
    return `[${errorAnswer(asked.dialect, '2.0', 'null', batchTooLong(length, batchRequests))}]`;
  const room: AnswerBudget = { left: answerBytes };
  let isCut = false;
  const held = heldFor(() => {
    isCut = true;
  });
  const answerAll = async (items: readonly Json[]): Promise<string> => {
    const answers: string[] = [];
    for (const item of items) {
      if (Array.isArray(item)) {
        answers.push(await answerAll(item));
        continue;
      }
      const answer = (await answerOne(item, asked, room)) ?? (asked.dialect.forms.strictEnvelope ? undefined : 'null');
      if (answer === undefined) continue;
      room.left -= answer.length + 1;
      answers.push(answer);
      held.set(answerBytes - Math.max(room.left, 0));
      if (isCut) throw new ClientGone();
      await asked.pause();
      if (isCut) throw new ClientGone();
    }
    return `[${answers.join(',')}]`;
  };
  const answers = await answerAll(document).finally(() => held.set(0));
  // The batch contains only notifications.
  return answers === '[]' && length > 0 ? undefined : answers;
}

function requestsIn(items: readonly Json[], depth: number): number {
  if (depth >= MAX_NESTING) throw new JsonParseError('nested too deep');
  return items.reduce<number>((sum, item) => sum + (Array.isArray(item) ? requestsIn(item, depth + 1) : 1), 0);
}

/** Remaining size of an answer; negative after a result that did not fit: then the rest of a batch is skipped. */
interface AnswerBudget {
  left: number;
}

function answerOne(request: Json, asked: BodyContext, room: AnswerBudget): Answer | Promise<Answer> {
  const { dialect } = asked;
  if (!isMembers(request)) return invalidRequestAnswer(dialect);
  const id = idText(request.id);
  const version = scalarText(request.jsonrpc) ?? '2.0';
  const name = scalarText(request.method) ?? '';
  const { onAnswered } = asked;
  const sinceMs = onAnswered === undefined ? 0 : performance.now();
  let countedAs = 'unknown';
  const answered = (result: unknown): Answer => {
    const json = id === 'null' ? '' : resultText(result);
    if (json.length > room.left) return failed(new AnswerTooLong());
    onAnswered?.(countedAs, true, performance.now() - sinceMs);
    if (id === 'null') return undefined;
    return `{"jsonrpc":${version === '2.0' ? '"2.0"' : jsonText(version)},"id":${id},"result":${json}}`;
  };
  const failed = (error: unknown): string => {
    onAnswered?.(countedAs, false, performance.now() - sinceMs);
    if (error instanceof JsonParseError) return parseError(dialect, id);
    if (error instanceof JsonRpcError) return errorAnswer(dialect, version, id, error);
    if (error instanceof OperationError)
      return errorAnswer(dialect, version, id, new JsonRpcError(error.code, error.message, undefined));
    if (error instanceof JavaException)
      return errorAnswer(
        dialect,
        version,
        id,
        notHandled(error.javaClass, error.javaMessage, dialect.forms.bareExceptionClass),
      );
    if (error instanceof AnswerTooLong) {
      room.left = -1;
      return errorAnswer(dialect, version, id, responseTooLong(asked.limits.answerBytes));
    }
    if (error instanceof Unanswerable || error instanceof ClientGone) throw error;
    asked.onInternalError?.(error, name);
    return errorAnswer(dialect, version, id, new JsonRpcError(-32_603, 'Internal error', undefined));
  };
  try {
    if (asked.refused !== undefined) throw asked.refused;
    const method = asked.methods.get(name);
    if (method === undefined) {
      if (asked.further === undefined) throw notFound(asked, name, []);
      const found = (known: string) => {
        countedAs = known;
      };
      return answerFurther(asked, asked.further, name, request.params, found).then(answered).catch(failed);
    }
    countedAs = method.name;
    admit(asked, method);
    const bound = bindArguments(method, request.params, dialect);
    if (room.left < 0) throw new AnswerTooLong();
    const context = new CallContext(asked, room.left);
    const othersFirst = method.isCostly && costlyTurn(asked.caller);
    const result = othersFirst
      ? othersFirst.then(() => answerOf(method, context, bound, asked))
      : answerOf(method, context, bound, asked);
    return result instanceof Promise ? result.then(answered).catch(failed) : answered(result);
  } catch (error) {
    return failed(error);
  }
}

function answerOf(
  { answer }: DialectMethod,
  context: CallContext,
  bound: readonly unknown[],
  { marked }: BodyContext,
): unknown {
  const work = answer as (...given: unknown[]) => unknown;
  if (marked === undefined) return withRows(() => work(context, ...bound));
  return withRows(() => withMarks(context.wallet, () => work(context, ...bound), marked));
}

function resultText(result: unknown): string {
  if (typeof result === 'string') return jsonText(result);
  return result instanceof RawJson ? result.text : JSON.stringify(result);
}

function admit(asked: BodyContext, method: Pick<Method, 'name' | 'callers'>): void {
  const refusal = asked.refusal(method);
  if (refusal !== undefined) throw new JsonRpcError(UNAUTHORIZED, refusal, undefined);
}

/** Like java-tron, its dialect does not name the method. */
function notFound({ path, dialect, methods }: BodyContext, name: string, further: Iterable<string>): JsonRpcError {
  if (path === 'jsonrpc' && !dialect.lenient) return methodNotFound();
  return unknownMethod(name, [...[...methods.values()].map((method) => method.name), ...further]);
}

async function answerFurther(
  asked: BodyContext,
  further: FurtherMethods,
  name: string,
  params: Json | undefined,
  found: (name: string) => void,
): Promise<unknown> {
  const method = await further.find(name);
  if (method === undefined) throw notFound(asked, name, await further.names());
  found(method.name);
  admit(asked, method);
  if (params !== undefined && params !== null && !Array.isArray(params))
    throw new JsonRpcError(-32_602, `${name}: expected its parameters as a list: "params":[…]`, undefined);
  // While the methods were loaded, others of the round have come this far.
  await asked.pause(true);
  const parameters = ((params ?? []) as readonly Json[]).map(plainJson);
  return toJson(await withRows(() => method.answer(parameters, asked) as unknown)) ?? null;
}

const NO_ARGUMENTS: readonly Json[] = [];

function bindArguments(method: DialectMethod, params: Json | undefined, dialect: Dialect): readonly unknown[] {
  let given: readonly Json[];
  if (params === undefined || params === null) given = NO_ARGUMENTS;
  else if (Array.isArray(params)) given = params as readonly Json[];
  else if (!isMembers(params)) throw new Unanswerable();
  else if (Object.keys(params).length === 0) given = NO_ARGUMENTS;
  else throw wrongParameters();
  if (given.length < method.required || given.length > method.parameters.length) throw wrongParameters();
  return method.parameters.map((bind, index) => bind(index < given.length ? (given[index] as Json) : null, dialect));
}

function wrongParameters(): JsonRpcError {
  return new JsonRpcError(-32_602, 'method parameters invalid', undefined);
}

/** The id as JSON; `null` makes a notification. */
function idText(id: Json | undefined): string {
  if (id === undefined || id === null) return 'null';
  if (typeof id === 'string') return jsonText(id);
  if (typeof id === 'number') return numberText(id);
  if (id instanceof NumberText) {
    return id.isInteger ? String(BigInt.asIntN(64, BigInt(id.text))) : javaDouble(Number(id.text));
  }
  throw new Unanswerable();
}

/** Jackson's `asText`: empty for objects and arrays. */
function scalarText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || value instanceof NumberText) return numberText(value);
  return typeof value === 'boolean' ? String(value) : '';
}

function errorAnswer(dialect: Dialect, version: string, id: string, error: JsonRpcError): string {
  const { code, text } = error;
  const data = dialect.errorData(error.data);
  const message = text === null ? 'null' : jsonText(text);
  const detail = data === undefined ? '' : `,"data":${JSON.stringify(data)}`;
  return `{"jsonrpc":${jsonText(version)},"id":${id},"error":{"code":${code},"message":${message}${detail}}}`;
}
