/**
 * Refusals of transactions: java-tron's exceptions of the processing pipeline. Answers to broadcasts are in
 * `ledger/admission/refusal-answer.ts`; class, response code and text of each are in `error-codes.ts`.
 */

import { ArithmeticOverflow } from '../primitives/java-math.js';
import { contractValidateException, JavaException } from './java-exception.js';

export { contractValidateException };

export const contractExeException = (message: string) => new JavaException('CONTRACT_EXE', message);
export const accountResourceInsufficient = (message: string) => new JavaException('RESOURCE_INSUFFICIENT', message);
export const validateSignatureException = (message: string) => new JavaException('VALIDATE_SIGNATURE', message);
export const dupTransaction = () => new JavaException('DUP_TRANSACTION', 'dup trans');
export const taposException = (message: string) => new JavaException('TAPOS', message);
export const tooBigTransaction = (message: string) => new JavaException('TOO_BIG_TRANSACTION', message);
export const tooBigTransactionResult = (message: string) => new JavaException('TOO_BIG_TRANSACTION_RESULT', message);
export const transactionExpiration = (message: string) => new JavaException('TRANSACTION_EXPIRATION', message);
export const serverBusy = () => new JavaException('SERVER_BUSY', 'Server busy.');

/** Runs a check whose overflow the actuator converts to its own refusal (`long overflow`). */
export function refuseOverflow<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof ArithmeticOverflow) throw contractValidateException(error.message);
    throw error;
  }
}

/** Runs code whose overflow is not caught: a broadcast then answers `Error: long overflow`. */
export function overflowAsJava<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ArithmeticOverflow) throw new JavaException('java.lang.ArithmeticException', error.message);
    throw error;
  }
}
