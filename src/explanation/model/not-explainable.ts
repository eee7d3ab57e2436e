/** The refusal of an explanation, apart from the making of one, because the library's types mention it. */

/** What was asked for cannot be explained; the message says what to do. */
export class NotExplainableError extends Error {
  override readonly name = 'NotExplainableError';
  /** Of Sunup's own HTTP paths: 404 for a transaction that is in no block of this chain. */
  readonly httpStatus: 400 | 404 | 409;

  constructor(message: string, { httpStatus = 400, ...options }: ErrorOptions & { httpStatus?: 400 | 404 | 409 } = {}) {
    super(message, options);
    this.httpStatus = httpStatus;
  }
}
