/**
 * Every endpoint of the table on a running devnet: it differs from an unknown path, and any request gets an answer or a
 * proper error.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVICE_PREFIXES } from '../../src/http/endpoint-routes.js';
import { httpEndpoints } from '../../src/http/endpoints.js';
import type { HttpEndpoint } from '../../src/http/table.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { WalletContext } from '../../src/wallet/context.js';

const failures: string[] = [];
let devnet: Devnet;

beforeAll(async () => {
  devnet = await createDevnet({
    // With the endpoints of all releases.
    nodeVersion: '4.8.2',
    log: {
      warn: () => {},
      error: (message, cause) => failures.push(`${message}: ${cause instanceof Error ? cause.stack : cause}`),
    },
  });
});
afterAll(() => devnet.close());

const pathOf = (endpoint: HttpEndpoint<WalletContext>) => `${SERVICE_PREFIXES[endpoint.services[0]!]}${endpoint.name}`;

async function ask(path: string, body: string | undefined, contentType = 'application/json') {
  const init = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': contentType } };
  const answer = await fetch(devnet.http.url + path, init);
  return { status: answer.status, text: await answer.text() };
}

/** Sunup's own paths: an error has its own status and a text. */
const isOwn = (path: string) => path.startsWith('/sunup/');
const MISTAKE_STATUSES = [400, 404, 409, 413];

/** java-tron's paths: JSON, or an empty answer. */
function isAnswer(path: string, { status, text }: { status: number; text: string }): boolean {
  if (isOwn(path) && MISTAKE_STATUSES.includes(status)) return typeof JSON.parse(text).Error === 'string';
  if (status === 200) {
    if (text !== '') {
      // getReward and getBrokerage build one text by hand in java-tron, with the unescaped character.
      JSON.parse(
        text.replaceAll('\u001a', '').replace(/(?<=INVALID address, Illegal character )[\s\S]+(?= at \d)/, 'x'),
      );
    }
    return true;
  }
  return status === 405;
}

test('names are unique on each service', () => {
  const paths = httpEndpoints.flatMap((endpoint) => endpoint.services.map((service) => `${service}/${endpoint.name}`));
  expect(paths.length).toBe(new Set(paths).size);
});

describe('each endpoint', () => {
  test.each(httpEndpoints.map((endpoint) => [pathOf(endpoint), endpoint] as const))('%s', async (path, endpoint) => {
    const get = await ask(path, undefined);
    expect(isAnswer(path, get), get.text).toBe(true);
    expect(get.status === 405).toBe(endpoint.get === 'refused');
    for (const body of ['', '{}', '[]', '{', 'null', '{"visible":true}', '{"value":"zz"}']) {
      const post = await ask(path, body);
      expect(isAnswer(path, post), `${path} ${body} ${post.text}`).toBe(true);
      expect(post.status === 405).toBe(endpoint.post !== 'answers');
    }
    expect(failures).toEqual([]);
  });
});

/** Answers of a 4.8.0 node that are not in the recorded refusals. */
describe('endpoints that read members themselves', () => {
  const owner = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
  const deploy = (abi: string) =>
    ask('/wallet/deploycontract', `{"owner_address":"${owner}","abi":${abi},"bytecode":"00"}`);
  const PARSE = 'class org.tron.core.services.http.JsonFormat$ParseException : ';
  const KIND = 'protocol.SmartContract.ABI.Entry.EntryType';

  test('an error inside of an ABI has the position in the text that fastjson printed, with reordered members', async () => {
    expect(JSON.parse((await deploy('[{"type":"odd","name":"f"}]')).text)).toEqual({
      Error: `${PARSE}1:31: Enum type "${KIND}" has no value named "Odd".`,
    });
    // A text with an ABI is used unchanged.
    expect(JSON.parse((await deploy('"[{\\"type\\":\\"odd\\",\\"name\\":\\"f\\"}]"')).text)).toEqual({
      Error: `${PARSE}1:20: Enum type "${KIND}" has no value named "Odd".`,
    });
  });

  test('a deployment needs neither an owner nor a valid address', async () => {
    for (const body of ['{"visible":true}', '{"visible":true,"owner_address":"TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HD"}']) {
      const { raw_data } = JSON.parse((await ask('/wallet/deploycontract', body)).text);
      expect(raw_data.contract[0].parameter).toEqual({
        value: { new_contract: { abi: {} } },
        type_url: 'type.googleapis.com/protocol.CreateSmartContract',
      });
    }
  });

  test('a text name is required', async () => {
    for (const endpoint of ['getassetissuebyname', 'getassetissuelistbyname']) {
      const missing = '{"Error":"class java.lang.NullPointerException : null"}\n';
      expect((await ask(`/wallet/${endpoint}`, '{"visible":true}')).text).toBe(missing);
      expect((await ask(`/wallet/${endpoint}?visible=true`, undefined)).text).toBe(missing);
      expect((await ask(`/wallet/${endpoint}`, '{}')).text).toBe('{}\n');
    }
  });
});

