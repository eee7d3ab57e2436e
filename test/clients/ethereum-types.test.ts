/** `/eth` fills in transactions for accounts of the node: their type, their access list, and what it refuses. */

import { JsonRpcProvider, Transaction } from 'ethers';
import { createWalletClient, defineChain, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const NOBODY = '0x00000000000000000000000000000000000000A1';
const KEY = `0x${'00'.repeat(31)}05`;

let devnet: Devnet;
let provider: JsonRpcProvider;
let from: string;

beforeEach(async () => {
  devnet = await createDevnet({});
  provider = new JsonRpcProvider(`${devnet.http.url}/eth`, undefined, { cacheTimeout: -1, pollingInterval: 20 });
  from = (await provider.send('eth_accounts', []))[0];
});
afterEach(async () => {
  provider.destroy();
  await devnet.close();
});

const ACCESS = [{ address: NOBODY.toLowerCase(), storageKeys: [KEY] }];

it.each([
  [2, {}, []],
  [2, { maxFeePerGas: '0x64' }, []],
  [2, { accessList: ACCESS }, ACCESS],
  [2, { type: '0x2', accessList: null }, []],
  [1, { gasPrice: '0x64', accessList: ACCESS }, ACCESS],
  [1, { type: '0x1' }, []],
  [1, { type: '0x1', gasPrice: '0x64' }, []],
  [0, { gasPrice: '0x64' }, undefined],
  [0, { gasPrice: '0x64', accessList: [] }, undefined],
  [0, { type: '0x0' }, undefined],
])('type %d for %j', async (type, given, accessList) => {
  const hash = await provider.send('eth_sendTransaction', [{ from, to: NOBODY, value: '0x1', ...given }]);
  const shown = await provider.send('eth_getTransactionByHash', [hash]);
  expect(shown.type).toBe(`0x${type}`);
  expect(shown.accessList).toEqual(accessList);
  const signed = Transaction.from(await provider.send('eth_getRawTransactionByHash', [hash]));
  expect(signed).toMatchObject({ hash, type, from: expect.stringMatching(new RegExp(from, 'i')) });
});

it.each([
  ['type 4', { authorizationList: [{ address: NOBODY }] }],
  ['type 4', { type: '0x4' }],
  ['type 3', { blobVersionedHashes: [KEY] }],
  ['type 3', { maxFeePerBlobGas: '0x1' }],
  ['type 3', { type: '0x3' }],
  ['type 9', { type: '0x9' }],
  ['accessList: expected a list', { accessList: 5 }],
  ['accessList: expected {"address"', { accessList: [5] }],
])('refuses %s: %j', async (why, given) => {
  for (const method of ['eth_sendTransaction', 'eth_signTransaction', 'eth_fillTransaction'])
    await expect(provider.send(method, [{ from, to: NOBODY, gas: '0x5208', ...given }])).rejects.toMatchObject({
      error: { code: -32_602, message: expect.stringContaining(why) },
    });
});

it('refuses an authorization that viem lets the node fill in', async () => {
  const account = privateKeyToAccount(`0x${devnet.accounts[0]!.privateKey}`);
  const url = `${devnet.http.url}/eth`;
  const chain = defineChain({
    id: Number((await provider.getNetwork()).chainId),
    name: 'sunup',
    nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 6 },
    rpcUrls: { default: { http: [url] } },
  });
  const wallet = createWalletClient({ account, chain, transport: http(url) });
  const authorization = await wallet.signAuthorization({ contractAddress: NOBODY });
  await expect(wallet.sendTransaction({ authorizationList: [authorization], to: NOBODY })).rejects.toThrow(
    'a transaction that sets code (type 4, EIP-7702) is not supported',
  );
});
