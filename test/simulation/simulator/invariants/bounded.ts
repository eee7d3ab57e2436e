/** What a node keeps does not grow with what was done: told by counts, because megabytes are the machine's affair. */

import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';

/**
 * Of a node at rest: it looks at its folder, its streams and its sockets, and makes blocks by the clock. What is left over
 * by those who have gone would come on top.
 */
const MOST_TIMERS = 4;
/** Rows that a block by the clock reads from the network of a fork: limits of requests, and pauses before the next try. */
const MOST_OF_READINGS = 4;

/** How long a fork tries to read a row, although the caller has gone, from a network that does not answer. */
const LONGEST_READING_S = 120;

/** A fork reads a row to its end, and waits for its turn between requests. */
async function readingsEnd({ world }: Host): Promise<void> {
  for (let second = 0; second < LONGEST_READING_S && world.process.clock.timers().length > MOST_TIMERS; second++)
    await world.pass(1_000);
}

export async function timersAreBounded(host: Host): Promise<void> {
  const { world } = host;
  if (world.shape.isFork) await readingsEnd(host);
  if (!world.isRunning) return;
  const timers = world.process.clock.timers();
  const most = MOST_TIMERS + (world.shape.isFork && world.miningMode === 'interval' ? MOST_OF_READINGS : 0);
  if (timers.length > most)
    throw new Violation(
      'timers do not pile up',
      `${timers.length} timers of the node wait when nothing is under way, not ${most} or fewer: due after ${timers} ms`,
    );
}
