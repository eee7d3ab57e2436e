/** Further chains of a server that are forks: of the same network as the server's own chain, or of another. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { FaultyProxy } from './fork-proxy.js';

const HOLDER = 'TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY';

interface Made {
  readonly id: string;
  readonly path: string;
  readonly genesisId: string;
  readonly fork?: { readonly url?: string; readonly blockNumber: number };
}

class Heard {
  readonly warnings: string[] = [];
  error(): void {}
  warn(text: string): void {
    this.warnings.push(text);
  }
}

let network: Devnet;
let proxy: FaultyProxy;
beforeAll(async () => {
  network = await createDevnet();
  await network.setBalance(HOLDER, 7_000_000);
  await network.mine(5);
});
afterAll(() => network.close());
beforeEach(async () => {
  proxy = await FaultyProxy.open(network.http.url);
});
afterEach(() => proxy.close());

async function post(server: Devnet, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await server.fetch(path, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

async function made(server: Devnet, options: object = {}): Promise<Made> {
  const { status, json } = await post(server, '/sunup/chains', options);
  expect([status, json.Error]).toEqual([200, undefined]);
  return json as Made;
}

const balanceOn = async (server: Devnet, path = '/') =>
  (await post(server, `${path}wallet/getaccount`, { address: HOLDER, visible: true })).json.balance;

describe('a further chain of a fork', () => {
  it('starts at the same block, and shares the rows that any of them has read', async () => {
    await using server = await createDevnet({ fork: proxy.url });
    expect(await balanceOn(server)).toBe(7_000_000);
    await network.mine(2);
    await network.setBalance(HOLDER, 9_000_000);
    proxy.seen.length = 0;
    const [one, two] = [await made(server), await made(server, { accounts: 3, forkChainId: 77 })];
    expect(one.fork).toEqual(server.fork);
    expect(one.fork?.url).toBe(proxy.url);
    expect([await balanceOn(server, one.path), await balanceOn(server, two.path)]).toEqual([7_000_000, 7_000_000]);
    expect(proxy.seen).toEqual([]);
    await post(server, `${one.path}eth`, {
      ...{ jsonrpc: '2.0', id: 1, method: 'tron_setBalance', params: [HOLDER, 5] },
    });
    expect(await Promise.all(['/', one.path, two.path].map((path) => balanceOn(server, path)))).toEqual([
      ...[7_000_000, 5, 7_000_000],
    ]);
    // One reads, and all have the row.
    const stranger = { address: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', visible: true };
    await post(server, `${two.path}wallet/getaccount`, stranger);
    const asked = proxy.seen.length;
    expect(asked).toBeGreaterThan(0);
    for (const path of ['/', one.path]) await post(server, `${path}wallet/getaccount`, stranger);
    expect(proxy.seen.length).toBe(asked);
    const chainId = async (path: string) =>
      (await post(server, `${path}eth`, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })).json.result;
    expect([await chainId(one.path), await chainId(two.path)]).toEqual([network.chainId, '0x4d']);
  });

  it('is not a fork if the options say so', async () => {
    await using server = await createDevnet({ fork: proxy.url });
    const plain = await made(server, { fork: null });
    expect(plain.fork).toBeUndefined();
    expect(await balanceOn(server, plain.path)).toBeUndefined();
  });

  it('survives the loss of its network, like a chain from a dump', async () => {
    await using begun = await createDevnet({ fork: proxy.url });
    const balance = await balanceOn(begun);
    const dump = await begun.dump();
    await using server = await createDevnet({ loadState: dump });
    const { path } = await made(server);
    expect(await balanceOn(server, path)).toBe(balance);
  });
});

describe('a further chain of a server without a fork', () => {
  it('is a fork if it has a network URL, which receives no key of the server', async () => {
    await using server = await createDevnet();
    const { path, fork } = await made(server, { fork: proxy.url, forkApiKey: 'mine' });
    expect(fork?.url).toBe(proxy.url);
    expect(await balanceOn(server, path)).toBe(9_000_000);
    expect(new Set(proxy.seen.map(({ headers }) => headers['tron-pro-api-key']))).toEqual(new Set(['mine']));
    await using keyed = await createDevnet({
      fork: network.http.url,
      forkApiKey: 'secret',
      forkHeader: ['x-key: secret'],
    });
    proxy.seen.length = 0;
    await made(keyed, { fork: proxy.url });
    expect(proxy.seen.length).toBeGreaterThan(10);
    for (const { headers } of proxy.seen) expect(JSON.stringify(headers)).not.toContain('secret');
  });

  const REFUSED = 'the network of fork cannot be forked. See the log of the node';
  const OUTSIDE: readonly [string, DevnetOptions, Record<string, string>][] = [
    ['with an allowed host name', { allowHost: ['devnet.example'] }, { host: 'devnet.example' }],
    ['with an allowed origin', { allowOrigin: ['https://dapp.example'] }, { origin: 'https://dapp.example' }],
    ['of a page of the private network', {}, { origin: 'http://192.168.1.5' }],
    ['behind a proxy', {}, { 'x-forwarded-for': '203.0.113.7' }],
  ];

  it.each(OUTSIDE)('hides errors of a network from a caller %s', async (_, options, headers) => {
    const log = new Heard();
    await using server = await createDevnet({ ...options, log });
    proxy.fault = () => ({ status: 418, text: 'a secret of the local network' });
    for (const fork of [proxy.url, 'http://127.0.0.1:9']) {
      const { status, json } = await post(server, '/sunup/chains', { fork }, headers);
      expect([status, json.Error]).toEqual([400, REFUSED]);
    }
    expect(log.warnings.join()).toContain('a secret of the local network');
    // Callers of the server's own machine get the details.
    const { json } = await post(server, '/sunup/chains', { fork: proxy.url });
    expect(json.Error).toMatch(/HTTP 418, "a secret of the local network"/);

    // The same later, when rows and blocks come from different addresses.
    proxy.fault = () => 'pass';
    const { json: chain } = await post(server, '/sunup/chains', { fork: proxy.url, mining: 'manual' }, headers);
    proxy.fault = () => ({ status: 418, text: 'a secret of the local network' });
    const account = { address: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', visible: true };
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [`0x${'ab'.repeat(20)}`, 'latest'] };
    const answers = [
      await post(server, `${chain.path}wallet/getaccount`, account, headers),
      await post(server, `${chain.path}eth`, call, headers),
      await post(server, `${chain.path}wallet/getblockbynum`, { num: 1 }, headers),
      { json: await (await server.fetch(`${chain.path}v1/accounts/${HOLDER}/transactions`, { headers })).json() },
    ];
    for (const { json: answer } of answers) {
      expect(JSON.stringify(answer)).toContain('from its network. See the log of the node');
      expect(JSON.stringify(answer)).not.toMatch(/418|secret|127\.0\.0\.1/);
    }
  });

  it('cannot be created by pages of other origins', async () => {
    await using server = await createDevnet();
    const { status } = await post(server, '/sunup/chains', { fork: proxy.url }, { origin: 'https://example.com' });
    expect([status, proxy.seen]).toEqual([403, []]);
  });

  it.each([
    [{ fork: 'http://127.0.0.1:9' }, /^option fork does not give its head: .*Check the address/],
    [{ forkApiKey: 'k' }, /^forkApiKey needs fork/],
    [{ fork: 'http://127.0.0.1:9', forkCache: '/tmp/x' }, /^forkCache cannot be set/],
    [{ fork: 'http://127.0.0.1:9', predeploy: ['usdt'] }, /predeploy cannot be used with a fork/],
    [{ fork: 5 }, /^option fork/],
  ])('is not created with %j', async (options, text) => {
    await using server = await createDevnet();
    const { status, json } = await post(server, '/sunup/chains', options);
    expect([status, json.Error]).toEqual([400, expect.stringMatching(text)]);
  });
});
