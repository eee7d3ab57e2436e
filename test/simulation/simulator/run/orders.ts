/** What a worker is told to do, and how it obeys. */

import { shrink } from './shrink.js';
import type { Life } from './steps.js';

export type Order =
  | {
      readonly do: 'live';
      readonly seed: number;
      readonly steps: number;
      readonly only?: readonly number[] | undefined;
    }
  | { readonly do: 'shrink'; readonly seed: number; readonly step: number; readonly invariant: string };

/** @param steps numbers of the steps to take, ascending */
export type Live = (seed: number, steps: Iterable<number>) => Promise<Life>;

/** Lives worlds as the parent process says, one after another. */
export function obey(live: Live): void {
  process.on('message', (order: Order) => {
    const done =
      order.do === 'live'
        ? live(order.seed, order.only ?? Array.from({ length: order.steps }, (_, step) => step))
        : shrink(live, order.seed, order.step, order.invariant);
    done.then((result) => process.send?.(result));
  });
}
