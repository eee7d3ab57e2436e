/** A dump that does not fit into the buffers of a connection: slow clients, connections that end, files that are read as a stream. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { on, once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runRemote } from '../../src/cli/remote.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { said } from '../unit/cli/said.js';
import { RunningCommand } from './command.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-large-dump-'));
const place = (name: string) => path.join(folder, name);
const db = place('db');
let devnet: Devnet;

beforeAll(async () => {
  devnet = await createDevnet({ accounts: 2, mining: 'manual', db });
  // Code that gzip cannot shorten, together more than the 8 MiB that a dump may hold in memory.
  for (let i = 0; i < 90; i++)
    await devnet.setCode(devnet.accounts[1]!.address, `0x${randomBytes(100_000).toString('hex')}`);
  await devnet.mine(3);
});
afterAll(async () => {
  await devnet.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The answer begins when the whole dump is made. */
async function askForDump(): Promise<IncomingMessage> {
  const request = http.request(`${devnet.http.url}/sunup/dump`, { method: 'POST' }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

const sunup = (...words: string[]) => said((say) => runRemote(words, say));
/** An upload without a length. */
const UPLOAD = `
  const headers = { 'content-type': 'application/octet-stream' };
  const sent = require('node:http').request(process.argv[1], { method: 'POST', headers }, (answer) => answer.pipe(process.stdout));
  process.stdin.pipe(sent);`;
const leftBy = (folder: string) => readdirSync(folder).filter((name) => /^\.sunup|\.part$/.test(name));

it('is of its moment for a client that reads later, and delays nobody', async () => {
  const slow = await askForDump();
  const head = devnet.accounts[0]!.address;
  const snapshot = devnet.snapshot();
  await devnet.setBalance(head, 5n);
  await devnet.mine(2);
  await devnet.rollback(4);
  const chunks: Buffer[] = [];
  for await (const chunk of slow) chunks.push(chunk as Buffer);
  const answer = JSON.parse(Buffer.concat(chunks).toString()) as { number: number; dump: string };
  const lines = gunzipSync(Buffer.from(answer.dump, 'base64')).toString().trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1)!).end.head.number).toBe(answer.number);
  expect((await devnet.fetch('http://devnet/wallet/getnowblock')).status).toBe(200);
  await devnet.load(Buffer.from(answer.dump, 'base64'));
  await expect(devnet.revert(snapshot)).rejects.toThrow('no snapshot');
  expect(leftBy(db)).toEqual([]);
  expect(leftBy(tmpdir())).toEqual([]);
});

it('is cut off visibly when the node closes, and not missed by a node whose client has gone', async () => {
  const gone = await askForDump();
  gone.destroy();
  await once(gone, 'close');
  const slow = await askForDump();
  await devnet.close();
  const read = async () => {
    for await (const _ of slow);
  };
  await expect(read()).rejects.toThrow('aborted');
  devnet = await createDevnet({ accounts: 2, mining: 'manual', db });
});

it('is written whole or not at all', async () => {
  const file = place('chain.dump');
  const written = await sunup('dump', file, '--url', devnet.http.url);
  expect(written).toMatchObject({ code: 0, err: '' });
  const before = readFileSync(file);
  expect(before.length).toBeGreaterThan(8 * 2 ** 20);
  // A server that ends in the middle of its answer.
  const dying = http.createServer((_request, response) => {
    response.write(`{"number":1,"id":"00","timestampMs":1,"dump":"${before.subarray(0, 99_999).toString('base64')}`);
    setImmediate(() => response.destroy());
  });
  dying.listen(0, '127.0.0.1');
  await once(dying, 'listening');
  const url = `http://127.0.0.1:${(dying.address() as AddressInfo).port}`;
  for (const name of [file, place('none.dump')])
    expect(await sunup('dump', name, '--url', url)).toEqual({
      code: 1,
      out: '',
      err: `error: ${url} closed the connection: was the node stopped?\n`,
    });
  dying.close();
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['chain.dump', 'db']);
});

