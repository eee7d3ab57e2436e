/** The rules of a managed node over gRPC: keys as metadata, refusals as statuses (`access/quotas.ts` has the rules). */

import { Metadata, type ServerErrorResponse, type ServerUnaryCall } from '@grpc/grpc-js';
import { QuotaRefusal } from '../access/quota-refusal.js';
import type { Quotas } from '../access/quotas.js';
import { Status } from './status.js';

/** What a call ends with that is not to be answered; undefined: it is. */
export function quotaStatus(
  quotas: Quotas,
  call: ServerUnaryCall<Buffer, Buffer>,
): Partial<ServerErrorResponse> | undefined {
  const peer = call.getPeer();
  try {
    quotas.admit(call.metadata.toHttp2Headers(), peer.slice(0, peer.lastIndexOf(':')));
    return undefined;
  } catch (error) {
    if (!(error instanceof QuotaRefusal)) throw error;
    const { statusCode, message, retryAfterSeconds } = error;
    const metadata = new Metadata();
    // What Retry-After is in HTTP: clients with a retry policy wait so long (gRPC proposal A6).
    if (retryAfterSeconds !== undefined) metadata.set('grpc-retry-pushback-ms', String(retryAfterSeconds * 1_000));
    return {
      code: statusCode === 401 ? Status.UNAUTHENTICATED : Status.RESOURCE_EXHAUSTED,
      details: message,
      metadata,
    };
  }
}
