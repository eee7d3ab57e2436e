/** What is answered to somebody who wanted to change the chain from outside and could not. Messages are sentences. */

/** The operation would break a rule, or makes no sense on this chain as it is. */
export class OperationError extends Error {
  override readonly name: string = 'OperationError';
  /** Of JSON-RPC. */
  readonly code: number = -32_000;
}

/** The parameters are not what the operation takes. */
export class ParametersError extends OperationError {
  override readonly name = 'ParametersError';
  override readonly code = -32_602;
}