describe('a body that would block other clients is refused', () => {
  const list = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;
  const values = '{"Error":"class java.lang.Exception : body has too many values, the limit is 40000"}\n';
  const fields = '{"Error":"class java.lang.Exception : body has too many fields, the limit is 10000"}\n';
  const escapes = '{"Error":"class java.lang.Exception : body has too many escapes, the limit is 300000"}\n';
  test.each<readonly [path: string, body: string, contentType: string, answer: string]>([
    ['votewitnessaccount', `{"votes":${list('{}', 1_300_000)}}`, 'application/json', values],
    ['deploycontract', `{"abi":${list('{"type":"Function"}', 160_000)}}`, 'application/json', values],
    ['deploycontract', `{"abi":${JSON.stringify(list('{"type":1}', 60_000))}}`, 'application/json', values],
    ['broadcasttransaction', `{"raw_data":{"contract":${list('{}', 60_000)}}}`, 'application/json', values],
    ['getReward', `{"address":${list('1', 60_000)}}`, 'application/json', values],
    ['validateaddress', `{"address":${list('1', 60_000)}}`, 'application/json', ''],
    ['getaccount', `address=41${'&a=1'.repeat(10_000)}`, 'application/x-www-form-urlencoded', fields],
    ['getReward', `address=41${'&a=1'.repeat(10_000)}`, 'application/x-www-form-urlencoded', fields],
    // Commas between elements are optional.
    ['getaccount', `{"a":[${'[]'.repeat(2_000_000)}]}`, 'application/json', values],
    ['getaccount', `{"a":[${'[]'.repeat(2_000_000)}]}`, 'application/x-www-form-urlencoded', values],
    ['getReward', `{"address":[${'{}'.repeat(2_000_000)}]}`, 'application/json', values],
    ['deploycontract', `{"abi":${JSON.stringify(`[${'{}'.repeat(60_000)}]`)}}`, 'application/json', values],
    ['getaccount', `{"a":"${'\\n'.repeat(400_000)}"}`, 'application/json', escapes],
    ['getaccount', `{"a":"${'\u0001'.repeat(4_000_000)}"}`, 'application/json', escapes],
    ['getaccount', `{"a":'${'"'.repeat(4_000_000)}'}`, 'application/json', escapes],
  ])('%s', async (name, body, contentType, answer) => {
    expect(await ask(`/wallet/${name}`, body, contentType)).toEqual({ status: 200, text: answer });
  });

  test('commas in a text are not counted', async () => {
    const { text } = await ask('/wallet/getaccountbyid', `{"account_id":"00","name":"${','.repeat(60_000)}"}`);
    expect(text).toBe('{}\n');
  });

  test('a transaction above the size limit of nodes is not built', async () => {
    const [owner, to] = devnet.accounts.map(({ addressHex }) => addressHex);
    const tooBig = (bytes: number) =>
      `class org.tron.core.exception.TooBigTransactionException : Too big transaction, contract and memo are ${bytes} bytes, maxTxSize 512000`;
    const build = async (endpoint: string, fields: object) => {
      const body = JSON.stringify({ owner_address: owner, ...fields });
      return (JSON.parse((await ask(`/wallet/${endpoint}`, body)).text) as { readonly Error?: string }).Error;
    };
    expect(await build('deploycontract', { name: 'n'.repeat(600_000) })).toBe(tooBig(600_056));
    expect(await build('deploycontract', { bytecode: '00'.repeat(600_000) })).toBe(tooBig(600_056));
    const transfer = { to_address: to, amount: 1 };
    expect(await build('createtransaction', { ...transfer, extra_data: '00'.repeat(600_000) })).toBe(tooBig(600_048));
    expect(await build('createtransaction', { ...transfer, extra_data: '00'.repeat(500_000) })).toBeUndefined();
  });

  test('many values are accepted', async () => {
    const { text } = await ask('/wallet/votewitnessaccount', `{"votes":${list('{}', 39_000)}}`);
    expect(JSON.parse(text).Error).toContain('ContractValidateException');
  });
});

