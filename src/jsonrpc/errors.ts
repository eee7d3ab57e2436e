/**
 * Errors of JSON-RPC (protocol/json-rpc.md#errors): codes, and java-tron's `data`. Other texts are at the place that
 * throws them.
 */

import { closest } from '../primitives/closest-name.js';

/** `data` of all exceptions that java-tron maps to a code: a text of two characters. */
export const NO_DATA = '{}';

export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';

  constructor(
    readonly code: number,
    /** `null` if Java's exception has no message. */
    readonly text: string | null,
    /** Undefined: the answer has no member `data`. */
    readonly data: unknown,
  ) {
    super(text ?? 'null');
  }
}

export const METHOD_NOT_FOUND = -32_601;
/** EIP-1193's code for an unauthorized caller. */
export const UNAUTHORIZED = 4_100;

export function invalidRequest(text: string): JsonRpcError {
  return new JsonRpcError(-32_600, text, NO_DATA);
}

export function invalidParams(text: string | null): JsonRpcError {
  return new JsonRpcError(-32_602, text, NO_DATA);
}

export function internalError(text: string): JsonRpcError {
  return new JsonRpcError(-32_000, text, NO_DATA);
}

/** A reverted call in java-tron's form. */
export function callReverted(text: string, data: string): JsonRpcError {
  return new JsonRpcError(-32_000, text, data);
}

/** The same in geth's form: Ethereum's libraries recognise code 3 as a revert and decode `data`. */
export function executionReverted(text: string, data: string): JsonRpcError {
  return new JsonRpcError(3, text, data);
}

export function limitExceeded(text: string): JsonRpcError {
  return new JsonRpcError(-32_005, text, NO_DATA);
}

/** Sunup's own text: later java-tron releases count the requests of a batch after parsing. */
export function requestTooLong(what: string, limit: number): JsonRpcError {
  return new JsonRpcError(-32_005, `Request exceeds the limit of ${limit} ${what}`, undefined);
}

/** This text and the next one are those of later java-tron releases; 4.8.0 has no such limits. */
export function responseTooLong(limitBytes: number): JsonRpcError {
  return new JsonRpcError(-32_003, `Response exceeds the limit of ${limitBytes} bytes`, undefined);
}

export function batchTooLong(length: number, limit: number): JsonRpcError {
  return new JsonRpcError(-32_005, `Batch size ${length} exceeds the limit of ${limit}`, undefined);
}

/** For methods that are registered and always refused: a text that Ethereum libraries recognise. */
export function notAvailable(method: string, where = ''): JsonRpcError {
  return new JsonRpcError(METHOD_NOT_FOUND, `the method ${method} does not exist/is not available${where}`, NO_DATA);
}

/** For an unknown method, in java-tron's words. */
export function methodNotFound(): JsonRpcError {
  return new JsonRpcError(METHOD_NOT_FOUND, 'method not found', undefined);
}

const MAX_SHOWN_NAME = 80;

/** The same with the name, and the nearest known one. */
export function unknownMethod(name: string, names: readonly string[]): JsonRpcError {
  if (name === '') return methodNotFound();
  const shown = name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
  const close = nearestMethod(name, names);
  const hint = close === undefined ? '' : `: did you mean ${close}?`;
  return new JsonRpcError(METHOD_NOT_FOUND, `the method ${shown} does not exist/is not available${hint}`, undefined);
}

/** The prefix is common to all methods of a tool, so it is ignored. */
function nearestMethod(name: string, names: readonly string[]): string | undefined {
  const [prefix, rest] = parted(name);
  const sameRest = names.find((one) => parted(one)[1] === rest);
  if (sameRest !== undefined) return sameRest;
  const ofPrefix = names.map(parted).filter((one) => one[0] === prefix);
  if (ofPrefix.length === 0) return closest(name, names);
  const close = closest(
    rest,
    ofPrefix.map((one) => one[1]),
  );
  return close === undefined ? undefined : prefix + close;
}

/** @example parted('eth_call') // ['eth_', 'call'] */
function parted(name: string): readonly [prefix: string, rest: string] {
  const at = name.indexOf('_') + 1;
  return [name.slice(0, at), name.slice(at)];
}

/**
 * An exception that java-tron's method does not declare.
 *
 * @param bare later releases return only its class
 */
export function notHandled(javaClass: string, message: string | null, bare: boolean): JsonRpcError {
  return new JsonRpcError(-32_001, message, bare ? javaClass : { exceptionTypeName: javaClass, message });
}
