/**
 * From the text of a request to the text of its answer: envelope, batches, notifications and errors as jsonrpc4j 1.6.0
 * makes them, which java-tron is reached through (json-rpc.md A.2, A.3).
 */

import { JavaException } from '../errors/java-exception.js';
import { javaDouble } from '../protocol/json/message-printer.js';
import { numberText } from './arguments.js';
import { JsonRpcError, METHOD_NOT_FOUND, notHandled, UNAUTHORIZED } from './errors.js';
import { isMembers, type Json, type JsonMembers, JsonParseError, jsonText, NumberText, readJson } from './json-text.js';
import { type Method, RawJson, type RpcContext } from './table.js';

/** Told of failures that are ours, not the client's. */
export type OnInternalError = (error: unknown, method: string) => void;

/** The whole request is answered with an empty body: an id or parameters of a type that jsonrpc4j has no word for. */
class Unanswerable extends Error {}

/** The id of an error for which no request could be read is this text. */
const NO_REQUEST = '"null"';
const MAX_NESTING = 1_000;

/**
 * Answers a body: one JSON document and a newline, or nothing for a notification.
 *
 * @example answerJsonRpc('{"id":1,"method":"eth_chainId"}', context) // '{"jsonrpc":"2.0","id":1,"result":"0x…"}\n'
 */
export function answerJsonRpc(body: string, context: RpcContext, onInternalError?: OnInternalError): string {
  try {
    const answer = answerDocument(readJson(body), context, onInternalError, 0);
    return answer === undefined ? '' : `${answer}\n`;
  } catch (error) {
    if (error instanceof Unanswerable) return '';
    if (error instanceof JsonParseError) return `${parseError()}\n`;
    throw error;
  }
}

function answerDocument(
  document: Json,
  context: RpcContext,
  onInternalError: OnInternalError | undefined,
  depth: number,
): string | undefined {
  if (Array.isArray(document)) {
    if (depth >= MAX_NESTING) throw new JsonParseError('nested too deep');
    const answers = document.map((item: Json) => answerDocument(item, context, onInternalError, depth + 1) ?? 'null');
    return `[${answers.join(',')}]`;
  }
  if (isMembers(document)) return answerRequest(document, context, onInternalError);
  return errorAnswer('2.0', NO_REQUEST, new JsonRpcError(-32_600, 'invalid request', undefined));
}

function parseError(): string {
  return errorAnswer('2.0', NO_REQUEST, new JsonRpcError(-32_700, 'JSON parse error', undefined));
}

function answerRequest(
  request: JsonMembers,
  context: RpcContext,
  onInternalError: OnInternalError | undefined,
): string | undefined {
  const id = idText(request.id);
  const version = scalarText(request.jsonrpc) ?? '2.0';
  const name = scalarText(request.method) ?? '';
  try {
    const method = context.methods.get(name);
    if (method === undefined) throw new JsonRpcError(METHOD_NOT_FOUND, 'method not found', undefined);
    const refusal = context.refusal(method);
    if (refusal !== undefined) throw new JsonRpcError(UNAUTHORIZED, refusal, undefined);
    const bound = bindArguments(method, request.params);
    const result = (method.answer as (...bound: unknown[]) => unknown)(context, ...bound);
    if (id === 'null') return undefined;
    const json =
      typeof result === 'string' ? jsonText(result) : result instanceof RawJson ? result.text : JSON.stringify(result);
    return `{"jsonrpc":${version === '2.0' ? '"2.0"' : jsonText(version)},"id":${id},"result":${json}}`;
  } catch (error) {
    if (error instanceof JsonParseError) return parseError();
    if (error instanceof JsonRpcError) return errorAnswer(version, id, error);
    if (error instanceof JavaException) return errorAnswer(version, id, notHandled(error.javaClass, error.javaMessage));
    if (error instanceof Unanswerable) throw error;
    onInternalError?.(error, name);
    return errorAnswer(version, id, new JsonRpcError(-32_603, 'Internal error', undefined));
  }
}

const NO_ARGUMENTS: readonly Json[] = [];

function bindArguments(method: Method, params: Json | undefined): readonly unknown[] {
  let given: readonly Json[];
  if (params === undefined || params === null) given = NO_ARGUMENTS;
  else if (Array.isArray(params)) given = params as readonly Json[];
  else if (!isMembers(params)) throw new Unanswerable();
  else if (Object.keys(params).length === 0) given = NO_ARGUMENTS;
  else throw wrongParameters();
  if (given.length !== method.parameters.length) throw wrongParameters();
  return method.parameters.map((bind, index) => bind(given[index] as Json));
}

function wrongParameters(): JsonRpcError {
  return new JsonRpcError(-32_602, 'method parameters invalid', undefined);
}

/** The id as JSON; `null` makes a notification. */
function idText(id: Json | undefined): string {
  if (id === undefined || id === null) return 'null';
  if (typeof id === 'string') return jsonText(id);
  if (typeof id === 'number') return String(id);
  if (id instanceof NumberText) {
    return id.isInteger ? String(BigInt.asIntN(64, BigInt(id.text))) : javaDouble(Number(id.text));
  }
  throw new Unanswerable();
}

/** What Jackson's `asText` gives: nothing for objects and arrays. */
function scalarText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || value instanceof NumberText) return numberText(value);
  return typeof value === 'boolean' ? String(value) : '';
}

function errorAnswer(version: string, id: string, { code, text, data }: JsonRpcError): string {
  const message = text === null ? 'null' : jsonText(text);
  const detail = data === undefined ? '' : `,"data":${JSON.stringify(data)}`;
  return `{"jsonrpc":${jsonText(version)},"id":${id},"error":{"code":${code},"message":${message}${detail}}}`;
}
