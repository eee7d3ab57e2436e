/**
 * Hides the details of a remote's failures from clients of a hosted fork: its answers and its availability are not for
 * everybody who may fork an address of its network. Clients get an error without details; the log gets the full text.
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

/** Any client can cause failures as often as it likes. */
const MIN_INTERVAL_MS = 1_000n;

/** @param log receives failures, at most one per second */
export function concealErrors(remote: Remote, log: (failure: string) => void, clock: WallClock): Remote {
  let loggedMs: bigint | undefined;
  const hiding = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      if (!(error instanceof RemoteError)) throw error;
      const nowMs = clock.nowMs();
      if (loggedMs === undefined || nowMs >= loggedMs + MIN_INTERVAL_MS || nowMs < loggedMs) {
        loggedMs = nowMs;
        log(error.message);
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
