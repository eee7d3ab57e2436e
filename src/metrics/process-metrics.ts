/** prom-client's metrics of the Node process: memory, processor time, event loop lag, garbage collection. */

import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * Shared by all chains: they have one process, and its observers of the event loop and of the collector cannot be
 * stopped.
 */
let metrics: Registry | undefined;

/** Starts observing the event loop on the first call. */
export function processMetrics(): Registry {
  if (metrics === undefined) {
    metrics = new Registry();
    collectDefaultMetrics({ register: metrics });
  }
  return metrics;
}
