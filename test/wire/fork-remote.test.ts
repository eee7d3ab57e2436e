/** A fork's requests to a network that is slow, cut, busy, corrupt or replaced. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CacheDirectory } from '../../src/fork/cache/cache-directory.js';
import type { RemotePlatform } from '../../src/fork/network/remote-client.js';
import { RemoteError } from '../../src/fork/network/remote-error.js';
import type { LiveRow } from '../../src/fork/rows/live-rows.js';
import { type OpenRemoteOptions, openRemote, type Remote } from '../../src/fork/start/open-remote.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { delegationKey } from '../../src/ledger/stake/delegation-records.js';
import type { Address } from '../../src/primitives/ids.js';
import { fromBase58 } from '../../src/protocol/address.js';
import { Account } from '../../src/protocol/generated/tron.js';
import { keccak256OfHex } from '../../src/protocol/hashes.js';
import type { FetchedRow, WantedRow } from '../../src/state/remote-rows.js';
import { storageRowKey } from '../../src/tvm/storage.js';
import { type Fault, FaultyProxy } from './fork-proxy.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-'));
let devnet: Devnet;
let token: Address;
let holder: Address;
let proxy: FaultyProxy;

beforeAll(async () => {
  devnet = await createDevnet({ mining: 'manual', predeploy: ['usdt'] });
  await devnet.mine(3);
  token = fromBase58(devnet.predeployed[0]?.address as string) as Address;
  holder = devnet.accounts[0]?.addressHex as Address;
});
afterAll(async () => {
  await devnet.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  proxy = await FaultyProxy.open(devnet.http.url);
});
afterEach(() => proxy.close());

const TIMEOUT_MS = 54_321;

/** Pauses end at once and are recorded; timeouts occur when a test triggers them. */
class TestTime {
  readonly pausesMs: number[] = [];
  readonly #timeouts = new Set<() => void>();
  nowMs = 0;

  readonly platform: RemotePlatform = {
    fetch: (url, init) => fetch(url, init),
    random: { bytes: (length) => new Uint8Array(length).fill(255) },
    clock: {
      nowMs: () => BigInt(this.nowMs),
      after: (delayMs, task) => {
        if (delayMs === TIMEOUT_MS) {
          this.#timeouts.add(task);
          return () => this.#timeouts.delete(task);
        }
        this.pausesMs.push(delayMs);
        setImmediate(task);
        return () => {};
      },
    },
  };

  timeOut(): void {
    for (const task of this.#timeouts) task();
  }
}

async function opened(options: Partial<OpenRemoteOptions> = {}): Promise<{ remote: Remote; time: TestTime }> {
  const time = new TestTime();
  const remote = await openRemote({ url: proxy.url, timeoutMs: TIMEOUT_MS, ...options }, time.platform);
  proxy.seen.length = 0;
  return { remote, time };
}

const account = (key: string): WantedRow => ({ table: 'accounts', key });

function slotOf(slot: bigint): WantedRow {
  const contract = { version: 0, trx_hash: '' };
  return { table: 'storage', key: storageRowKey(token, contract, slot), slot: { contract: token, slot } };
}

const balanceSlot = (owner: Address, slot: bigint): bigint =>
  BigInt(`0x${keccak256OfHex(owner.slice(2).padStart(64, '0') + slot.toString(16).padStart(64, '0'))}`);

/** In the node's format. */
async function balanceNow(): Promise<bigint> {
  const body = JSON.stringify({ address: holder });
  const answer = await fetch(`${devnet.http.url}/wallet/getaccount`, { method: 'POST', body });
  return BigInt(((await answer.json()) as { balance: number }).balance);
}

async function headNumber(): Promise<number> {
  const answer = await fetch(`${devnet.http.url}/wallet/getnowblock`);
  return ((await answer.json()) as { block_header: { raw_data: { number: number } } }).block_header.raw_data.number;
}

const rowOf = (rows: readonly FetchedRow[], { table, key }: WantedRow): FetchedRow | undefined =>
  rows.find((row) => row.table === table && row.key === key);

async function refusal(work: Promise<unknown>): Promise<RemoteError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RemoteError);
  return error as RemoteError;
}

