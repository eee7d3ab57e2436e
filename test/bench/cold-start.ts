/**
 * From the start of the process to the first HTTP answer, and what the process holds when it idles. The reference is
 * Node itself: starting and ending with nothing to do, and idling.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDevnet } from '../../src/index.js';
import { type Bench, median, medianMilliseconds, milliseconds } from './bench.js';
import { runLoad } from './load.js';
import { residentMegabytes, startCommand } from './sunup-command.js';

const RUNS = 11;
const IDLE_MS = 1_500;
const NOTHING_COMPILED = { NODE_DISABLE_COMPILE_CACHE: '1' };

export const bench: Bench = {
  about: 'cold start of the command to its first HTTP answer, and idle memory',

  async *measure(progress) {
    const bare: number[] = [];
    const httpOnly: number[] = [];
    const withGrpc: number[] = [];
    const first: number[] = [];
    progress('the start that keeps what was compiled');
    await startToAnswer(true);
    for (let run = 0; run < RUNS; run++) {
      progress(`start ${run + 1} of ${RUNS}`);
      bare.push(await milliseconds(() => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')));
      httpOnly.push(await startToAnswer(false));
      withGrpc.push(await startToAnswer(true));
      first.push(await startToAnswer(true, NOTHING_COMPILED));
    }
    const reference = { name: 'node -e 0', value: median(bare) };
    yield {
      name: 'start to first answer, HTTP and gRPC ports',
      value: median(withGrpc),
      unit: 'ms',
      reference,
      aim: { of: 'ratio', atMost: 3 },
    };
    yield { name: 'the same without what an earlier start compiled', value: median(first), unit: 'ms', reference };
    yield { name: 'start to first answer, HTTP only', value: median(httpOnly), unit: 'ms', reference };

    progress('idle memory');
    const idle = { name: 'idle Node', value: await idleNode() };
    yield {
      name: 'idle memory, HTTP and gRPC ports',
      value: await idleCommand(true),
      unit: 'MB',
      reference: idle,
      aim: { of: 'value', atMost: 90 },
    };
    yield { name: 'idle memory, HTTP only', value: await idleCommand(false), unit: 'MB', reference: idle };

    progress('createDevnet');
    const made = await medianMilliseconds(RUNS, async () => (await createDevnet()).close());
    yield { name: 'createDevnet() and close() in a running process', value: made, unit: 'ms' };
  },
};

async function startToAnswer(withGrpc: boolean, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const from = performance.now();
  const command = await startCommand([], withGrpc, env);
  await runLoad({ port: command.port, path: '/wallet/getnowblock', bodies: ['{}'], connections: 1 });
  const time = performance.now() - from;
  await command.stop();
  return time;
}

async function idleCommand(withGrpc: boolean): Promise<number> {
  const command = await startCommand([], withGrpc);
  await command.post('/wallet/getnowblock');
  await sleep(IDLE_MS);
  const megabytes = residentMegabytes(command.process.pid as number);
  await command.stop();
  return megabytes;
}

async function idleNode(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await sleep(IDLE_MS);
  const megabytes = residentMegabytes(child.pid as number);
  child.kill();
  return megabytes;
}
