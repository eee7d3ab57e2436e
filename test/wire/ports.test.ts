/** `--ports java-tron` and `--pbft`: the paths of each listener, and their views. */

import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpEndpoints } from '../../src/http/endpoints.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { ServiceClient } from './grpc-client.js';

/** Any free ports: java-tron's may be in use. */
const FREE = {
  httpPort: 0,
  httpSolidityPort: 0,
  httpPbftPort: 0,
  jsonrpcPort: 0,
  jsonrpcSolidityPort: 0,
  jsonrpcPbftPort: 0,
  grpcPort: 0,
  grpcSolidityPort: 0,
  grpcPbftPort: 0,
} as const;

type Listener = 'http' | 'httpSolidity' | 'httpPbft' | 'jsonrpc' | 'jsonrpcSolidity' | 'jsonrpcPbft';
const LISTENERS: readonly Listener[] = [
  'http',
  'httpSolidity',
  'httpPbft',
  'jsonrpc',
  'jsonrpcSolidity',
  'jsonrpcPbft',
];

const originOf = (devnet: Devnet, listener: Listener) => {
  const { host, port } = devnet[listener]!;
  return `http://${host}:${port}`;
};

const rpc = (method: string, ...params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe("java-tron's layout", () => {
  let devnet: Devnet;
  beforeAll(async () => {
    devnet = await createDevnet({ ports: 'java-tron', solidified: 'network', mining: 'manual', ...FREE });
    await devnet.mine(5);
  });
  afterAll(() => devnet?.close());

  test.each<[path: string, body: string, ...listeners: Listener[]]>([
    ['/wallet/getnowblock', '', 'http'],
    ['/wallet/getnodeinfo', '', 'http', 'httpSolidity'],
    ['/walletsolidity/getnowblock', '', 'httpSolidity'],
    ['/walletpbft/getnowblock', '', 'httpPbft'],
    ['/walletpbft/getnodeinfo', '', 'httpPbft'],
    ['/net/listnodes', '', 'http'],
    ['/monitor/getnodeinfo', '', 'http'],
    ['/jsonrpc', rpc('eth_blockNumber'), 'jsonrpc', 'jsonrpcSolidity', 'jsonrpcPbft'],
    ['/eth', rpc('eth_blockNumber'), 'jsonrpc', 'jsonrpcSolidity', 'jsonrpcPbft'],
    ['/tre', rpc('tre_blockTime'), 'http', 'jsonrpc', 'jsonrpcSolidity', 'jsonrpcPbft'],
  ])('%s answers where it does on a node', async (path, body, ...listeners) => {
    const answering: Listener[] = [];
    for (const listener of LISTENERS) {
      const answer = await fetch(originOf(devnet, listener) + path, { method: 'POST', body });
      if (answer.status === 200) answering.push(listener);
      else expect([listener, answer.status]).toEqual([listener, 405]);
    }
    expect(answering).toEqual(listeners);
  });

  test('paths outside of java-tron are not on its port, but available within the process', async () => {
    const path = `/v1/accounts/${devnet.accounts[0]!.address}`;
    expect((await fetch(originOf(devnet, 'http') + path)).status).toBe(404);
    expect((await fetch(`${originOf(devnet, 'http')}/sunup/snapshot`, { method: 'POST' })).status).toBe(200);
    expect((await devnet.fetch(path)).status).toBe(200);
    expect((await devnet.fetch('/walletpbft/getnowblock')).status).toBe(200);
  });

  test('PBFT confirms the solidified blocks, behind the head', async () => {
    const number = async (listener: Listener, path: string) => {
      const block = (await (await fetch(originOf(devnet, listener) + path)).json()) as {
        readonly block_header: { readonly raw_data: { readonly number: number } };
      };
      return block.block_header.raw_data.number;
    };
    const head = await number('http', '/wallet/getnowblock');
    const solid = await number('httpSolidity', '/walletsolidity/getnowblock');
    expect(solid).toBe(head - 2);
    expect(await number('httpPbft', '/walletpbft/getnowblock')).toBe(solid);
    const blockNumber = async (listener: Listener) => {
      const asked = { method: 'POST', body: rpc('eth_blockNumber') };
      const answer = (await (await fetch(devnet[listener]!.url, asked)).json()) as { readonly result: string };
      return Number(answer.result);
    };
    expect(await blockNumber('jsonrpc')).toBe(head);
    expect(await blockNumber('jsonrpcSolidity')).toBe(solid);
    expect(await blockNumber('jsonrpcPbft')).toBe(solid);
    const database = new ServiceClient('Database', devnet.grpcPbft!.url);
    const now = await database.call<{ readonly block_header: { readonly raw_data: { readonly number: string } } }>(
      'GetNowBlock',
    );
    expect(Number(now.block_header.raw_data.number)).toBe(solid);
    database.client.close();
  });

  test.each([
    ['eth_newFilter', [{}], 'PBFT', ['jsonrpcPbft']],
    ['eth_newBlockFilter', [], 'PBFT', ['jsonrpcPbft']],
    ['eth_getLogs', [{}], 'PBFT', ['jsonrpcPbft']],
    ['eth_getFilterChanges', ['0x1'], 'PBFT', ['jsonrpcPbft']],
    ['eth_getFilterLogs', ['0x1'], 'PBFT', ['jsonrpcPbft']],
    ['eth_uninstallFilter', ['0x1'], 'PBFT', ['jsonrpcPbft']],
    ['buildTransaction', [{}], 'PBFT', ['jsonrpcPbft']],
    ['buildTransaction', [{}], 'SOLIDITY', ['jsonrpcSolidity']],
  ] as const)('%s %j is not available in %s', async (method, params, name, listeners) => {
    for (const listener of LISTENERS.slice(3)) {
      const asked = { method: 'POST', body: rpc(method, ...params) };
      const { error } = (await (await fetch(devnet[listener]!.url, asked)).json()) as {
        readonly error?: { readonly code: number; readonly message: string };
      };
      const text = `the method ${method} does not exist/is not available in ${name}`;
      const refused = error?.code === -32_601 && error.message === text;
      expect([listener, refused]).toEqual([listener, (listeners as readonly string[]).includes(listener)]);
    }
  });

  test('the PBFT port declares one method of WalletSolidity that it does not implement', async () => {
    const client = new ServiceClient('WalletSolidity', devnet.grpcPbft!.url);
    await expect(client.call('GetTransactionInfoByBlockNum', { num: 1 })).rejects.toThrow(
      'Method protocol.WalletSolidity/GetTransactionInfoByBlockNum is unimplemented',
    );
    expect(await client.call('GetTransactionCountByBlockNum', { num: 1 })).toEqual({});
    client.client.close();
  });

  test('a port in use is reported with its number and its option', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { readonly port: number };
    for (const option of ['httpSolidityPort', 'httpPbftPort', 'jsonrpcPbftPort', 'grpcPbftPort']) {
      await expect(createDevnet({ ports: 'java-tron', ...FREE, [option]: port })).rejects.toThrow(
        `option ${option} is ${port}, which is in use`,
      );
    }
    await new Promise((resolve) => blocker.close(resolve));
  });
});

describe('one port for everything', () => {
  test.each([
    [false, 404, 405],
    [true, 200, 200],
  ])('/walletpbft with pbft: %s', async (pbft, get, post) => {
    await using devnet = await createDevnet({ pbft });
    const url = `${devnet.http.url}/walletpbft/getnowblock`;
    expect((await fetch(url)).status).toBe(get);
    expect((await fetch(url, { method: 'POST' })).status).toBe(post);
    expect((await fetch(`${devnet.http.url}/walletsolidity/getnowblock`)).status).toBe(200);
  });

  test('/walletpbft has the paths of /walletsolidity, except the receipts of a block', () => {
    const on = (service: 'walletsolidity' | 'walletpbft') =>
      httpEndpoints.filter(({ services }) => services.includes(service)).map(({ name }) => name);
    expect(on('walletsolidity').filter((name) => !on('walletpbft').includes(name))).toEqual([
      'getpaginatednowwitnesslist',
      'gettransactioninfobyblocknum',
    ]);
    expect(on('walletpbft').filter((name) => !on('walletsolidity').includes(name))).toEqual([]);
  });
});
