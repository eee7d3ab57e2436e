/** The process that lives worlds: one for each worker. Reads seeds from its parent, one after another. */

import { live } from './life.js';
import { shrink } from './shrink.js';

export type Order =
  | {
      readonly do: 'live';
      readonly seed: number;
      readonly steps: number;
      readonly only?: readonly number[] | undefined;
    }
  | { readonly do: 'shrink'; readonly seed: number; readonly step: number; readonly invariant: string };

process.on('message', (order: Order) => {
  const done =
    order.do === 'live'
      ? live(order.seed, order.only ?? Array.from({ length: order.steps }, (_, step) => step))
      : shrink(order.seed, order.step, order.invariant);
  done.then((result) => process.send?.(result));
});
// An error that nobody waits for: a failure of the present world, unless its process has ended.
process.on('unhandledRejection', (error) => {
  if ((error as Error).name !== 'ProcessEndedError') throw error;
});
