/**
 * A fork of a node that has the state without history, and refuses requests for history
 * (protocol/http.md#http-transport-behaviour).
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { FaultyProxy } from './fork-proxy.js';

const CLOSED = 'this API is closed because this node is a lite fullnode';
const HISTORY =
  /\/(getblockby(id|num|limitnext|latestnum)|gettransaction(byid|infobyid|infobyblocknum|countbyblocknum)|getmarket\w+)$/;

let network: Devnet;
let proxy: FaultyProxy;
let fork: Devnet;
let token: string;
let txId: string;

beforeAll(async () => {
  network = await createDevnet();
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  token = dollar.addressHex;
  txId = (await dollar.write.transfer!([network.accounts[1]!.address, 7n])).txid;
  proxy = await FaultyProxy.open(network.http.url);
  proxy.fault = ({ path }) => {
    if (path.startsWith('/v1')) return { status: 404, text: '' };
    return HISTORY.test(path) ? { status: 200, text: CLOSED } : 'pass';
  };
  fork = await createDevnet({ fork: proxy.url });
});
afterAll(async () => {
  await fork.close();
  await proxy.close();
  await network.close();
});

async function answer(path: string, body: object): Promise<unknown> {
  return (await fork.fetch(path, { method: 'POST', body: JSON.stringify(body) })).json();
}

it('is an ordinary devnet', async () => {
  const balance = await answer('/wallet/triggerconstantcontract', {
    owner_address: network.accounts[1]!.addressHex,
    contract_address: token,
    function_selector: 'balanceOf(address)',
    parameter: network.accounts[1]!.addressHex.slice(2).padStart(64, '0'),
  });
  expect(balance).toMatchObject({ constant_result: ['7'.padStart(64, '0')] });
});

it('has no transactions before the fork, and requests history once', async () => {
  for (const id of [txId, 'ab'.repeat(32)]) {
    expect(await answer('/wallet/gettransactioninfobyid', { value: id })).toEqual({});
    const asked = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [`0x${id}`] };
    expect(await answer('/jsonrpc', asked)).toMatchObject({ result: null });
  }
  expect(proxy.seen.filter(({ path }) => path.endsWith('/gettransactioninfobyid'))).toHaveLength(1);
});

it('explains why blocks before the fork are missing, and which nodes have them', async () => {
  expect(await answer('/wallet/getblockbynum', { num: 2 })).toMatchObject({
    Error: expect.stringMatching(/the receipts of block 2 .* is a lite fullnode".*Use a full node/),
  });
});
