/** Errors of requests, in the form of the managed service (protocol/v1.md#error-envelopes, #validation). */

import { jsonText } from './json.js';

export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  constructor(
    readonly status: 400 | 404 | 503,
    message: string,
  ) {
    super(message);
  }
}

export function invalid(what: string): HistoryError {
  return new HistoryError(400, what);
}

/** The service's text, from a client's report (protocol/v1.md#pagination-semantics). */
export function fingerprintMismatch(): HistoryError {
  return invalid('Invalid query filter(s)!: [fingerprint does not match current set of params]');
}

export function conflictingParameters(): HistoryError {
  return invalid('Conflicting parameters passed.');
}

/** @example {"success":false,"error":"limit has to be …","statusCode":400} */
export function errorBody({ status, message }: HistoryError): string {
  return jsonText({ success: false, error: message, statusCode: status });
}
