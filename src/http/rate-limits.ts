/**
 * Rate limits of a managed node for the routes: @fastify/rate-limit with a store on the devnet's one counter
 * (`access/quotas.ts`). The library provides the hook and `Retry-After`, and counts a request once; callers, keys, days
 * and suspensions belong to the counter. Loaded only if limits are set.
 */

import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller, Quotas } from '../access/quotas.js';

/** Limits all routes of `scope` that are added afterwards, unless their `config.rateLimit` is false. */
export async function limitRoutes(scope: FastifyInstance, quotas: Quotas): Promise<void> {
  await scope.register(rateLimit, {
    keyGenerator: (request) => callerOf(request, quotas),
    max: (_request, caller) => quotas.limit(caller),
    store: storeOf(quotas),
    errorResponseBuilder: (request, { max, ttl }) => quotas.refusal(callerOf(request, quotas), max, ttl),
    // The managed service sends none of these.
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
  // Lets pages read the time of the next allowed request.
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
