/** A fork in a process with a small heap: a contract reads ten thousand slots. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { expect, test } from 'vitest';
import { createDevnet } from '../../src/index.js';
import { keccak256OfHex } from '../../src/protocol/hashes.js';
import { FaultyProxy } from '../wire/fork-proxy.js';
import { RunningCommand } from './command.js';

/** Adds the words at the hashes of all numbers below its argument. */
const SUM = '0x60003560005b8115601f5790600190038060005290602060002054016005565b60005260206000f3';
const SLOTS = 10_000;
const EVERY = 125;
const HEAP_MB = 48;
const word = (value: number) => value.toString(16).padStart(64, '0');

test('ten thousand slots are fetched in batches, within a heap of 48 MB', async () => {
  const contract = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
  const to = `0x${String(TronWeb.address.toHex(contract)).slice(2)}`;
  await using network = await createDevnet({ mining: 'manual' });
  await network.setCode(contract, SUM);
  const post = async (url: string, method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/jsonrpc`, { method: 'POST', headers, body })).json();
  };
  let sum = 0;
  for (let n = 0; n < SLOTS; n += EVERY, sum += n) {
    await post(network.http.url, 'hardhat_setStorageAt', [to, `0x${keccak256OfHex(word(n))}`, `0x${word(n + EVERY)}`]);
  }
  const proxy = await FaultyProxy.open(network.http.url);
  const { NODE_OPTIONS } = process.env;
  process.env.NODE_OPTIONS = `--max-old-space-size=${HEAP_MB}`;
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-slots-'));
  const options = ['--json', '--constant-energy', '1000000000', '--fork-cache', folder];
  const command = await RunningCommand.start([...options, '--fork', proxy.url]);
  if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = NODE_OPTIONS;
  const { http } = await command.ready();
  const asked = proxy.seen.length;
  const call = [{ to, data: `0x${word(SLOTS)}` }, 'latest'];
  expect(await post(http.url, 'eth_call', call)).toMatchObject({ result: `0x${word(sum)}` });
  // A hundred in each batch, and the contract itself.
  expect(proxy.seen.length - asked).toBeLessThan(SLOTS / 99 + 12);
  const { length } = proxy.seen;
  expect(await post(http.url, 'eth_call', call)).toMatchObject({ result: `0x${word(sum)}` });
  expect(proxy.seen.length).toBe(length);
  const { code, errors } = await command.end('SIGINT');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  await proxy.close();

  // From the cache, without a network.
  await using offline = await RunningCommand.start([...options, '--fork-offline']);
  const { http: again } = await offline.ready();
  expect(await post(again.url, 'eth_call', call)).toMatchObject({ result: `0x${word(sum)}` });
  rmSync(folder, { recursive: true, force: true });
});