describe('temporary faults are retried', () => {
  const inTurn = (...faults: Awaited<ReturnType<FaultyProxy['fault']>>[]): FaultyProxy['fault'] => {
    return ({ path: asked }) => (asked.endsWith('/getaccount') ? (faults.shift() ?? 'pass') : 'pass');
  };
  const page = '<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>';

  it.each<[string, Parameters<typeof inTurn>, number[]]>([
    [
      'a gateway without a server',
      [
        { status: 502, text: page },
        { status: 503, text: '' },
      ],
      [400, 800],
    ],
    ['a connection that is cut in the answer', ['cut'], [400]],
    ['JSON that ends too early', [{ instead: (text) => text.slice(0, -9) }], [400]],
    [
      'too many requests, with a time',
      [{ status: 429, headers: { 'retry-after': '7' }, text: '{}' }],
      [7_000, 100, 99],
    ],
    [
      'a frequency limit that calls itself forbidden',
      [{ status: 403, text: '{"Error":"exceeds the frequency"}' }],
      [400, 100, 99],
    ],
  ])('%s', async (_, faults, pausesMs) => {
    const { remote, time } = await opened();
    proxy.fault = inTurn(...faults);
    const rows = await remote.rows.fetch([account(holder)]);
    const { value } = rowOf(rows, account(holder)) as FetchedRow;
    expect(Account.decode(value as Uint8Array).balance).toBe(await balanceNow());
    expect(time.pausesMs).toEqual(pausesMs);
  });

  it('a missing answer, until the last attempt', async () => {
    const { remote, time } = await opened({ attempts: 3 });
    proxy.fault = ({ path: asked }) => {
      if (!asked.endsWith('/getaccount')) return 'pass';
      setImmediate(() => time.timeOut());
      return 'never';
    };
    const { message } = await refusal(remote.rows.fetch([account(holder)]));
    expect(message).toContain(`${proxy.url}/wallet/getaccount`);
    expect(message).toContain(`account ${devnet.accounts[0]?.address}`);
    expect(message).toContain(`no complete answer within ${TIMEOUT_MS} ms (3 attempts). Try again`);
    // The node is back, and nothing of the failure was kept.
    proxy.fault = () => 'pass';
    expect(rowOf(await remote.rows.fetch([account(holder)]), account(holder))?.value).toBeDefined();
  });

  it('a missing node, with the reason', async () => {
    const { remote } = await opened({ attempts: 2 });
    const url = proxy.url;
    await proxy.close();
    const { message } = await refusal(remote.rows.fetch([account(holder)]));
    expect(message).toContain(url);
    expect(message).toMatch(/ECONNREFUSED|ECONNRESET|other side closed/);
    proxy = await FaultyProxy.open(devnet.http.url);
  });
});

