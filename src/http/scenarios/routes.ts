/**
 * `/sunup/scenarios`: examples, the numbers of a scenario that can be changed, and runs, with their progress as
 * server-sent events. Sunup's own interface; docs/reference/scenarios.md#over-http.
 */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, JSON_TYPE } from '../errors.js';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would buffer the stream.
  'x-accel-buffering': 'no',
} as const;

export interface ScenarioRoutes {
  /** Receives internal failures, not client errors. */
  readonly onInternalError?: (error: unknown, path: string) => void;
}

/** All of it is loaded on first use. */
export function scenarioRoutes({ onInternalError }: ScenarioRoutes): FastifyPluginAsync {
  return async (app) => {
    const closing = new AbortController();
    app.addHook('preClose', async () => closing.abort());
    const config = { callers: 'trusted', rateLimit: false } as const;

    app.get('/sunup/scenarios', { config }, async (_, reply) => {
      const { exampleScenarios } = await import('./examples.js');
      return reply.type(JSON_TYPE).send(`${await exampleScenarios()}\n`);
    });

    app.post('/sunup/scenarios/settings', { config }, async (request, reply) => {
      const json = await start('settings', request, reply, () => {});
      return reply.type(JSON_TYPE).send(`${json}\n`);
    });

    app.post('/sunup/scenarios/run', { config }, async (request, reply) => {
      if (!String(request.headers.accept ?? '').includes('text/event-stream'))
        return reply.type(JSON_TYPE).send(`${await start('run', request, reply, () => {})}\n`);
      const say = (event: string, data: string) => reply.raw.write(`event: ${event}\ndata: ${data}\n\n`);
      try {
        const json = await start('run', request, reply, (message) => {
          if (message.type === 'started') {
            reply.hijack();
            reply.raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as Record<string, string>);
          } else if (message.type === 'progress') {
            const { done, total } = message;
            if (!reply.raw.writableNeedDrain) say('progress', JSON.stringify({ done, total }));
          }
        });
        say('result', json);
      } catch (error) {
        // Until the scenario has started, the answer has a status.
        if (!reply.raw.headersSent) throw error;
        if (!(error instanceof Error && 'httpStatus' in error)) onInternalError?.(error, '/sunup/scenarios/run');
        say('problem', errorBody((error as Error).message).trim());
      }
      reply.raw.end();
      return reply;
    });

    async function start(
      kind: 'run' | 'settings',
      { body, raw }: FastifyRequest,
      reply: FastifyReply,
      heard: Parameters<typeof import('./processes.js').inScenarioProcess>[2],
    ): Promise<string> {
      const { readScenarioRequest } = await import('./request.js');
      const { inScenarioProcess } = await import('./processes.js');
      const asked = readScenarioRequest((body as Buffer | undefined)?.toString('utf8') ?? '');
      const left = new AbortController();
      const leave = () => left.abort();
      reply.raw.once('close', leave);
      closing.signal.addEventListener('abort', leave);
      if (closing.signal.aborted || raw.socket.destroyed) leave();
      try {
        return await inScenarioProcess({ kind, request: asked }, left.signal, heard);
      } finally {
        reply.raw.off('close', leave);
        closing.signal.removeEventListener('abort', leave);
      }
    }
  };
}
