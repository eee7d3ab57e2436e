/** The description against the node that it describes: its examples answer, and generated requests are answered as it says. */

import fc from 'fast-check';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { OpenApiDocument } from '../../src/openapi/document.js';
import type { Operation, PathItem, Paths } from '../../src/openapi/operation.js';
import type { Schema } from '../../src/openapi/schema.js';
import { TronWebDevnet } from '../clients/tronweb-devnet.js';
import { Judge } from '../unit/openapi/described.js';

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

/** What the examples are about: a token, stakes and what has become of them, a loan, an exchange, a proposal. */
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

test('every example answers, and as described', async () => {
  const refused: string[] = [];
  for (const asked of operations().filter((one) => !isStream(one))) {
    const { values, body } = exampleOf(asked);
    const { status, text } = await ask(asked, values, body);
    const where = `${asked.method} ${asked.path}`;
    expect([where, status, text.slice(0, 200)]).toEqual([where, 200, expect.any(String)]);
    if (isText(asked)) continue;
    const answer = JSON.parse(text);
    expect([where, judge.answer(asked.path, asked.method, status, answer)]).toEqual([where, undefined]);
    if (answer.Error !== undefined)
      refused.push(`${where}: ${answer.Error.replace(/^(class \S+ : )?(Account\[\w+\] )?/, '')}`);
  }
  expect(refused).toEqual(REFUSED);
});

/** What the network's own rules do not allow, or what nobody can know beforehand: the refusal is the answer. */
const REFUSED: readonly string[] = [
  'POST /wallet/freezebalance: freeze v2 is open, old freeze is closed',
  'POST /wallet/unfreezebalance: no frozenBalance(Energy)',
  'POST /wallet/withdrawexpireunfreeze: no unFreeze balance to withdraw ',
  'POST /wallet/withdrawbalance: is a guard representative and is not allowed to withdraw Balance',
  'POST /wallet/marketcancelorder: orderId not exists',
  'GET /wallet/getmarketorderbyid: order not found in store',
  'POST /wallet/getmarketorderbyid: order not found in store',
  'POST /sunup/load: the dump cannot be loaded: it is no gzip file (unexpected end of file)',
  'GET /walletsolidity/getmarketorderbyid: order not found in store',
  'POST /walletsolidity/getmarketorderbyid: order not found in store',
];

test('a further chain describes itself: its server is the path below which it is', async () => {
  const made = await fetch(`${devnet.http.url}/sunup/chains`, { method: 'POST', body: '{"accounts":1}' });
  const { path, genesisId } = (await made.json()) as { path: string; genesisId: string };
  const place = `${devnet.http.url}${path}openapi.json`;
  const { servers } = (await (await fetch(place)).json()) as OpenApiDocument;
  // Relative to the description, as the specification has it.
  const server = new URL((servers[0] as { url: string }).url, place).href.replace(/\/$/, '');
  const block = await (await fetch(`${server}/wallet/getblock?id_or_num=0`)).json();
  expect(block).toMatchObject({ blockID: genesisId });
});

test('of a later release, it says what that release has', async () => {
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

test('where callers have limits, it says how who asks for too much is refused', async () => {
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

test('of a fresh chain: examples that are refused say what they need', async () => {
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

/** As long as they are of use: the rest of a request is what somebody else's program made of the schema. */
const ARBITRARY_DEPTH = 3;

/** Requests by their schema: what it allows, and values at the edges of it. */
function requestOf(schema: Schema, depth = ARBITRARY_DEPTH): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return requestOf(document.components.schemas[schema.$ref.split('/').at(-1)!]!, depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.slice(0, 8).map((one) => requestOf(one, depth)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'integer':
      return fc.oneof(
        fc.constantFrom(0, 1, -1, 2 ** 31, Number.MAX_SAFE_INTEGER),
        fc.integer({ min: -5, max: 1_000_000 }),
      );
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      if (schema.pattern !== undefined) return fc.stringMatching(/^([0-9a-f]{2}){0,40}$/);
      return fc.oneof(fc.constantFrom(...devnet.accounts.flatMap((one) => [one.address, one.addressHex])), fc.string());
    case 'array':
      return depth === 0 || schema.items === undefined
        ? fc.constant([])
        : fc.array(requestOf(schema.items, depth - 1), { maxLength: 2 });
    case 'object': {
      if (depth === 0) return fc.constant({});
      const members = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, requestOf(one, depth - 1)]);
      return fc.record(Object.fromEntries(members), { requiredKeys: [] });
    }
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** java-tron pastes what is wrong with an address into JSON as it is, quotes and all. */
const PASTES_TEXT = /\/get(Reward|Brokerage)$/;

/** Those that make chains, take blocks back or make a million of them are asked by their examples only. */
const CONTROLS = /^\/(sunup\/(mine|load|revert|snapshot|dump|chains)|admin)/;

test('generated requests are answered as described', async () => {
  const wrong: string[] = [];
  for (const asked of operations().filter((one) => !isStream(one) && !CONTROLS.test(one.path))) {
    const { parameters = [], requestBody } = asked.operation;
    const values = fc.record(Object.fromEntries(parameters.map(({ name, schema }) => [name, requestOf(schema)])), {
      requiredKeys: parameters.filter(({ required }) => required === true).map(({ name }) => name),
    });
    const schema = requestBody?.content['application/json']?.schema;
    const body = schema === undefined ? fc.constant(undefined) : requestOf(schema);
    const requests = fc.sample(fc.record({ values, body }), { numRuns: 6, seed: 12 });
    for (const request of requests) {
      const { status, text, type } = await ask(asked, request.values, request.body);
      const where = `${asked.method} ${asked.path} ${JSON.stringify(request)}`;
      const content = asked.operation.responses[String(status)]?.content;
      if (asked.operation.responses[String(status)] === undefined) wrong.push(`${where}: status ${status} ${text}`);
      else if (content?.['application/json'] !== undefined && /json/.test(type)) {
        const answer = parsed(text);
        if (answer === undefined && PASTES_TEXT.test(asked.path)) continue;
        const problem = answer === undefined ? 'no JSON' : judge.answer(asked.path, asked.method, status, answer);
        if (problem !== undefined) wrong.push(`${where}: ${problem} in ${text.slice(0, 200)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});
