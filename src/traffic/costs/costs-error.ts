/** A request for costs that this network or folder cannot answer; the message says why, and what to do. */
export class CostsError extends Error {
  override readonly name = 'CostsError';
}
