/**
 * Why a transaction does not get in: java-tron's exceptions of the processing pipeline with their messages, and the
 * response code that each of them becomes on the wire (ledger.md 2.1, fees-and-resources.md 0.4).
 */

import { contractValidateException, JavaException } from '../../errors/java-exception.js';
import { ArithmeticOverflow } from '../../primitives/java-math.js';
import { Return_response_code } from '../../protocol/generated/api.js';

export { contractValidateException };

const PACKAGE = 'org.tron.core.exception.';

export const contractExeException = (message: string) => new JavaException(`${PACKAGE}ContractExeException`, message);
export const accountResourceInsufficient = (message: string) =>
  new JavaException(`${PACKAGE}AccountResourceInsufficientException`, message);
export const validateSignatureException = (message: string) =>
  new JavaException(`${PACKAGE}ValidateSignatureException`, message);
export const dupTransaction = () => new JavaException(`${PACKAGE}DupTransactionException`, 'dup trans');
export const taposException = (message: string) => new JavaException(`${PACKAGE}TaposException`, message);
export const tooBigTransaction = (message: string) =>
  new JavaException(`${PACKAGE}TooBigTransactionException`, message);
export const tooBigTransactionResult = (message: string) =>
  new JavaException(`${PACKAGE}TooBigTransactionResultException`, message);
export const transactionExpiration = (message: string) =>
  new JavaException(`${PACKAGE}TransactionExpirationException`, message);

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

const SERVER_BUSY = 'ServerBusy';

/** Not an exception in java-tron, which answers it before it looks at the transaction (ledger.md 2.1 row 4). */
export const serverBusy = () => new JavaException(PACKAGE + SERVER_BUSY, 'Server busy.');

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** `Return.code` and the text of `Return.message` that a broadcast answers for an exception of the pipeline. */
export function refusalOf(exception: JavaException): Refusal {
  const detail = String(exception.javaMessage);
  const known = exception.javaClass.startsWith(PACKAGE) ? exception.javaClass.slice(PACKAGE.length) : '';
  switch (known) {
    case SERVER_BUSY:
      return { code: Return_response_code.SERVER_BUSY, message: detail };
    case 'ValidateSignatureException':
      return { code: Return_response_code.SIGERROR, message: `Validate signature error: ${detail}` };
    case 'ContractValidateException':
      return { code: Return_response_code.CONTRACT_VALIDATE_ERROR, message: `Contract validate error : ${detail}` };
    case 'ContractExeException':
      return { code: Return_response_code.CONTRACT_EXE_ERROR, message: `Contract execute error : ${detail}` };
    case 'AccountResourceInsufficientException':
      return { code: Return_response_code.BANDWITH_ERROR, message: 'Account resource insufficient error.' };
    case 'DupTransactionException':
      return { code: Return_response_code.DUP_TRANSACTION_ERROR, message: 'Dup transaction.' };
    case 'TaposException':
      return { code: Return_response_code.TAPOS_ERROR, message: 'Tapos check error.' };
    case 'TooBigTransactionException':
      return { code: Return_response_code.TOO_BIG_TRANSACTION_ERROR, message: detail };
    case 'TransactionExpirationException':
      return { code: Return_response_code.TRANSACTION_EXPIRATION_ERROR, message: 'Transaction expired' };
    default:
      return { code: Return_response_code.OTHER_ERROR, message: `Error: ${detail}` };
  }
}
