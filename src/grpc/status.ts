/**
 * Statuses of gRPC that a node answers with (protocol/grpc.md#errors), and the error that carries one to a
 * client.
 */

export const Status = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** Ends a call with a status; `details` is what clients show. */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  constructor(
    readonly code: number,
    readonly details: string,
  ) {
    super(details);
  }
}

/** What a handler's uncaught exception, or a request that is not protobuf, becomes in java-tron. */
export function applicationError(): StatusError {
  return new StatusError(Status.UNKNOWN, 'Application error processing RPC');
}

/** A method that its service declares and nobody has written. */
export function methodUnimplemented(path: string): StatusError {
  return new StatusError(Status.UNIMPLEMENTED, `Method ${path.slice(1)} is unimplemented`);
}

/** A method that came with a later release than the chain's: nothing registers it. */
export function unknownMethod(path: string): StatusError {
  return new StatusError(Status.UNIMPLEMENTED, `Method not found: ${path.slice(1)}`);
}

/** That the metadata of a call names. */
export function noSuchChain(id: string): StatusError {
  return new StatusError(Status.NOT_FOUND, `there is no chain ${id} (POST /sunup/chains makes one)`);
}

/** In our own words: java-tron reads such a request for seconds. */
export function tooManyValues(limit: number): StatusError {
  return new StatusError(Status.RESOURCE_EXHAUSTED, `Request holds more than ${limit} values`);
}
