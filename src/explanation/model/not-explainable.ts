/** The error of a refused explanation. A separate file, because the library's types refer to it. */

import type { TxId } from '../../primitives/ids.js';

/** The requested transaction cannot be explained; the message says what to do. */
export class NotExplainableError extends Error {
  override readonly name = 'NotExplainableError';
  /** For Sunup's HTTP paths: 404 for a transaction that is in no block of this chain. */
  readonly httpStatus: 400 | 404 | 409;

  constructor(message: string, { httpStatus = 400, ...options }: ErrorOptions & { httpStatus?: 400 | 404 | 409 } = {}) {
    super(message, options);
    this.httpStatus = httpStatus;
  }
}

/** A transaction of a fork's network, below the fork. Its receipt can be explained (`devnet.explainReceipt`). */
export class OfNetworkError extends NotExplainableError {
  constructor(
    readonly txid: TxId,
    blockNumber: number,
  ) {
    super(
      `transaction ${txid} is in block ${blockNumber} of the forked network. It was not executed here; only its receipt is known (sunup explain, devnet.explainReceipt)`,
      { httpStatus: 404 },
    );
  }
}
