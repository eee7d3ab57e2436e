/**
 * The envelope of JSON-RPC over a real socket (protocol/json-rpc.md#http-and-envelope-behaviour): cases without
 * recordings, and malformed input. test/recorded covers the recorded answers.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { methods } from '../../src/jsonrpc/methods.js';

let devnet: Devnet;

beforeAll(async () => {
  devnet = await createDevnet({ jsonrpcPort: 0, jsonrpcSolidityPort: 0 });
});

afterAll(() => devnet.close());

async function post(body: string, url = devnet.jsonrpc.url): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json-rpc');
  return answer.text();
}

const chainId = (id: string, extra = '') => `{"id":${id},"method":"eth_chainId"${extra}}`;
const answered = (id: string, version = '"2.0"') => `{"jsonrpc":${version},"id":${id},"result":"${devnet.chainId}"}\n`;
const PARSE_ERROR = '{"jsonrpc":"2.0","id":"null","error":{"code":-32700,"message":"JSON parse error"}}\n';

describe('ids keep their type and value', () => {
  test.each([
    ['7', '7'],
    ['-7', '-7'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    // Beyond a long: the low 64 bits.
    ['9223372036854775808', '-9223372036854775808'],
    ['92233720368547758080', '0'],
    ['1.0', '1.0'],
    ['1.5', '1.5'],
    ['-0', '0'],
    ['"x\\u0001\\n"', '"x\\u0001\\n"'],
    ['"\\u001f"', '"\\u001F"'],
  ])('%s', async (id, shown) => {
    expect(await post(chainId(id))).toBe(answered(shown));
  });

  test.each(['true', '[1]', '{"a":1}'])('%s gets an empty answer', async (id) => {
    expect(await post(chainId(id))).toBe('');
  });

  test('a request without an id is executed and not answered', async () => {
    expect(await post('{"method":"eth_chainId"}')).toBe('');
    expect(await post(chainId('null'))).toBe('');
    expect(await post(`[${chainId('null')},${chainId('1')}]`)).toBe(`[null,${answered('1').trim()}]\n`);
  });
});

describe('the version is returned as text', () => {
  test.each([
    ['"1.1"', '"1.1"'],
    ['2', '"2"'],
    ['2.50', '"2.5"'],
    ['true', '"true"'],
    ['null', '"2.0"'],
    ['{}', '""'],
  ])('%s', async (version, shown) => {
    expect(await post(chainId('1', `,"jsonrpc":${version}`))).toBe(answered('1', shown));
  });
});

describe('only the first document counts', () => {
  test.each([' x', '}', '{"id":2}', ' 01', '\u0000'])('before %j', async (rest) => {
    expect(await post(chainId('1') + rest)).toBe(answered('1'));
  });

  test.each(['', ' ', '{', '{"a"}', "{'a':1}", '[1,]', '{"a":01}', 'nul', '"a', '+1', '1.', '{"a":"\u0001"}', '5x'])(
    '%j is not a document',
    async (body) => {
      expect(await post(body)).toBe(PARSE_ERROR);
    },
  );

  test('a byte order mark is skipped', async () => {
    expect(await post(`\ufeff${chainId('1')}`)).toBe(answered('1'));
  });

  test('a document must not be nested deeper than Jackson allows', async () => {
    expect(await post('['.repeat(900) + ']'.repeat(900))).toBe(`${'['.repeat(900)}${']'.repeat(900)}\n`);
    expect(await post('['.repeat(100_000) + ']'.repeat(100_000))).toBe(PARSE_ERROR);
    const deep = `{"id":1,"method":"eth_call","params":[${'['.repeat(50_000)}${']'.repeat(50_000)},"latest"]}`;
    expect(await post(deep)).toBe(PARSE_ERROR);
  });
});

const ofJavaTron = [...methods.values()].filter(({ javaName, since }) => javaName !== undefined && since === undefined);

test.each(ofJavaTron.map(({ name, javaName = '', parameters }) => [name, javaName, parameters.length]))(
  '%s can also be called by the name of its Java method, %s',
  async (name, javaName, parameters) => {
    const ask = async (method: unknown, count: number) => {
      const params = Array.from({ length: count }, () => null);
      const answer = await post(JSON.stringify({ id: 1, method, params }));
      // Filter methods.
      return answer.replace(/"0x[0-9a-f]{32}"/, '"an id"');
    };
    expect(javaName).toMatch(/^[a-z][A-Za-z0-9]+$/);
    for (const count of [parameters as number, (parameters as number) + 1]) {
      const answer = await ask(name, count);
      expect(answer).not.toContain('method not found');
      expect(await ask(javaName, count)).toBe(answer);
    }
  },
);

describe('parameters are bound as Jackson binds them', () => {
  const rpc = async (method: string, params: string) =>
    JSON.parse(await post(`{"id":1,"method":"${method}","params":${params}}`));
  const sha3 = async (argument: string) => (await rpc('web3_sha3', `[${argument}]`)).result;

  test('numbers and booleans become text', async () => {
    expect(await sha3('10')).toBe(await sha3('"10"'));
    expect(await sha3('123456789012345678901234567890')).toBe(await sha3('"123456789012345678901234567890"'));
    // 1.5 and true are also texts, but not hex.
    expect(await rpc('web3_sha3', '[1.5]')).toMatchObject({ error: { message: 'invalid input value' } });
    expect(await rpc('eth_getBlockByNumber', '[1.0,false]')).toMatchObject({
      error: { message: 'invalid block number' },
    });
  });

  test.each(['0', '"false"', '"False"', 'false', '" false "'])('%s is false', async (flag) => {
    const { result } = await rpc('eth_getBlockByNumber', `["0x0",${flag}]`);
    expect(typeof result.transactions[0]).toBe('string');
  });

  test.each(['1', '2', '-1', '"true"', '"TRUE"', 'true', '12345678901234567890'])('%s is true', async (flag) => {
    const { result } = await rpc('eth_getBlockByNumber', `["0x0",${flag}]`);
    expect(typeof result.transactions[0]).toBe('object');
  });

  test.each(['1.5', '"x"', '[]', '{}', '[true]'])('%s is not a boolean', async (flag) => {
    expect(await post(`{"id":1,"method":"eth_getBlockByNumber","params":["0x0",${flag}]}`)).toBe(PARSE_ERROR);
  });

  test("names of JavaScript's object members are undeclared members", async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(await post(`{"id":1,"method":"eth_call","params":[{"${name}":"x"},"latest"]}`)).toBe(PARSE_ERROR);
    }
    expect(await rpc('toString', '[]')).toMatchObject({ error: { code: -32601, message: 'method not found' } });
  });

  test('every method checks the number of parameters', async () => {
    for (const { name, parameters } of ofJavaTron) {
      const one = Array(parameters.length + 1)
        .fill('"x"')
        .join(',');
      expect(await rpc(name, `[${one}]`), name).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32602, message: 'method parameters invalid' },
      });
    }
  });
});

test('every request gets a JSON-RPC answer', async () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant('latest'),
  );
  const params = fc.array(fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.string(), scalar)), { maxLength: 3 });
  const method = fc.constantFrom(...methods.keys());
  await fc.assert(
    fc.asyncProperty(method, params, async (name, given) => {
      const text = await post(JSON.stringify({ id: 1, method: name, params: given }));
      const answer = JSON.parse(text);
      expect(answer.error?.code).not.toBe(-32603);
      expect('result' in answer || typeof answer.error.code === 'number').toBe(true);
    }),
    { numRuns: 400 },
  );
});

describe('over HTTP', () => {
  test('only POST is accepted, and a query string is ignored', async () => {
    expect(await post(chainId('1'), `${devnet.jsonrpc.url}?a=b`)).toBe(answered('1'));
    for (const [method, status] of [
      ['GET', 405],
      ['HEAD', 405],
      ['PUT', 405],
      ['DELETE', 405],
      ['OPTIONS', 200],
    ] as const) {
      expect((await fetch(devnet.jsonrpc.url, { method })).status, method).toBe(status);
    }
    const page = await fetch(devnet.jsonrpc.url, { headers: { accept: 'application/json' } });
    expect(await page.json()).toMatchObject({
      servlet: expect.stringMatching(/^org\.tron\.core\.services\.jsonrpc\.JsonRpcServlet-/),
      message: 'HTTP method GET is not supported by this URL',
    });
  });

  test('its own port serves nothing else; the HTTP port also serves it', async () => {
    const { origin } = new URL(devnet.jsonrpc.url);
    expect((await fetch(`${origin}/wallet/getnowblock`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(origin, { method: 'POST', body: chainId('1') })).status).toBe(405);
    expect(await post(chainId('1'), `${devnet.http.url}/jsonrpc`)).toBe(answered('1'));
  });

  test('the solidity port has no buildTransaction, and filters of its own', async () => {
    const ask = async (url: string, method: string, ...params: unknown[]) =>
      JSON.parse(await post(JSON.stringify({ id: 1, method, params }), url));
    const solid = devnet.jsonrpcSolidity!.url;
    expect(await ask(solid, 'buildTransaction', {})).toMatchObject({
      error: { code: -32601, message: 'the method buildTransaction does not exist/is not available in SOLIDITY' },
    });
    const { result: filter } = await ask(devnet.jsonrpc.url, 'eth_newBlockFilter');
    expect(await ask(solid, 'eth_getFilterChanges', filter)).toMatchObject({ error: { message: 'filter not found' } });
    expect(await ask(devnet.jsonrpc.url, 'eth_getFilterChanges', filter)).toMatchObject({ result: [] });
  });

  test('a body above the limit is refused, and the connection stays usable', async () => {
    const answer = await fetch(devnet.jsonrpc.url, { method: 'POST', body: ' '.repeat(5_000_000) });
    expect(answer.status).toBe(413);
    expect(await post(chainId('1'))).toBe(answered('1'));
  });

  test('pages of other origins are allowed', async () => {
    const answer = await fetch(devnet.jsonrpc.url, { method: 'POST', body: chainId('1') });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});
