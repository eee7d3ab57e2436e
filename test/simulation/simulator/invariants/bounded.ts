/** What a node keeps does not grow with what was done: told by counts, because megabytes are the machine's affair. */

import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';

/**
 * Of a node at rest: it looks at its folder, its streams and its sockets, and makes blocks by the clock. What is left over
 * by those who have gone would come on top.
 */
const MOST_TIMERS = 4;

export function timersAreBounded({ world }: Host): void {
  const timers = world.process.clock.timers();
  if (timers > MOST_TIMERS)
    throw new Violation(
      'timers do not pile up',
      `${timers} timers of the node wait when nothing is under way, not ${MOST_TIMERS} or fewer`,
    );
}
