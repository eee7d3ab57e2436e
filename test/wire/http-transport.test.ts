import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointRoutes } from '../../src/http/endpoint-routes.js';
import { inSlices } from '../../src/http/long-answers.js';
import { type HttpServer, startHttpServer, startInProcess } from '../../src/http/server.js';
import type { HttpEndpoint } from '../../src/http/table.js';

/** Test endpoints, so that transport is tested independently of the real ones. */
const endpoints: readonly HttpEndpoint<string>[] = [
  {
    name: 'echo',
    services: ['wallet', 'walletsolidity'],
    get: 'answers',
    post: 'answers',
    callers: 'anyone',
    answer: (view, request) => `${view} ${request.method} ${request.parameter('a') ?? '-'} ${request.body.text}\n`,
  },
  { name: 'build', services: ['wallet'], get: 'empty', post: 'answers', callers: 'anyone', answer: () => 'built\n' },
  {
    name: 'broadcast',
    services: ['wallet'],
    get: 'refused',
    post: 'answers',
    callers: 'anyone',
    servlet: 'BroadcastServlet',
    answer: () => 'sent\n',
  },
  {
    name: 'broken',
    services: ['wallet'],
    get: 'answers',
    post: 'answers',
    callers: 'anyone',
    answer: () => {
      throw new Error('our bug');
    },
  },
];

const UNKNOWN_PATHS = [
  '/wallet/nope',
  '/wallet/echo/',
  '/wallet/echo-',
  '/wallet/Echo',
  '/wallet/',
  '/walletsolidity/build',
  '/',
  '/wallet',
];
const plugins = [endpointRoutes({ endpoints, views: { wallet: () => 'head' } })];

const internalErrors: string[] = [];
let server: HttpServer;

beforeAll(async () => {
  server = await startHttpServer({
    port: 0,
    plugins: [endpointRoutes({ endpoints, views: { wallet: () => 'head', walletsolidity: () => 'solid' } })],
    bodyLimitBytes: 1000,
    onInternalError: (error, path) => internalErrors.push(`${path}: ${(error as Error).message}`),
  });
});
afterAll(() => server.close());

const ask = (path: string, init?: RequestInit) => fetch(server.url + path, init);

