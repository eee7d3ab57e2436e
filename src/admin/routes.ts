/**
 * `/admin`, where the TronBox Runtime Environment shows its accounts and makes further ones
 * (protocol/devnet-options.md#bootstrap-endpoints). GET only; all of it shows keys or changes the chain, so none of it
 * is for pages of others.
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
