/** How a call or a transaction fails. */

import type { Receipt, RevertReason } from './deployed-contract.js';

/** A call without a transaction that failed. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError';

  /** @param what `balanceOf(address) of Token (T…)` */
  constructor(
    what: string,
    readonly failure: RevertReason,
    /** `REVERT`, `OUT_OF_ENERGY`, … as far as the node says it. */
    readonly result: string,
  ) {
    super(`${what} failed: ${failure.text ?? result}`);
  }
}

/** A transaction that is in its block and failed there. Its fee is paid. */
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

/** A transaction that no block took: refused when it was sent, or dropped later. Nothing is paid. */
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