describe('paths and methods', () => {
  test("an endpoint answers at each of its services, with the service's view", async () => {
    const head = await ask('/wallet/echo?a=1');
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe('application/json;charset=utf-8');
    expect(await head.text()).toBe('head GET 1 \n');
    expect(await (await ask('/walletsolidity/echo', { method: 'POST', body: 'x' })).text()).toBe('solid POST - x\n');
  });

  test.each([...UNKNOWN_PATHS, `/wallet/${'a'.repeat(1_000)}`])('GET of the unknown path %s is 404', async (path) => {
    const answer = await ask(path, { headers: { accept: 'application/json, text/plain, */*' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect((await answer.text()).replace(/-[0-9a-f]+",/, '-#",')).toBe(
      `{\n"servlet":"org.eclipse.jetty.servlet.ServletHandler$Default404Servlet-#",\n"message":"Not Found",\n"url":"${path}",\n"status":"404"\n}`,
    );
  });

  test('an undecodable path is 400', async () => {
    const answer = await ask('/%zz', { headers: { accept: 'application/json' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json']);
  });

  test.each(['/wallet/nope', `/wallet/${'a'.repeat(1_000)}`])(
    'POST of the unknown path %s is 405, as a page for browsers',
    async (path) => {
      const answer = await ask(path, { method: 'POST', body: '{}', headers: { accept: '*/*' } });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('content-type')).toBe('text/html;charset=iso-8859-1');
      const page = await answer.text();
      expect(page).toContain('<title>Error 405 HTTP method POST is not supported by this URL</title>');
      expect(page).toContain(`<tr><th>URI:</th><td>${path}</td></tr>`);
    },
  );

  test('GET of a builder is empty, GET of a broadcast is refused', async () => {
    const built = await ask('/wallet/build');
    expect([built.status, await built.text()]).toEqual([200, '']);
    const refused = await ask('/wallet/broadcast', { headers: { accept: 'application/json' } });
    expect(refused.status).toBe(405);
    expect(await refused.text()).toMatch(/"servlet":"org\.tron\.core\.services\.http\.BroadcastServlet-/);
  });

  test.each([
    ['PUT', 405],
    ['DELETE', 405],
    ['PATCH', 501],
  ])('%s is refused without a body', async (method, status) => {
    const answer = await ask('/wallet/echo', { method });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([status, null, '']);
  });

  test('HEAD is GET without the body, OPTIONS allows browsers', async () => {
    const head = await ask('/wallet/echo', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await ask('/wallet/build', { method: 'OPTIONS', headers: { origin: 'http://dapp.example' } });
    expect(options.status).toBe(200);
    expect(options.headers.get('allow')).toContain('POST');
    expect(options.headers.get('access-control-allow-origin')).toBe('*');
    expect(options.headers.get('access-control-allow-headers')).toBe('*');
  });

  test('health', async () => {
    expect(await (await ask('/healthcheck')).json()).toEqual({ status: 'ok' });
  });
});

describe('bodies', () => {
  test.each(['application/json', 'text/plain', 'application/octet-stream', 'foo;;;==bar', ''])(
    'of type %j reach the endpoint',
    async (type) => {
      const answer = await ask('/wallet/echo', { method: 'POST', body: 'x', headers: { 'content-type': type } });
      expect(await answer.text()).toBe('head POST - x\n');
    },
  );

  test('no body', async () => {
    expect(await (await ask('/wallet/echo', { method: 'POST' })).text()).toBe('head POST - \n');
  });

  test.each([
    [1000, 'built\n'],
    [1001, '{"Error":"class java.lang.Exception : body size is too big, the limit is 1000"}\n'],
    [12_000, '{"Error":"class java.lang.Exception : body size is too big, the limit is 1000"}\n'],
  ])('of %i bytes, with a limit of 1,000', async (size, text) => {
    const answer = await ask('/wallet/build', { method: 'POST', body: 'x'.repeat(size) });
    expect([answer.status, await answer.text()]).toEqual([200, text]);
  });
});

describe('failures', () => {
  test('an internal error is reported to the node, and the client gets an answer', async () => {
    const answer = await ask('/wallet/broken');
    expect([answer.status, await answer.text()]).toEqual([
      200,
      '{"Error":"class java.lang.RuntimeException : our bug"}\n',
    ]);
    expect(internalErrors).toEqual(['/wallet/broken: our bug']);
  });

  test('an incomplete request does no harm', async () => {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write('POST /wallet/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"a"', () =>
          socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
    expect(await (await ask('/wallet/echo')).text()).toBe('head GET - \n');
    expect(internalErrors).toEqual(['/wallet/broken: our bug']);
  });

  /** All data until the server closes the connection. */
  function sendRaw(text: string): Promise<string> {
    return new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });
  }

  test.each(['abc', '-1', '1e3', '0x10', '99999999999999999999999'])(
    "a Content-Length of %j gets Jetty's error page",
    async (length) => {
      expect(await sendRaw(`POST /wallet/echo HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n{}`)).toBe(
        [
          'HTTP/1.1 400 Invalid Content-Length Value',
          'Content-Type: text/html;charset=iso-8859-1',
          'Content-Length: 71',
          'Connection: close',
          '',
          '<h1>Bad Message 400</h1><pre>reason: Invalid Content-Length Value</pre>',
        ].join('\r\n'),
      );
    },
  );

  test('data that are not HTTP are refused', async () => {
    expect(await sendRaw('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*<h1>Bad Message 400<\/h1>/s);
  });
});

describe('plugins add the routes', () => {
  test('a JSON schema of a route is checked', async () => {
    const own = await startHttpServer({
      port: 0,
      plugins: [
        async (app) => {
          const schema = {
            querystring: { type: 'object', properties: { limit: { type: 'integer', maximum: 200 } } },
            response: { 200: { type: 'object', properties: { limit: { type: 'integer' } } } },
          };
          app.get<{ Querystring: { limit: number } }>(
            '/v1/page',
            { schema, config: { callers: 'anyone' } },
            (request) => ({
              limit: request.query.limit,
              unknown: 1,
            }),
          );
        },
      ],
    });
    expect(await (await fetch(`${own.url}/v1/page?limit=20`)).text()).toBe('{"limit":20}');
    expect(await (await fetch(`${own.url}/v1/page?limit=201`)).text()).toContain('querystring/limit must be <= 200');
    await own.close();
  });

  test('a route without its allowed callers is a bug', async () => {
    const silent = startHttpServer({
      port: 0,
      plugins: [
        async (app) => {
          app.get('/tre/accounts', () => '');
        },
      ],
    });
    await expect(silent).rejects.toThrow('/tre/accounts does not say who may call it');
  });
});

test('other requests get turns while a long answer is built', async () => {
  const items = Array.from({ length: 200 }, (_, i) => String(i));
  const busy = (item: string) => {
    const until = performance.now() + 2;
    while (performance.now() < until);
    return item;
  };
  const long: HttpEndpoint<string> = {
    name: 'long',
    services: ['wallet'],
    get: 'answers',
    post: 'refused',
    callers: 'anyone',
    answer: async (_view, request) => (await inSlices(items, busy, request)).join(),
  };
  const own = await startHttpServer({
    port: 0,
    plugins: [endpointRoutes({ endpoints: [long], views: { wallet: () => 'head' } })],
  });
  const order: string[] = [];
  const answered = fetch(`${own.url}/wallet/long`).then(async (answer) => {
    expect(await answer.text()).toBe(items.join());
    order.push('long');
  });
  await fetch(`${own.url}/healthcheck`);
  order.push('health');
  await answered;
  expect(order).toEqual(['health', 'long']);
  await own.close();
});

describe('connections', () => {
  test('stay open for later requests', async () => {
    const answer = await ask('/wallet/echo');
    expect(answer.headers.get('connection')).toBe('keep-alive');
    expect(answer.headers.get('keep-alive')).toBe('timeout=72');
    const posted = await ask('/wallet/build', { method: 'POST', body: '{}' });
    expect(posted.headers.get('keep-alive')).toBe('timeout=72');
  });

  test('are closed with a time limit when idle or incomplete, which frees the port', async () => {
    const own = await startHttpServer({ port: 0, plugins });
    await (await fetch(`${own.url}/wallet/echo`)).text();
    const unfinished = connect(own.port, '127.0.0.1');
    await new Promise<void>((resolve) => unfinished.once('connect', resolve));
    unfinished.write('POST /wallet/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
    unfinished.on('error', () => {});
    await own.close();
    const again = await startHttpServer({ port: own.port, plugins });
    expect(again.port).toBe(own.port);
    await again.close();
    unfinished.destroy();
  });

  test('that stay open are answered while the server closes', async () => {
    const arrivals: (() => void)[] = [];
    const [first, second] = [0, 1].map(() => new Promise<void>((resolve) => arrivals.push(resolve)));
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: HttpEndpoint<string> = {
      name: 'slow',
      services: ['wallet'],
      get: 'answers',
      post: 'refused',
      callers: 'anyone',
      answer: async () => {
        arrivals.shift()?.();
        await released;
        return 'slow\n';
      },
    };
    const own = await startHttpServer({
      port: 0,
      plugins: [endpointRoutes({ endpoints: [slow], views: { wallet: () => 'head' } })],
    });
    const socket = connect(own.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    const ended = new Promise((resolve) => socket.on('close', resolve));
    const request = 'GET /wallet/slow HTTP/1.1\r\nhost: x\r\n\r\n';
    socket.write(request);
    await first;
    const closed = own.close();
    // Until new connections are refused.
    for (let open = true; open; ) {
      open = await new Promise<boolean>((resolve) => {
        const other = connect(own.port, '127.0.0.1', () => other.end());
        other.on('close', (failed) => resolve(!failed));
        other.on('error', () => {});
      });
    }
    socket.write(request);
    await second;
    release();
    await Promise.all([closed, ended]);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });

  test('a port in use is an error with its code', async () => {
    await expect(startHttpServer({ port: server.port, plugins: [] })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('answers of one round are sent together, without slow ones', async () => {
    const made: FastifyReply[] = [];
    const left: number[] = [];
    let firstArrived = () => {};
    const first = new Promise<void>((resolve) => {
      firstArrived = resolve;
    });
    const plugin: FastifyPluginAsync = async (app) => {
      const config = { callers: 'anyone' } as const;
      app.get('/fast', { config }, (_request, reply) => {
        left.push(made.filter(({ raw }) => raw.headersSent).length);
        made.push(reply);
        reply.send('fast');
      });
      app.get('/slow', { config }, async () => {
        await first;
        return 'slow';
      });
    };
    const own = await startHttpServer({ port: 0, plugins: [plugin] });
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    const sockets = await Promise.all(
      ['/fast', '/fast', '/slow'].map(async (path) => {
        const socket = connect(own.port, '127.0.0.1');
        socket.write(get('/healthcheck'));
        await once(socket, 'data');
        return { socket, path };
      }),
    );
    const answers = sockets.map(({ socket }) => once(socket, 'data').then(String));
    // Written at once, so that the server reads them in one round.
    for (const { socket, path } of sockets) socket.write(get(path));
    await answers[0];
    firstArrived();
    const bodies = (await Promise.all(answers)).map((answer) => answer.slice(-4));
    expect({ bodies, left }).toEqual({ bodies: ['fast', 'fast', 'slow'], left: [0, 0] });
    for (const { socket } of sockets) socket.destroy();
    await own.close();
  });

  test('an answer waits until its data are durable', async () => {
    const order: string[] = [];
    let release = () => {};
    const stored = new Promise<void>((resolve) => {
      release = resolve;
    });
    const own = await startHttpServer({ port: 0, plugins, durable: () => () => stored });
    const answered = fetch(`${own.url}/wallet/echo`).then(() => order.push('answered'));
    await fetch(`${own.url}/healthcheck`);
    order.push('stored');
    release();
    await answered;
    expect(order).toEqual(['stored', 'answered']);
    await own.close();
  });

  test('the same within the process; an answer that never becomes durable is not sent', async () => {
    const order: string[] = [];
    let settle = (_error?: Error) => {};
    const failures: string[] = [];
    const own = await startInProcess({
      plugins,
      durable: () => () =>
        new Promise((resolve, reject) => {
          settle = (error) => (error === undefined ? resolve() : reject(error));
        }),
      onInternalError: (error, path) => failures.push(`${path}: ${(error as Error).message}`),
    });
    const asked = async () => {
      const answer = await own.post('/wallet/echo', 'body');
      order.push('answered');
      return answer;
    };
    for (const error of [undefined, new Error('no room')]) {
      const answer = asked();
      await new Promise((resolve) => setImmediate(resolve));
      order.push('stored');
      settle(error);
      const lost = { status: 500, text: '' };
      expect(await answer).toEqual(error === undefined ? { status: 200, text: 'head POST - body\n' } : lost);
    }
    expect(order).toEqual(['stored', 'answered', 'stored', 'answered']);
    expect(failures).toEqual(['/wallet/echo: no room']);
    await own.close();
  });

  test('within the process, a failing endpoint is answered in the same way', async () => {
    const answer = await ask('/wallet/broken', { method: 'POST', body: '{}' });
    expect(await server.post('/wallet/broken', '{}')).toEqual({ status: answer.status, text: await answer.text() });
    expect(internalErrors.slice(-2)).toEqual(['/wallet/broken: our bug', '/wallet/broken: our bug']);
  });
});
