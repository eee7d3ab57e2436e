/**
 * Requests that arrive together are answered in one round (`platform/turns.ts`). Their answers are sent together, when
 * the last one is ready, at the latest at the end of the round. A write to a sleeping client costs the wake-up, which
 * takes longer than the write; a second write right after it finds the client awake.
 */

import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { callerOf, takeTurn } from '../platform/turns.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether an answer may take long: it executes a contract. */
    readonly isCostly?: boolean;
  }
}

/** Hooks of one server. */
export interface Rounds {
  /** @param isCostly whether the answer may be slow */
  readonly preHandler: (isCostly: (request: FastifyRequest) => boolean) => preHandlerHookHandler;
  readonly onSend: onSendHookHandler;
}

export function createRounds(): Rounds {
  /** Number of requests that wait for their turn. */
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
      takeTurn(go, callerOf(request.raw.socket), isCostly(request));
    },
    onSend(_request, _reply, payload, done) {
      if (waiting === 0 && made.length === 0) return done(null, payload);
      made.push(() => done(null, payload));
      if (waiting === 0) leave();
      else if (made.length === 1) process.nextTick(leave);
    },
  };
}
