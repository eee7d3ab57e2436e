/**
 * `sunup run` and `sunup estimate` on a fork, and `sunup costs`, interrupted by a signal while they wait for the network:
 * what was fetched is kept.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { createDevnet } from '../../src/index.js';
import { toBase58 } from '../../src/protocol/address.js';
import { FaultyProxy } from '../wire/fork-proxy.js';

const TRANSFERS = 40;

test('rows that a run has fetched are in the folder after Ctrl-C', async () => {
  await using network = await createDevnet();
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  const [holder] = network.accounts;
  const stranger = (i: number) => toBase58(`41${String(i).padStart(40, '7')}` as never);
  const steps = Array.from({ length: TRANSFERS }, (_, i) => ({
    call: { from: 'holder', contract: 'dollar', method: 'transfer', args: [stranger(10 + i), 1] },
  }));
  const proxy = await FaultyProxy.open(network.http.url);
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-interrupted-'));
  const file = path.join(folder, 'pay.scenario.json');
  const accounts = { holder: { address: holder!.address } };
  writeFileSync(file, JSON.stringify({ accounts, contracts: { dollar: { address: dollar.address } }, steps }));

  let asked = new Set<string>();
  const waits = new Promise<void>((resolve) => {
    proxy.fault = ({ path: one, body }) => {
      if (!one.endsWith('/jsonrpc')) return 'pass';
      const slots = [...body.matchAll(/"eth_getStorageAt","params":\["0x\w+","(0x\w+)"/g)].map(([, slot]) => slot!);
      if (asked.size + slots.length < TRANSFERS) {
        asked = new Set([...asked, ...slots]);
        return 'pass';
      }
      resolve();
      return 'never';
    };
  });
  const words = ['run', file, '--fork', proxy.url, '--fork-cache', path.join(folder, 'rows')];
  const command = spawn(process.execPath, [await buildIfStale(), ...words], { stdio: 'ignore' });
  const ended = once(command, 'close');
  await waits;
  command.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  const { rows } = JSON.parse(readFileSync(path.join(folder, 'rows/storage', `${dollar.address}.json`), 'utf8'));
  expect(rows).toHaveLength(asked.size);
  expect(asked.size).toBe(TRANSFERS - 1);
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

test('rows that an estimate has fetched are in the folder after Ctrl-C', async () => {
  await using network = await createDevnet();
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  const [holder, other] = network.accounts;
  const proxy = await FaultyProxy.open(network.http.url);
  // The contract is fetched with its first slots; the balances are at hashed slots.
  let batches = 0;
  const waits = new Promise<void>((resolve) => {
    proxy.fault = ({ path: one }) => {
      if (!one.endsWith('/jsonrpc') || batches++ === 0) return 'pass';
      resolve();
      return 'never';
    };
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-interrupted-'));
  const words = ['estimate', dollar.address, 'transfer', other!.address, '1', '--from', holder!.address];
  const options = ['--fork', proxy.url, '--fork-cache', folder];
  const command = spawn(process.execPath, [await buildIfStale(), ...words, ...options], { stdio: 'ignore' });
  const ended = once(command, 'close');
  await waits;
  command.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  const { rows } = JSON.parse(readFileSync(path.join(folder, 'contracts', `${dollar.address}.json`), 'utf8'));
  expect(rows.map(({ table }: { table: string }) => table)).toContain('codes');
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

test('costs that were read are in the folder after Ctrl-C, and the next run goes on', async () => {
  await using network = await createDevnet();
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  const [holder, other] = network.accounts;
  for (let i = 1; i <= TRANSFERS; i++) await dollar.write.transfer([other!.address, i]);
  await network.mine(150);
  const proxy = await FaultyProxy.open(network.http.url);
  const receipts: string[] = [];
  const waits = new Promise<void>((resolve) => {
    proxy.fault = ({ path: one, body }) => {
      if (!one.endsWith('/gettransactioninfobyid')) return 'pass';
      receipts.push(JSON.parse(body).value);
      if (receipts.length < TRANSFERS) return 'pass';
      resolve();
      return 'never';
    };
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-interrupted-'));
  const words = ['costs', holder!.address, '--fork', proxy.url, '--since', '1d', '--json'];
  const file = await buildIfStale();
  const run = async (options: readonly string[], onStart?: (command: ChildProcess) => void) => {
    const command = spawn(process.execPath, [file, ...words, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    command.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    onStart?.(command);
    const [code] = await once(command, 'close');
    return { code, out };
  };
  const { code } = await run(['--fork-cache', folder], (command) => void waits.then(() => command.kill('SIGINT')));
  expect(code).toBe(130);
  const account = path.join(folder, 'costs', holder!.address);
  const kept = readdirSync(account)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(path.join(account, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line).txid);
  expect(kept.length).toBeGreaterThan(0);
  proxy.fault = ({ path: one, body }) => {
    if (one.endsWith('/gettransactioninfobyid')) receipts.push(JSON.parse(body).value);
    return 'pass';
  };
  receipts.length = 0;
  const second = await run(['--fork-cache', folder]);
  expect(receipts.filter((txid) => kept.includes(txid))).toEqual([]);
  expect(JSON.parse(second.out).totals).toEqual(JSON.parse((await run([])).out).totals);
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
});
