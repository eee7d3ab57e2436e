/** API keys and request limits of the managed service, on all interfaces, over real sockets. */

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Metadata, type ServiceError } from '@grpc/grpc-js';
import { FetchRequest, JsonRpcProvider } from 'ethers';
import { TronWeb } from 'tronweb';
import { afterEach, describe, expect, test } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { ServiceClient, statusOf } from './grpc-client.js';

const DAY_MS = 86_400_000;
/** One hour before the end of a day in UTC. */
const START_MS = 20_000 * DAY_MS - 3_600_000;

let nowMs = START_MS;
let devnet: Devnet;
const told: string[] = [];
const clients: ServiceClient[] = [];

async function start(options: DevnetOptions): Promise<void> {
  nowMs = START_MS;
  const say = (...words: unknown[]) => void told.push(words.map(String).join(' '));
  const clock = { nowMs: () => BigInt(nowMs), after: () => () => {} };
  const ports = { grpcPort: 0, grpcSolidityPort: 0, jsonrpcPort: 0, jsonrpcSolidityPort: 0 };
  devnet = await createDevnet({ mining: 'manual', clock, log: { warn: say, error: say }, ...ports, ...options });
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await devnet.close();
  expect(told.splice(0)).toEqual([]);
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

type Headers = Record<string, string>;

async function ask(path: string, headers: Headers = {}, method = 'GET', body?: string): Promise<Answer> {
  const url = path.startsWith('http') ? path : `${devnet.http.url}${path}`;
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
}

const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
const jsonRpc = (url: string) => (headers: Headers) => ask(url, headers, 'POST', chainId);
const EVENTS = '/v1/contracts/TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6/events';

/** The HTTP interfaces, each with a typical request. */
const surfaces: readonly [name: string, form: 'node' | 'history', (headers: Headers) => Promise<Answer>][] = [
  ['GET /wallet', 'node', (headers) => ask('/wallet/getnowblock', headers)],
  ['POST /wallet', 'node', (headers) => ask('/wallet/getblockbynum', headers, 'POST', '{"num":0}')],
  ['/walletsolidity', 'node', (headers) => ask('/walletsolidity/getnowblock', headers)],
  ['/jsonrpc', 'node', (headers) => jsonRpc('/jsonrpc')(headers)],
  ['JSON-RPC on a port of its own', 'node', (headers) => jsonRpc(devnet.jsonrpc.url)(headers)],
  ['JSON-RPC of the solidified state', 'node', (headers) => jsonRpc(devnet.jsonrpcSolidity!.url)(headers)],
  ['/v1', 'history', (headers) => ask(EVENTS, headers)],
  ['/event', 'history', (headers) => ask('/event/contract/TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6', headers)],
];

function keyed(key: string): Metadata {
  const metadata = new Metadata();
  metadata.set('TRON-PRO-API-KEY', key);
  return metadata;
}

function grpc(service: 'Wallet' | 'WalletSolidity' = 'Wallet'): ServiceClient {
  const client = new ServiceClient(service, (service === 'Wallet' ? devnet.grpc : devnet.grpcSolidity[0])!.url);
  clients.push(client);
  return client;
}

/** A raw request; returns the answer when the connection ends. */
async function raw(lines: readonly string[]): Promise<string> {
  const socket = connect(devnet.http.port, '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.write([...lines, 'Host: localhost', 'Connection: close', '', ''].join('\r\n'));
  await once(socket, 'close');
  return answer;
}

describe('above the limit', () => {
  test.each(surfaces)('%s refuses a key, and says for how long', async (_name, form, asked) => {
    await start({ rateLimit: { key: 2, suspend: 27 } });
    for (const header of ['CHAIN-PRO-API-KEY', 'TRON-PRO-API-KEY']) {
      const key = { [header]: `key of ${header}`.replaceAll(' ', '-') };
      expect((await asked(key)).status).toBe(200);
      expect((await asked(key)).status).toBe(200);
      const words = 'The key exceeds the frequency limit(2), and the query server is suspended for 27';
      const text =
        form === 'node' ? `{"Error":"${words} s"}` : `{"success":false,"error":"${words}s","statusCode":429}`;
      const refused = await asked(key);
      expect({ ...refused, text: refused.text.trimEnd() }).toEqual({ status: 429, retryAfter: '27', text });
      // Other clients are not affected.
      expect((await asked({ [header]: `another-${header}` })).status).toBe(200);
      expect((await asked({})).status).toBe(200);
    }
  });

  test.each(surfaces)('%s refuses an address, with 403 where that is wanted', async (_name, form, asked) => {
    await start({ rateLimit: { anonymous: 3, suspend: 1, status: 403 } });
    for (let i = 0; i < 3; i++) expect((await asked({})).status).toBe(200);
    const words = 'request rate exceeded the allowed_rps(3), and the query server is suspended for 1s';
    const text = form === 'node' ? `{"Error":"${words}"}` : `{"success":false,"error":"${words}","statusCode":403}`;
    const refused = await asked({});
    expect({ ...refused, text: refused.text.trimEnd() }).toEqual({ status: 403, retryAfter: '1', text });
    // Keys have no limit here.
    for (let i = 0; i < 5; i++) expect((await asked({ 'TRON-PRO-API-KEY': 'any' })).status).toBe(200);
  });

  test.each(['Wallet', 'WalletSolidity'] as const)('gRPC %s ends calls with RESOURCE_EXHAUSTED', async (service) => {
    await start({ rateLimit: { anonymous: 1, key: 2, suspend: 27 } });
    const client = grpc(service);
    await client.call('GetNowBlock');
    expect(await statusOf(client.call('GetNowBlock'))).toEqual([
      'RESOURCE_EXHAUSTED',
      'request rate exceeded the allowed_rps(1), and the query server is suspended for 27s',
    ]);
    for (let i = 0; i < 2; i++) await client.call('GetNowBlock', {}, keyed('some'));
    const words = 'The key exceeds the frequency limit(2), and the query server is suspended for 27 s';
    const error = await client.call('GetNowBlock', {}, keyed('some')).then(
      () => undefined,
      (thrown: ServiceError) => thrown,
    );
    expect(error).toMatchObject({ code: 8, details: words });
    expect(error?.metadata.get('grpc-retry-pushback-ms')).toEqual(['27000']);
    nowMs += 27_000;
    await client.call('GetNowBlock', {}, keyed('some'));
  });

  test('a suspension ends at the announced time, independent of requests meanwhile', async () => {
    await start({ rateLimit: { anonymous: 1, suspend: 30 } });
    expect((await ask('/wallet/getnowblock')).status).toBe(200);
    expect(await ask('/wallet/getnowblock')).toMatchObject({ status: 429, retryAfter: '30' });
    nowMs += 10_500;
    expect(await ask('/wallet/getnowblock')).toMatchObject({ status: 429, retryAfter: '20' });
    nowMs += 19_499;
    expect(await ask('/wallet/getnowblock')).toMatchObject({ status: 429, retryAfter: '1' });
    nowMs += 1;
    expect((await ask('/wallet/getnowblock')).status).toBe(200);
    expect((await ask('/wallet/getnowblock')).status).toBe(429);
  });

  test('without a suspension, requests succeed in the next second', async () => {
    await start({ rateLimit: { anonymous: 2, suspend: 0 } });
    await ask('/wallet/getnowblock');
    nowMs += 999;
    await ask('/wallet/getnowblock');
    expect(await ask('/wallet/getnowblock')).toMatchObject({ status: 429, retryAfter: '1' });
    nowMs += 1;
    expect((await ask('/wallet/getnowblock')).status).toBe(200);
  });

  test('all interfaces share one counter', async () => {
    await start({ rateLimit: { anonymous: 4, key: 4 } });
    await ask('/wallet/getnowblock');
    await grpc().call('GetNowBlock');
    await grpc('WalletSolidity').call('GetNowBlock');
    await jsonRpc(devnet.jsonrpc.url)({});
    expect((await ask(EVENTS)).status).toBe(429);
    expect((await statusOf(grpc().call('GetNowBlock')))[0]).toBe('RESOURCE_EXHAUSTED');
  });

  test('a key uses its daily quota, then the lower rate, then a new day', async () => {
    await start({ apiKeys: ['plain', 'own=10/4'], rateLimit: { key: 10, daily: 3, beyond: 1, suspend: 5 } });
    for (const [key, perDay] of [
      ['plain', 3],
      ['own', 4],
    ] as const) {
      nowMs = START_MS;
      const asked = () => ask('/wallet/getnowblock', { 'TRON-PRO-API-KEY': key });
      for (let i = 0; i < perDay; i++) expect((await asked()).status).toBe(200);
      nowMs += 1_000;
      expect((await asked()).status).toBe(200);
      expect((await asked()).text).toBe(
        '{"Error":"The key exceeds the frequency limit(1), and the query server is suspended for 5 s"}\n',
      );
      nowMs += 3_600_000;
      for (let i = 0; i < perDay; i++) expect((await asked()).status).toBe(200);
    }
  });

  test('a key without a rate beyond its daily quota waits for the next day', async () => {
    await start({ rateLimit: { daily: 1, beyond: 0 } });
    const asked = () => ask('/wallet/getnowblock', { 'TRON-PRO-API-KEY': 'some' });
    expect((await asked()).status).toBe(200);
    expect(await asked()).toMatchObject({ status: 429, retryAfter: '3600' });
    nowMs += 3_599_999;
    expect((await asked()).status).toBe(429);
    nowMs += 1;
    expect((await asked()).status).toBe(200);
  });

  test('health, preflights and control of the chain have no limits', async () => {
    await start({ rateLimit: { anonymous: 1, suspend: 30 } });
    await ask('/wallet/getnowblock');
    expect((await ask('/wallet/getnowblock')).status).toBe(429);
    expect((await ask('/healthcheck')).status).toBe(200);
    expect((await ask('/healthcheck', {}, 'HEAD')).status).toBe(200);
    const page = { origin: 'https://dapp.example', 'access-control-request-method': 'POST' };
    const preflight = await fetch(`${devnet.http.url}/wallet/getnowblock`, {
      method: 'OPTIONS',
      headers: { ...page, 'access-control-request-headers': 'TRON-PRO-API-KEY' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      200,
      'TRON-PRO-API-KEY',
    ]);
    expect((await ask('/sunup/mine', {}, 'POST', '{"blocks":1}')).status).toBe(200);
    // Other requests have limits.
    expect((await ask('/wallet/getnowblock', {}, 'HEAD')).status).toBe(429);
    expect((await ask('/no/such/path')).status).toBe(429);
    expect(await ask('/wallet/getnowblock', {}, 'PUT')).toMatchObject({ status: 429, retryAfter: '30' });
  });

  test('pages can read the refusal and Retry-After; no other header mentions quotas', async () => {
    await start({ rateLimit: { anonymous: 1 } });
    const asked = () => fetch(`${devnet.http.url}/wallet/getnowblock`, { headers: { origin: 'https://dapp.example' } });
    for (const status of [200, 429]) {
      const { headers, status: got } = await asked();
      expect(got).toBe(status);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe('Retry-After');
      expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
  });

  test('a refused body does not close the connection', async () => {
    await start({ rateLimit: { anonymous: 1 } });
    const body = JSON.stringify({ num: 0, padding: 'x'.repeat(2_000_000) });
    expect((await ask('/wallet/getblockbynum', {}, 'POST', body)).status).toBe(200);
    for (let i = 0; i < 5; i++) expect((await ask('/wallet/getblockbynum', {}, 'POST', body)).status).toBe(429);
  });
});

describe('keys', () => {
  test.each(surfaces)('%s refuses unknown keys', async (_name, form, asked) => {
    await start({ apiKeys: ['good'] });
    const text =
      form === 'node'
        ? '{"Error":"ApiKey not exists"}'
        : '{"success":false,"error":"ApiKey not exists","statusCode":401}';
    for (const header of ['CHAIN-PRO-API-KEY', 'TRON-PRO-API-KEY']) {
      const refused = await asked({ [header]: 'bad' });
      expect({ ...refused, text: refused.text.trimEnd() }).toEqual({ status: 401, retryAfter: null, text });
      for (let i = 0; i < 20; i++) expect((await asked({ [header]: 'good' })).status).toBe(200);
    }
    expect((await asked({})).status).toBe(200);
  });

  test('unknown keys end a gRPC call with UNAUTHENTICATED', async () => {
    await start({ apiKeys: ['good=2'] });
    const client = grpc();
    const refused = ['UNAUTHENTICATED', 'ApiKey not exists'];
    expect(await statusOf(client.call('GetNowBlock', {}, keyed('bad')))).toEqual(refused);
    expect(await statusOf(client.call('GetNowBlock', {}, keyed('x'.repeat(300))))).toEqual(refused);
    for (let i = 0; i < 2; i++) await client.call('GetNowBlock', {}, keyed('good'));
    expect((await statusOf(client.call('GetNowBlock', {}, keyed('good'))))[0]).toBe('RESOURCE_EXHAUSTED');
    const two = keyed('bad');
    two.add('CHAIN-PRO-API-KEY', 'good');
    two.add('CHAIN-PRO-API-KEY', 'other');
    expect(await statusOf(client.call('GetNowBlock', {}, two))).toEqual(refused);
    await client.call('GetNowBlock', {}, keyed(''));
  });

  test('each have limits of their own', async () => {
    await start({ apiKeys: ['small=1', 'large=3', 'plain'], rateLimit: { key: 2, suspend: 3 } });
    for (const [key, limit] of [
      ['small', 1],
      ['large', 3],
      ['plain', 2],
    ] as const) {
      const asked = () => ask('/wallet/getnowblock', { 'CHAIN-PRO-API-KEY': key });
      for (let i = 0; i < limit; i++) expect((await asked()).status).toBe(200);
      expect((await asked()).text).toBe(
        `{"Error":"The key exceeds the frequency limit(${limit}), and the query server is suspended for 3 s"}\n`,
      );
    }
  });

  const line = 'GET /wallet/getnowblock HTTP/1.1';
  test.each<[string, readonly string[], number]>([
    ['none', [], 200],
    ['an empty one', ['TRON-PRO-API-KEY:'], 200],
    ['empty ones of both names, and commas', ['TRON-PRO-API-KEY: ,,', 'CHAIN-PRO-API-KEY:   '], 200],
    ['in the other case, with spaces', ['tron-pro-api-key:   good  '], 200],
    ['the same by both names', ['TRON-PRO-API-KEY: good', 'CHAIN-PRO-API-KEY: good'], 200],
    ['the same twice', ['TRON-PRO-API-KEY: good', 'TRON-PRO-API-KEY: good'], 200],
    ['one empty, one good', ['TRON-PRO-API-KEY:', 'CHAIN-PRO-API-KEY: good'], 200],
    ['two that exist', ['TRON-PRO-API-KEY: good', 'TRON-PRO-API-KEY: better'], 401],
    ['one that exists and one that does not', ['TRON-PRO-API-KEY: good', 'CHAIN-PRO-API-KEY: bad'], 401],
    ['in upper case', ['TRON-PRO-API-KEY: GOOD'], 401],
    ['a name that every object has', ['TRON-PRO-API-KEY: __proto__'], 401],
    ['bytes that are no ASCII', ['TRON-PRO-API-KEY: gööd'], 401],
    ['a long one', [`TRON-PRO-API-KEY: ${'good'.repeat(2_000)}`], 401],
    ['four hundred', Array.from({ length: 400 }, (_, i) => `TRON-PRO-API-KEY: k${i}`), 401],
    ['one of a megabyte', [`TRON-PRO-API-KEY: ${'x'.repeat(1_000_000)}`], 431],
  ])('%s: status', async (_name, headers, status) => {
    await start({ apiKeys: ['good', 'better'] });
    expect(await raw([line, ...headers])).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect((await ask('/wallet/getnowblock', { 'TRON-PRO-API-KEY': 'good' })).status).toBe(200);
  });

  test('a key of a megabyte does not harm gRPC', async () => {
    await start({ apiKeys: ['good'] });
    const [code] = await statusOf(grpc().call('GetNowBlock', {}, keyed('x'.repeat(1_000_000))));
    expect(code).not.toBe('OK');
    await grpc().call('GetNowBlock', {}, keyed('good'));
  });

  test('do not appear in answers, links or log lines', async () => {
    const key = 'a7c1e5d3-secret';
    await start({ apiKeys: [`${key}=1000`], rateLimit: { anonymous: 1_000 } });
    const [from, to] = devnet.accounts;
    const headers = { 'TRON-PRO-API-KEY': key };
    const tronWeb = new TronWeb({ fullHost: devnet.http.url, headers, privateKey: from!.privateKey });
    for (let i = 0; i < 3; i++) {
      await tronWeb.trx.sendTransaction(to!.address, 1 + i);
      await devnet.mine();
    }
    const page = await ask(`/v1/accounts/${from!.address}/transactions?limit=1`, headers);
    expect(page.text).toContain('"next":"http');
    expect(page.text).not.toContain(key);
  });
});

describe('clients', () => {
  test("tronweb's error contains status and text", async () => {
    await start({ rateLimit: { key: 1, suspend: 9 } });
    const tronWeb = new TronWeb({ fullHost: devnet.http.url, headers: { 'TRON-PRO-API-KEY': 'some' } });
    await tronWeb.trx.getCurrentBlock();
    await expect(tronWeb.trx.getCurrentBlock()).rejects.toMatchObject({
      response: {
        status: 429,
        headers: { 'retry-after': '9' },
        data: { Error: 'The key exceeds the frequency limit(1), and the query server is suspended for 9 s' },
      },
    });
    nowMs += 9_000;
    await tronWeb.trx.getCurrentBlock();
  });

  test('ethers retries by itself', async () => {
    await start({ rateLimit: { key: 1, suspend: 9 } });
    const connection = new FetchRequest(devnet.jsonrpc.url);
    connection.setHeader('TRON-PRO-API-KEY', 'some');
    const refused: number[] = [];
    connection.retryFunc = async (_request, { statusCode }) => {
      refused.push(statusCode);
      nowMs += 9_000;
      return true;
    };
    const provider = new JsonRpcProvider(connection, undefined, { batchMaxCount: 1 });
    for (let i = 0; i < 3; i++) expect(await provider.send('eth_chainId', [])).toBe(devnet.chainId);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(new Set(refused)).toEqual(new Set([429]));
    provider.destroy();
  });
});

test('off by default: no limits, any key is accepted', async () => {
  await start({});
  const client = grpc();
  for (let i = 0; i < 30; i++) {
    expect((await ask('/wallet/getnowblock', { 'TRON-PRO-API-KEY': `k${i}` })).status).toBe(200);
    await client.call('GetNowBlock', {}, keyed('any'));
  }
  const { headers } = await fetch(`${devnet.http.url}/wallet/getnowblock`);
  expect(headers.get('access-control-expose-headers')).toBeNull();
});

test('of 300 concurrent requests exactly the allowed number succeeds', async () => {
  await start({ rateLimit: { anonymous: 100 } });
  const statuses = await Promise.all(
    Array.from(
      { length: 300 },
      () =>
        new Promise<number>((resolve, reject) => {
          const asking = request(`${devnet.http.url}/wallet/getnowblock`, (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          });
          asking.on('error', reject);
          asking.end();
        }),
    ),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(200);
});
