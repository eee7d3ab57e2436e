/** The OpenAPI description against its node: examples succeed, and generated requests are answered as described. */

import fc from 'fast-check';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { OpenApiDocument } from '../../src/openapi/document.js';
import type { Operation, PathItem, Paths } from '../../src/openapi/operation.js';
import { TronWebDevnet } from '../clients/tronweb-devnet.js';
import { type Answered, eventsOf, Judge } from '../unit/openapi/described.js';
import { RequestGenerator } from './generated-requests.js';

const TRX = 1_000_000;

let devnet: Devnet;
let chain: TronWebDevnet;
let document: OpenApiDocument;
let judge: Judge;

beforeAll(async () => {
  chain = await TronWebDevnet.start({
    predeploy: ['usdt'],
    metrics: true,
    accounts: 3,
    clock: 'wall',
    parameters: { getAllowMarketTransaction: 1 },
  });
  ({ devnet } = chain);
  await prepare();
  document = (await (await fetch(`${devnet.http.url}/openapi.json`)).json()) as OpenApiDocument;
  judge = new Judge(document);
});
afterAll(() => devnet.close());

/** Data for the examples: a token, stakes in different states, a delegation, an exchange, a proposal. */
async function prepare(): Promise<void> {
  const { transactionBuilder } = chain.client(0);
  const owner = chain.address(0);
  const { timestampMs: now } = await devnet.mine(1);
  const token = {
    name: 'Credits',
    abbreviation: 'CRD',
    description: 'Credits',
    url: 'https://example.org',
    totalSupply: 1_000_000,
    trxRatio: 1,
    tokenRatio: 1,
    saleStart: now + 600_000,
    saleEnd: 4_100_000_000_000,
    frozenAmount: 1_000,
    frozenDuration: 1,
  };
  await chain.send(0, transactionBuilder.createAsset(token as never, owner));
  await chain.send(0, transactionBuilder.freezeBalanceV2(100 * TRX, 'ENERGY', owner));
  await chain.send(0, transactionBuilder.delegateResource(TRX, chain.address(1), 'ENERGY', owner));
  await chain.send(0, transactionBuilder.unfreezeBalanceV2(TRX, 'ENERGY', owner));
  await devnet.mine({ advanceMs: 15 * 86_400_000 });
  await chain.send(0, transactionBuilder.unfreezeBalanceV2(TRX, 'ENERGY', owner));
  await chain.send(0, transactionBuilder.setAccountId(utf8Hex('shop-account'), owner) as never);
  await chain.send(0, transactionBuilder.createTRXExchange('1000001', 1_000, TRX, owner));
  const { address, privateKey = '' } = devnet.witnesses[0]!;
  const committee = new TronWeb({ fullHost: devnet.http.url, privateKey });
  const proposal = await committee.transactionBuilder.createProposal({ key: 11, value: 100 }, address);
  await committee.trx.sendRawTransaction(await committee.trx.sign(proposal));
}

const utf8Hex = (text: string) => Buffer.from(text).toString('hex');

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function operations(): Asked[] {
  return operationsOf(document.paths);
}

function operationsOf(paths: Paths): Asked[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as PathItem).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

