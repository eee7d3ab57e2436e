/**
 * JSON-RPC over WebSockets: envelope, subscriptions, limits, clients that misbehave or do not read, and the end of
 * connections.
 */

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type HttpServer, startHttpServer } from '../../src/http/server.js';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { type JsonRpcOptions, jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { methods } from '../../src/jsonrpc/methods.js';
import { type Method, method, RawJson } from '../../src/jsonrpc/table.js';
import { SmartContract } from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';
import { type Answer, SocketClient } from './socket-client.js';

let devnet: Devnet | undefined;
let chain: SimulatedChain | undefined;
const servers: HttpServer[] = [];

afterEach(async () => {
  await devnet?.close();
  devnet = undefined;
  for (const server of servers.splice(0)) await server.close();
  await chain?.close();
  chain = undefined;
});

async function start(options: DevnetOptions = {}): Promise<Devnet> {
  devnet = await createDevnet(options);
  return devnet;
}

/** A separate server, for settings that are not options of a devnet. */
async function serve(
  options: Partial<JsonRpcOptions> = {},
  own: readonly Method[] = [],
): Promise<{ chain: SimulatedChain; url: string }> {
  chain = await SimulatedChain.open();
  chain.node.mine(2);
  const all = new Map([...methods, ...own.map((one) => [one.name, one] as const)]);
  const route = jsonRpcRoute({ node: chain.node, view: 'full', methods: all, ...options });
  const server = await startHttpServer({ port: 0, plugins: [route] });
  servers.push(server);
  return { chain, url: server.url };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever is answered
async function post(url: string, body: unknown): Promise<any> {
  return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
}

/** Status and body of a refused WebSocket request. */
async function refusal(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers });
  const [, response] = await once(socket, 'unexpected-response');
  let text = '';
  for await (const part of response) text += part;
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], text };
}

/** Logs its call data. */
const LOGGER = '600b8060093d393df3366000600037366000a000';

function deployLogger(on: SimulatedChain): (bytes: number) => void {
  const owner_address = on.address(0);
  const new_contract = SmartContract.create({
    origin_address: owner_address,
    bytecode: LOGGER,
    origin_energy_limit: 1n,
  });
  const options = { feeLimitSun: 1_000_000_000n };
  const { contract_address } = on.send(ContractType.CreateSmartContract, { owner_address, new_contract }, options).info;
  return (bytes) => {
    on.send(ContractType.TriggerSmartContract, { owner_address, contract_address, data: 'ab'.repeat(bytes) }, options);
    on.node.mine(1);
  };
}

describe('messages', () => {
  test("are answered like bodies, in the path's dialect, on all JSON-RPC ports", async () => {
    const { http, jsonrpc, jsonrpcSolidity } = await start({ jsonrpcPort: 0, jsonrpcSolidityPort: 0 });
    const own = jsonrpc.url.replace('/jsonrpc', '');
    const solid = jsonrpcSolidity!.url.replace('/jsonrpc', '');
    const block = { id: 7, method: 'eth_getBlockByNumber', params: ['latest', false] };
    const sent = [
      JSON.stringify(block),
      JSON.stringify([block, { id: 8, method: 'nothing' }]),
      '{"id":9,"method":"eth_getBalance","params":["0x00","earliest"]}',
      '{"id":10,"method":"eth_call","params":[{"type":"0x2"},"latest"]}',
      '{"id":11',
      'null',
      '[]',
    ];
    for (const base of [http.url, own, solid]) {
      for (const path of ['/jsonrpc', '/eth']) {
        await using client = await SocketClient.connect(base + path);
        for (const text of sent) {
          const answer = await (await fetch(base + path, { method: 'POST', body: text })).text();
          expect(`${await client.raw(text)}\n`, text).toBe(answer);
          // A binary frame has the same effect.
          expect(`${await client.raw(Buffer.from(text))}\n`, text).toBe(answer);
        }
        // A notification gets no answer: the next answer is that of the next message.
        client.socket.send('{"method":"eth_chainId"}');
        expect(await client.ask('eth_syncing')).toBe(false);
      }
    }
  });

  test('of one client are answered during a long one', async () => {
    let release = (): void => {};
    const long = new Promise((resolve) => {
      release = () => resolve(1);
    });
    const { url } = await serve({}, [method('test_long', 'long', [], () => long)]);
    await using client = await SocketClient.connect(`${url}/eth`);
    const last = client.ask('test_long');
    expect(await client.ask('eth_chainId')).toMatch(/^0x/);
    release();
    expect(await last).toBe(1);
  });
});

