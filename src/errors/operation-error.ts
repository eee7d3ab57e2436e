/** What is answered to somebody who wanted to change the chain from outside and could not. Messages are sentences. */

/** The operation would break a rule, or makes no sense on this chain as it is. */
export class OperationError extends Error {
  override readonly name: string = 'OperationError';
  /** Of JSON-RPC. */
  readonly code: number = -32_000;
  /** Of Sunup's own HTTP paths: `/sunup/…`, `/admin`. */
  readonly httpStatus: number = 400;
}

/** The parameters are not what the operation takes. */
export class ParametersError extends OperationError {
  override readonly name = 'ParametersError';
  override readonly code = -32_602;
}

/** Other work is under way, and the operation cannot run before it ends. */
export class BusyError extends OperationError {
  override readonly name = 'BusyError';
  override readonly httpStatus = 409;
}

/** The operation was stopped before its end, because the node is being closed or nobody waits for the result. */
export class StoppedError extends OperationError {
  override readonly name: string = 'StoppedError';
  override readonly httpStatus = 503;
}
