/**
 * Errors with a code of their own: the Java class on the wire, and for refusals of broadcasts the `response_code` and
 * the text of the answer (protocol/pipeline.md#broadcast, protocol/pipeline.md#order-of-work). Handlers use the code;
 * class names are only printed.
 */

/** A fully qualified Java class; a nested one after `$`. */
export type JavaClass = `${string}.${string}`;

interface ErrorRow {
  readonly javaClass: JavaClass;
  /** `Return.response_code` of a broadcast's answer; default OTHER_ERROR. */
  readonly response?: string;
  /** The text of that answer, from the exception's text; default `Error: <detail>`. */
  readonly answer?: (detail: string) => string;
}

const TRON = 'org.tron.core.exception';

export const ERRORS = {
  CONTRACT_VALIDATE: {
    javaClass: `${TRON}.ContractValidateException`,
    response: 'CONTRACT_VALIDATE_ERROR',
    answer: (detail) => `Contract validate error : ${detail}`,
  },
  CONTRACT_EXE: {
    javaClass: `${TRON}.ContractExeException`,
    response: 'CONTRACT_EXE_ERROR',
    answer: (detail) => `Contract execute error : ${detail}`,
  },
  RESOURCE_INSUFFICIENT: {
    javaClass: `${TRON}.AccountResourceInsufficientException`,
    response: 'BANDWITH_ERROR',
    answer: () => 'Account resource insufficient error.',
  },
  VALIDATE_SIGNATURE: {
    javaClass: `${TRON}.ValidateSignatureException`,
    response: 'SIGERROR',
    answer: (detail) => `Validate signature error: ${detail}`,
  },
  DUP_TRANSACTION: {
    javaClass: `${TRON}.DupTransactionException`,
    response: 'DUP_TRANSACTION_ERROR',
    answer: () => 'Dup transaction.',
  },
  TAPOS: {
    javaClass: `${TRON}.TaposException`,
    response: 'TAPOS_ERROR',
    answer: () => 'Tapos check error.',
  },
  TOO_BIG_TRANSACTION: {
    javaClass: `${TRON}.TooBigTransactionException`,
    response: 'TOO_BIG_TRANSACTION_ERROR',
    answer: (detail) => detail,
  },
  TOO_BIG_TRANSACTION_RESULT: { javaClass: `${TRON}.TooBigTransactionResultException` },
  TRANSACTION_EXPIRATION: {
    javaClass: `${TRON}.TransactionExpirationException`,
    response: 'TRANSACTION_EXPIRATION_ERROR',
    answer: () => 'Transaction expired',
  },
  /**
   * Not an exception in java-tron, which answers it before it reads the transaction (protocol/pipeline.md#broadcast
   * row 4).
   */
  SERVER_BUSY: { javaClass: 'sunup.ServerBusy', response: 'SERVER_BUSY', answer: (detail) => detail },
  /** Sunup's own: why the pool dropped an accepted transaction. */
  PERMISSION: { javaClass: `${TRON}.PermissionException` },
  SIGNATURE_FORMAT: { javaClass: `${TRON}.SignatureFormatException` },
  /** No signer can be recovered from the signature. */
  SIGNATURE: { javaClass: 'java.security.SignatureException' },
  VM_ILLEGAL: { javaClass: `${TRON}.VMIllegalException` },
  ILLEGAL_ARGUMENT: { javaClass: 'java.lang.IllegalArgumentException' },
  NULL_POINTER: { javaClass: 'java.lang.NullPointerException' },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof ERRORS;

const codes = new Map(Object.entries(ERRORS).map(([code, { javaClass }]) => [javaClass as string, code as ErrorCode]));

/** The code of a Java class; undefined for classes without one. */
export function codeOfClass(javaClass: string): ErrorCode | undefined {
  return codes.get(javaClass);
}

/** Whether java-tron declares the class: its checked exceptions, not Java's and not the machine's. */
export function isDeclaredByTron(javaClass: string): boolean {
  return javaClass.startsWith(`${TRON}.`);
}
