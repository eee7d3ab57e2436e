/** Errors of operations that change the chain from outside. Messages are sentences. */

/** The operation would break a rule, or is not possible on this chain. */
export class OperationError extends Error {
  override readonly name: string = 'OperationError';
  /** Of JSON-RPC. */
  readonly code: number = -32_000;
  /** Of Sunup's own HTTP paths: `/sunup/…`, `/admin`. */
  readonly httpStatus: number = 400;
}

/** The parameters are invalid. */
export class ParametersError extends OperationError {
  override readonly name = 'ParametersError';
  override readonly code = -32_602;
}

/** What the request names does not exist. */
export class NotFoundError extends OperationError {
  override readonly name = 'NotFoundError';
  override readonly httpStatus = 404;
}

/** Other work is running, and the operation cannot run before its end. */
export class BusyError extends OperationError {
  override readonly name = 'BusyError';
  override readonly httpStatus = 409;
}

/** The operation was stopped early, because the node is closing or the request was cancelled. */
export class StoppedError extends OperationError {
  override readonly name: string = 'StoppedError';
  override readonly httpStatus = 503;
}
