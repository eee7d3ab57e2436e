/**
 * `/admin` of the TronBox Runtime Environment: lists accounts and creates more
 * (protocol/devnet-options.md#bootstrap-endpoints). GET only. All answers show keys or change the chain, so other web
 * origins are refused.
 */

import type { FastifyPluginAsync } from 'fastify';
import type { AdminAnswers } from './answers.js';
import type { Admin } from './table.js';

export function adminRoutes(admin: Admin): FastifyPluginAsync {
  let answers: Promise<AdminAnswers> | undefined;
  return async (app) => {
    for (const path of ['/admin', '/admin/*'])
      app.get(path, { config: { callers: 'trusted', rateLimit: false } }, async ({ url }, reply) => {
        answers ??= import('./answers.js').then(({ AdminAnswers }) => new AdminAnswers(admin));
        const asked = new URL(url, 'http://sunup');
        const answer = await (await answers).answer(asked.pathname, asked.searchParams);
        if (answer === undefined) return reply.callNotFound();
        return reply.code(answer.status).type(answer.type).send(answer.body);
      });
  };
}
