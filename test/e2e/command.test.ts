import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { createDevnet } from '../../src/index.js';
import { RunningCommand } from './command.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
}

const OWN_PORTS = ['--http-port', '0', '--grpc-port', 'off', '--grpc-solidity-port', 'off'];

describe('the command', () => {
  it('shows people what they copy, and one line for each transaction with its cost and payer', async () => {
    await using command = await RunningCommand.start(['--instant']);
    const shown: string[] = [];
    for (let line = await command.line(); line !== undefined; line = await command.line()) {
      shown.push(line);
      if (line.startsWith('Sunup is listening on ')) break;
    }
    const text = shown.join('\n');
    const url = /Sunup is listening on (http:\S+)$/.exec(text)![1]!;
    expect(text).toContain(
      '(0) TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6 (10,000 TRX) 41e2e1a54926527fbb4e4420de4c6bab82beaee24d',
    );
    expect(text).toContain('(0) 15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954');
    expect(text).toContain(`HTTP:       ${url}`);
    expect(text).toMatch(/Chain id: {3}0x[0-9a-f]{8} \(\d+\)/);
    expect(text).toMatch(/Data: {7}\S+ \(removed at exit/);

    const privateKey = '15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954';
    const tronWeb = new TronWeb({ fullHost: url, privateKey });
    const { txid } = await tronWeb.trx.sendTransaction('TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C', 1_000_000);
    expect(await command.line()).toMatch(/^block 3 {2}\d\d:\d\d:\d\d\.\d{3} {2}1 transaction {2}[0-9a-f]{64}$/);
    expect(await command.line()).toBe(`  ${txid}  SUCCESS`);
    expect(await command.line()).toBe(
      '    TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6 sent 1 TRX to TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C',
    );
    expect(await command.line()).toMatch(/^ {4}paid \d+ bandwidth \(free\)$/);
    expect(await command.end('SIGINT')).toEqual({ code: 0, lines: ['closed'], errors: '' });
  });

  it('with --quiet shows only that it is ready, and the free ports that it took', async () => {
    const free = ['--grpc-port', '0', '--grpc-solidity-port', '0,0', '--event-queue', 'tcp://127.0.0.1:0'];
    await using command = await RunningCommand.start(['--quiet', ...free]);
    const lines: string[] = [];
    while (!lines.at(-1)?.startsWith('Sunup is listening on http://')) lines.push((await command.line())!);
    expect(lines).toEqual([
      expect.stringMatching(/^gRPC: +127\.0\.0\.1:[1-9]\d+$/),
      expect.stringMatching(/^gRPC solid: 127\.0\.0\.1:[1-9]\d+$/),
      expect.stringMatching(/^gRPC solid: 127\.0\.0\.1:[1-9]\d+$/),
      expect.stringMatching(/^Events: +tcp:\/\/127\.0\.0\.1:[1-9]\d+ \(ZeroMQ\)$/),
      expect.stringMatching(/^Sunup is listening on http:\/\/127\.0\.0\.1:\d+$/),
    ]);
  });

  it('writes the same as JSON events for programs', async () => {
    await using command = await RunningCommand.start(['--json', '--instant', '--accounts', '2', '--balance', '1.5']);
    const { http, accounts, ...ready } = await command.ready();
    expect(ready).toMatchObject({
      event: 'ready',
      version: '0.1.0',
      preset: expect.stringMatching(/^mainnet@/),
      mining: 'instant',
      dataDirectory: { temporary: true },
    });
    expect(accounts.map(({ address }) => address)).toEqual([
      'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6',
      'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C',
    ]);
    expect(accounts[0]).toMatchObject({ balanceSun: 1_500_000 });
    const tronWeb = new TronWeb({ fullHost: http.url, privateKey: accounts[0]!.privateKey });
    const { txid } = await tronWeb.trx.sendTransaction(accounts[1]!.address, 7);
    const block = JSON.parse((await command.line())!);
    expect(block).toMatchObject({
      event: 'block',
      number: 3,
      transactions: [
        {
          txid,
          type: 'TransferContract',
          owner: accounts[0]!.address,
          result: 'SUCCESS',
          charges: [{ payer: accounts[0]!.address, resource: 'bandwidth', source: 'free', amount: expect.any(Number) }],
        },
      ],
    });
    expect(await command.end('SIGTERM')).toEqual({ code: 0, lines: ['{"event":"closed"}'], errors: '' });
  });

  it('writes no events between tron_setLogging false and true', async () => {
    await using command = await RunningCommand.start(['--json', '--manual']);
    const { http } = await command.ready();
    const dev = (method: string, ...params: readonly unknown[]) =>
      post(`${http.url}/tre`, { jsonrpc: '2.0', id: 1, method, params });
    expect(await dev('tron_setLogging', false)).toMatchObject({ result: { logging: false } });
    await post(`${http.url}/sunup/mine`, { blocks: 5 });
    await dev('tron_setLogging', true);
    await post(`${http.url}/sunup/mine`, { blocks: 7 });
    const { lines } = await command.end('SIGINT');
    expect(lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'mined')).toMatchObject([
      { blocks: 7 },
    ]);
  });

  it('can be stopped while it mines millions of blocks: it keeps them, and reports the number to the client', async () => {
    const db = path.join(folder, 'stopped');
    let [made, number] = [0, 0];
    {
      await using command = await RunningCommand.start(['--json', '--db', db]);
      const { http } = await command.ready();
      const mining = post(`${http.url}/sunup/mine`, { blocks: 10_000_000 });
      const head = async () => {
        const block = await post(`${http.url}/wallet/getnowblock`, {});
        return (block.block_header as { raw_data: { number: number } }).raw_data.number;
      };
      while ((await head()) < 100);
      const { code, errors } = await command.end('SIGINT');
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      const text = String((await mining).Error);
      // A block may have been due by the clock before.
      const told =
        /^mine: stopped after (\d+) of 10000000 blocks, because the node is being closed. The head is block (\d+);/;
      const [, blocks, headNumber] = told.exec(text) ?? [];
      made = Number(blocks);
      number = Number(headNumber);
      expect(number).toBeGreaterThanOrEqual(2 + made);
    }
    await using again = await createDevnet({ db, mining: 'manual' });
    expect((await again.mine(0)).number).toBe(number);
  });

  it('ends when nobody reads its output any more', async () => {
    await using command = await RunningCommand.start(['--json', '--instant']);
    const { http, accounts, dataDirectory } = await command.ready();
    const ended = once(command.process, 'exit');
    command.process.stdout!.destroy();
    const tronWeb = new TronWeb({ fullHost: http.url, privateKey: accounts[0]!.privateKey });
    await tronWeb.trx.sendTransaction(accounts[1]!.address, 7);
    expect(await ended).toEqual([0, null]);
    expect(existsSync(dataDirectory.path)).toBe(false);
  });

  it.runIf(existsSync('/dev/full')).each([[['--manual', ...OWN_PORTS]], [['--help']]])(
    'says that its output cannot be written, and ends: %s',
    async (words) => {
      const full = openSync('/dev/full', 'w');
      const command = spawn(process.execPath, [await buildIfStale(), ...words], { stdio: ['ignore', full, 'pipe'] });
      closeSync(full);
      let errors = '';
      command.stderr!.setEncoding('utf8').on('data', (said: string) => {
        errors += said;
      });
      const [code] = await once(command, 'close');
      expect([code, errors]).toEqual([
        1,
        expect.stringMatching(
          /^error: the output cannot be written: ENOSPC: .*\n\(Send it to a pipe or another file\)\n$/,
        ),
      ]);
    },
  );

  it('continues the chain of --db, and removes a temporary chain', async () => {
    const db = path.join(folder, 'kept');
    let blockId: unknown;
    {
      await using command = await RunningCommand.start(['--json', '--manual', '--db', db]);
      const { http, dataDirectory } = await command.ready();
      expect(dataDirectory).toEqual({ path: db, temporary: false });
      blockId = (await post(`${http.url}/wallet/getnowblock`, {})).blockID;
      expect((await command.end('SIGINT')).code).toBe(0);
    }
    await using command = await RunningCommand.start(['--json', '--manual', '--db', db]);
    const { http } = await command.ready();
    expect((await post(`${http.url}/wallet/getnowblock`, {})).blockID).toBe(blockId);
    expect((await command.end('SIGINT')).code).toBe(0);
    expect(existsSync(db)).toBe(true);
  });

  it.each<[string, readonly string[], RegExp]>([
    [
      'a database that another devnet has open',
      ['--db', path.join(folder, 'busy')],
      /^error: option '--db' .*in use by another process/,
    ],
    [
      'a database of another genesis',
      ['--db', path.join(folder, 'other'), '--genesis-time', '2024-01-01T00:00:00Z'],
      /^error: option '--genesis-time' is 1704067200000, but the chain in \S+ was created with none/,
    ],
  ])('refuses %s', async (_, words, message) => {
    await using first = await RunningCommand.start(['--json', ...words.slice(0, 2)]);
    await first.ready();
    if (words.length > 2) await first.end('SIGINT');
    await using second = await RunningCommand.start(['--json', ...words]);
    const { code, errors, lines } = await second.end();
    expect({ code, lines }).toEqual({ code: 1, lines: [] });
    expect(errors).toMatch(message);
    expect(errors).not.toMatch(/\n\s+at /);
  });

  it('names the port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await using command = await RunningCommand.start(['--json'], undefined, { httpPort: port });
    const { code, errors } = await command.end();
    server.close();
    expect({ code, errors }).toEqual({
      code: 1,
      errors: `error: option '--http-port' is ${port}, which is in use\n(Use another port, or 0 for a free one)\n`,
    });
  });

  it('ends with exit code 2 and a message for an invalid command line', async () => {
    await using command = await RunningCommand.start(['--mining', 'sometimes']);
    const { code, errors, lines } = await command.end();
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(errors).toBe(`error: option '--mining' is "sometimes", but must be "interval" or "instant" or "manual"\n`);
  });
});