it('starts a node from a file, a pipe, and a file that grows meanwhile', async () => {
  const file = place('chain.dump');
  const text = place('chain.ndjson');
  writeFileSync(text, gunzipSync(readFileSync(file)));
  for (const loadState of [file, text]) {
    await using loaded = await createDevnet({ accounts: 2, mining: 'manual', loadState });
    expect(await headOf(loaded)).toEqual(await headOf(devnet));
  }
  // A recording that is still written: it is loaded up to where it was.
  const recording = place('live.chain');
  const [first = '', ...lines] = readFileSync(text, 'utf8').trimEnd().split('\n');
  const { ends: _, ...begins } = JSON.parse(first);
  writeFileSync(recording, `${[JSON.stringify(begins), ...lines.slice(0, 60)].join('\n')}\n`);
  const starting = createDevnet({ accounts: 2, mining: 'manual', loadState: recording });
  appendFileSync(recording, `${lines[60]}\n`);
  await using grown = await starting;
  expect(Number((await headOf(grown)).block_header.raw_data.number ?? 0)).toBeGreaterThan(0);
});

it.skipIf(process.platform === 'win32')('starts a node from a pipe', async () => {
  const pipe = place('pipe');
  expect((await once(spawn('mkfifo', [pipe]), 'exit'))[0]).toBe(0);
  const writer = spawn('sh', ['-c', `cat ${place('chain.dump')} > ${pipe}`]);
  await using loaded = await createDevnet({ accounts: 2, mining: 'manual', loadState: pipe });
  expect(await headOf(loaded)).toEqual(await headOf(devnet));
  if (writer.exitCode === null) await once(writer, 'exit');
});

