/**
 * A hook that lets requests which have arrived on several connections be answered together at the end of the turn of
 * the event loop: between them the machine would lose what it holds of the virtual machine to that of sockets and HTTP.
 */

export type Done = () => void;

/** For one server: a `preHandler` hook. */
export function answeredTogether(): (request: unknown, reply: unknown, done: Done) => void {
  let arrived: Done[] = [];
  const answerAll = (): void => {
    const requests = arrived;
    arrived = [];
    for (const answer of requests) answer();
  };
  return (_request, _reply, done) => {
    if (arrived.push(done) === 1) setImmediate(answerAll);
  };
}
