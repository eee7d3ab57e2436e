/**
 * Requests that arrive together are answered in one round (`platform/turns.ts`), and their answers leave together when
 * the last of them is made, at the latest when the round is over. Writing to a client that sleeps means waking it, which
 * takes the writer longer than the write does; one that is written to again at once is awake.
 */

import type { onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { takeTurn } from '../platform/turns.js';

/** The hooks of one server. */
export function inRounds(): { readonly preHandler: preHandlerHookHandler; readonly onSend: onSendHookHandler } {
  /** Requests whose turn is still to come. */
  let waiting = 0;
  let made: (() => void)[] = [];
  const leave = (): void => {
    const answers = made;
    made = [];
    for (const send of answers) send();
  };
  return {
    preHandler(_request, _reply, done) {
      waiting++;
      takeTurn(() => {
        waiting--;
        done();
      });
    },
    onSend(_request, _reply, payload, done) {
      if (waiting === 0 && made.length === 0) return done(null, payload);
      made.push(() => done(null, payload));
      if (waiting === 0) leave();
      else if (made.length === 1) process.nextTick(leave);
    },
  };
}
