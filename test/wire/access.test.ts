/**
 * Access control over real sockets: all combinations of the headers that identify the caller, for endpoints that
 * control the chain and for java-tron's own, as request, preflight, WebSocket upgrade and inside of a batch.
 */

import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Access } from '../../src/access/access.js';
import { startHttpServer } from '../../src/http/server.js';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import { methods } from '../../src/jsonrpc/methods.js';
import { SimulatedChain } from '../simulation/simulated-chain.js';
import { SocketClient } from './socket-client.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
afterAll(() => agent.destroy());

/** `undefined` omits a header, including the host. */
type Sent = Readonly<Record<string, string | undefined>>;

function ask(port: number, path: string, sent: Sent, method = 'POST', body = '{}'): Promise<Answer> {
  const headers: OutgoingHttpHeaders = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  );
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers, agent }, (received) => {
      let text = '';
      received.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      received.on('end', () => resolve({ status: received.statusCode ?? 0, headers: received.headers, text }));
    });
    asking.on('error', reject);
    asking.end(method === 'POST' ? body : undefined);
  });
}

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (part) => {
      answer += String(part);
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const MINE = '/sunup/mine';
const READ = '/wallet/getnowblock';

const localOrigins = [
  'http://localhost:3000',
  'https://localhost',
  'http://app.localhost:5173',
  'http://127.0.0.1:8080',
  'http://127.8.9.1',
  'http://[::1]:3000',
  'http://192.168.1.20:3000',
  'http://10.1.2.3',
  'http://172.17.0.2:80',
  'http://[fd00::1]:3000',
  'http://dapp:3000',
  'http://host.docker.internal:3000',
];
const foreignOrigins = [
  'https://evil.example',
  'https://localhost.evil.example',
  'https://internal.evil.example',
  'http://203.0.113.7',
  'http://[2001:db8::1]',
  'http://172.32.0.1',
  'http://127.0.0.1.nip.io',
  'null',
  'file://',
  'chrome-extension://ibnejdfjmmkpcnlpebklmnkoeoihofec',
  'http://localhost:3000, https://evil.example',
  'nonsense',
];
const localHosts = [
  '127.0.0.1:9090',
  'localhost:9090',
  'LOCALHOST',
  'localhost.',
  '[::1]:9090',
  '192.168.1.4:9090',
  '203.0.113.7',
  'sunup:9090',
  'sunup.ci.internal',
  'host.docker.internal:9090',
];
const publicHosts = [
  'rebound.evil.example:9090',
  'devnet.example',
  'localhost.evil.example',
  '127.0.0.1.nip.io',
  'a.b c',
];
const sites = [undefined, 'none', 'same-origin', 'same-site', 'cross-site'];

describe('with the defaults', () => {
  let devnet: Devnet;
  beforeAll(async () => {
    devnet = await createDevnet();
  });
  afterAll(() => devnet.close());

  const callers = [undefined, ...localOrigins, ...foreignOrigins].flatMap((origin) =>
    [...localHosts, ...publicHosts].flatMap((host) =>
      sites.map((site) => ({ origin, host, 'sec-fetch-site': site }) satisfies Sent),
    ),
  );

  test('control endpoints answer command lines and local pages under local names, all combinations', async () => {
    let mined = 2;
    for (const caller of callers) {
      const { origin, host } = caller;
      const byPage = origin === undefined ? caller['sec-fetch-site'] !== 'cross-site' : localOrigins.includes(origin);
      // A page of this server, at any address.
      const ours = origin === `http://${host}` || origin === `https://${host}`;
      const may = localHosts.includes(host) && (byPage || ours);
      const answer = await ask(devnet.http.port, MINE, caller);
      expect(answer.status, JSON.stringify(caller)).toBe(may ? 200 : 403);
      expect(answer.headers['access-control-allow-origin']).toBe(may ? origin : undefined);
      expect(answer.headers.vary).toBe('Origin');
      if (may) mined++;
      else expect(JSON.parse(answer.text).Error).toMatch(/^\/sunup\/mine is refused .* --allow-(origin|host) /);
    }
    const { text } = await ask(devnet.http.port, READ, {});
    expect(JSON.parse(text).block_header.raw_data.number).toBe(mined);
  });

  test("java-tron's endpoints answer everybody, all combinations", async () => {
    for (const caller of callers) {
      const answer = await ask(devnet.http.port, READ, caller);
      expect([answer.status, answer.headers['access-control-allow-origin']], JSON.stringify(caller)).toEqual([
        200,
        '*',
      ]);
    }
  });

  test('a preflight is decided like the request after it', async () => {
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-private-network': 'true' };
    for (const origin of [...localOrigins, ...foreignOrigins]) {
      const control = await ask(devnet.http.port, MINE, { ...preflight, origin }, 'OPTIONS');
      const may = localOrigins.includes(origin);
      expect(control.status, origin).toBe(may ? 200 : 403);
      expect(control.headers['access-control-allow-origin']).toBe(may ? origin : undefined);
      expect(control.headers['access-control-allow-methods']).toBe(may ? 'GET, POST, OPTIONS' : undefined);
      expect(control.headers['access-control-allow-private-network']).toBe(may ? 'true' : undefined);
      const read = await ask(devnet.http.port, READ, { ...preflight, origin }, 'OPTIONS');
      expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, '*']);
      expect(read.headers['access-control-allow-private-network']).toBe('true');
    }
  });

  test.each(['/wallet/broadcasttransaction', '/wallet/getaccount', '/jsonrpc', '/walletsolidity/getaccount'])(
    'a page may send its API key to %s',
    async (path) => {
      const preflight = {
        origin: 'https://wallet.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'chain-pro-api-key,content-type,tron-pro-api-key',
      };
      const { status, headers } = await ask(devnet.http.port, path, preflight, 'OPTIONS');
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'chain-pro-api-key,content-type,tron-pro-api-key',
        'access-control-allow-methods': 'GET, POST, OPTIONS',
      });
      expect(headers['access-control-allow-private-network']).toBeUndefined();
      const sent = { origin: 'https://wallet.example', 'tron-pro-api-key': 'k', 'chain-pro-api-key': 'k' };
      const answer = await ask(devnet.http.port, path, sent);
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
    },
  );

  test('a request without a host, from a client older than HTTP/1.1, counts as a command line', async () => {
    const answer = await sendRaw(devnet.http.port, 'POST /sunup/snapshot HTTP/1.0\r\ncontent-length: 0\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('options', () => {
  const origins = ['http://localhost:3000', 'https://dapp.example', 'https://other.example', 'null', undefined];
  type Opened = readonly [options: DevnetOptions, control: readonly unknown[], read: readonly unknown[]];
  test.each<Opened>([
    [{}, ['http://localhost:3000', undefined], origins],
    [
      { allowOrigin: ['https://dapp.example/', 'null'] },
      ['http://localhost:3000', 'https://dapp.example', 'null', undefined],
      origins,
    ],
    [{ allowOrigin: ['*'] }, origins, origins],
    [{ cors: false }, [undefined], [undefined]],
    [
      { cors: false, allowOrigin: ['https://dapp.example'] },
      ['https://dapp.example', undefined],
      ['https://dapp.example', undefined],
    ],
  ])('allowed origins with %j', async (options, control, read) => {
    const devnet = await createDevnet(options);
    for (const origin of origins) {
      for (const [path, may] of [
        [MINE, control],
        [READ, read],
        ['/jsonrpc', read],
      ] as const) {
        const answer = await ask(devnet.http.port, path, { origin });
        expect(answer.status, `${path} ${origin}`).toBe(may.includes(origin) ? 200 : 403);
        const preflight = await ask(
          devnet.http.port,
          path,
          { origin, 'access-control-request-method': 'POST' },
          'OPTIONS',
        );
        expect(preflight.status).toBe(answer.status);
        expect(preflight.headers['access-control-allow-origin']).toBe(answer.headers['access-control-allow-origin']);
        if (answer.status === 403) expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    await devnet.close();
  });

  test('without CORS a page of another site gets nothing, even if its browser sends no origin', async () => {
    const devnet = await createDevnet({ cors: false });
    for (const [sent, status] of [
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'sec-fetch-site': 'same-origin' }, 200],
      [{ host: 'rebound.example' }, 403],
      [{ host: 'rebound.example', origin: 'http://rebound.example' }, 403],
      [{ host: 'localhost:9090', origin: 'http://localhost:9090' }, 200],
      [{ host: 'localhost:9090', origin: 'http://localhost:3000' }, 403],
    ] as const) {
      expect((await ask(devnet.http.port, READ, sent)).status, JSON.stringify(sent)).toBe(status);
    }
    await devnet.close();
  });

  test('allowed host names', async () => {
    const devnet = await createDevnet({ allowHost: ['devnet.example'] });
    for (const [sent, status] of [
      [{ host: 'devnet.example:9090' }, 200],
      [{ host: 'DEVNET.example.' }, 200],
      [{ host: 'sub.devnet.example' }, 403],
      [{ host: 'devnet.example:9090', origin: 'http://devnet.example:9090' }, 200],
      [{ host: 'devnet.example', origin: 'https://evil.devnet.example' }, 403],
      [{ host: 'devnet.example', 'sec-fetch-site': 'same-site' }, 403],
      [{ host: 'devnet.example', 'sec-fetch-site': 'same-origin' }, 200],
    ] as const) {
      expect((await ask(devnet.http.port, MINE, sent)).status, JSON.stringify(sent)).toBe(status);
    }
    await devnet.close();
  });
});

describe('methods of JSON-RPC', () => {
  /** A test method that reports that it ran. */
  async function serve() {
    const chain = await SimulatedChain.open();
    const ran: unknown[] = [];
    const control = {
      name: 'evm_mine',
      callers: 'trusted',
      parameters: [],
      answer: () => String(ran.push(0)),
    } as const;
    const access = new Access();
    const route = jsonRpcRoute({
      node: chain.node,
      view: 'full',
      access,
      methods: new Map(methods).set('evm_mine', control),
    });
    const server = await startHttpServer({ port: 0, access, plugins: [route] });
    const close = async () => {
      await server.close();
      await chain.close();
    };
    return { port: server.port, ran, close };
  }

  test('are checked one by one, also in batches and as notifications', async () => {
    const { port, ran, close } = await serve();
    const one = (id: number | null, method: string) => JSON.stringify({ jsonrpc: '2.0', id, method, params: [] });
    const batch = `[${one(1, 'eth_chainId')},${one(2, 'evm_mine')},[${one(3, 'evm_mine')}],${one(null, 'evm_mine')}]`;
    const evil = { origin: 'https://evil.example' };
    const refused = await ask(port, '/jsonrpc', evil, 'POST', batch);
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([200, '*']);
    const [first, second, [third]] = JSON.parse(refused.text);
    expect(first.result).toMatch(/^0x/);
    for (const answer of [second, third]) {
      expect(answer.error.code).toBe(4100);
      expect(answer.error.message).toBe(
        'evm_mine is refused for pages of https://evil.example: start sunup with --allow-origin https://evil.example to let them control this chain',
      );
    }
    expect(ran).toEqual([]);
    await ask(port, '/jsonrpc', { 'sec-fetch-site': 'cross-site' }, 'POST', one(1, 'evm_mine'));
    await ask(port, '/jsonrpc', { host: 'rebound.example' }, 'POST', one(1, 'evm_mine'));
    expect(ran).toEqual([]);

    const answered = await ask(port, '/jsonrpc', { origin: 'http://localhost:3000' }, 'POST', batch);
    expect(JSON.parse(answered.text)[1].result).toBe('1');
    expect(ran.length).toBe(3);
    await close();
  });

  test('are checked in the same way in a WebSocket, by the headers of its upgrade request', async () => {
    const { port, ran, close } = await serve();
    for (const sent of [
      { origin: 'https://evil.example' },
      { host: 'rebound.example', origin: 'http://rebound.example' },
      { host: 'rebound.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      await using client = await SocketClient.connect(`http://127.0.0.1:${port}/eth`, sent as Record<string, string>);
      expect(await client.ask('eth_chainId')).toMatch(/^0x/);
      expect((await client.request('evm_mine')).error.code).toBe(4100);
      const batch = JSON.parse(await client.raw('[{"id":8,"method":"evm_mine"},[{"id":9,"method":"evm_mine"}]]'));
      expect(batch.flat().map(({ error }: { error: { code: number } }) => error.code)).toEqual([4100, 4100]);
    }
    expect(ran).toEqual([]);
    await using mine = await SocketClient.connect(`http://127.0.0.1:${port}/eth`, { origin: 'http://localhost:3000' });
    expect(await mine.ask('evm_mine')).toBe('1');
    await close();
  });
});

test('a WebSocket upgrade passes the same checks', async () => {
  const server = await startHttpServer({
    port: 0,
    plugins: [
      async (app) => {
        const accept = async ({ socket }: { readonly socket: Socket }) => {
          socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        };
        app.acceptUpgrades('/tre/ws', { callers: 'trusted', accept });
        app.acceptUpgrades('/ws', { callers: 'anyone', accept });
      },
    ],
  });
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
  };
  const asked = async (path: string, sent: Sent) =>
    (await ask(server.port, path, { ...upgrade, ...sent }, 'GET')).status;
  expect(await asked('/tre/ws', { origin: 'https://evil.example' })).toBe(403);
  expect(await asked('/tre/ws', { host: 'rebound.example' })).toBe(403);
  expect(await asked('/tre/ws', { origin: 'http://localhost:3000' })).toBe(200);
  expect(await asked('/tre/ws', {})).toBe(200);
  expect(await asked('/ws', { origin: 'https://evil.example' })).toBe(200);
  await server.close();
});
