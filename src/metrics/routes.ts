/**
 * `GET /metrics`, where Prometheus looks. Anyone may ask, as for `/wallet/getnodeinfo`: numbers neither control the chain
 * nor show a key, and Prometheus calls a node by whatever name its network has for it (`sunup:9090` of a compose file),
 * which only `--allow-host` would let in otherwise.
 */

import type { FastifyPluginAsync } from 'fastify';
import type { ChainMetrics } from './chain-metrics.js';

const config = { callers: 'anyone', rateLimit: false } as const;

const OFF = 'nothing is counted: start with --metrics (in the library: metrics: true)\n';

/** @param metrics undefined: the path says how to have them */
export function metricsRoutes(metrics: ChainMetrics | undefined): FastifyPluginAsync {
  return async (app) => {
    app.get('/metrics', { config }, async (_request, reply) => {
      if (metrics === undefined) return reply.code(404).type('text/plain; charset=utf-8').send(OFF);
      const { contentType, text } = await metrics.page();
      return reply.type(contentType).send(text);
    });
  };
}
