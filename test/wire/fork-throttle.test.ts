/** Request rate of a fork whose network limits it. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenRemoteOptions, openRemote, type Remote } from '../../src/fork/start/open-remote.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { WantedRow } from '../../src/state/remote-rows.js';
import { type Fault, FaultyProxy } from './fork-proxy.js';

let devnet: Devnet;
let proxy: FaultyProxy;
let accounts: readonly WantedRow[];

beforeAll(async () => {
  devnet = await createDevnet({ mining: 'manual', accounts: 30 });
  await devnet.mine(3);
  accounts = devnet.accounts.map(({ addressHex }) => ({ table: 'accounts', key: addressHex }));
});
afterAll(() => devnet.close());
beforeEach(async () => {
  proxy = await FaultyProxy.open(devnet.http.url);
});
afterEach(() => proxy.close());

const TIMEOUT_MS = 54_321;
const LONG_MS = 1_500;

/** A long pause lasts as long as another request takes; meanwhile no requests may reach the network. */
class Rests {
  readonly pausesMs: number[] = [];
  #resting = false;
  askedInRest = 0;

  async open(options: Partial<OpenRemoteOptions> = {}): Promise<Remote> {
    const remote = await openRemote(
      { url: proxy.url, timeoutMs: TIMEOUT_MS, ...options },
      {
        fetch: (url, init) => {
          if (this.#resting) this.askedInRest++;
          return fetch(url, init);
        },
        random: { bytes: (length) => new Uint8Array(length).fill(255) },
        clock: { nowMs: () => 0n, after: (delayMs, task) => this.#after(delayMs, task) },
      },
    );
    proxy.seen.length = 0;
    this.pausesMs.length = 0;
    return remote;
  }

  #after(delayMs: number, task: () => void): () => void {
    if (delayMs === TIMEOUT_MS) return () => {};
    this.pausesMs.push(delayMs);
    if (delayMs < LONG_MS) {
      setImmediate(task);
    } else {
      this.#resting = true;
      void fetch(`${devnet.http.url}/wallet/getnowblock`).then(() => {
        this.#resting = false;
        task();
      });
    }
    return () => {};
  }
}

const ofAccounts = (path: string): boolean => path.endsWith('/getaccount');

describe('a rate limit for one request holds for all', () => {
  const key = (limit: number, seconds: string) =>
    `{"Error":"The key exceeds the frequency limit(${limit}), and the query server is suspended for ${seconds}"}`;

  it.each<[string, Fault, number, number]>([
    ['403, as without a key', { status: 403, text: key(15, '30s') }, 30_000, 75],
    ['503, as with one', { status: 503, text: key(20, '2 s') }, 2_000, 56],
    [
      '429, at length',
      {
        status: 429,
        text: '{"Error":"request rate of (getTrc20TransactionsByAccount) exceeded the allowed_rps(1),\nand the query server is suspended for 5 s. To obtain higher request quotas and a more stable service, authenticate."}',
      },
      5_000,
      1_112,
    ],
    ['200, as any answer', { status: 200, text: key(3, '16 s') }, 16_000, 371],
  ])('%s', async (_, refusal, restMs, betweenMs) => {
    const rests = new Rests();
    const told: number[] = [];
    const remote = await rests.open({ onBackoff: (forMs) => told.push(forMs) });
    let refused = 0;
    // All running requests are refused at the limit.
    proxy.fault = ({ path }) => (ofAccounts(path) && refused++ < 8 ? refusal : 'pass');
    const rows = await remote.rows.fetch(accounts);
    expect(rows.filter(({ table, value }) => table === 'accounts' && value !== undefined)).toHaveLength(30);
    expect(rests.askedInRest).toBe(0);
    expect(told).toEqual([restMs]);
    const after = rests.pausesMs.slice(1);
    expect(rests.pausesMs[0]).toBe(restMs);
    // All later requests, and no others.
    expect(after).toEqual(Array(proxy.seen.length - 8).fill(betweenMs));
  });

  it('without a given rate: fewer requests each time, and more again after answers', async () => {
    const rests = new Rests();
    const remote = await rests.open();
    let asked = 0;
    proxy.fault = ({ path }) => (ofAccounts(path) && [1, 12].includes(++asked) ? { status: 429, text: '' } : 'pass');
    await remote.rows.fetch(accounts);
    const between = rests.pausesMs.filter((ms) => ms < 400);
    const [first = 0] = between;
    expect(first).toBe(100);
    const slowest = Math.max(...between);
    expect(slowest).toBeGreaterThan(150);
    expect(slowest).toBeLessThanOrEqual(200);
    expect(between.at(-1)).toBeLessThan(slowest);
  });
});

it('reads at one head what fits into its time', async () => {
  const network = await createDevnet({ accounts: 40 });
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  // Usages recover with each slot, so the head of each answer must be known.
  for (const from of network.accounts) await dollar.write.transfer!([network.accounts[0]!.address, 0n], { from });
  await proxy.close();
  proxy = await FaultyProxy.open(network.http.url);
  let nowMs = 0;
  const remote = await openRemote(
    { url: proxy.url, timeoutMs: TIMEOUT_MS, perSecond: 14 },
    {
      fetch,
      random: { bytes: (length) => new Uint8Array(length) },
      clock: {
        nowMs: () => BigInt(nowMs),
        after: (delayMs, task) => {
          if (delayMs !== TIMEOUT_MS) setImmediate(task);
          return () => {};
        },
      },
    },
  );
  proxy.seen.length = 0;
  proxy.fault = async (): Promise<Fault> => {
    nowMs += 150;
    if (nowMs % 3_000 < 150) await network.mine(1);
    return 'pass';
  };
  await remote.rows.fetch(network.accounts.map(({ addressHex }) => ({ table: 'accounts', key: addressHex })));
  const asked = proxy.seen.filter(({ path }) => path.endsWith('/getaccount')).length;
  // All at once would be read four times, and finally at an unknown head.
  expect(asked).toBeLessThan(100);
  await network.close();
});

it('respects a configured rate from the start', async () => {
  const rests = new Rests();
  const remote = await rests.open({ perSecond: 20 });
  await remote.rows.fetch(accounts);
  expect(rests.pausesMs).toEqual(Array(proxy.seen.length).fill(50));
});

it('refuses further requests if the queue is full', async () => {
  const rests = new Rests();
  const remote = await rests.open({ maxWaiting: 50 });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  proxy.fault = async ({ path }): Promise<Fault> => {
    if (!path.startsWith('/v1')) return 'pass';
    await held;
    return { status: 401, text: '' };
  };
  const questions = Array.from({ length: 90 }, (_, i) =>
    remote.blocks.history(`/v1/accounts/${i}`).then(
      () => '',
      (error: Error) => error.message,
    ),
  );
  const refused = await Promise.race(questions);
  expect(refused).toMatch(/50 requests are already waiting\. Try again/);
  // Waiting callers get the usual errors.
  release();
  const said = await Promise.all(questions);
  const refusals = said.filter((text) => /requests are already waiting/.test(text)).length;
  expect(refusals).toBeGreaterThan(20);
  expect(said.filter((text) => /HTTP 401/.test(text))).toHaveLength(90 - refusals);
});

it('a fork of TronGrid respects its known rate from the start', async () => {
  const rests = new Rests();
  const remote = await rests.open({ jsonRpcUrl: 'https://api.trongrid.io/jsonrpc' });
  await remote.rows.fetch(accounts);
  expect(rests.pausesMs).toEqual(Array(proxy.seen.length).fill(75));
});
