/**
 * What JSON-RPC answers instead of a result (json-rpc.md A.3): the codes and what java-tron puts into `data`. Texts stand
 * where they are thrown.
 */

/** `data` of every exception that java-tron maps to a code: this text of two characters. */
export const NO_DATA = '{}';

export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';

  constructor(
    readonly code: number,
    /** `null` where Java's exception has no message. */
    readonly text: string | null,
    /** Undefined: the answer has no member `data`. */
    readonly data: unknown,
  ) {
    super(text ?? 'null');
  }
}

export const METHOD_NOT_FOUND = -32_601;
/** EIP-1193's code for a caller who may not. */
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

export function limitExceeded(text: string): JsonRpcError {
  return new JsonRpcError(-32_005, text, NO_DATA);
}

/** Registered, and always refused: a text that Ethereum libraries know. */
export function notAvailable(method: string, where = ''): JsonRpcError {
  return new JsonRpcError(METHOD_NOT_FOUND, `the method ${method} does not exist/is not available${where}`, NO_DATA);
}

/** An exception that java-tron's method does not declare. */
export function notHandled(javaClass: string, message: string | null): JsonRpcError {
  return new JsonRpcError(-32_001, message, { exceptionTypeName: javaClass, message });
}
