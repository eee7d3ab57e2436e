/** Several chains on one port: each has all interfaces, and nothing of another chain. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { Metadata } from '@grpc/grpc-js';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { ServiceClient } from './grpc-client.js';
import { SocketClient } from './socket-client.js';

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet({ grpcPort: 0 });
});
afterAll(() => devnet.close());

interface Chain {
  readonly id: string;
  readonly path: string;
  readonly chainId: string;
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
}

async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${devnet.http.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

async function made(options = '{}'): Promise<Chain> {
  const { status, json } = await send('POST', '/sunup/chains', options);
  expect([status, json.Error]).toEqual([200, undefined]);
  return json as unknown as Chain;
}

const headOf = async (path: string) => {
  const { json } = await send('POST', `${path}wallet/getnowblock`);
  return (json.block_header as { raw_data: { number: number } }).raw_data.number;
};

/** Everything that the server sends until it closes the connection. */
async function overOneConnection(...requests: readonly string[]): Promise<string> {
  const socket = connect(devnet.http.port, '127.0.0.1');
  let answers = '';
  socket.on('data', (part) => {
    answers += String(part);
  });
  socket.write(requests.join(''));
  await once(socket, 'close');
  return answers;
}

describe('a further chain', () => {
  it('is independent, with all interfaces below its path', async () => {
    const [one, two] = [await made('{"accounts":2,"balance":7}'), await made()];
    const sender = one.accounts[0]!;
    const tronWeb = new TronWeb({ fullHost: `${devnet.http.url}${one.path}`, privateKey: sender.privateKey });
    const { result } = await tronWeb.trx.sendTransaction(one.accounts[1]!.address, 1_500_000);
    expect(result).toBe(true);
    expect(await tronWeb.trx.getBalance(one.accounts[1]!.address)).toBe(8_500_000);
    expect([await headOf('/'), await headOf(one.path), await headOf(two.path)]).toEqual([2, 3, 2]);

    const history = await send('GET', `${one.path}v1/accounts/${sender.address}/transactions`);
    expect(history.json).toMatchObject({ success: true, data: [expect.anything()] });
    const rpc = (path: string, method: string, params = '[]') =>
      send('POST', `${one.path}${path}`, `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
    expect((await rpc('eth', 'eth_blockNumber')).json.result).toBe('0x3');
    await rpc('tre', 'tre_setAccountBalance', `["${sender.address}",42]`);
    expect(await tronWeb.trx.getBalance(sender.address)).toBe(42);
    expect((await send('POST', `${one.path}sunup/mine`, '{"blocks":10}')).json.number).toBe(13);
    expect([await headOf('/'), await headOf(two.path)]).toEqual([2, 2]);

    const client = new ServiceClient('Wallet', devnet.grpc!.url);
    const at = (chain: string) => {
      const metadata = new Metadata();
      metadata.set('sunup-chain', chain);
      return client.call('GetNowBlock2', {}, metadata);
    };
    expect(await at(one.id)).toMatchObject({ block_header: { raw_data: { number: '13' } } });
    await expect(at('nobody')).rejects.toMatchObject({ code: 5, details: expect.stringContaining('no chain nobody') });
    client.close();
  });

  it('reads a form as the server itself does', async () => {
    const { path, accounts } = await made();
    const form = new URLSearchParams({ address: accounts[0]!.address, visible: 'true' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { json } = await send('POST', `${path}wallet/getaccount`, form, headers);
    expect(json).toMatchObject({ address: accounts[0]!.address, balance: expect.any(Number) });
  });

  it('has the gRPC methods of its own release', async () => {
    const later = await made('{"nodeVersion":"4.8.1"}');
    const client = new ServiceClient('Wallet', devnet.grpc!.url);
    const metadata = new Metadata();
    metadata.set('sunup-chain', later.id);
    const request = { offset: 0, limit: 5 };
    expect((await client.call('GetPaginatedNowWitnessList', request, metadata)).witnesses).toHaveLength(1);
    await expect(client.call('GetPaginatedNowWitnessList', request)).rejects.toMatchObject({
      ...{ code: 12, details: 'Method not found: protocol.Wallet/GetPaginatedNowWitnessList' },
    });
    client.close();
  });

  it('has its own WebSockets, and pages of other origins cannot control it', async () => {
    const { path } = await made();
    const at = `${devnet.http.url}${path}eth`;
    {
      await using client = await SocketClient.connect(at);
      await client.ask('eth_subscribe', 'newHeads');
      await send('POST', `${path}sunup/mine`, '{"blocks":2}');
      expect((await client.next()).result.number).toBe('0x3');
      expect(await client.ask('eth_blockNumber')).toBe('0x4');
    }
    await using foreign = await SocketClient.connect(at, { origin: 'https://example.com' });
    expect((await foreign.request('evm_mine')).error.code).toBe(4_100);
    await expect(SocketClient.connect(`${devnet.http.url}/~nobody/eth`)).rejects.toThrow();
  });

  it.each(['h2c', 'websocket'])('keeps no connection whose first request asked for %s', async (protocol) => {
    const { path } = await made();
    await send('POST', `${path}sunup/mine`, '{"blocks":7}');
    const first = ['Host: localhost', 'Connection: Upgrade', `Upgrade: ${protocol}`];
    const second = ['Host: localhost', 'Connection: close'];
    const answers = await overOneConnection(
      `GET ${path}wallet/getnowblock HTTP/1.1\r\n${first.join('\r\n')}\r\n\r\n`,
      `GET /wallet/getnowblock HTTP/1.1\r\n${second.join('\r\n')}\r\n\r\n`,
    );
    const numbers = [...answers.matchAll(/"number": ?(\d+)/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual([9, await headOf('/')]);
  });

  it('has accounts of its own phrase if the first chain has a seed', async () => {
    const [{ address }] = devnet.accounts as [Devnet['accounts'][number]];
    await using seeded = await createDevnet({ seed: 'some text' });
    const make = async (options: object) => {
      const answer = await fetch(`${seeded.http.url}/sunup/chains`, { method: 'POST', body: JSON.stringify(options) });
      return ((await answer.json()) as Chain).accounts[0]?.address;
    };
    expect(await make({ mnemonic: 'test test test test test test test test test test test junk' })).toBe(address);
    expect(await make({})).toBe(seeded.accounts[0]?.address);
  });

  it('is listed until it is removed', async () => {
    const { id, path } = await made();
    const listed = async () => {
      const { json } = await send('GET', '/sunup/chains');
      return (json as unknown as Chain[]).map((chain) => chain.id);
    };
    expect(await listed()).toContain(id);
    expect((await send('DELETE', `/sunup/chains/${id}`)).json).toEqual({ removed: true });
    expect(await send('DELETE', `/sunup/chains/${id}`)).toEqual({
      status: 404,
      json: { Error: `there is no chain ${id} (POST /sunup/chains makes one)` },
    });
    expect(await listed()).not.toContain(id);
    expect(await send('POST', `${path}wallet/getnowblock`)).toEqual({
      status: 404,
      json: { Error: expect.stringContaining(`there is no chain ${id}`) },
    });
  });

  it('is removed after a time without requests', async () => {
    const { path } = await made('{"idleMs":1}');
    // Each request that finds it delays its removal by a millisecond, so the requests must stop.
    for (let status = 200; status !== 404; ) {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      ({ status } = await fetch(`${devnet.http.url}${path}healthcheck`));
    }
  });

  it('is not removed while a client listens to events or over a WebSocket', async () => {
    const listed = async () => {
      const { json } = await send('GET', '/sunup/chains');
      return (json as unknown as Chain[]).map((chain) => chain.id);
    };
    const [streaming, speaking] = [await made('{"idleMs":1000}'), await made('{"idleMs":1000}')];
    const reading = new AbortController();
    const { signal } = reading;
    await fetch(`${devnet.http.url}${streaming.path}sunup/events`, { signal });
    const { socket } = await SocketClient.connect(`${devnet.http.url}${speaking.path}jsonrpc`);
    // Their removal is due before that of this younger chain.
    const idle = await made('{"idleMs":1000}');
    while ((await listed()).includes(idle.id)) await new Promise((resolve) => setImmediate(resolve));
    expect(await listed()).toEqual(expect.arrayContaining([streaming.id, speaking.id]));
    reading.abort();
    socket.close();
    for (const { id } of [streaming, speaking])
      while ((await listed()).includes(id)) await new Promise((resolve) => setImmediate(resolve));
  });

  it.each([
    ['{', /the body is no JSON/],
    ['[]', /options must be an object/],
    ['{"accounts":-1}', /option accounts is -1/],
    ['{"db":"/tmp/x"}', /db cannot be set for a chain\. Possible options: idleMs, preset/],
    ['{"genesis":"/etc/passwd"}', /genesis must be an object/],
    ['{"genesis":{"accounts":5}}', /option genesis/],
    ['{"accounts":2001}', /accounts must be 2000 or less/],
    [`{"privateKeys":[${'"a",'.repeat(2_000)}"a"]}`, /privateKeys must have 2000 or fewer/],
    [`{"genesis":{"accounts":[${'{},'.repeat(2_000)}{}]}}`, /genesis.accounts must have 2000 or fewer/],
    [`{"genesis":{"witnesses":[${'{},'.repeat(256)}{}]}}`, /genesis.witnesses must have 256 or fewer/],
    ['{"clock":{"nowMs":1}}', /option clock is .*, but must be 'virtual', 'wall' or a clock/],
    [`{"derivationPath":"m${'/1'.repeat(300)}"}`, /^option derivationPath is "m.{78}…", which is not a BIP-32 path/],
    [`{"mnemonic":"${'a '.repeat(150_000)}"}`, /options of a chain may have 262144 characters, these have 300015/],
    ['{"idleMs":0}', /idleMs must be a whole number from 1/],
  ])('is not created with %s', async (body, text) => {
    const { status, json } = await send('POST', '/sunup/chains', body);
    expect([status, json.Error]).toEqual([400, expect.stringMatching(text)]);
  });

  it('with thousands of keys is created while other requests are answered', async () => {
    const privateKeys = Array.from({ length: 2_000 }, (_, i) => (i + 1).toString(16).padStart(64, '0'));
    let isMade = false;
    const chain = made(JSON.stringify({ privateKeys })).finally(() => {
      isMade = true;
    });
    let answered = 0;
    while (!isMade) {
      await fetch(`${devnet.http.url}/healthcheck`).then((answer) => answer.text());
      answered++;
    }
    expect((await chain).accounts).toHaveLength(2_000);
    // Both answered in one go: the request that came before, and one that waited for the creation.
    expect(answered).toBeGreaterThan(4);
  });

  it('cannot be created, listed or controlled by pages of other origins', async () => {
    const origin = { origin: 'https://example.com' };
    const { path } = await made();
    for (const [method, where] of [
      ['POST', '/sunup/chains'],
      ['GET', '/sunup/chains'],
      ['POST', `${path}sunup/mine`],
    ] as const) {
      expect((await send(method, where, method === 'POST' ? '{}' : undefined, origin)).status).toBe(403);
    }
    expect((await send('POST', `${path}wallet/getnowblock`, '{}', origin)).status).toBe(200);
  });
});
