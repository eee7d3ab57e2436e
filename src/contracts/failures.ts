/** Errors of failed calls and transactions. */

import type { Receipt, RevertReason } from './deployed-contract.js';

/** A failed call without a transaction. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError';

  /** @param what `balanceOf(address) of Token (T…)` */
  constructor(
    what: string,
    readonly failure: RevertReason,
    /** `REVERT`, `OUT_OF_ENERGY`, …, if the node says it. */
    readonly result: string,
  ) {
    super(`${what} failed: ${failure.text ?? result}`);
  }
}

/** A transaction that a block contains and that failed. Its fee is paid. */
export class TransactionFailedError extends Error {
  override readonly name = 'TransactionFailedError';

  constructor(
    what: string,
    readonly receipt: Receipt,
    explanation: readonly string[],
  ) {
    super(`${what} failed: ${receipt.failure?.text ?? receipt.result}\n\n${explanation.join('\n')}\n`);
  }

  get failure(): RevertReason | undefined {
    return this.receipt.failure;
  }
}

/** A transaction that no block contains: refused on broadcast, or dropped later. It costs nothing. */
export class TransactionRefusedError extends Error {
  override readonly name = 'TransactionRefusedError';

  /** @param code the network's: `CONTRACT_VALIDATE_ERROR`, `BANDWITH_ERROR`, … */
  constructor(
    what: string,
    readonly code: string,
    reason: string,
  ) {
    super(`${what} was refused: ${reason === '' ? code : `${reason} (${code})`}`);
  }
}
