/**
 * Requests that arrive together are answered in one round (`platform/turns.ts`), and their answers leave together when
 * the last of them is made, at the latest when the round is over. Writing to a client that sleeps means waking it, which
 * takes the writer longer than the write does; one that is written to again at once is awake.
 */

import type { onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { callerOf, takeTurn } from '../platform/turns.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether an answer may take long to make: a contract is executed for it. */
    readonly isCostly?: boolean;
  }
}

/** The hooks of one server. */
export interface Rounds {
  /** For routes whose answers may take long to make, and for others. */
  readonly preHandler: (isCostly: boolean) => preHandlerHookHandler;
  readonly onSend: onSendHookHandler;
}

export function inRounds(): Rounds {
  /** Requests whose turn is still to come. */
  let waiting = 0;
  let made: (() => void)[] = [];
  const leave = (): void => {
    const answers = made;
    made = [];
    for (const send of answers) send();
  };
  return {
    preHandler: (isCostly) => (request, _reply, done) => {
      waiting++;
      const go = () => {
        waiting--;
        done();
      };
      takeTurn(go, callerOf(request.raw.socket), isCostly);
    },
    onSend(_request, _reply, payload, done) {
      if (waiting === 0 && made.length === 0) return done(null, payload);
      made.push(() => done(null, payload));
      if (waiting === 0) leave();
      else if (made.length === 1) process.nextTick(leave);
    },
  };
}