describe('subscriptions', () => {
  test('are not available over HTTP', async () => {
    const { http } = await start();
    const subscribe = { id: 1, method: 'eth_subscribe', params: ['newHeads'] };
    expect(await post(`${http.url}/jsonrpc`, subscribe)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_601, message: 'method not found' },
    });
    expect((await post(`${http.url}/eth`, subscribe)).error).toEqual({
      code: -32_601,
      message: 'the method eth_subscribe does not exist/is not available over HTTP: it needs a WebSocket',
    });
  });

  test('valid and invalid subscriptions', async () => {
    const { http } = await start();
    for (const path of ['/jsonrpc', '/eth']) {
      await using client = await SocketClient.connect(http.url + path);
      await using other = await SocketClient.connect(http.url + path);
      const syncing = await client.ask('eth_subscribe', 'syncing');
      expect(await client.next()).toEqual({ subscription: syncing, result: false });
      const refused = async (...params: unknown[]) => (await client.request('eth_subscribe', ...params)).error;
      expect(await refused('newBlocks')).toMatchObject({
        code: -32_601,
        message: 'no "newBlocks" subscription in eth namespace',
      });
      expect((await refused()).code).toBe(-32_602);
      expect((await refused('newHeads', {}, 1)).code).toBe(-32_602);
      expect(await refused('logs', { address: '0x12' })).toMatchObject({
        code: -32_602,
        message: 'invalid address: 0x12',
      });
      expect((await refused('logs', { topics: ['0x12'] })).message).toBe('invalid topic(s): 0x12');
      const heads = await client.ask('eth_subscribe', 'newHeads');
      expect(heads).toMatch(/^0x[0-9a-f]{32}$/);
      // Another client cannot end it.
      expect(await other.ask('eth_unsubscribe', heads)).toBe(false);
      expect(await client.ask('eth_unsubscribe', heads)).toBe(true);
      expect(await client.ask('eth_unsubscribe', heads)).toBe(false);
      expect(await client.ask('eth_unsubscribe', 'x')).toBe(false);
      await devnet!.mine(1);
      await client.ask('eth_chainId');
      expect(client.notifications).toEqual([]);
    }
  });

  test("a head is the block without members that headers do not have, in the path's dialect", async () => {
    const { http } = await start();
    for (const path of ['/jsonrpc', '/eth']) {
      await using client = await SocketClient.connect(http.url + path);
      const subscription = await client.ask('eth_subscribe', 'newHeads');
      await devnet!.mine(1);
      const told = await client.next();
      const { size, transactions, uncles, ...header } = await client.ask('eth_getBlockByNumber', 'latest', false);
      expect(told).toEqual({ subscription, result: header });
      expect(JSON.stringify(told.result)).toBe(JSON.stringify(header));
    }
  });

  test('for each block: its head, then its logs, with readable state', async () => {
    const { chain, url } = await serve();
    const log = deployLogger(chain);
    await using client = await SocketClient.connect(`${url}/eth`);
    const logs = await client.ask('eth_subscribe', 'logs', { fromBlock: '0x0' });
    const heads = await client.ask('eth_subscribe', 'newHeads');
    const pending = await client.ask('eth_subscribe', 'newPendingTransactions');
    const whole = await client.ask('eth_subscribe', 'newPendingTransactions', true);
    log(3);
    const told = await client.until(({ subscription }) => subscription === logs);
    expect(told.map(({ subscription }) => subscription)).toEqual([pending, whole, heads, logs]);
    const [hash, transaction, head, last] = told.map(({ result }) => result);
    expect(transaction).toMatchObject({ hash, blockHash: null });
    expect(last).toMatchObject({ data: '0xababab', blockHash: head.hash, transactionHash: hash, removed: false });
    expect((await client.ask('eth_getTransactionReceipt', hash)).logs).toEqual([last]);
  });

  test('the id is sent before the first event, even if the rest of the message takes long', async () => {
    const mine = method('test_mine', 'mine', [], ({ wallet }) => wallet.node.mine(1) ?? true);
    const { url } = await serve({}, [mine]);
    await using client = await SocketClient.connect(`${url}/eth`);
    const order: string[] = [];
    client.socket.on('message', (data) => order.push(String(data).slice(0, 1)));
    const ask = (id: number, name: string, ...params: unknown[]) => ({ id, method: name, params });
    const batch = [ask(1001, 'eth_subscribe', 'newHeads'), ask(1002, 'test_mine'), ask(1003, 'eth_blockNumber')];
    const [{ result: id }] = JSON.parse(await client.raw(JSON.stringify(batch)));
    expect((await client.next()).subscription).toBe(id);
    expect(order).toEqual(['[', '{']);
  });

  test('many empty blocks are reported one by one, also to slow readers', async () => {
    const { http } = await start();
    await using client = await SocketClient.connect(`${http.url}/eth`);
    await client.ask('eth_subscribe', 'newHeads');
    const head = Number(await client.ask('eth_blockNumber'));
    client.socket.pause();
    await devnet!.mine(30_000);
    client.socket.resume();
    const last = `0x${(head + 30_000).toString(16)}`;
    const told = await client.until(({ result }) => result.number === last);
    expect(told.length).toBe(30_000);
    for (const [i, { result }] of told.entries()) {
      if (i > 0 && result.parentHash !== told[i - 1]!.result.hash) throw new Error(`no chain at ${result.number}`);
    }
  });
});

