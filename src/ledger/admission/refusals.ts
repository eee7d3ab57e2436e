/**
 * Why a transaction does not get in: java-tron's exceptions of the processing pipeline, and what each of them becomes in
 * the answer to a broadcast. Class, response code and text of each stand in `errors/error-codes.ts`.
 */

import { ArrangedRefusal } from '../../errors/arranged-refusal.js';
import { ERRORS } from '../../errors/error-codes.js';
import { contractValidateException, JavaException } from '../../errors/java-exception.js';
import { ArithmeticOverflow } from '../../primitives/java-math.js';
import { Return_response_code } from '../../protocol/generated/api.js';

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

/** Runs a check whose overflow the actuator turns into its own refusal (`long overflow`). */
export function refuseOverflow<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof ArithmeticOverflow) throw contractValidateException(error.message);
    throw error;
  }
}

/** Runs what nobody catches an overflow of: a broadcast then answers `Error: long overflow`. */
export function overflowAsJava<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ArithmeticOverflow) throw new JavaException('java.lang.ArithmeticException', error.message);
    throw error;
  }
}

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** `Return.code` and the text of `Return.message` that a broadcast answers for an exception of the pipeline. */
export function refusalOf(exception: JavaException): Refusal {
  const { code, javaMessage } = exception;
  const detail = String(javaMessage);
  if (exception instanceof ArrangedRefusal) {
    return { code: Return_response_code[exception.response as keyof typeof Return_response_code], message: detail };
  }
  const row = code === undefined ? undefined : ERRORS[code];
  if (row === undefined || !('response' in row)) {
    return { code: Return_response_code.OTHER_ERROR, message: `Error: ${detail}` };
  }
  return { code: Return_response_code[row.response], message: row.answer(detail) };
}