async function ask(
  { path, method, operation }: Asked,
  values: Readonly<Record<string, unknown>>,
  body: unknown,
  node = devnet,
) {
  let url = path;
  const query = new URLSearchParams();
  for (const { name, in: place } of operation.parameters ?? []) {
    const value = values[name];
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (value !== undefined) query.set(name, String(value));
  }
  const response = await fetch(`${node.http.url}${url}?${query}`, {
    method,
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') ?? '' };
}

function exampleOf({ operation }: Asked) {
  const values = Object.fromEntries((operation.parameters ?? []).map(({ name, example }) => [name, example]));
  return { values, body: operation.requestBody?.content['application/json']?.example };
}

const isStream = ({ operation }: Asked) => operation.responses['200']?.content?.['text/event-stream'] !== undefined;
const isText = ({ operation }: Asked) => operation.responses['200']?.content?.['text/plain'] !== undefined;

test('every example succeeds as described', async () => {
  const refused: string[] = [];
  for (const asked of operations().filter((one) => !isStream(one))) {
    const { values, body } = exampleOf(asked);
    const { status, text, type } = await ask(asked, values, body);
    const where = `${asked.method} ${asked.path}`;
    expect([where, status, text.slice(0, 200)]).toEqual([
      where,
      REFUSED_AT_OWN_PATHS[where] ?? 200,
      expect.any(String),
    ]);
    expect([where, judge.whole(asked.path, asked.method, { status, text, type })]).toEqual([where, undefined]);
    if (isText(asked)) continue;
    const answer = JSON.parse(text);
    if (answer.Error !== undefined)
      refused.push(`${where}: ${answer.Error.replace(/^(class \S+ : )?(Account\[\w+\] )?/, '')}`);
  }
  expect(refused).toEqual(REFUSED);
});

/** Requests that the network's rules refuse, or that need unknown values: the refusal is the answer. */
const REFUSED: readonly string[] = [
  'POST /wallet/freezebalance: freeze v2 is open, old freeze is closed',
  'POST /wallet/unfreezebalance: no frozenBalance(Energy)',
  'POST /wallet/withdrawexpireunfreeze: no unFreeze balance to withdraw ',
  'POST /wallet/withdrawbalance: is a guard representative and is not allowed to withdraw Balance',
  'POST /wallet/marketcancelorder: orderId not exists',
  'GET /wallet/getmarketorderbyid: order not found in store',
  'POST /wallet/getmarketorderbyid: order not found in store',
  'POST /sunup/load: the chain cannot be loaded: it is not a chain file',
  'GET /walletsolidity/getmarketorderbyid: order not found in store',
  'POST /walletsolidity/getmarketorderbyid: order not found in store',
  'DELETE /sunup/chains/{id}: there is no chain 0123456789abcdef (POST /sunup/chains makes one)',
];

/** java-tron refuses with status 200. */
const REFUSED_AT_OWN_PATHS: Readonly<Record<string, number>> = {
  'POST /sunup/load': 400,
  'DELETE /sunup/chains/{id}': 404,
};

test('a further chain describes itself, with its path as server', async () => {
  const made = await fetch(`${devnet.http.url}/sunup/chains`, { method: 'POST', body: '{"accounts":1}' });
  const { path, genesisId } = (await made.json()) as { path: string; genesisId: string };
  const place = `${devnet.http.url}${path}openapi.json`;
  const { servers } = (await (await fetch(place)).json()) as OpenApiDocument;
  // Relative to the description, as in the specification.
  const server = new URL((servers[0] as { url: string }).url, place).href.replace(/\/$/, '');
  const block = await (await fetch(`${server}/wallet/getblock?id_or_num=0`)).json();
  expect(block).toMatchObject({ blockID: genesisId });
});

test('for a later release, it describes that release', async () => {
  const newest = await createDevnet({ nodeVersion: '4.8.2' });
  try {
    const { paths } = (await (await fetch(`${newest.http.url}/openapi.json`)).json()) as OpenApiDocument;
    const of = (all: Paths) => {
      const { get, post } = all['/wallet/getnowblock']!;
      return [get!.parameters!.some(({ name }) => name === 'int64_as_string'), post!.responses[413] !== undefined];
    };
    expect([of(document.paths), of(paths)]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(paths['/wallet/getpaginatednowwitnesslist']).toBeDefined();
    expect(document.paths['/wallet/getpaginatednowwitnesslist']).toBeUndefined();
  } finally {
    await newest.close();
  }
});

test('with limits of callers, it describes their refusals', async () => {
  const limited = await createDevnet({ rateLimit: { anonymous: 1, status: 403 }, apiKeys: ['mine'] });
  try {
    const { paths } = (await (await fetch(`${limited.http.url}/openapi.json`)).json()) as OpenApiDocument;
    const told = ({ responses }: Operation) => [responses[401]?.description, responses[403]?.description];
    expect(told(paths['/wallet/getnowblock']!.get!)).toEqual([
      expect.stringContaining('--api-key'),
      expect.stringContaining('--rate-limit'),
    ]);
    expect(told(paths['/healthcheck']!.get!)).toEqual([undefined, undefined]);
    const headers = { 'TRON-PRO-API-KEY': 'another' };
    const { status } = await fetch(`${limited.http.url}/wallet/getnowblock`, { headers });
    expect(status).toBe(401);
  } finally {
    await limited.close();
  }
});

test('on a fresh chain, refused examples name their preconditions', async () => {
  const fresh = await createDevnet();
  try {
    const { paths } = (await (await fetch(`${fresh.http.url}/openapi.json`)).json()) as OpenApiDocument;
    const silent: string[] = [];
    for (const asked of operationsOf(paths).filter((one) => !isStream(one) && one.path !== '/sunup/chains/{id}')) {
      const { values, body } = exampleOf(asked);
      const { status, text } = await ask(asked, values, body, fresh);
      const said = / example needs /.test(asked.operation.description ?? '');
      if (!said && (status !== 200 || /^\{"Error"/.test(text))) silent.push(`${asked.method} ${asked.path}: ${text}`);
    }
    expect(silent).toEqual([]);
  } finally {
    await fresh.close();
  }
});

/**
 * java-tron inserts an address error into JSON unescaped, and answers a body that is not an object with an empty answer
 * (protocol/http-errors.md#uncaught-exceptions).
 */
const NO_JSON_OF_JAVA = /\/(getReward|getBrokerage|validateaddress)$/;

/** Too expensive for generated requests: a million blocks, thousands of accounts. */
const BOUNDS: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
  '/sunup/mine': ({ blocks, ...others }) =>
    typeof blocks === 'number' && blocks > 100 ? { ...others, blocks: blocks % 100 } : { ...others, blocks },
};

/** Of each operation, more at night. */
const REQUESTS = Number(process.env.SUNUP_REQUESTS ?? 6);

/** Number of successful answers by path and method of an operation. */
interface Tried {
  readonly wrong: string[];
  readonly answered: Map<string, { readonly good: number; readonly refused: Set<string> }>;
}

async function askGenerated(kind: 'allowed' | 'anything', numRuns: number): Promise<Tried> {
  const generator = new RequestGenerator(document, devnet.accounts);
  const wrong: string[] = [];
  const answered: Tried['answered'] = new Map();
  for (const asked of operations().filter((one) => !isStream(one))) {
    let good = 0;
    const refused = new Set<string>();
    for (const { values, body } of fc.sample(generator[kind](asked.operation), { numRuns, seed: 12 })) {
      const bounded = typeof body === 'object' && body !== null && !Array.isArray(body);
      const request = { values, body: bounded ? (BOUNDS[asked.path]?.(body as never) ?? body) : body };
      const answer = await ask(asked, request.values, request.body);
      if (answer.status < 300) good++;
      else refused.add(answer.text.slice(0, 120));
      const problem = judge.whole(asked.path, asked.method, answer);
      if (problem === 'is no JSON' && NO_JSON_OF_JAVA.test(asked.path)) continue;
      if (problem !== undefined)
        wrong.push(
          `${asked.method} ${asked.path} ${JSON.stringify(request)}: ${problem} in ${answer.status} ${answer.text.slice(0, 200)}`,
        );
    }
    answered.set(`${asked.method} ${asked.path}`, { good, refused });
  }
  return { wrong, answered };
}

/**
 * Rules of the history interface beyond schemas: a cursor belongs to its request, and only one of two flags may be set.
 */
const UNSAYABLE = /fingerprint does not match|Conflicting parameters passed/;

test('generated valid requests are answered as described', async () => {
  const { wrong, answered } = await askGenerated('allowed', REQUESTS);
  expect(wrong).toEqual([]);
  const refusing = [...answered]
    .filter(([name]) => /^GET \/(v1|event)\//.test(name))
    .flatMap(([name, { refused }]) =>
      [...refused].filter((text) => !UNSAYABLE.test(text)).map((text) => `${name}: ${text}`),
    );
  expect(refusing).toEqual([]);
});

test('requests with any values are answered as described', async () => {
  const { wrong } = await askGenerated('anything', REQUESTS);
  expect(wrong).toEqual([]);
});

/** Reads a stream until it has this number of events. */
async function streamed(query: string, events: number): Promise<Answered> {
  const response = await fetch(`${devnet.http.url}/sunup/events?${query}`);
  const { status, headers, body } = response;
  const type = headers.get('content-type') ?? '';
  if (status !== 200) return { status, type, text: await response.text() };
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    if (eventsOf(text.slice(0, text.lastIndexOf('\n\n'))).length >= events) break;
  }
  return { status, type, text: text.slice(0, text.lastIndexOf('\n\n')) };
}

test('the event stream is as described, with the data of each event', async () => {
  const path = '/sunup/events';
  const told = streamed('from=0&events=block,transaction,removed', 30);
  const answer = await told;
  expect(judge.whole(path, 'GET', answer)).toBeUndefined();
  const { anyOf = [] } = document.components.schemas.StreamEvent!;
  const events = eventsOf(answer.text);
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['block', 'transaction']));
  for (const { event, data = '' } of events) {
    const form = anyOf.find(({ properties }) => properties?.event?.const === event);
    const problem = judge.allows(form!.properties!.data!.contentSchema!, JSON.parse(data));
    expect([event, data, problem]).toEqual([event, data, undefined]);
  }
  for (const query of ['events=nothing', 'from=-1', 'from=1e3']) {
    const refused = await streamed(query, 1);
    expect([refused.status, judge.whole(path, 'GET', refused)]).toEqual([400, undefined]);
  }
});

test('the answer of interval mining is as described', async () => {
  const interval = await createDevnet({ mining: 'interval', clock: 'wall' });
  try {
    const { url } = interval.http;
    const mined = await fetch(`${url}/sunup/mine`, { method: 'POST', body: '{"blocks":3}' });
    const text = await mined.text();
    expect(JSON.parse(text)).toHaveProperty('aheadMs');
    const type = mined.headers.get('content-type') ?? '';
    expect(judge.whole('/sunup/mine', 'POST', { status: mined.status, type, text })).toBeUndefined();
  } finally {
    await interval.close();
  }
});

const MARKUP = '<img src=x onerror=alert(1)>';

/** Path of a text in a value; `key of …` if it is a name. */
function placesOf(wanted: string, value: unknown, place = ''): string[] {
  if (typeof value === 'string') return value.includes(wanted) ? [place] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    ...(name.includes(wanted) ? [`key of ${place}`] : []),
    ...placesOf(wanted, one, `${place}/${name}`),
  ]);
}

