/**
 * A user's mistake as java-tron's clients see it, as an exception. Codes and wire forms are in the table of
 * `error-codes.ts`.
 */

import { codeOfClass, ERRORS, type ErrorCode, type JavaClass } from './error-codes.js';

/**
 * A user's mistake as java-tron's clients see it: java-tron's exception class and message. Both are part of the wire
 * form: the HTTP API answers `class <javaClass> : <message>`, and clients match the end. Wallet operations and parsers
 * throw it; surfaces choose its form. Internal errors are never wrapped in it.
 */
export class JavaException extends Error {
  override readonly name = 'JavaException';
  /** The code for handlers; undefined for exceptions that are only printed. */
  readonly code: ErrorCode | undefined;
  /** Fully qualified, e.g. `org.tron.core.exception.ContractValidateException`; a nested class after `$`. */
  readonly javaClass: string;
  /** The result of `getMessage()`; `null` if Java's exception has none (printed as `null`). */
  readonly javaMessage: string | null;

  /** @param what a code, or the Java class of an error without a code */
  constructor(what: ErrorCode | JavaClass, message: string | null) {
    super(message ?? 'null');
    const row = Object.hasOwn(ERRORS, what) ? ERRORS[what as ErrorCode] : undefined;
    this.javaClass = row?.javaClass ?? what;
    this.code = row === undefined ? codeOfClass(what) : (what as ErrorCode);
    this.javaMessage = message;
  }

  /** `class <javaClass> : <message>`, as java-tron's Util.printErrorMsg writes it. */
  get wireText(): string {
    return `class ${this.javaClass} : ${this.javaMessage}`;
  }
}

/** A contract that its actuator refuses (protocol/http-messages.md#validation-messages-of-every-builder). */
export function contractValidateException(message: string): JavaException {
  return new JavaException('CONTRACT_VALIDATE', message);
}

export function nullPointerException(message: string | null = null): JavaException {
  return new JavaException('NULL_POINTER', message);
}

export function illegalArgumentException(message: string | null): JavaException {
  return new JavaException('ILLEGAL_ARGUMENT', message);
}

/** What java-tron's hex decoder (Bouncy Castle) throws for text that is not hex. */
export function hexDecoderException(): JavaException {
  return new JavaException(
    'org.bouncycastle.util.encoders.DecoderException',
    'exception decoding Hex string: invalid characters encountered in Hex string',
  );
}