const junk = fc.oneof(
  fc.constantFrom(
    '"41"',
    '""',
    'null',
    'true',
    '0',
    '-1',
    '1.5',
    '9223372036854775807',
    '9223372036854775808',
    '{}',
    '[]',
    '[{}]',
    '{"a":[]}',
    '"zz"',
    '"0x"',
    '"_"',
    '"1000001"',
    '"TransferContract"',
    "'x'",
    '"\\u00"',
    '1e999',
  ),
  fc.string().map((text) => JSON.stringify(text)),
  fc.bigInt({ min: -(1n << 70n), max: 1n << 70n }).map(String),
  fc.constantFrom(
    '"41f8c6364accdf28536647dbfc8b7c36e32990f76c"',
    '"TYec2edao84FmxFvMta3jDyDiHtcK6Ywa6"',
    '{"type":0,"threshold":1,"keys":[{"address":"41f8c6364accdf28536647dbfc8b7c36e32990f76c","weight":1}]}',
    '{"contract":[{"type":"TransferContract","parameter":{"value":{"amount":1}}}]}',
    `"${'ab'.repeat(32)}"`,
  ),
);

function bodyOf(endpoint: HttpEndpoint<WalletContext>): fc.Arbitrary<string> {
  const names = [
    ...(endpoint.request?.fields.map((field) => field.name) ?? []),
    'visible',
    'Permission_id',
    'extra_data',
    'value',
    'address',
    'id',
    'raw_data',
    'signature',
    'transaction',
    'contractType',
  ];
  const member = fc.tuple(fc.constantFrom(...names), junk).map(([name, value]) => `"${name}":${value}`);
  const object = fc.array(member, { maxLength: 6 }).map((members) => `{${members.join(',')}}`);
  const bent = fc
    .tuple(object, fc.nat(), fc.constantFrom('', '"', '}', '{', ',', ':', '\u0000', '\n', '#'))
    .map(([text, at, mark]) => text.slice(0, at % (text.length + 1)) + mark + text.slice((at % (text.length + 1)) + 1));
  return fc.oneof(
    { weight: 3, arbitrary: object },
    { weight: 1, arbitrary: bent },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** Sunup's endpoints that change the chain. */
const changing = (endpoint: HttpEndpoint<WalletContext>) =>
  endpoint.services.includes('sunup') && endpoint.get === 'refused';

function bringsDownNothing(endpoints: readonly HttpEndpoint<WalletContext>[]): void {
  test.each(endpoints.map((endpoint) => [pathOf(endpoint), endpoint] as const))('%s', async (path, endpoint) => {
    const contentTypes = fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded');
    const queries = fc.array(
      fc.tuple(fc.constantFrom('value', 'address', 'num', 'id', 'visible', 'offset', 'limit'), fc.string()),
    );
    await fc.assert(
      fc.asyncProperty(bodyOf(endpoint), contentTypes, queries, async (body, contentType, query) => {
        const url = `${path}?${new URLSearchParams(query)}`;
        expect(isAnswer(path, await ask(url, body, contentType))).toBe(true);
        expect(isAnswer(path, await ask(url, undefined))).toBe(true);
        expect(failures).toEqual([]);
      }),
      { numRuns: 25, seed: 20260101 },
    );
  });
}

describe('no request breaks an endpoint', () => {
  let before = '';
  beforeAll(async () => {
    before = (await ask('/wallet/getblock', '{"detail":false}')).text;
  });

  bringsDownNothing(httpEndpoints.filter((endpoint) => !changing(endpoint)));

  test('and the chain is unchanged', async () => {
    expect((await ask('/wallet/getblock', '{"detail":false}')).text).toBe(before);
    expect(JSON.parse((await ask('/wallet/getpendingsize', undefined)).text)).toEqual({ pendingSize: 0 });
  });

  describe('nor an endpoint that changes the chain', () => bringsDownNothing(httpEndpoints.filter(changing)));
});
