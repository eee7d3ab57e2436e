/**
 * Refusals under the limits of a managed node, with the service's texts (protocol/v1.md#error-envelopes,
 * #authentication-and-rate-limits-of-the-real-service).
 */

/** Each interface has its own form: a body with a status, or a gRPC status. */
export class QuotaRefusal extends Error {
  override readonly name = 'QuotaRefusal';

  /**
   * @param statusCode of HTTP; 401: the key is invalid
   * @param message of `/wallet` and JSON-RPC
   * @param historyMessage of `/v1`
   * @param retryAfterSeconds time until a retry may succeed; undefined: never
   */
  constructor(
    readonly statusCode: 401 | 403 | 429,
    message: string,
    readonly historyMessage: string = message,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export function unknownKey(): QuotaRefusal {
  return new QuotaRefusal(401, 'ApiKey not exists');
}
