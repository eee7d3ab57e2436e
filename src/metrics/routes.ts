/**
 * `GET /metrics` for Prometheus. Open to anyone, like `/wallet/getnodeinfo`: numbers neither control the chain nor
 * reveal a key, and Prometheus calls a node by its network name (`sunup:9090` of a compose file), which would
 * otherwise need `--allow-host`.
 */

import type { FastifyPluginAsync } from 'fastify';
import type { ChainMetrics } from './chain-metrics.js';

const config = { callers: 'anyone', rateLimit: false } as const;

const OFF = 'metrics are off: start with --metrics (in the library: metrics: true)\n';

/** @param metrics undefined: the answer explains how to turn them on */
export function metricsRoutes(metrics: ChainMetrics | undefined): FastifyPluginAsync {
  return async (app) => {
    app.get('/metrics', { config }, async (_request, reply) => {
      if (metrics === undefined) return reply.code(404).type('text/plain; charset=utf-8').send(OFF);
      const { contentType, text } = await metrics.page();
      return reply.type(contentType).send(text);
    });
  };
}