it('leaves no chain if a late line is bad, whether it cannot be read or gives another block', async () => {
  const lines = gunzipSync(readFileSync(place('chain.dump')))
    .toString()
    .trimEnd()
    .split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('{"import"') || line.startsWith('{"produceEmpty"'));
  const changed = (line: string) => lines.with(last, line).join('\n');
  const otherId = changed(lines[last]!.replace(/"id":"[0-9a-f]{4}/, '"id":"ffff'));
  for (const [name, text, why] of [
    ['unreadable.dump', changed('{"import":{}}'), /line \d+ is damaged/],
    ['other.dump', otherId, /its id is now/],
  ] as const) {
    writeFileSync(place(name), gzipSync(text, { level: 1 }));
    const into = place(`${name}.db`);
    await expect(createDevnet({ accounts: 2, db: into, loadState: place(name) })).rejects.toThrow(why);
    copyFileSync(place('chain.dump'), place(name));
    await using loaded = await createDevnet({ accounts: 2, mining: 'manual', db: into, loadState: place(name) });
    expect(await headOf(loaded)).toEqual(await headOf(devnet));
  }
});

it('that fails in a running node leaves its chain, which is as large', async () => {
  const lines = gunzipSync(readFileSync(place('chain.dump')))
    .toString()
    .trimEnd()
    .split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('{"import"') || line.startsWith('{"produceEmpty"'));
  const other = lines.with(last, lines[last]!.replace(/"id":"[0-9a-f]{4}/, '"id":"ffff'));
  const before = await headOf(devnet);
  await expect(devnet.load(gzipSync(other.join('\n'), { level: 1 }))).rejects.toThrow(/its id is now/);
  expect(await headOf(devnet)).toEqual(before);
  expect([...leftBy(db), ...leftBy(tmpdir())]).toEqual([]);
});

it('is loaded as a whole or not at all, if the process is killed meanwhile', async () => {
  const into = place('cut-off.db');
  const words = ['--db', into, '--accounts', '2', '--manual', '--json'];
  const numberAt = async (url: string) => {
    const { block_header } = (await (await fetch(`${url}/wallet/getnowblock`)).json()) as Awaited<
      ReturnType<typeof headOf>
    >;
    return Number(block_header.raw_data.number ?? 0);
  };
  const running = await RunningCommand.start([...words, '--load-state', place('chain.dump')]);
  const { url } = (await running.ready()).http;
  const loaded = await numberAt(url);
  await sunup('mine', '--url', url);
  expect(await numberAt(url)).toBe(loaded + 1);
  const loading = spawn(process.execPath, ['-e', UPLOAD, `${url}/sunup/load`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  createReadStream(place('chain.dump')).pipe(loading.stdin);
  while ((await numberAt(url)) === loaded + 1);
  await running.end('SIGKILL');
  const isCutOff = existsSync(path.join(into, 'before-load'));
  // As of a load that ended before.
  writeFileSync(path.join(into, 'before-load.part'), '{');

  await using next = await RunningCommand.start(words);
  const { url: nextUrl } = (await next.ready()).http;
  expect(await numberAt(nextUrl)).toBe(isCutOff ? loaded + 1 : loaded);
  expect(leftBy(into)).toEqual([]);
  expect(existsSync(path.join(into, 'before-load'))).toBe(false);
});

it('is loaded by the command into a running node, also from a pipe and below /~id/', async () => {
  await using running = await createDevnet({ accounts: 2, mining: 'manual' });
  const { url } = running.http;
  const file = place('chain.dump');
  const said = await sunup('load', file, '--url', url);
  expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^block \d+ /) });
  expect(said.err).toMatch(/chain\.dump: \d+\.\d MB; the node applies every block again/);
  expect(await headOf(running)).toEqual(await headOf(devnet));
  await running.rollback(2);
  const hosted = await fetch(`${url}/sunup/chains`, {
    method: 'POST',
    body: JSON.stringify({ accounts: 2, mining: 'manual' }),
  });
  const { path: prefix } = (await hosted.json()) as { readonly path: string };
  for (const chain of ['/', prefix]) {
    const loading = spawn(process.execPath, ['-e', UPLOAD, `${url}${chain}sunup/load`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createReadStream(file).pipe(loading.stdin);
    let answer = '';
    for await (const part of loading.stdout) answer += part;
    expect(JSON.parse(answer)).toMatchObject({ number: expect.any(Number) });
  }
  expect(await headOf(running)).toEqual(await headOf(devnet));
});

it('that is no chain file, or whose client goes in the middle, leaves the chain and no file', async () => {
  const before = await headOf(devnet);
  const { url } = devnet.http;
  const noise = place('noise');
  writeFileSync(noise, randomBytes(9_000_000));
  expect(await sunup('load', noise, '--url', url)).toMatchObject({
    code: 1,
    err: expect.stringContaining('error: the chain cannot be loaded: it is not a chain file'),
  });
  expect(await sunup('load', place('absent'), '--url', url)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^error: .*absent cannot be read: ENOENT/),
  });
  const cut = http.request(`${url}/sunup/load`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
  });
  const lost = once(cut, 'error');
  await new Promise((sent) => cut.write(readFileSync(place('chain.dump')).subarray(0, 8_600_000), sent));
  cut.destroy(new Error('gone'));
  await lost;
  // Answered in turn, so after the end of the upload.
  await devnet.mine(1);
  await devnet.rollback(1);
  expect(await headOf(devnet)).toEqual(before);
  expect([...leftBy(db), ...leftBy(tmpdir())]).toEqual([]);
});

it('leaves nothing that could be continued if it is killed while it loads', async () => {
  const into = place('killed.db');
  mkdirSync(into);
  const changes = watch(into);
  const killed = await RunningCommand.start(['--db', into, '--load-state', place('chain.dump')]);
  const ended = new AbortController();
  killed.process.once('exit', () => ended.abort());
  for await (const [, name] of on(changes, 'change', { signal: ended.signal })) if (name === 'chain') break;
  changes.close();
  await killed.end('SIGKILL');
  expect(readdirSync(into)).toContain('loading');
  const options = { accounts: 2, mining: 'manual', db: into } as const;
  await expect(createDevnet(options)).rejects.toThrow(/into which a chain was loaded only in part/);
  const loaded = await createDevnet({ ...options, loadState: place('chain.dump') });
  await loaded.close();
  await using continued = await createDevnet(options);
  expect(await headOf(continued)).toEqual(await headOf(devnet));
});

async function headOf(
  of: Devnet,
): Promise<{ readonly block_header: { readonly raw_data: { readonly number?: number } } }> {
  return JSON.parse(await (await of.fetch('http://devnet/wallet/getnowblock')).text());
}