describe('limits of one client', () => {
  test('subscriptions, and their criteria', async () => {
    const { http } = await start();
    await using client = await SocketClient.connect(`${http.url}/eth`);
    const topics = [Array.from({ length: 1_000 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`)];
    for (let i = 0; i < 10; i++) await client.ask('eth_subscribe', 'logs', { topics });
    const refused = async (...params: unknown[]) => (await client.request('eth_subscribe', ...params)).error;
    expect(await refused('logs', { topics: [topics[0]![0]] })).toEqual({
      code: -32_005,
      message: 'exceed max addresses and topics of subscriptions: 10000',
    });
    const ids: string[] = [];
    for (let i = 0; i < 90; i++) ids.push(await client.ask('eth_subscribe', 'newHeads'));
    expect(await refused('newHeads')).toEqual({ code: -32_005, message: 'exceed max subscriptions: 100' });
    await client.ask('eth_unsubscribe', ids[0]);
    await client.ask('eth_subscribe', 'newHeads');
  });

  test('a message of more than 4 MiB, and an invalid frame, close the connection', async () => {
    const { http } = await start();
    const big = await SocketClient.connect(`${http.url}/eth`);
    big.socket.send('x'.repeat(4_194_305));
    expect((await big.closed).code).toBe(1009);
    const fits = await SocketClient.connect(`${http.url}/eth`);
    const answer = JSON.parse(
      await fits.raw(`{"id":5000,"method":"web3_sha3","params":["0x${'0'.repeat(4_194_000)}"]}`),
    );
    expect(answer.result).toMatch(/^0x[0-9a-f]{64}$/);
    await fits[Symbol.asyncDispose]();
    // Not masked; an unknown opcode; invalid UTF-8.
    for (const [frame, code] of [
      [Buffer.from([0x81, 0x01, 0x41]), 1002],
      [Buffer.from([0x83, 0x80, 0, 0, 0, 0]), 1002],
      [Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 1007],
    ] as const) {
      const client = await SocketClient.connect(`${http.url}/eth`);
      (client.socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(frame);
      expect((await client.closed).code).toBe(code);
    }
    expect((await post(`${http.url}/eth`, { id: 1, method: 'eth_syncing' })).result).toBe(false);
  });

  test('a client that does not read its subscriptions is disconnected, others are not', async () => {
    const { chain, url } = await serve();
    const log = deployLogger(chain);
    const slow = await SocketClient.connect(`${url}/eth`);
    await using other = await SocketClient.connect(`${url}/eth`);
    for (let i = 0; i < 100; i++) await slow.ask('eth_subscribe', 'logs');
    await other.ask('eth_subscribe', 'logs');
    slow.socket.pause();
    // A log that several of its subscriptions wait for is stored once.
    for (let i = 0; i < 100; i++) {
      log(100_000);
      expect((await other.next()).result.data).toHaveLength(200_002);
    }
    slow.socket.resume();
    expect(await slow.closed).toEqual({ code: 1013, reason: 'too slow: read on, and subscribe again' });
    // The maximum queued data, plus data on the way; 2 GB in total were to be sent.
    const characters = slow.notifications.length * 200_000;
    expect(characters).toBeLessThan(30_000_000);
    expect(await other.ask('eth_chainId')).toMatch(/^0x/);
  });

  test('a client that does not read its answers is not read, and gets all answers later', async () => {
    let asked = 0;
    const big = method('test_big', 'big', [], () => {
      asked++;
      return new RawJson(`"${'x'.repeat(1_000_000)}"`);
    });
    const { url } = await serve({}, [big]);
    await using client = await SocketClient.connect(`${url}/eth`);
    client.socket.pause();
    const answers = Array.from({ length: 60 }, () => client.ask('test_big'));
    for (let i = 0; i < 50; i++) await post(`${url}/eth`, { id: 1, method: 'eth_chainId' });
    expect(asked).toBeLessThan(40);
    client.socket.resume();
    expect((await Promise.all(answers)).every((answer: string) => answer.length === 1_000_000)).toBe(true);
    expect(asked).toBe(60);
  });

  test('a client that disappears or never reads is disconnected', async () => {
    const { url } = await serve({ socketLimits: { checkMs: 50 } });
    const { port } = new URL(url);
    const silent = connect(Number(port), '127.0.0.1');
    silent.write(
      'GET /eth HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    silent.resume();
    // It ends by itself: nothing else in this test closes it.
    await once(silent, 'close');
    await using alive = await SocketClient.connect(`${url}/eth`);
    for (let pings = 0; pings < 4; pings++) await once(alive.socket, 'ping');
    expect(await alive.ask('eth_chainId')).toMatch(/^0x/);
  });

  test('number of connections', async () => {
    const { url } = await serve({ socketLimits: { connections: 2 } });
    await using first = await SocketClient.connect(`${url}/eth`);
    const second = await SocketClient.connect(`${url}/jsonrpc`);
    const third = await SocketClient.connect(`${url}/eth`);
    expect(await third.closed).toEqual({ code: 1013, reason: 'too many connections' });
    await second[Symbol.asyncDispose]();
    await using fourth = await SocketClient.connect(`${url}/eth`);
    expect(await fourth.ask('eth_chainId')).toBe(await first.ask('eth_chainId'));
  });
});

describe('access', () => {
  test('keys and limits: the upgrade request and each message count', async () => {
    let nowMs = 20_000 * 86_400_000;
    const clock = { nowMs: () => BigInt(nowMs), after: () => () => {} };
    const rateLimit = { anonymous: 3, key: 2, suspend: 30 };
    const { http } = await start({ clock, mining: 'manual', apiKeys: ['good'], rateLimit });
    expect(await refusal(`${http.url}/eth`, { 'TRON-PRO-API-KEY': 'bad' })).toEqual({
      status: 401,
      retryAfter: undefined,
      text: '{"Error":"ApiKey not exists"}\n',
    });
    const client = await SocketClient.connect(`${http.url}/jsonrpc`);
    await client.ask('eth_chainId');
    expect(
      JSON.parse(await client.raw('[{"id":90,"method":"eth_chainId"},{"id":91,"method":"eth_chainId"}]')),
    ).toHaveLength(2);
    const message = 'request rate exceeded the allowed_rps(3), and the query server is suspended for 30s';
    const refused = { code: -32_005, message, data: '{}' };
    expect(await client.request('eth_chainId')).toEqual({ jsonrpc: '2.0', id: 2, error: refused });
    expect(JSON.parse(await client.raw('[{"id":92,"method":"eth_chainId"},{"id":93,"method":"x"}]'))).toEqual(
      [92, 93].map((id) => ({ jsonrpc: '2.0', id, error: refused })),
    );
    expect(await refusal(`${http.url}/eth`)).toEqual({
      status: 429,
      retryAfter: '30',
      text: `{"Error":"${message}"}\n`,
    });
    // Each key has its own quota.
    await using keyed = await SocketClient.connect(`${http.url}/eth`, { 'TRON-PRO-API-KEY': 'good' });
    await keyed.ask('eth_chainId');
    expect((await keyed.request('eth_chainId')).error).toEqual({
      code: -32_005,
      message: 'The key exceeds the frequency limit(2), and the query server is suspended for 30 s',
    });
    nowMs += 30_000;
    expect(await client.ask('eth_chainId')).toMatch(/^0x/);
    await client[Symbol.asyncDispose]();
  });

  test('without CORS pages of other origins get no WebSocket', async () => {
    const { http } = await start({ cors: false });
    const evil = await refusal(`${http.url}/eth`, { origin: 'https://evil.example' });
    expect([evil.status, JSON.parse(evil.text).Error]).toEqual([
      403,
      '/eth is refused for pages of https://evil.example: start sunup with --allow-origin https://evil.example to let them in',
    ]);
    expect((await refusal(`${http.url}/eth`, { host: 'rebound.example' })).status).toBe(403);
    await using own = await SocketClient.connect(`${http.url}/eth`, { origin: http.url });
    expect(await own.ask('eth_syncing')).toBe(false);
  });

  test('without developer methods there is none, as on java-tron', async () => {
    const { http } = await start({ devMethods: false });
    const plain = await fetch(`${http.url}/jsonrpc`);
    const asked = await refusal(`${http.url}/jsonrpc`);
    expect([asked.status, asked.text]).toEqual([plain.status, await plain.text()]);
    expect((await post(`${http.url}/eth`, { id: 1, method: 'eth_subscribe', params: ['newHeads'] })).error.code).toBe(
      -32_601,
    );
  });
});

test('a request for another protocol, or for a WebSocket on another path, is answered without the upgrade', async () => {
  const { http } = await start();
  const ask = async (lines: string[], body = '', later = '') => {
    const socket = connect(http.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (part) => {
      answer += String(part);
    });
    socket.write(`${[...lines, `Content-Length: ${body.length + later.length}`].join('\r\n')}\r\n\r\n${body}`);
    // The rest of a body comes after the headers were read.
    await fetch(`${http.url}/healthcheck`);
    if (later !== '') socket.write(later);
    await once(socket, 'close');
    return answer.slice(answer.indexOf('\r\n\r\n') + 4);
  };
  const h2c = ['Host: localhost', 'Connection: close, Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMA'];
  const chainId = '{"id":1,"method":"eth_chainId","params":[]}';
  const answer = JSON.stringify(await post(`${http.url}/eth`, JSON.parse(chainId)));
  expect((await ask(['POST /eth HTTP/1.1', ...h2c], chainId)).trim()).toBe(answer);
  expect((await ask(['POST /eth HTTP/1.1', ...h2c], chainId.slice(0, 9), chainId.slice(9))).trim()).toBe(answer);
  const webSocket = ['Host: localhost', 'Connection: close, Upgrade', 'Upgrade: websocket'];
  const node = await ask(['GET /wallet/getnowblock HTTP/1.1', ...webSocket]);
  expect(node).toBe(await (await fetch(`${http.url}/wallet/getnowblock`)).text());
  // An incomplete request for a WebSocket.
  expect(await ask(['GET /eth HTTP/1.1', ...webSocket])).toContain('Sec-WebSocket');
});

test('the end of the node closes all connections, with a reason', async () => {
  const running = await createDevnet();
  const client = await SocketClient.connect(`${running.http.url}/eth`);
  await client.ask('eth_subscribe', 'newHeads');
  const silent = connect(running.http.port, '127.0.0.1');
  silent.write(
    'GET /eth HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(silent, 'data');
  const [told] = await Promise.all([client.closed, running.close(), once(silent, 'close')]);
  expect(told as Answer).toEqual({ code: 1001, reason: 'the node is being closed' });
});
