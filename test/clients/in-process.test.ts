/** A devnet without a port: raw requests, TronWeb, viem and ethers in the same process. */

import { BrowserProvider } from 'ethers';
import { providers, TronWeb } from 'tronweb';
import { createPublicClient, custom, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { eip1193Provider, ProviderError, tronWebProvider } from '../../src/testing.js';

let devnet: Devnet;
let tronWeb: TronWeb;
beforeAll(async () => {
  devnet = await createDevnet({ httpPort: false });
  const fullHost = tronWebProvider(devnet, providers.HttpProvider);
  tronWeb = new TronWeb({ fullHost, privateKey: devnet.accounts[0]!.privateKey });
});
afterAll(() => devnet.close());

describe('fetch', () => {
  it('accepts paths, and URLs with any host', async () => {
    const byPath = await (await devnet.fetch('/wallet/getblockbynum?num=0')).json();
    const byUrl = await (await devnet.fetch(new URL('http://tron.example/wallet/getblockbynum?num=0'))).json();
    expect(byPath).toMatchObject({ blockID: devnet.genesisId });
    expect(byUrl).toEqual(byPath);
  });

  it('serves history, JSON-RPC in both dialects, and health', async () => {
    const history = await devnet.fetch(`/v1/accounts/${devnet.accounts[0]!.address}`);
    expect(await history.json()).toMatchObject({ success: true });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] });
    for (const path of ['/jsonrpc', '/eth']) {
      const answer = await devnet.fetch(path, { method: 'POST', body });
      expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 7, result: devnet.chainId });
    }
    expect(await (await devnet.fetch('/healthcheck')).json()).toEqual({ status: 'ok' });
  });

  it('treats requests, bytes and content types like a socket', async () => {
    const { address } = devnet.accounts[1]!;
    const request = new Request('http://devnet/wallet/getaccount', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`address=${address}&visible=true`),
    });
    const form = await devnet.fetch(request);
    expect(form.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await form.json()).toMatchObject({ address });
  });

  it("returns a server's statuses, and distinguishes browser pages from this process", async () => {
    expect((await devnet.fetch('/nowhere')).status).toBe(404);
    expect((await devnet.fetch('/wallet/getnowblock', { method: 'DELETE' })).status).toBe(405);
    const mine = (headers: Record<string, string>) =>
      devnet.fetch('/sunup/mine', { method: 'POST', body: '{"blocks":1}', headers });
    expect((await mine({ origin: 'https://elsewhere.example' })).status).toBe(403);
    expect(await (await mine({})).json()).toMatchObject({ blocks: 1 });
  });

  it('has no body for HEAD, as over a socket', async () => {
    const answer = await devnet.fetch('/wallet/getnowblock', { method: 'HEAD' });
    expect(await answer.text()).toBe('');
  });

  it('streams events of a further chain, as those of its own', async () => {
    const made = await devnet.fetch('/sunup/chains', { method: 'POST', body: '{"accounts":1,"mining":"manual"}' });
    const { path } = (await made.json()) as { path: string };
    const { body } = await devnet.fetch(`${path}sunup/events?from=0`);
    const reader = body!.getReader();
    let text = '';
    while (!text.includes('"number":0')) text += Buffer.from((await reader.read()).value!).toString();
    expect(text).toMatch(/^retry: /);
    await reader.cancel();
    expect((await devnet.fetch(`/sunup/chains/${path.slice(2, -1)}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('can be aborted by a signal', async () => {
    const reason = new Error('enough');
    await expect(devnet.fetch('/healthcheck', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('post', () => {
  const both = async (path: string, body: string, from = devnet) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await from.fetch(path, { method: 'POST', headers, body });
    return [await from.post(path, body), { status: answer.status, text: await answer.text() }] as const;
  };
  const rpc = (method: string, ...params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 'é', method, params });

  it.each([
    ['/wallet/getblockbynum', '{"num":0}'],
    ['/wallet/getblockbynum', ''],
    ['/wallet/getblockbynum', '{"num":'],
    ['/walletsolidity/getaccount', '{"address":"T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb","visible":true}'],
    ['/wallet/getassetissuelistbyname', '{"value":"é€"}'],
    ['/wallet/broadcasttransaction', '{"raw_data":{}}'],
    ['/wallet/triggerconstantcontract', '{"owner_address":"41"}'],
    ['/sunup/mine', '{"blocks":"many"}'],
    ['/healthcheck', '{}'],
    ['/wallet/nothing', '{}'],
    ['/v1/blocks/latest/events', '{}'],
    ['/wallet/getblockbynum?num=0', '{"num":0}'],
    ['/eth', rpc('eth_chainId')],
    ['/jsonrpc', rpc('eth_nothing')],
    ['/eth', rpc('eth_getBalance', '0x')],
    ['/eth', `[${rpc('eth_blockNumber')},${rpc('tron_instance')},7]`],
    ['/tre', rpc('tron_setBalance', 'nobody')],
    ['/jsonrpc', '{'],
    ['/jsonrpc', '{"id":{}}'],
  ])('gives the status and the text that fetch gives: %s %s', async (path, body) => {
    const [posted, fetched] = await both(path, body);
    expect(posted).toEqual(fetched);
  });

  it('applies the same limits and rules', async () => {
    const closed = await createDevnet({ httpPort: false, cors: false });
    const counted = await createDevnet({ httpPort: false, rateLimit: { anonymous: 1, suspend: 30 } });
    try {
      const [posted, fetched] = await both('/wallet/getblockbynum', `{"num":0}${' '.repeat(4_194_304)}`);
      expect(posted).toEqual(fetched);
      expect(posted.text).toContain('body size is too big');
      const [here, there] = await both('/sunup/mine', '{"blocks":"many"}', closed);
      expect(here).toEqual(there);
      const texts = [];
      for (let i = 0; i < 10; i++) texts.push((await counted.post('/wallet/getnowblock', '')).text);
      expect(texts.at(-1)).toMatch(/^\{"Error":"/);
    } finally {
      await closed.close();
      await counted.close();
    }
  });

  it('yields to other work during continuous requests', async () => {
    let rung = false;
    setTimeout(() => (rung = true), 1);
    for (let i = 0; !rung && i < 50_000; i++) await devnet.post('/wallet/getblockbynum', '{"num":0}');
    expect(rung).toBe(true);
  });
});

describe('TronWeb', () => {
  it('sends TRX and reads it', async () => {
    const { address } = devnet.accounts[1]!;
    const before = await tronWeb.trx.getBalance(address);
    const { result, txid } = await tronWeb.trx.sendTransaction(address, 1_000_000);
    expect(result).toBe(true);
    expect(await tronWeb.trx.getBalance(address)).toBe(before + 1_000_000);
    expect(await tronWeb.trx.getTransactionInfo(txid)).toMatchObject({ id: txid });
    expect(await tronWeb.isConnected()).toMatchObject({ fullNode: true, solidityNode: true });
  });

  it('gets an error for an unknown path', async () => {
    await expect(tronWeb.fullNode.request('wallet/nothing')).rejects.toMatchObject({ response: { status: 404 } });
  });
});

describe('EIP-1193', () => {
  it('serves viem', async () => {
    const client = createPublicClient({ transport: custom(eip1193Provider(devnet)) });
    expect(await client.getChainId()).toBe(Number(devnet.chainId));
    expect((await client.getBlock({ blockNumber: 0n })).hash).toBe(`0x${devnet.genesisId}`);
    const call = client.readContract({
      address: '0x0000000000000000000000000000000000000abc',
      abi: parseAbi(['function f() view returns (uint256)']),
      functionName: 'f',
    });
    await expect(call).rejects.toThrow(/returned no data/);
  });

  it('serves ethers', async () => {
    const provider = new BrowserProvider(eip1193Provider(devnet));
    expect((await provider.getNetwork()).chainId).toBe(BigInt(devnet.chainId));
    expect((await provider.getBlock(0))?.hash).toBe(`0x${devnet.genesisId}`);
    provider.destroy();
  });

  it("returns the node's errors in the requested dialect", async () => {
    const asked = eip1193Provider(devnet, { path: '/jsonrpc' }).request({ method: 'eth_nothing' });
    await expect(asked).rejects.toBeInstanceOf(ProviderError);
    await expect(asked).rejects.toMatchObject({ code: -32601 });
  });
});

describe('a devnet without a port', () => {
  it('has an error instead of an address', () => {
    expect(() => devnet.http).toThrow(/httpPort: false\): ask it with devnet\.fetch/);
    expect(() => devnet.jsonrpc).toThrow(/httpPort: false/);
  });

  it('refuses requests after it is closed', async () => {
    const closed = await createDevnet({ httpPort: false });
    const { fetch, post } = closed;
    expect((await fetch('/healthcheck')).status).toBe(200);
    await closed.close();
    await expect(fetch('/healthcheck')).rejects.toThrow('the devnet is closed');
    await expect(post('/wallet/getnowblock', '')).rejects.toThrow('the devnet is closed');
  });
});
