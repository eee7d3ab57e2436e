/**
 * The limits of a managed node in front of the routes: @fastify/rate-limit with a store that is the devnet's one counter
 * (`access/quotas.ts`). The library brings the hook, `Retry-After`, and that a request is counted once; who asks, keys,
 * days and suspensions are the counter's. Loaded where limits are wanted.
 */

import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller, Quotas } from '../access/quotas.js';

/** Every route of `scope` that is added from here on, unless its `config.rateLimit` is false. */
export async function limitRoutes(scope: FastifyInstance, quotas: Quotas): Promise<void> {
  await scope.register(rateLimit, {
    keyGenerator: (request) => callerOf(request, quotas),
    max: (_request, caller) => quotas.limit(caller),
    store: storeOf(quotas),
    errorResponseBuilder: (request, { max, ttl }) => quotas.refusal(callerOf(request, quotas), max, ttl),
    // The service sends none of these.
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
  // A page may otherwise not read when it is to ask again.
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-expose-headers', 'Retry-After');
    done();
  });
}

/** @throws QuotaRefusal */
function callerOf({ raw: { headers, socket } }: FastifyRequest, quotas: Quotas): Caller {
  return quotas.caller(headers, socket.remoteAddress ?? '');
}

function storeOf(quotas: Quotas): new () => FastifyRateLimitStore {
  return class QuotaStore implements FastifyRateLimitStore {
    incr(
      caller: Caller,
      done: (error: Error | null, result: { current: number; ttl: number }) => void,
      _window: number,
      max: number,
    ): void {
      const { requests, waitMs } = quotas.count(caller, max);
      done(null, { current: requests, ttl: waitMs });
    }

    child(): QuotaStore {
      return this;
    }
  };
}
