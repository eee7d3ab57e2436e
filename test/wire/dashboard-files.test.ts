/** The dashboard's page and files, as a browser and as a script ask for them. Needs the build (`npm run build`). */

import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

let devnet: Devnet;
let below: string;
beforeAll(async () => {
  devnet = await createDevnet();
  const made = await fetch(`${devnet.http.url}/sunup/chains`, { method: 'POST' });
  ({ path: below } = (await made.json()) as { path: string });
});
afterAll(() => devnet.close());

const ask = (path: string, headers: Record<string, string> = { accept: BROWSER }) =>
  fetch(devnet.http.url + path, { headers, redirect: 'manual' });
const page = async (path: string) => (await ask(path)).text();
const filesOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="(dashboard\/[^"]+)"/g)].map(([, file]) => file as string);

describe('the page at /', () => {
  test('names files that are there, at the root and below the path of a further chain', async () => {
    for (const root of ['/', below]) {
      const files = filesOf(await page(root));
      expect(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css'))).toBe(true);
      for (const file of files) expect([file, (await ask(root + file)).status]).toEqual([file, 200]);
    }
  });

  test('has a policy without inline code and without other hosts, and no inline code', async () => {
    const answer = await ask('/');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(await answer.text()).not.toMatch(/<style|style="|<script>| on[a-z]+="/);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  test.each([undefined, '*/*', 'application/json, text/plain, */*'])(
    'accept: %s gets the 404 of java-tron',
    async (accept) => {
      const answer = await ask('/', accept === undefined ? {} : { accept });
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('Default404Servlet')]);
    },
  );
});

describe('its files', () => {
  test('may be kept by browsers, because their names change with their content', async () => {
    const [file = ''] = filesOf(await page('/'));
    expect((await ask(`/${file}`)).headers.get('cache-control')).toContain('immutable');
  });

  test('come compressed to who takes that, with the same content', async () => {
    const file = filesOf(await page('/')).find((name) => name.endsWith('.js')) ?? '';
    const plain = await raw(`/${file}`, {});
    const compressed = await raw(`/${file}`, { 'accept-encoding': 'gzip' });
    expect([plain.encoding, compressed.encoding]).toEqual([undefined, 'gzip']);
    expect(compressed.body.length).toBeLessThan(plain.body.length);
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
  });

  test.each([
    'index.html',
    'index.html.gz',
    'nothing.js',
    '..%2Fsunup.cjs',
    '%2e%2e/sunup.cjs',
    '.stamp',
    'main',
    'constructor',
  ])('%s is not one of them', async (name) => {
    expect((await ask(`/dashboard/${name}`)).status).toBe(404);
  });

  test('the first screen is at most 350 KB compressed, charts included', async () => {
    const known = new Set(filesOf(await page('/')).map((file) => file.slice('dashboard/'.length)));
    let bytes = 0;
    for (const name of known) {
      const { body } = await raw(`/dashboard/${name}`, { 'accept-encoding': 'gzip' });
      bytes += body.length;
      // What the first screen loads as soon as it has been drawn.
      for (const [, chart] of gunzipSync(body)
        .toString()
        .matchAll(/import\("\.\/(echarts-[\w-]+\.js)"\)/g))
        known.add(chart as string);
    }
    expect([...known].some((name) => name.startsWith('echarts-'))).toBe(true);
    expect(bytes).toBeLessThan(350_000);
  });

  test('nothing of it is in what a start of the command reads', () => {
    const command = readFileSync(path.resolve(import.meta.dirname, '../../dist/command.cjs'), 'utf8');
    const files = [...command.matchAll(/^\s*\/\/ ((?:src|node_modules)\/\S+)$/gm)].map(([, file]) => file!);
    expect(files).toContain('src/http/server.ts');
    const ofPage = /^src\/dashboard\/|\/(preact|wouter-preact|@tanstack|echarts|zrender|d3-flame-graph)\//;
    expect(files.filter((file) => ofPage.test(file))).toEqual([]);
  });
});

/** `fetch` decompresses by itself. */
function raw(path: string, headers: Record<string, string>) {
  return new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
    get(devnet.http.url + path, { headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray());
      resolve({ encoding: answer.headers['content-encoding'], body });
    }).on('error', reject);
  });
}
