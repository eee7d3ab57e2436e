/**
 * How long one body just under 4 MiB holds the node, over all rows and methods: processor time of its main thread from
 * the request to the end of the answer, which bounds what it held in one go. Of cases that take long the least of
 * four. What is shown is the slowest of each interface; `SUNUP_BODIES=slow.txt` names a file for all that took more
 * than half of what is aimed at. Linux only.
 */

import { appendFileSync, readFileSync } from 'node:fs';
import { Agent, request as ask } from 'node:http';
import type { Bench, Figure } from './bench.js';
import { type HostileBody, httpBodies, rpcBodies } from './hostile-bodies.js';
import { type Command, startCommand } from './sunup-command.js';

const AIM_MS = 100;
const SHOWN = 10;

interface Taken {
  readonly label: string;
  readonly ms: number;
}

export const bench: Bench = {
  about: 'the longest that one body of 4 MB keeps the node busy, for every row and method (Linux)',

  async *measure(progress) {
    if (process.platform !== 'linux') return;
    for (const name of ['HTTP', 'JSON-RPC'] as const) {
      const command = await startCommand(['--manual']);
      const owner = command.accounts[0]?.addressHex ?? '';
      yield* slowest(name, await taken(command, name === 'HTTP' ? httpBodies(owner) : rpcBodies(), progress));
      await command.stop();
    }
  },
};

function* slowest(name: string, all: Taken[]): Iterable<Figure> {
  all.sort((a, b) => b.ms - a.ms);
  for (const { label, ms } of all.slice(0, SHOWN))
    yield {
      name: `${name}, ${all.length} bodies: ${label}`,
      value: ms,
      unit: 'ms',
      aim: { of: 'value', atMost: AIM_MS },
    };
}

async function taken(
  command: Command,
  bodies: Iterable<HostileBody>,
  progress: (text: string) => void,
): Promise<Taken[]> {
  const all: Taken[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const pid = command.process.pid as number;
  let lastPath = '';
  const only = new RegExp(process.env.SUNUP_ONLY ?? '');
  for (const { path, label, contentType, text } of bodies) {
    if (!only.test(`${path} ${label}`)) continue;
    if (path !== lastPath) progress(path);
    lastPath = path;
    const body = Buffer.from(text());
    const once = async () => {
      const from = mainThreadMs(pid);
      await answered(agent, command.port, path, contentType, body);
      return mainThreadMs(pid) - from;
    };
    let ms = await once();
    // The first of its kind is compiled, others meet the collector.
    for (let again = 0; again < 3 && ms > AIM_MS / 2; again++) ms = Math.min(ms, await once());
    all.push({ label: `${path} ${label}`, ms });
    if (ms > AIM_MS / 2 && process.env.SUNUP_BODIES)
      appendFileSync(process.env.SUNUP_BODIES, `${ms.toFixed(0)} ${path} ${label}\n`);
  }
  agent.destroy();
  return all;
}

function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

function answered(agent: Agent, port: number, path: string, contentType: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': contentType, 'content-length': body.length };
    const sent = ask({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
