/** A broadcast that is refused because a test wants to see what its client does then. */

import { ERRORS } from './error-codes.js';
import { JavaException } from './java-exception.js';

export class ArrangedRefusal extends JavaException {
  /** @param response name of a `Return.response_code` @param message of the answer; absent: the network's own for it */
  constructor(
    readonly response: string,
    message?: string,
  ) {
    super('sunup.ArrangedRefusal', message ?? networkMessage(response));
  }
}

/** As far as it says no more than the code. */
function networkMessage(response: string): string {
  if (response === 'SERVER_BUSY') return 'Server busy.';
  for (const row of Object.values(ERRORS)) {
    if ('response' in row && row.response === response && row.answer('') !== '') return row.answer('');
  }
  return response;
}
