/** A network with corrupt blocks, logs and lists: impossible answers are refused, and none of them is kept. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { type Fault, FaultyProxy } from './fork-proxy.js';

let network: Devnet;
let proxy: FaultyProxy;
let fork: Devnet;
let token: string;
/** Blocks with one transaction and one log each. Requested data are cached. */
const blocks: number[] = [];
const OTHER = 'ab'.repeat(32);
beforeAll(async () => {
  network = await createDevnet({ accounts: 3 });
  const terms = { args: [10n ** 15n, 'Dollar', 'USD', 6] };
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', terms);
  token = `0x${dollar.addressHex.slice(2)}`;
  for (let n = 1; n <= 5; n++) {
    await dollar.write.transfer!([network.accounts[1]!.addressHex, BigInt(n)]);
    blocks.push(JSON.parse(await (await network.fetch('/wallet/getnowblock')).text()).block_header.raw_data.number);
  }
  await network.mine(2);
  proxy = await FaultyProxy.open(network.http.url);
  fork = await createDevnet({ fork: proxy.url, accounts: 1 });
});
afterAll(async () => {
  await fork.close();
  await proxy.close();
  await network.close();
});
afterEach(() => {
  proxy.fault = () => 'pass';
});

async function post(path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await fork.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).text();
}

function lying(about: string, instead: (text: string) => string, isMeant = (_body: string) => true) {
  proxy.fault = ({ path, body }): Fault => (path.includes(about) && isMeant(body) ? { instead } : 'pass');
}

describe('a network with corrupt answers', () => {
  it.each([
    ['another time', '/getblock', /"timestamp": ?\d+/, '"timestamp":1600000000000', /its header does not match its id/],
    ['another number', '/getblock', /"number": ?\d+/, '"number":1', /another block/],
    ['another id', '/getblock', /"blockID": ?"\w+"/, `"blockID":"${OTHER}"`, /its header does not match its id/],
    ['receipts of others', '/gettransactioninfobyblocknum', /"id": ?"\w+"/, `"id":"${OTHER}"`, /other transactions/],
    [
      'receipts of another block',
      '/gettransactioninfobyblocknum',
      /"blockNumber": ?\d+/,
      '"blockNumber":1',
      /other transactions/,
    ],
  ])('is refused for a block with %s', async (_, path, from, to, refusal) => {
    // The check for the same chain uses another block.
    lying(
      path,
      (text) => text.replace(from, to),
      (body) => path !== '/getblock' || body.includes('"detail":true'),
    );
    const num = blocks.pop();
    expect(await post('/wallet/gettransactioninfobyblocknum', { num })).toMatch(refusal);
    proxy.fault = () => 'pass';
    expect(JSON.parse(await post('/wallet/gettransactioninfobyblocknum', { num }))).toHaveLength(1);
  });

  it.each([
    ['of another contract', /"address": ?"0x\w+"/, `"address":"0x${'77'.repeat(20)}"`, /were not requested/],
    ['of another block', /"blockNumber": ?"0x\w+"/, '"blockNumber":"0xffff"', /were not requested/],
    ['of a block past all numbers', /"blockNumber": ?"0x\w+"/, '"blockNumber":"0xffffffffffffffff"', /not a number/],
    ['with an address of one byte', /"address": ?"0x\w+"/, '"address":"0x12"', /address of a log is not 20 bytes/],
    ['with an empty topic', /"topics": ?\["0x\w+"/, '"topics":["0x"', /topic of a log is not 32 bytes/],
    ['with no id', /"transactionHash": ?"0x\w+"/, '"transactionHash":"0x"', /transactionHash of a log is not 32/],
    ['with words for a place', /"logIndex": ?"0x\w+"/, '"logIndex":"last"', /logIndex of a log is not hex/],
  ])('is refused for logs %s', async (_, from, to, refusal) => {
    lying(
      '/jsonrpc',
      (text) => text.replace(from, to),
      (body) => body.includes('eth_getLogs'),
    );
    const logs = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{ fromBlock: '0x0', address: token }] };
    expect(await post('/jsonrpc', logs)).toMatch(refusal);
  });

  it.each([
    ['numbers', { data: [1, null], meta: {} }, /its list has an entry that is not an object/],
    ['a cursor without end', { data: [{}], meta: { fingerprint: 'f'.repeat(2_000) } }, /its cursor is not valid/],
    ['a cursor of two lines', { data: [{}], meta: { fingerprint: 'a\nb' } }, /its cursor is not valid/],
    ['no list', { data: 'all', meta: {} }, /returns no page/],
  ])('is refused for a list with %s', async (_, page, refusal) => {
    proxy.fault = ({ path }) => (path.startsWith('/v1') ? { status: 200, text: JSON.stringify(page) } : 'pass');
    const answer = await fork.fetch(`/v1/accounts/${network.accounts[1]!.address}/transactions`);
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringMatching(refusal)]);
  });

  it('for page sizes gets ten requests, not two hundred', async () => {
    const page = JSON.stringify({ data: [{ n: 1 }], meta: { fingerprint: 'more' } });
    proxy.fault = ({ path }) => (path.startsWith('/v1') ? { status: 200, text: page } : 'pass');
    const { length } = proxy.seen;
    const answer = await fork.fetch(`/v1/accounts/${network.accounts[1]!.address}/transactions?limit=200`);
    const { data, meta } = JSON.parse(await answer.text());
    expect([data.length, meta.fingerprint]).toEqual([10, '~0.more']);
    expect(proxy.seen.slice(length).filter(({ path }) => path.startsWith('/v1'))).toHaveLength(10);
  });
});
