/** Limits of a JSON-RPC client: long batches, long answers, a client that disconnects. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/http/server.js';
import { createDevnet } from '../../src/index.js';
import { type JsonRpcOptions, jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { methods } from '../../src/jsonrpc/methods.js';
import { type Method, method } from '../../src/jsonrpc/table.js';
import { SmartContract } from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';

/** Logs its call data. */
const LOGGER = '600b8060093d393df336600060003736' + '6000a000';
const LOG_BYTES = 2_000;

let chain: SimulatedChain;
let logger: string;
const servers: HttpServer[] = [];

beforeAll(async () => {
  chain = await SimulatedChain.open();
  const owner_address = chain.address(0);
  const deployed = chain.send(
    ContractType.CreateSmartContract,
    {
      owner_address,
      new_contract: SmartContract.create({ origin_address: owner_address, bytecode: LOGGER, origin_energy_limit: 1n }),
    },
    { feeLimitSun: 1_000_000_000n },
  );
  const contract_address = deployed.info.contract_address;
  logger = `0x${contract_address.slice(2)}`;
  for (let i = 0; i < 20; i++) {
    const call = { owner_address, contract_address, data: 'ab'.repeat(LOG_BYTES) };
    chain.send(ContractType.TriggerSmartContract, call, { feeLimitSun: 1_000_000_000n });
  }
  chain.node.mine(1);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => chain.close());

async function serve(options: Partial<JsonRpcOptions> = {}): Promise<HttpServer> {
  const route = jsonRpcRoute({ node: chain.node, view: 'full', ...options });
  const server = await startHttpServer({ port: 0, plugins: [route] });
  servers.push(server);
  return server;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever is answered
async function post(server: { readonly url: string }, body: unknown): Promise<any> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (await fetch(`${server.url}/jsonrpc`, { method: 'POST', body: text })).json();
}

const request = (id: number, name = 'eth_chainId', ...params: unknown[]) => ({ id, method: name, params });
const allLogs = (id: number) => request(id, 'eth_getLogs', { fromBlock: '0x0', address: logger });

test('a batch has a limited number of requests, including nested batches', async () => {
  const server = await serve({ limits: { batchRequests: 3, answerBytes: 10_000 } });
  const tooLong = (length: number) => [
    { jsonrpc: '2.0', id: null, error: { code: -32_005, message: `Batch size ${length} exceeds the limit of 3` } },
  ];
  expect(await post(server, [request(1), request(2), request(3)])).toHaveLength(3);
  expect(await post(server, [request(1), request(2), request(3), request(4)])).toEqual(tooLong(4));
  expect(
    await post(server, [
      [request(1), [request(2)]],
      [request(3), {}],
    ]),
  ).toEqual(tooLong(4));
  expect(await post(server, [[request(1), [request(2)]], request(3)])).toHaveLength(2);
});

test('the limits are options, with high defaults', async () => {
  await using devnet = await createDevnet();
  const full = Array.from({ length: 1_000 }, (_, id) => request(id));
  expect(await post(devnet.http, full)).toHaveLength(1_000);
  expect((await post(devnet.http, [...full, {}]))[0].error.code).toBe(-32_005);
  await using strict = await createDevnet({ jsonrpcMaxBatch: 1, jsonrpcMaxAnswer: 1_024, jsonrpcPort: 0 });
  for (const { url } of [strict.http, { url: strict.jsonrpc.url.replace('/jsonrpc', '') }]) {
    expect((await post({ url }, [{}, {}]))[0].error.message).toBe('Batch size 2 exceeds the limit of 1');
    const { error } = await post({ url }, request(1, 'eth_getBlockByNumber', '0x0', true));
    expect(error).toEqual({ code: -32_003, message: 'Response exceeds the limit of 1024 bytes' });
  }
});

test('a body with too many values is refused before it is read', async () => {
  const server = await serve();
  const { error, id } = await post(server, `[${'{},'.repeat(1_000_000)}{}]`);
  expect([id, error.code, error.message]).toEqual([null, -32_005, 'Request exceeds the limit of 100000 values']);
  expect(await post(server, `[${'"a,b",'.repeat(10)}1]`)).toHaveLength(11);
});

test('numbers of megabytes are not read', async () => {
  const server = await serve();
  const digits = '7'.repeat(4_000_000);
  expect((await post(server, `{"id":${digits},"method":"eth_chainId"}`)).error.code).toBe(-32_700);
  for (const number of [digits, `0x${digits}`]) {
    const { error } = await post(server, request(1, 'eth_getBlockByNumber', number, false));
    expect(error.message).toBe('invalid block number');
  }
});

test('an answer has a limited size; a batch stops after it', async () => {
  const tooLong = { code: -32_003, message: 'Response exceeds the limit of 60000 bytes' };
  const calls: string[] = [];
  const counted = method('count', 'counted', [], () => {
    calls.push('count');
    return calls.length;
  });
  const server = await serve({
    limits: { batchRequests: 100, answerBytes: 60_000 },
    methods: new Map<string, Method>([...methods, ['count', counted]]),
  });
  expect(await post(server, allLogs(7))).toEqual({ jsonrpc: '2.0', id: 7, error: tooLong });
  expect((await post(server, request(8, 'eth_getLogs', { fromBlock: '0x0', toBlock: '0x0' }))).result).toEqual([]);
  const batch = await post(server, [request(1, 'count'), allLogs(2), request(3, 'count'), request(4, 'nope')]);
  expect(batch[0].result).toBe(1);
  expect(batch.slice(1)).toEqual([
    { jsonrpc: '2.0', id: 2, error: tooLong },
    { jsonrpc: '2.0', id: 3, error: tooLong },
    { jsonrpc: '2.0', id: 4, error: { code: -32_601, message: 'method not found' } },
  ]);
  expect(calls).toHaveLength(1);
  // Many answers that fit, until their sum exceeds the limit.
  const small = await post(
    server,
    Array.from({ length: 100 }, (_, id) => request(id, 'web3_sha3', '0x00')),
  );
  expect(small.every(({ error }: { error?: unknown }) => error === undefined)).toBe(true);
  const blocks = Array.from({ length: 100 }, (_, id) => request(id, 'eth_getBlockByNumber', '0x0', true));
  const answers: { error?: unknown }[] = await post(server, blocks);
  const fit = answers.findIndex(({ error }) => error !== undefined);
  expect(fit).toBeGreaterThan(0);
  expect(answers.slice(fit).map(({ error }) => error)).toEqual(answers.slice(fit).map(() => tooLong));
});

test('other requests are answered during a batch', async () => {
  const server = await serve();
  let done = false;
  const blocks = Array.from({ length: 400 }, (_, id) => request(id, 'eth_getBlockByNumber', '0x1', true));
  const batch = post(server, blocks).then((answers) => {
    done = true;
    return answers;
  });
  for (let id = 0; id < 5; id++) {
    expect((await post(server, request(id))).id).toBe(id);
    expect(done).toBe(false);
  }
  expect(await batch).toHaveLength(400);
});

test('work for a disconnected client stops', async () => {
  let calls = 0;
  let leave = () => {};
  const counted = method('count', 'counted', [], async () => {
    if (++calls === 10) leave();
    await new Promise((resolve) => setImmediate(resolve));
    return calls;
  });
  const failures: unknown[] = [];
  const table = new Map<string, Method>([...methods, ['count', counted]]);
  const server = await serve({ methods: table, onInternalError: (error) => failures.push(error) });
  const socket = connect({ host: '127.0.0.1', port: server.port });
  leave = () => socket.destroy();
  await once(socket, 'connect');
  const body = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => request(id, 'count')));
  socket.write(`POST /jsonrpc HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await once(socket, 'close');
  const seen = async () => {
    await post(server, request(1));
    return calls;
  };
  for (let last = -1; last !== (await seen()); ) last = calls;
  expect(calls).toBeGreaterThanOrEqual(10);
  expect(calls).toBeLessThan(1_000);
  expect(failures).toEqual([]);
});

test('a filter has a limited number of addresses', async () => {
  const server = await serve();
  const install = (count: number) =>
    post(server, request(1, 'eth_newFilter', { address: Array.from({ length: count }, () => logger) }));
  expect((await install(1_000)).result).toMatch(/^0x/);
  expect((await install(1_001)).error).toEqual({ code: -32_602, message: 'exceed max addresses: 1000', data: '{}' });
});