describe('permanent faults are reported at once', () => {
  const answering = (fault: Awaited<ReturnType<FaultyProxy['fault']>>): FaultyProxy['fault'] => {
    return ({ path: asked }) => (asked.endsWith('/getaccount') ? fault : 'pass');
  };

  it.each<[string, Awaited<ReturnType<FaultyProxy['fault']>>, RegExp]>([
    [
      'a page',
      { status: 200, text: '<!doctype html><title>Sign in</title>' },
      /an HTML page, "Sign in".*api\.trongrid\.io/,
    ],
    ['a wrong path', { status: 404, text: '' }, /HTTP 404.*without \/wallet/],
    [
      'a redirection, which would lose the body of the request',
      { status: 301, headers: { location: 'https://node.example/api/wallet/getaccount' }, text: '' },
      /HTTP 301: it redirects to https:\/\/node\.example\/api\/wallet\/getaccount.* new URL: https:\/\/node\.example\/api$/,
    ],
    ['an invalid key', { status: 401, text: '{"Error":"ApiKey not exists"}' }, /HTTP 401.*--fork-api-key/],
    ['an hour to wait', { status: 429, headers: { 'retry-after': '3600' }, text: '' }, /3600 s.*--fork-api-key/],
    [
      'a minute and more to wait, in words',
      { status: 429, text: '{"Error":"exceeded the allowed_rps(3), and the query server is suspended for 68 s."}' },
      /retry after 68 s.*--fork-rate/,
    ],
    [
      'a node without history',
      { status: 200, text: 'this API is closed because this node is a lite fullnode' },
      /is a lite fullnode".*Use a full node/,
    ],
    [
      'a disabled method',
      { status: 404, text: '{"Error":"this API is unavailable due to config"}' },
      /unavailable due to config.*has this endpoint disabled/,
    ],
    ['an error of java-tron', { status: 200, text: '{"Error":"class java.lang.Oops : no"}' }, /says .*Oops/],
    ['another account', { instead: (text) => text.replace(/"address": ?"41../, '"address":"4100') }, /another account/],
    ['words for numbers', { instead: (text) => text.replace(/"balance": ?\d+/, '"balance":"much"') }, /cannot be read/],
    ['a list', { status: 200, text: '[]' }, /not a JSON object/],
    ['megabytes', { status: 200, text: `{"a":"${'x'.repeat(70_000)}"}` }, /longer than 65536 bytes/],
  ])('%s', async (_, fault, says) => {
    const { remote, time } = await opened({ maxAnswerBytes: 65_536 });
    proxy.fault = answering(fault);
    const error = await refusal(remote.rows.fetch([account(holder)]));
    expect(error.message).toMatch(says);
    expect(error.url).toBe(`${proxy.url}/wallet/getaccount`);
    expect(time.pausesMs).toEqual([]);
  });

  it.each<[object, RegExp]>([
    [{ balance: -5 }, /its balance is -5, but only an account with a negative genesis balance/],
    [{ allowance: -1 }, /its allowance is -1, which is negative/],
    [{ net_usage: -1 }, /its net_usage is -1/],
    [{ free_net_usage: -1 }, /its free_net_usage is -1/],
    [{ frozenV2: [{ type: 'ENERGY', amount: -7 }] }, /its frozenV2\[0\]\.amount is -7/],
    [{ frozen: [{ frozen_balance: -1, expire_time: 1 }] }, /its frozen\[0\]\.frozen_balance is -1/],
    [{ unfrozenV2: [{ unfreeze_amount: -1 }] }, /its unfrozenV2\[0\]\.unfreeze_amount is -1/],
    [{ votes: [{ vote_address: `41${'01'.repeat(20)}`, vote_count: -3 }] }, /its votes\[0\]\.vote_count is -3/],
    [{ assetV2: [{ key: '1000001', value: -2 }] }, /its assetV2\[1000001\] is -2/],
    [{ account_resource: { energy_usage: -1 } }, /its account_resource\.energy_usage is -1/],
    [{ delegated_frozenV2_balance_for_bandwidth: -1 }, /its delegated_frozenV2_balance_for_bandwidth is -1/],
    [{ old_tron_power: -2 }, /its old_tron_power is -2/],
    [{ latest_consume_time: 9e15 }, /its latest_consume_time is more than a day after the head/],
    [{ account_resource: { energy_window_size: 1e12 } }, /its energy_window_size is 1000000000000, more than/],
  ])('an impossible account: %j', async (members, says) => {
    const { remote } = await opened();
    proxy.fault = answering({ instead: (text) => JSON.stringify({ ...JSON.parse(text), ...members }) });
    const error = await refusal(remote.rows.fetch([account(holder)]));
    expect(error.message).toMatch(says);
    expect(error.url).toBe(`${proxy.url}/wallet/getaccount`);
  });

  it('except the balance of Blackhole, which is negative in the genesis block', async () => {
    const { remote } = await opened();
    const blackhole = fromBase58('TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy') as Address;
    const [row] = await remote.rows.fetch([account(blackhole)]);
    expect(Account.decode(row!.value as Uint8Array).balance).toBe(-(2n ** 63n));
    // A block that only claims to belong to the chain.
    const { remote: another } = await opened();
    proxy.fault = ({ path: asked, body }) =>
      asked.endsWith('/getblock') && body.includes('"0"')
        ? { instead: (text) => text.replace(/("raw_data_hex": ?"[0-9a-f]*)[0-9a-f]{2}"/, '$100"') }
        : 'pass';
    expect((await refusal(another.rows.fetch([account(blackhole)]))).message).toMatch(
      /the genesis block .*it returns another genesis block than that of its chain/,
    );
  });

  it.each<[string, WantedRow, string, object, RegExp]>([
    [
      'a delegation of less than nothing',
      { table: 'delegations', key: delegationKey.unlocked(`41${'01'.repeat(20)}`, `41${'02'.repeat(20)}`) },
      '/getdelegatedresourcev2',
      {
        delegatedResource: [
          { from: `41${'01'.repeat(20)}`, to: `41${'02'.repeat(20)}`, frozen_balance_for_energy: -5 },
        ],
      },
      /its delegatedResource\[0\]\.frozen_balance_for_energy is -5/,
    ],
    [
      'a reward of less than nothing',
      { table: 'voterSettlements', key: `41${'01'.repeat(20)}` },
      '/getReward',
      { reward: -5 },
      /its num is -5/,
    ],
    [
      'delegations of others',
      { table: 'delegations', key: delegationKey.unlocked(`41${'01'.repeat(20)}`, `41${'02'.repeat(20)}`) },
      '/getdelegatedresourcev2',
      {
        delegatedResource: [{ from: `41${'01'.repeat(20)}`, to: `41${'03'.repeat(20)}`, frozen_balance_for_energy: 5 }],
      },
      /delegations of other accounts/,
    ],
    [
      'another order',
      { table: 'marketOrders', key: 'ab'.repeat(32) },
      '/getmarketorderbyid',
      { order_id: 'cd'.repeat(32) },
      /another order/,
    ],
    [
      'a brokerage of more than all',
      { table: 'witnessRewards', key: `41${'01'.repeat(20)}` },
      '/getBrokerage',
      { brokerage: 101 },
      /101 percent/,
    ],
  ])('a node that answers with %s', async (_, row, method, answer, says) => {
    const { remote } = await opened();
    proxy.fault = ({ path: one }) => (one.endsWith(method) ? { status: 200, text: JSON.stringify(answer) } : 'pass');
    expect((await refusal(remote.rows.fetch([row]))).message).toMatch(says);
  });

  it.each([
    ['/wallet/listwitnesses', /the witnesses .*it returns no witnesses/],
    ['/wallet/getchainparameters', /the chain parameters .*it returns no chain parameters/],
    ['/wallet/getaccountresource', /the totals of stake .*it returns no limits/],
    ['/wallet/getnextmaintenancetime', /the next maintenance .*it is before the head block/],
  ])('a start from a node with an empty answer to %s', async (method, says) => {
    proxy.fault = ({ path: one }) => (one === method ? { status: 200, text: '{}' } : 'pass');
    expect(
      (await refusal(openRemote({ url: proxy.url, timeoutMs: TIMEOUT_MS }, new TestTime().platform))).message,
    ).toMatch(says);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    [
      'getchainparameters',
      (text) => text.replace(/("getTransactionFee","value":) ?\d+/, '$1-1'),
      /getTransactionFee is -1/,
    ],
    [
      'getchainparameters',
      (text) => text.replace(/("getMaintenanceTimeInterval","value":) ?\d+/, '$10'),
      /getMaintenanceTimeInterval is 0/,
    ],
    ['listwitnesses', (text) => text.replace(/"voteCount": ?\d+/, '"voteCount":-1'), /witnesses\[0\]\.voteCount is -1/],
    ['getnextmaintenancetime', () => '{"num":9000000000000000000}', /it is at 9000000000000000000 ms/],
    ['getblock', (text) => text.replace(/"timestamp": ?\d+/, '"timestamp":-1'), /its time is -1 ms/],
    ['getblock', (text) => text.replace(/"timestamp": ?\d+/, '"timestamp":9000000000000000000'), /its time is 9/],
    ['getburntrx', () => '{"burnTrxAmount":-1}', /its num is -1/],
  ])('a start from a node with an impossible answer to %s', async (method, instead, says) => {
    proxy.fault = ({ path: one }) => (one.endsWith(`/${method}`) ? { instead } : 'pass');
    expect(
      (await refusal(openRemote({ url: proxy.url, timeoutMs: TIMEOUT_MS }, new TestTime().platform))).message,
    ).toMatch(says);
  });

  it('a node of another kind of network', async () => {
    proxy.fault = () => ({ status: 200, text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}' });
    const { message } = await refusal(openRemote({ url: proxy.url, timeoutMs: TIMEOUT_MS }, new TestTime().platform));
    expect(message).toMatch(/its head .* it returns no block\. Is this a java-tron node/);
  });

  it('a node without JSON-RPC', async () => {
    const { remote } = await opened();
    proxy.fault = ({ path: asked }) => (asked.endsWith('/jsonrpc') ? { status: 405, text: '' } : 'pass');
    const { message } = await refusal(remote.rows.fetch([slotOf(1n)]));
    expect(message).toMatch(/jsonrpc: HTTP 405\. Contract storage .*httpFullNodeEnable.*--fork-jsonrpc/);
  });

  it('waits for a node behind the forked block, and reads nothing from it', async () => {
    await devnet.mine(1);
    const { remote, time } = await opened();
    const { number } = remote.start.head;
    const older = await fetch(`${devnet.http.url}/wallet/getblock`, {
      method: 'POST',
      body: JSON.stringify({ id_or_num: String(number - 1), detail: false }),
    });
    const text = await older.text();
    let behind = 2;
    proxy.fault = ({ path: asked, body }) => {
      const isHead = asked.endsWith('/getblock') && !body.includes('id_or_num');
      return isHead && behind-- > 0 ? { status: 200, text } : 'pass';
    };
    // A recently seen head is not requested again.
    time.nowMs += 60_000;
    expect(rowOf(await remote.rows.fetch([account(holder)]), account(holder))?.readAtBlock).toBe(number);
    expect(time.pausesMs).toEqual([400, 800]);
    time.nowMs += 60_000;
    behind = 100;
    expect((await refusal(remote.rows.fetch([account(holder)]))).message).toMatch(
      /its head from .*: it is at block \d+, below the forked block \d+/,
    );
  });

  it('a remote that was replaced by another chain', async () => {
    await using other = await createDevnet({ mining: 'manual', accounts: 3 });
    const { remote } = await opened();
    proxy.target = other.http.url;
    const { message } = await refusal(remote.rows.fetch([account(holder)]));
    expect(message).toMatch(/another chain than the one that was forked: the block was [0-9a-f]{64} and is/);
    // No partial result: the next request is refused, too.
    proxy.target = devnet.http.url;
    expect(rowOf(await remote.rows.fetch([account(holder)]), account(holder))?.value).toBeDefined();
  });
});

describe('requests to a node', () => {
  it('have the key and headers, and respect the concurrency limit', async () => {
    const { remote } = await opened({ apiKey: 'secret', headers: { 'x-team': 'sun' }, concurrency: 3 });
    proxy.mostAtOnce = 0;
    await remote.rows.fetch(devnet.accounts.map(({ addressHex }) => account(addressHex)));
    expect(proxy.seen.every(({ headers }) => headers['tron-pro-api-key'] === 'secret')).toBe(true);
    expect(proxy.seen.every(({ headers }) => headers['x-team'] === 'sun')).toBe(true);
    expect(proxy.seen.length).toBeGreaterThan(9);
    expect(proxy.mostAtOnce).toBe(3);
  });

  it('have name and password of the URL, which never appears in texts', async () => {
    const url = proxy.url.replace('//', '//me:p%40ss@');
    const { remote } = await opened({ url, jsonRpcUrl: `${proxy.url}/jsonrpc` });
    await remote.rows.fetch([account(holder), slotOf(1n)]);
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    const said = (isJsonRpc: boolean) =>
      proxy.seen
        .filter(({ path: one }) => (one === '/jsonrpc') === isJsonRpc)
        .map(({ headers }) => headers.authorization);
    expect(new Set(said(false))).toEqual(new Set([basic]));
    expect(new Set(said(true))).toEqual(new Set([undefined]));
    proxy.fault = () => 'cut';
    const { message } = await refusal(remote.rows.fetch([account(devnet.accounts[3]!.addressHex as Address)]));
    expect(message).toContain(`${proxy.url}/wallet/getaccount`);
    expect(message).not.toMatch(/ss@/);
    proxy.fault = () => 'pass';
    const { remote: both } = await opened({ url });
    await both.rows.fetch([slotOf(1n)]);
    expect(said(true)).toEqual(proxy.seen.filter(({ path: one }) => one === '/jsonrpc').map(() => basic));
    await using fork = await createDevnet({ fork: url });
    expect(fork.fork?.url).toBe(proxy.url);
    // An invalid escape stays unchanged.
    const { remote: odd } = await opened({ url: proxy.url.replace('//', '//me:5%@') });
    await odd.rows.fetch([account(holder)]);
    expect(said(false)).toEqual(said(false).map(() => `Basic ${Buffer.from('me:5%').toString('base64')}`));
  });

  it('are not sent for an invalid address', async () => {
    const { remote } = await opened();
    const tables = ['accounts', 'contracts', 'codes', 'witnessRewards', 'voterSettlements', 'abis'] as const;
    const rows = await remote.rows.fetch(tables.map((table) => ({ table, key: '4d8403a8' })));
    expect(rows.map(({ value }) => value)).toEqual(tables.map(() => undefined));
    expect(proxy.seen.filter(({ path: one }) => !one.endsWith('/getblock'))).toEqual([]);
  });

  it('report the numbers of answers and requests as progress', async () => {
    const told: (readonly [number, number])[] = [];
    const { remote } = await opened({ onAnswer: (answers, questions) => void told.push([answers, questions]) });
    expect(told.map(([answers]) => answers)).toEqual(told.map((_, i) => i + 1));
    expect(told.at(-1)?.[1]).toBe(remote.requests());
    expect(told.every(([answers, questions]) => answers <= questions)).toBe(true);
  });

  it('read slots singly without batches, and at the head without older storage', async () => {
    const { remote } = await opened({ jsonRpcUrl: `${proxy.url}/eth` });
    const wanted = Array.from({ length: 10 }, (_, i) => BigInt(i)).flatMap((slot) => [
      slotOf(slot),
      slotOf(balanceSlot(holder, slot)),
    ]);
    const inBatch = await remote.rows.fetch(wanted);
    const forked = remote.start.head.number;
    expect(inBatch.map(({ readAtBlock }) => readAtBlock)).toEqual(wanted.map(() => forked));
    expect(proxy.seen.length).toBe(1);

    await devnet.mine(2);
    const error = (message: string) => `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"${message}"}}`;
    proxy.fault = ({ body }) => {
      if (body.startsWith('[')) return { status: 200, text: error('batches are off') };
      if (/eth_getStorageAt/.test(body) && !/latest/.test(body)) {
        return { status: 200, text: error('QUANTITY not supported, just support TAG as latest') };
      }
      return 'pass';
    };
    const again = (await opened({ jsonRpcUrl: `${proxy.url}/eth` })).remote;
    const single = await again.rows.fetch(wanted);
    expect(single.map(({ value }) => value)).toEqual(inBatch.map(({ value }) => value));
    expect(single.some(({ value }) => value !== undefined)).toBe(true);
    expect(single.map(({ readAtBlock }) => readAtBlock)).toEqual(wanted.map(() => again.start.head.number));
  });

  it('repeat reads that depend on the head until the head is unchanged', async () => {
    const body = { from: `0x${holder.slice(2)}`, to: `0x${devnet.accounts[1]?.addressHex.slice(2)}`, value: '0x1' };
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [body] };
    const sent = await fetch(`${devnet.http.url}/eth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    expect(await sent.json()).toHaveProperty('result');
    await devnet.mine(1);
    const { remote } = await opened();
    let moved = 0;
    proxy.fault = async ({ path: asked }): Promise<Fault> => {
      if (asked.endsWith('/getaccount') && moved++ === 0) await devnet.mine(1);
      return 'pass';
    };
    const row = rowOf(await remote.rows.fetch([account(holder)]), account(holder)) as FetchedRow;
    expect(proxy.seen.filter(({ path: asked }) => asked.endsWith('/getaccount')).length).toBe(2);
    expect(row.readAtBlock).toBe(remote.start.head.number + 1);
    expect(Account.decode(row.value as Uint8Array).free_net_usage).toBeGreaterThan(0n);
  });

  it('read slow data before the choice of the head, and the rest in one round', async () => {
    let blocks = 0;
    const time = new TestTime();
    proxy.fault = async ({ path: one }): Promise<Fault> => {
      if (!/getassetissuelist|getBrokerage/.test(one)) return 'pass';
      blocks++;
      await devnet.mine(1);
      time.nowMs += 3_000;
      return 'pass';
    };
    const options = { url: proxy.url, timeoutMs: TIMEOUT_MS, brokerages: true };
    const remote = await openRemote(options, time.platform);
    const asked = proxy.seen.map(({ path: one }) => one);
    expect(blocks).toBeGreaterThan(1);
    expect(asked.filter((one) => one.endsWith('/getchainparameters'))).toHaveLength(1);
    // The block at the time of the tokens, not a later one.
    expect(remote.start.head.number).toBe((await headNumber()) - blocks + 1);
  });

  it('are at most twelve for a token transfer, one row after the other as the machine needs them', async () => {
    const { remote } = await opened();
    const begun = remote.requests();
    const known = new Set(remote.start.rows.map(({ table, key }) => `${table}:${key}`));
    const receiver = devnet.accounts[1]?.addressHex as Address;
    const read = async (row: WantedRow) => {
      if (known.has(`${row.table}:${row.key}`)) return;
      for (const { table, key } of await remote.rows.fetch([row])) known.add(`${table}:${key}`);
    };
    for (const table of ['accounts', 'contracts', 'codes', 'contractStates'] as const) {
      await read(account(holder));
      await read({ table, key: token });
    }
    // As many rows as USDT on the main network reads: variables, the blacklist, two balances.
    const mapped = [balanceSlot(holder, 6n), balanceSlot(holder, 2n), balanceSlot(receiver, 2n)];
    for (const slot of [0n, 10n, 3n, 4n, 1n, ...mapped]) await read(slotOf(slot));
    const requests = remote.requests() - begun;
    expect(begun).toBeLessThanOrEqual(18);
    expect(requests).toBeLessThanOrEqual(12);
    expect(proxy.seen.length).toBe(requests);
  });
});

describe('a cache folder', () => {
  const wanted = () => [account(holder), { table: 'contracts', key: token } as const, slotOf(0n), slotOf(1n)];

  it('is read without a network, reports missing rows, and is unchanged byte for byte', async () => {
    const cache = path.join(folder, 'kept');
    const { remote } = await opened({ cache });
    await remote.rows.fetch([{ table: 'contracts', key: token }]);
    const first = await remote.rows.fetch(wanted());
    const files = () =>
      readdirSync(cache, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => [name, readFileSync(path.join(cache, name), 'utf8')] as const);
    const written = files();
    expect(written.map(([name]) => name)).toContain(path.join('contracts', `${devnet.predeployed[0]?.address}.json`));
    // In a readable form: the balance in sun.
    const [, text] = written.find(([name]) => name.includes(devnet.accounts[0]?.address as string)) as [string, string];
    expect(text).toContain(`"balance": "${await balanceNow()}n"`);

    // The network continues, and the rows stay the same.
    await devnet.mine(1);
    const asked = proxy.seen.length;
    const offline = (await opened({ cache, offline: true })).remote;
    const second = await offline.rows.fetch(wanted());
    // Related rows are stored, too.
    expect(rowOf(await offline.rows.fetch([slotOf(15n)]), slotOf(15n))).toBeDefined();
    const told = (rows: readonly FetchedRow[]) =>
      wanted().map((row) => {
        const { value, readAtBlock } = rowOf(rows, row) as FetchedRow;
        return [readAtBlock, value && Buffer.from(value).toString('hex')];
      });
    expect(told(second)).toEqual(told(first));
    expect(offline.start).toEqual(remote.start);
    expect(asked).toBeGreaterThan(0);
    expect(proxy.seen.length).toBe(0);
    expect(offline.requests()).toBe(0);
    const missing = devnet.accounts[5]?.addressHex as Address;
    const { message } = await refusal(offline.rows.fetch([account(missing)]));
    expect(message).toContain(`account ${devnet.accounts[5]?.address}`);
    expect(message).toContain('offline');

    const online = (await opened({ cache })).remote;
    await online.rows.fetch(wanted());
    expect(proxy.seen.length).toBe(0);
    expect(files()).toEqual(written);
  });

  it('is not rewritten for each slot of a large contract, and has all slots at the end', async () => {
    const cache = path.join(folder, 'large');
    const { remote } = await opened({ cache });
    const slots = Array.from({ length: 60 }, (_, i) => slotOf(BigInt(100 + i)));
    const file = path.join(cache, 'storage', `${devnet.predeployed[0]?.address}.json`);
    const writings = new Set<bigint>();
    // Many concurrently, then one after the other.
    const together = slots.splice(0, 12);
    await Promise.all(together.map((slot) => remote.rows.fetch([slot])));
    for (const slot of slots) {
      await remote.rows.fetch([slot]);
      writings.add(statSync(file, { bigint: true }).mtimeNs);
    }
    expect(writings.size).toBeLessThan(30);
    slots.push(...together);
    await remote.close();
    const offline = (await opened({ cache, offline: true })).remote;
    const rows = await offline.rows.fetch(slots);
    expect(slots.every((slot) => rowOf(rows, slot) !== undefined)).toBe(true);
  });

  it('starts again without its start, and reads related rows of a contract together', async () => {
    const cache = path.join(folder, 'anew');
    const before = (await opened({ cache })).remote;
    const slots = Array.from({ length: 30 }, (_, i) => slotOf(BigInt(500 + i)));
    await before.rows.fetch([account(holder), { table: 'contracts', key: token }]);
    for (const slot of slots) await before.rows.fetch([slot]);
    await before.close();
    rmSync(path.join(cache, 'start.json'));
    await devnet.mine(1);
    const { remote } = await opened({ cache, jsonRpcUrl: `${proxy.url}/eth` });
    expect(remote.start.head.number).toBe(before.start.head.number + 1);
    const rows = await remote.rows.fetch([slots[7] as WantedRow]);
    expect(proxy.seen.length).toBe(1);
    expect(slots.every((slot) => rowOf(rows, slot)?.readAtBlock === remote.start.head.number)).toBe(true);
    const { value, readAtBlock } = rowOf(await remote.rows.fetch([account(holder)]), account(holder)) as FetchedRow;
    expect([readAtBlock, Account.decode(value as Uint8Array).balance]).toEqual([
      remote.start.head.number,
      await balanceNow(),
    ]);
    await remote.close();
    const offline = (await opened({ cache, offline: true })).remote;
    expect((await offline.rows.fetch(slots)).length).toBeGreaterThanOrEqual(slots.length);
  });

  it('respects its memory limit, and loses no row of released files', async () => {
    const cache = path.join(folder, 'little');
    const held = new CacheDirectory(cache, 1_000);
    const rowsOf = (file: number) =>
      Array.from({ length: 9 }, (_, i): LiveRow => {
        const contract = `41${file.toString(16).padStart(40, '0')}` as Address;
        const slot = BigInt(i);
        const key = storageRowKey(contract, { version: 0, trx_hash: '' }, slot);
        return { table: 'storage', key, value: Uint8Array.of(i), readAtBlock: 5, slot: { contract, slot } };
      });
    const files = Array.from({ length: 12 }, (_, file) => rowsOf(file));
    // Slot by slot of all contracts, so that each file is released and read again.
    for (let i = 0; i < 9; i++) {
      await Promise.all(files.map(async (rows) => held.write([rows[i] as LiveRow])));
      await Promise.all(files.map((rows) => held.read([rows[0] as LiveRow])));
    }
    await held.flush();
    const { rows, missing } = await new CacheDirectory(cache).read(files.flat());
    expect(missing).toEqual([]);
    expect(rows.length).toBe(12 * 9);
  });

  it('of another chain is not extended', async () => {
    const cache = path.join(folder, 'elsewhere');
    await opened({ cache });
    await using other = await createDevnet({ mining: 'manual', accounts: 3 });
    proxy.target = other.http.url;
    const { remote } = await opened({ cache });
    expect((await refusal(remote.rows.fetch([account(holder)]))).message).toContain('another chain');
  });

  it('reports the name of a damaged file', async () => {
    const cache = path.join(folder, 'damaged');
    const { remote } = await opened({ cache });
    await remote.rows.fetch([account(holder)]);
    const file = path.join(cache, 'accounts', `${devnet.accounts[0]?.address}.json`);
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    const again = (await opened({ cache, offline: true })).remote;
    expect((await refusal(again.rows.fetch([account(holder)]))).message).toContain(file);
  });
});
