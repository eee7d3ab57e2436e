/**
 * A user's mistake as java-tron's clients see it, as a value that is thrown. Which errors are told apart, and what each is
 * on the wire, is the table in `error-codes.ts`.
 */

import { codeOfClass, ERRORS, type ErrorCode, type JavaClass } from './error-codes.js';

/**
 * A user's mistake as java-tron's clients see it: the Java class that java-tron would have thrown and its message.
 *
 * Class and message are part of the wire: the HTTP API answers `class <javaClass> : <message>`, and clients match on
 * the tail. Wallet operations and parsers throw this; surfaces decide which shape it takes. Our own bugs are never
 * wrapped in it.
 */
export class JavaException extends Error {
  override readonly name = 'JavaException';
  /** What handlers ask for; undefined for what is only ever printed. */
  readonly code: ErrorCode | undefined;
  /** Fully qualified, e.g. `org.tron.core.exception.ContractValidateException`; a nested class after `$`. */
  readonly javaClass: string;
  /** What `getMessage()` gives; `null` where Java's exception has none (it prints as `null`). */
  readonly javaMessage: string | null;

  /** @param what a code, or the Java class of an error that nobody tells apart */
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
