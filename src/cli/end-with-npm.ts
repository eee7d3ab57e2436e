/** Ends the node with the npm or npx process that started it: a CI that stops `npx sunup` stops the node. */

import { areThere } from '../platform/npm-parent.js';

const POLL_MS = 500;

/**
 * @param above the processes that started this one, from `npmAboveUs`; undefined: end with none
 * @param end called once, when one of them has ended
 */
export function endWith(above: readonly number[] | undefined, end: () => void): void {
  if (above === undefined) return;
  const timer = setInterval(() => {
    if (areThere(above)) return;
    clearInterval(timer);
    end();
  }, POLL_MS).unref();
}
