/**
 * Converts a refusal to the answer of a broadcast. The exceptions are in `errors/refusals.ts`; class, response code
 * and text of each are in `errors/error-codes.ts`.
 */

import { ArrangedRefusal } from '../../errors/arranged-refusal.js';
import { ERRORS } from '../../errors/error-codes.js';
import type { JavaException } from '../../errors/java-exception.js';
import { Return_response_code } from '../../protocol/generated/api.js';

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** `Return.code` and `Return.message` of a broadcast's answer to an exception of the pipeline. */
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
