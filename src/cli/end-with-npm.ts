/** A node that npm or npx started ends when they do, so that a CI which ends `npx sunup` has ended the node. */

import { areThere } from '../platform/npm-parent.js';

const LOOK_AGAIN_MS = 500;

/**
 * @param above the processes that started us, as `npmAboveUs` finds them; undefined: nobody with whom to end
 * @param end called once, when one of them has gone
 */
export function endWith(above: readonly number[] | undefined, end: () => void): void {
  if (above === undefined) return;
  const timer = setInterval(() => {
    if (areThere(above)) return;
    clearInterval(timer);
    end();
  }, LOOK_AGAIN_MS).unref();
}
