/** The query that every wallet asks first, over one connection and over several, against a bare fastify. */

import type { Bench, Figure } from './bench.js';
import { type Load, runLoadElsewhere } from './load.js';
import { plainServer } from './plain-server.js';
import { startCommand } from './sunup-command.js';

const REQUESTS = 15_000;

export const bench: Bench = {
  about: 'getaccount over HTTP: latency and throughput with 1 and 8 connections',

  async *measure(progress) {
    const command = await startCommand(['--manual']);
    const plain = await plainServer();
    const path = '/wallet/getaccount';
    const bodies = Array.from({ length: REQUESTS }, (_, i) =>
      JSON.stringify({ address: command.accounts[i % command.accounts.length]?.addressHex }),
    );
    for (const connections of [1, 8]) {
      progress(`getaccount, ${connections} connections`);
      const load = { path, bodies, connections };
      yield* latencyAndThroughput('getaccount', { ...load, port: command.port }, { ...load, port: plain.port });
    }
    plain.process.kill();
    await command.stop();
  },
};

/** Both servers are warmed up with the same load first. */
export async function* latencyAndThroughput(
  what: string,
  load: Load,
  reference: Load,
  referenceName = 'bare fastify',
): AsyncIterable<Figure> {
  for (const side of [load, reference]) await runLoadElsewhere({ ...side, bodies: side.bodies.slice(0, 5_000) });
  const ours = await runLoadElsewhere(load);
  const other = await runLoadElsewhere(reference);
  const connections = load.connections === 1 ? '1 connection' : `${load.connections} connections`;
  yield {
    name: `${what}, ${connections}, median latency`,
    value: 1000 * ours.medianLatency,
    unit: 'µs',
    reference: { name: referenceName, value: 1000 * other.medianLatency },
  };
  yield {
    name: `${what}, ${connections}`,
    value: ours.requests / ours.seconds,
    unit: '/s',
    reference: { name: referenceName, value: other.requests / other.seconds },
  };
}
