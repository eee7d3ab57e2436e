/** What the server under Sunup does without Sunup: a bare fastify that reads a body as text and answers a constant. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { fastify } from 'fastify';

/** Starts one in a process of its own. */
export async function plainServer(): Promise<{ readonly port: number; readonly process: ChildProcess }> {
  const child = fork(fileURLToPath(new URL('./plain-server.js', import.meta.url)), ['serve'], { execArgv: [] });
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const [port] = (await once(child, 'message')) as [number];
  return { port, process: child };
}

if (process.argv[2] === 'serve') {
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post('/*', (_request, reply) => reply.type('application/json').send('{"result":true}\n'));
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.((app.server.address() as AddressInfo).port);
}
