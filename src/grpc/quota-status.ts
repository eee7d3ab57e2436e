/** The rules of a managed node over gRPC: API keys in metadata, refusals as statuses (rules: `access/quotas.ts`). */

import { Metadata, type ServerErrorResponse, type ServerUnaryCall } from '@grpc/grpc-js';
import { QuotaRefusal } from '../access/quota-refusal.js';
import type { Quotas } from '../access/quotas.js';
import { Status } from './status.js';

/** The status of a refused call; undefined: the call is allowed. */
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
    // Like Retry-After in HTTP: clients with a retry policy wait this long (gRPC proposal A6).
    if (retryAfterSeconds !== undefined) metadata.set('grpc-retry-pushback-ms', String(retryAfterSeconds * 1_000));
    return {
      code: statusCode === 401 ? Status.UNAUTHENTICATED : Status.RESOURCE_EXHAUSTED,
      details: message,
      metadata,
    };
  }
}