test('names from users appear in examples only, and no HTML page repeats a path', async () => {
  const { transactionBuilder } = chain.client(1);
  const named = {
    abi: '[]',
    bytecode: '600580600b6000396000f3600160005500',
    feeLimit: 1_000 * TRX,
    name: MARKUP,
  };
  await chain.send(1, transactionBuilder.createSmartContract(named, chain.address(1)));
  const described = await (await fetch(`${devnet.http.url}/openapi.json`)).json();
  const places = placesOf('onerror', described);
  expect(places.length).toBeGreaterThan(0);
  for (const place of places) expect(place).toMatch(/\/example\//);
  for (const path of ['', 'docs/', 'wallet/', 'v1/', 'eth/', 'admin/', '~', '?'])
    for (const accept of ['text/html', '*/*']) {
      const answer = await fetch(`${devnet.http.url}/${path}${encodeURIComponent(MARKUP)}`, { headers: { accept } });
      const text = await answer.text();
      if (/html/.test(answer.headers.get('content-type') ?? ''))
        expect([path, text.includes('<img')]).toEqual([path, false]);
    }
});

test('the page at /docs loads only files of this node, and its policy allows nothing else', async () => {
  const page = await fetch(`${devnet.http.url}/docs`);
  const links = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link as string);
  expect(links).toEqual([
    'docs/icon.svg',
    'docs/swagger-ui.css',
    'docs/page.css',
    'docs/swagger-ui-bundle.js',
    'docs/start.js',
  ]);
  const files = await Promise.all(links.map((link) => fetch(new URL(link, page.url))));
  for (const { status, headers } of [page, ...files]) {
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  // Pictures of the style sheet are data URLs; it has no imports and no fonts.
  const style = await files[1]!.text();
  expect(style + (await files[2]!.text())).not.toMatch(/@import|@font-face/);
  expect(new Set([...style.matchAll(/url\(\s*["']?([^"',;)]{0,4})/g)].map(([, scheme]) => scheme))).toEqual(
    new Set(['data']),
  );
});
