/** gRPC statuses of a node (protocol/grpc.md#errors), and the error for them. */

import { OperationError } from '../errors/operation-error.js';

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

/** Ends a call with a status; clients show `details`. */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  constructor(
    readonly code: number,
    readonly details: string,
  ) {
    super(details);
  }
}

/** java-tron's status for an uncaught exception of a handler, and for a request that is not protobuf. */
export function applicationError(): StatusError {
  return new StatusError(Status.UNKNOWN, 'Application error processing RPC');
}

/**
 * A refusal in our own words: the disk is full, the network of a fork does not answer.
 *
 * @returns undefined: an internal error
 */
export function statusOfRefusal(error: unknown): StatusError | undefined {
  if (error instanceof StatusError) return error;
  return error instanceof OperationError ? new StatusError(Status.UNAVAILABLE, error.message) : undefined;
}

/** A method that its service declares but does not implement. */
export function methodUnimplemented(path: string): StatusError {
  return new StatusError(Status.UNIMPLEMENTED, `Method ${path.slice(1)} is unimplemented`);
}

/** A method of a later release than the chain's: it is not registered. */
export function unknownMethod(path: string): StatusError {
  return new StatusError(Status.UNIMPLEMENTED, `Method not found: ${path.slice(1)}`);
}

/** The chain in a call's metadata does not exist. */
export function noSuchChain(id: string): StatusError {
  return new StatusError(Status.NOT_FOUND, `there is no chain ${id} (POST /sunup/chains makes one)`);
}

/** Sunup's own text: java-tron reads such a request for seconds. */
export function tooManyValues(limit: number): StatusError {
  return new StatusError(Status.RESOURCE_EXHAUSTED, `Request holds more than ${limit} values`);
}
