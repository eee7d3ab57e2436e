/**
 * A remote whose failures say no more than that a row could not be read: what the other side answered, or whether anybody is
 * there, is nobody's business who may ask a node to fork any address of its network. The log is told all of it.
 */

import { OperationError } from '../../errors/operation-error.js';
import type { WallClock } from '../../platform/clock.js';
import { RemoteError } from '../network/remote-error.js';
import type { Remote } from './open-remote.js';

export class ConcealedError extends OperationError {
  override readonly name = 'ConcealedError';
  override readonly httpStatus = 502;

  constructor(override readonly cause: RemoteError) {
    super(`The fork could not read ${cause.what} from its network. See the log of the node`);
  }
}

/** Whoever asks can make it fail as often as he likes. */
const LEAST_BETWEEN_MS = 1_000n;

/** @param tell told of failures, once a second at most */
export function untold(remote: Remote, tell: (failure: string) => void, clock: WallClock): Remote {
  let toldMs: bigint | undefined;
  const hiding = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      if (!(error instanceof RemoteError)) throw error;
      const nowMs = clock.nowMs();
      if (toldMs === undefined || nowMs >= toldMs + LEAST_BETWEEN_MS || nowMs < toldMs) {
        toldMs = nowMs;
        tell(error.message);
      }
      throw new ConcealedError(error);
    });
  const { rows, blocks, deadline } = remote;
  return {
    ...remote,
    rows: { fetch: (wanted) => hiding(rows.fetch(wanted)) },
    blocks: {
      block: (number) => hiding(blocks.block(number)),
      blockOf: (txId) => hiding(blocks.blockOf(txId)),
      logs: (query) => hiding(blocks.logs(query)),
      history: (question) => hiding(blocks.history(question)),
    },
    ...(deadline && { deadline: { within: (wanted, work) => hiding(deadline.within(wanted, work)) } }),
  };
}
