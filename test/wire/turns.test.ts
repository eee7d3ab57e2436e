/** Concurrent slow requests: the event loop runs in between, and fast requests are answered. */

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEndpoint } from '../../src/grpc/endpoint.js';
import { type HttpServer, startHttpServer } from '../../src/http/server.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { methods } from '../../src/jsonrpc/methods.js';
import { type Method, method } from '../../src/jsonrpc/table.js';
import { turn } from '../../src/platform/turns.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';
import { callBytes, ServiceClient } from './grpc-client.js';
import { Newcomers } from './newcomers.js';
import { SocketClient } from './socket-client.js';

const CLIENTS = 8;
/** Longer than a round of the event loop. */
const LONG_MS = 12;

/** Number of rounds of the event loop so far. */
let rounds = 0;
let counting: NodeJS.Immediate;
/** The round in which each slow request ran. */
let worked: number[] = [];

function workLong(): void {
  worked.push(rounds);
  answeredBefore.push(answered);
  meanwhile?.();
  meanwhile = undefined;
  for (const began = performance.now(); performance.now() - began < LONG_MS; );
}

/** Fast requests of other clients; counts their answers at the start of each slow request. */
let answered = 0;
let answeredBefore: number[] = [];
/** Called in the first slow request: others arrive while the loop is busy. */
let meanwhile: (() => void) | undefined;

let chain: SimulatedChain;
let server: HttpServer;

beforeAll(async () => {
  const count = () => {
    rounds++;
    counting = setImmediate(count);
  };
  count();
  chain = await SimulatedChain.open();
  const long = method('long', 'long', [], () => {
    workLong();
    return worked.length;
  });
  const later = method('later', 'later', [], async () => {
    await Promise.resolve();
    await turn();
    workLong();
    return worked.length;
  });
  const costly: Method = { ...long, name: 'costly', isCostly: true };
  const brief = method('brief', 'brief', [], () => ++answered);
  const own = [long, later, costly, brief].map((one) => [one.name, one] as const);
  const table = new Map<string, Method>([...methods, ...own]);
  server = await startHttpServer({
    port: 0,
    plugins: [jsonRpcRoute({ node: chain.node, view: 'full', methods: table })],
  });
});
beforeEach(() => {
  worked = [];
  answeredBefore = [];
  answered = 0;
});
afterAll(async () => {
  clearImmediate(counting);
  await server.close();
  await chain.close();
});

const request = (name: string) => ({ jsonrpc: '2.0', id: 1, method: name, params: [] });

async function post(body: unknown): Promise<void> {
  const answer = await fetch(`${server.url}/jsonrpc`, { method: 'POST', body: JSON.stringify(body) });
  await answer.text();
}

/** Once to open the connections, then all together. */
async function together(ask: () => Promise<unknown>, prepare = ask): Promise<void> {
  await Promise.all(Array.from({ length: CLIENTS }, prepare));
  worked = [];
  await Promise.all(Array.from({ length: CLIENTS }, ask));
}

const apart = (count: number) => expect(new Set(worked).size).toBe(count);

test('over HTTP', async () => {
  await together(
    () => post(request('long')),
    () => post(request('eth_chainId')),
  );
  apart(CLIENTS);
});

test('over HTTP, for answers that yield in between', async () => {
  await together(
    () => post(request('later')),
    () => post(request('eth_chainId')),
  );
  // A request that finds nobody waiting continues at once; then the next one may have its turn before timers.
  expect(CLIENTS - new Set(worked).size).toBeLessThanOrEqual(1);
});

test('for batches of several clients', async () => {
  await together(
    () => post([request('long'), request('long')]),
    () => post(request('eth_chainId')),
  );
  apart(2 * CLIENTS);
});

test('over WebSockets', async () => {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => SocketClient.connect(`${server.url}/jsonrpc`)),
  );
  await Promise.all(clients.flatMap((client) => [client.request('long'), client.request('long')]));
  apart(2 * CLIENTS);
  for (const client of clients) await client[Symbol.asyncDispose]();
});

test('over gRPC, on one connection and on several', async () => {
  const methods = new Map([
    [
      '/test.Service/Long',
      () => {
        workLong();
        return new Uint8Array(1);
      },
    ],
  ]);
  const endpoint = createEndpoint({ methods, services: [] });
  const listener = createServer((socket) => endpoint.accept(socket)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const clients = [1, 2].map(
    () => new ServiceClient('Wallet', `127.0.0.1:${(listener.address() as AddressInfo).port}`),
  );
  await together(() =>
    Promise.all(clients.map(({ client }) => callBytes(client, '/test.Service/Long', new Uint8Array(0)))),
  );
  apart(2 * CLIENTS);
  for (const client of clients) client.close();
  listener.close();
  await endpoint.close();
});

describe('new connections are accepted and answered between slow requests', () => {
  const NEW = 20;
  let newcomers: Newcomers;
  beforeAll(async () => {
    newcomers = await Newcomers.of(Number(new URL(server.url).port));
  });
  afterAll(() => newcomers.end());

  /** They arrive during the first slow request. */
  async function whileNewcomersAsk(others: readonly string[], attack: () => Promise<unknown>): Promise<void> {
    const bodies = [...others, ...Array<string>(NEW).fill('brief')].map((name) => JSON.stringify(request(name)));
    meanwhile = () => newcomers.ask(bodies);
    await attack();
    await newcomers.answered();
    // The first one started before they existed.
    expect(answeredBefore[0]).toBe(0);
    expect(answeredBefore.slice(1).every((before) => before === NEW)).toBe(true);
    expect(worked.length).toBeGreaterThan(1);
  }

  test('in a batch', () => whileNewcomersAsk([], () => post(Array(4).fill(request('costly')))));

  test('on separate connections', () =>
    whileNewcomersAsk(Array<string>(4).fill('costly'), () => post(request('costly'))));

  test('over a WebSocket', async () => {
    const client = await SocketClient.connect(`${server.url}/jsonrpc`);
    await whileNewcomersAsk([], () => Promise.all([1, 2, 3, 4].map(() => client.request('costly'))));
    await client[Symbol.asyncDispose]();
  });
});
