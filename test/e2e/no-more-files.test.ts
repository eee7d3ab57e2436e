/** A node without descriptors for further files takes transactions: what the first one needs was loaded before. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
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

it.runIf(hasPrlimit && isNative)('the first transaction is accepted when no file can be opened any more', async () => {
  await using command = await RunningCommand.start(['--json', '--manual', '--accounts', '2']);
  const { http, accounts } = await command.ready();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, params: readonly unknown[]) =>
    new Promise<string>((resolve, reject) => {
      const asked = request(`${http.url}/eth`, { method: 'POST', agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    });
  // The connection stays.
  expect(await ask('eth_chainId', [])).toContain('"result"');
  await curveIsLoaded(command.process.pid!);
  expect(spawnSync('prlimit', [`--pid=${command.process.pid}`, `--nofile=${FILES}:`]).status).toBe(0);
  const [from, to] = accounts.map(({ addressHex }) => `0x${addressHex.slice(2)}`);
  expect(await ask('eth_sendTransaction', [{ from, to, value: '0x1' }])).toMatch(/"result": ?"0x[0-9a-f]{64}"/);
  agent.destroy();
});
