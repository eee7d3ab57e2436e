/** What prom-client tells of a Node process: memory, processor time, lag of the event loop, garbage collection. */

import { collectDefaultMetrics, Registry } from 'prom-client';

/** Shared by all chains: they have one process. Its observers of the event loop and of the collector cannot be ended. */
let metrics: Registry | undefined;

/** Watches the event loop from the first call on. */
export function processMetrics(): Registry {
  if (metrics === undefined) {
    metrics = new Registry();
    collectDefaultMetrics({ register: metrics });
  }
  return metrics;
}
