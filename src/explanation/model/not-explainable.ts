/** The refusal of an explanation, apart from the making of one, because the library's types mention it. */

/** What was asked for cannot be explained; the message says what to do. */
export class NotExplainableError extends Error {
  override readonly name = 'NotExplainableError';
}
