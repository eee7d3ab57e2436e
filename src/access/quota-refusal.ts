/**
 * Why a request is not answered under the rules of a managed node, in the service's words
 * (protocol/v1.md#error-envelopes, #authentication-and-rate-limits-of-the-real-service).
 */

/** What each interface shows in its own form: a body with a status, a status of gRPC. */
export class QuotaRefusal extends Error {
  override readonly name = 'QuotaRefusal';

  /**
   * @param statusCode of HTTP; 401: the key is none
   * @param message as `/wallet` and JSON-RPC say it
   * @param historyMessage as `/v1` says it
   * @param retryAfterSeconds when it is worth asking again; undefined: it is not
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
