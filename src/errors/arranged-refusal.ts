/** A refused broadcast for tests of a client's error handling. */

import { ERRORS } from './error-codes.js';
import { JavaException } from './java-exception.js';

export class ArrangedRefusal extends JavaException {
  /** @param response name of a `Return.response_code` @param message of the answer; absent: the network's own */
  constructor(
    readonly response: string,
    message?: string,
  ) {
    super('sunup.ArrangedRefusal', message ?? networkMessage(response));
  }
}

/** Messages without more information than the code. */
function networkMessage(response: string): string {
  if (response === 'SERVER_BUSY') return 'Server busy.';
  for (const row of Object.values(ERRORS)) {
    if ('response' in row && row.response === response && row.answer('') !== '') return row.answer('');
  }
  return response;
}
