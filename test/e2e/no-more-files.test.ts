/**
 * A node without descriptors for further files works: what the first transaction needs was loaded before, and what is
 * loaded on first use has a descriptor in reserve.
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setInterval } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { secp256k1 } from '../../src/protocol/secp256k1.js';
import { RunningCommand } from './command.js';

/** Fewer than a process has: none is left. */
const FILES = 5;

/** It is loaded a while after the start. */
async function curveIsLoaded(pid: number): Promise<void> {
  for await (const _ of setInterval(20)) if (readFileSync(`/proc/${pid}/maps`, 'utf8').includes('secp256k1')) return;
}

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;

// WebAssembly is no mapped file.
const isNative = secp256k1().backend === 'native';

/** Over one connection, which is there before the descriptors are used up. */
function askingOn(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, params: readonly unknown[]) =>
    new Promise<string>((resolve, reject) => {
      const asked = request(`${url}/eth`, { method: 'POST', agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    });
  return { agent, ask };
}

function limitFiles(pid: number | undefined, count: number): void {
  expect(spawnSync('prlimit', [`--pid=${pid}`, `--nofile=${count}:`]).status).toBe(0);
}

it.runIf(hasPrlimit && isNative)('the first transaction is accepted when no file can be opened any more', async () => {
  await using command = await RunningCommand.start(['--json', '--manual', '--accounts', '2']);
  const { http, accounts } = await command.ready();
  const { agent, ask } = askingOn(http.url);
  expect(await ask('eth_chainId', [])).toContain('"result"');
  await curveIsLoaded(command.process.pid!);
  limitFiles(command.process.pid, FILES);
  const [from, to] = accounts.map(({ addressHex }) => `0x${addressHex.slice(2)}`);
  expect(await ask('eth_sendTransaction', [{ from, to, value: '0x1' }])).toMatch(/"result": ?"0x[0-9a-f]{64}"/);
  agent.destroy();
});

it.runIf(hasPrlimit)(
  'code that is read on first use is there when connections have taken all descriptors',
  async () => {
    await using command = await RunningCommand.start(['--json', '--manual', '--accounts', '2']);
    const { http } = await command.ready();
    const { agent, ask } = askingOn(http.url);
    expect(await ask('eth_chainId', [])).toContain('"result"');
    const { pid } = command.process;
    const open = () => readdirSync(`/proc/${pid}/fd`).length;
    const limit = open() + 60;
    limitFiles(pid, limit);
    const connections: Socket[] = [];
    for (let before = -1; open() > before; ) {
      before = open();
      const more = Array.from({ length: 80 }, () => connect(http.port, '127.0.0.1').on('error', () => {}));
      connections.push(...more);
      // The system completes a connection before the node knows of it: an answer is later than that.
      await Promise.all(more.map((socket) => once(socket, 'connect')));
      await ask('eth_chainId', []);
    }
    // Pairings are a package of their own.
    const pairing = [{ to: `0x${'8'.padStart(40, '0')}` }, 'latest'];
    expect(JSON.parse(await ask('eth_call', pairing))).toMatchObject({ result: `0x${'1'.padStart(64, '0')}` });
    agent.destroy();
    for (const connection of connections) connection.destroy();
    expect(await command.end('SIGTERM')).toMatchObject({ code: 0, errors: '' });
  },
);
