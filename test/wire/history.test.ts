/** Rules of the history interface besides the content of lists: invalid requests, cursors, the index. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { historyEndpoints } from '../../src/history/endpoints.js';
import { HISTORY_PATHS } from '../../src/history/paths.js';
import { createDevnet, type Devnet } from '../../src/index.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let devnet: Devnet;
let account: string;
let stranger: string;

// biome-ignore lint/suspicious/noExplicitAny: JSON as a client reads it
async function get(pathAndQuery: string, of = devnet): Promise<{ status: number; body: any; type: string | null }> {
  const url = pathAndQuery.startsWith('http') ? pathAndQuery : of.http.url + pathAndQuery;
  const response = await fetch(url);
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? '' : JSON.parse(text),
    type: response.headers.get('content-type'),
  };
}

async function pay(of: Devnet, amount: number, to = of.accounts[1]!.address): Promise<string> {
  const { TronWeb } = await import('tronweb');
  const tronWeb = new TronWeb({ fullHost: of.http.url, privateKey: of.accounts[0]!.privateKey });
  return (await tronWeb.trx.sendTransaction(to, amount)).transaction.txID;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
const ids = ({ body }: { body: any }): string[] => body.data.map(({ txID }: { txID: string }) => txID);

beforeAll(async () => {
  devnet = await createDevnet();
  account = devnet.accounts[0]!.address;
  stranger = devnet.accounts[9]!.address;
  for (let amount = 1; amount <= 7; amount++) await pay(devnet, amount);
});
afterAll(() => devnet.close());

describe('invalid requests', () => {
  const list = () => `/v1/accounts/${account}/transactions`;

  test.each<[what: string, path: () => string, error: RegExp]>([
    ['a limit of nothing', () => `${list()}?limit=0`, /limit/],
    ['a limit that is too high', () => `${list()}?limit=201`, /limit/],
    ['an invalid limit', () => `${list()}?limit=ten`, /limit/],
    ['an invalid time', () => `${list()}?min_timestamp=yesterday`, /min_timestamp/],
    ['a time before 1970', () => `${list()}?max_block_timestamp=-1`, /max_timestamp/],
    ['an unknown order', () => `${list()}?order_by=amount,desc`, /order_by/],
    ['an unknown direction', () => `${list()}?order_by=block_timestamp,up`, /order_by/],
    ['both states', () => `${list()}?only_confirmed=true&onlyUnconfirmed=true`, /^Conflicting parameters passed\.$/],
    ['an invalid cursor', () => `${list()}?fingerprint=0OIl`, /^Invalid query filter\(s\)!: \[fingerprint/],
    ['a cursor of a megabyte', () => `${list()}?fingerprint=${'1'.repeat(8_000)}`, /fingerprint/],
    ['an invalid address', () => '/v1/accounts/TXYZ/transactions', /address/],
    ['an address with a wrong checksum', () => `/v1/accounts/${account.slice(0, -1)}1`, /address/],
    ['an invalid token address', () => `${list()}/trc20?contract_address=0x12`, /contract_address/],
    ['an invalid transaction id', () => '/v1/transactions/12/events', /transaction id/],
    ['a negative block number', () => '/v1/blocks/-1/events', /block number/],
    ['a word as block number', () => '/v1/blocks/first/stats', /block number/],
    ['more tokens than are answered', () => `/v1/trc20/info?contract_list=${Array(21).fill(account)}`, /contract_list/],
    ['filters that are no object', () => `/event/contract/${account}/Transfer?filters=[1]`, /filters/],
  ])('%s', async (_, path, error) => {
    const { status, body, type } = await get(path());
    expect(status).toBe(400);
    expect(body).toEqual({ success: false, error: expect.stringMatching(error), statusCode: 400 });
    expect(type).toMatch(/^application\/json/);
  });

  test('an unknown path', async () => {
    for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/accounts', `${list()}/trc404`, '/event/nothing'].slice(2)) {
      expect((await get(path)).body).toEqual({ success: false, error: 'Not Found', statusCode: 404 });
    }
  });

  test('each path of the router has its endpoint', () => {
    expect(historyEndpoints().map(({ path }) => path)).toEqual(HISTORY_PATHS);
  });

  test('path segments: encoded, too long, with a trailing slash', async () => {
    expect((await get(`/v1/accounts/%54${account.slice(1)}`)).status).toBe(200);
    expect((await get(`/v1/accounts/${'a'.repeat(100)}`)).status).toBe(400);
    for (const path of [`/v1/accounts/${'a'.repeat(101)}`, `/v1/accounts/${account}/`]) {
      expect((await get(path)).body).toEqual({ success: false, error: 'Not Found', statusCode: 404 });
    }
  });

  test.each(['/v1/assets', '/v1/accounts/x', '/v1/nothing'])(
    '%s: other methods get the 404 of unknown paths',
    async (path) => {
      const status = async (method: string) => (await fetch(devnet.http.url + path, { method })).status;
      expect(await Promise.all(['HEAD', 'OPTIONS', 'POST', 'PUT'].map(status))).toEqual([404, 200, 405, 405]);
    },
  );

  test('every request gets an answer', async () => {
    const odd = ['', '%00', '%ff', '..%2f..', '0x', '1e3', '9'.repeat(30), "';--", '{}', '%F0%9F%8C%85', ' '];
    for (const { path } of historyEndpoints()) {
      for (const text of odd) {
        const value = text.startsWith('%') ? text : encodeURIComponent(text);
        const url = `${path.replaceAll(/:\w+/g, value === '' ? 'x' : value)}?limit=${value}&fingerprint=${value}&filters=${value}`;
        const response = await fetch(devnet.http.url + url);
        expect([200, 400, 404], url).toContain(response.status);
        await response.text();
      }
    }
  });
});

describe('empty answers', () => {
  test.each([
    () => `/v1/accounts/0x${'ab'.repeat(20)}`,
    () => `/v1/accounts/${stranger}/transactions/trc20`,
    () => `/v1/contracts/${stranger}/events`,
    () => `/v1/contracts/${stranger}/events?event_name=Transfer`,
    () => `/v1/contracts/${stranger}/tokens`,
    () => `/v1/transactions/${'0'.repeat(64)}/events`,
    () => `/v1/transactions/${'0'.repeat(64)}/internal-transactions`,
    () => '/v1/blocks/99999/events',
    () => '/v1/blocks/99999/stats',
    () => '/v1/assets/1000001',
    () => '/v1/assets/none/list',
    () => `/v1/accounts/${account}/transactions?min_timestamp=5&max_timestamp=4`,
    () => `/v1/contracts/${stranger}/events?block_number=99999`,
  ])('%s', async (path) => {
    const { status, body } = await get(path());
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], success: true, meta: { page_size: 0 } });
    expect(body.meta).not.toHaveProperty('fingerprint');
  });
});

describe('cursors', () => {
  test('are valid for one request only', async () => {
    const first = await get(`/v1/accounts/${account}/transactions?limit=2`);
    const { fingerprint } = first.body.meta;
    for (const other of ['limit=3', 'limit=2&only_to=true', 'limit=2&order_by=block_timestamp,asc']) {
      const { status, body } = await get(`/v1/accounts/${account}/transactions?${other}&fingerprint=${fingerprint}`);
      expect(status).toBe(400);
      expect(body.error).toBe('Invalid query filter(s)!: [fingerprint does not match current set of params]');
    }
    const elsewhere = await get(`/v1/accounts/${stranger}/transactions?limit=2&fingerprint=${fingerprint}`);
    expect(elsewhere.status).toBe(400);
  });

  test('a page does not change while blocks are added', async () => {
    for (const order of ['asc', 'desc']) {
      const list = `/v1/accounts/${account}/transactions?limit=3&order_by=block_timestamp,${order}`;
      const whole = ids(await get(list.replace('limit=3', 'limit=200')));
      const pages: string[] = [];
      for (let next: string | undefined = list; next !== undefined; ) {
        const page = await get(next);
        pages.push(...ids(page));
        next = page.body.meta.links?.next;
        await pay(devnet, 100 + pages.length);
      }
      expect(pages).toEqual(whole);
    }
  });

  test('a link has the host name that the client uses', async () => {
    const { body } = await get(`/v1/accounts/${account}/transactions?limit=1&onlyConfirmed=true`);
    const link = new URL(body.meta.links.next);
    expect(link.origin).toBe(devnet.http.url);
    expect([...link.searchParams.keys()].sort()).toEqual(['fingerprint', 'limit', 'only_confirmed']);
    expect((await get(body.meta.links.next)).body.data).toHaveLength(1);
  });
});

test('the account in all forms of its address', async () => {
  const { addressHex } = devnet.accounts[0]!;
  const expected = await get(`/v1/accounts/${account}/transactions`);
  for (const form of [addressHex, addressHex.toUpperCase(), `0x${addressHex}`, `0x${addressHex.slice(2)}`])
    expect(ids(await get(`/v1/accounts/${form}/transactions`))).toEqual(ids(expected));
});

describe('without the index', () => {
  test('requests are errors; operations without the index are indexed after it is switched on again', async () => {
    const [late, always] = [path.join(folder, 'late'), path.join(folder, 'always')];
    const answers: string[][] = [];
    for (const db of [late, always]) {
      const lacks = db === late;
      const first = await createDevnet({ db, history: !lacks });
      for (let amount = 1; amount <= 5; amount++) await pay(first, amount);
      const before = first.snapshot();
      await pay(first, 77);
      await first.mine(500);
      await first.revert(before);
      await pay(first, 8);
      if (lacks) {
        const { status, body } = await get(`/v1/accounts/${account}/transactions`, first);
        expect(status).toBe(503);
        expect(body.error).toMatch(/--no-history/);
      }
      await first.close();
      const second = await createDevnet({ db });
      await pay(second, 9);
      answers.push(ids(await get(`/v1/accounts/${account}/transactions?limit=200`, second)));
      await second.close();
      expect((await checkDirectory(db, { replay: true })).findings).toEqual([]);
    }
    expect(answers[0]).toHaveLength(7);
    expect(answers[0]).toEqual(answers[1]);
  });

  test('blocks that were rolled back while it was off are not in it', async () => {
    const db = path.join(folder, 'off-and-on');
    const on = await createDevnet({ db });
    for (let amount = 1; amount <= 3; amount++) await pay(on, amount);
    const before = on.snapshot();
    await pay(on, 4);
    await on.revert(before);
    await on.close();
    const off = await createDevnet({ db, history: false });
    const start = off.snapshot();
    const lost = await pay(off, 5);
    await off.revert(start);
    const kept = await pay(off, 6);
    await off.close();
    const again = await createDevnet({ db });
    const found = ids(await get(`/v1/accounts/${account}/transactions`, again));
    await again.close();
    expect(found).toHaveLength(4);
    expect(found).toContain(kept);
    expect(found).not.toContain(lost);
    expect((await checkDirectory(db, { replay: true })).findings).toEqual([]);
  });
});
