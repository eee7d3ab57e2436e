/** What a fork does not know of itself it asks its network: older blocks and transactions, on every interface. */

import { JsonRpcProvider } from 'ethers';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { FaultyProxy } from '../wire/fork-proxy.js';

let network: Devnet;
let proxy: FaultyProxy;
let fork: Devnet;
/** The block that was forked, and transactions below it. */
let base: number;
const txids: string[] = [];
beforeAll(async () => {
  network = await createDevnet();
  const [from, to] = network.accounts;
  const tronWeb = new TronWeb({ fullHost: network.http.url, privateKey: from!.privateKey });
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  txids.push((await dollar.write.transfer!([to!.address, 1_000_000n])).txid);
  txids.push((await tronWeb.trx.sendTransaction(to!.address, 7)).txid!);
  await network.mine(120);
  txids.push((await tronWeb.trx.sendTransaction(to!.address, 8)).txid!);
  base = await height(network);
  proxy = await FaultyProxy.open(network.http.url);
  fork = await createDevnet({ fork: proxy.url });
  await network.mine(2);
  txids.push((await tronWeb.trx.sendTransaction(to!.address, 9)).txid!);
});
afterAll(async () => {
  await fork.close();
  await proxy.close();
  await network.close();
});

async function height(devnet: Devnet): Promise<number> {
  return JSON.parse(await (await devnet.fetch('/wallet/getnowblock')).text()).block_header.raw_data.number;
}

async function answered(devnet: Devnet, path: string, body: object) {
  const answer = await devnet.fetch(path, { method: 'POST', body: JSON.stringify(body) });
  return { text: await answer.text(), mark: answer.headers.get('sunup-of-network') };
}

async function rpc(devnet: Devnet, method: string, ...params: readonly unknown[]) {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const headers = { 'content-type': 'application/json' };
  const answer = await devnet.fetch('/jsonrpc', { method: 'POST', headers, body: JSON.stringify(body) });
  return { text: await answer.text(), mark: answer.headers.get('sunup-of-network') };
}

describe('a fork passes on', () => {
  it('blocks and transactions below its first, as the network answers them, and says so', async () => {
    const [call, transfer, last] = txids;
    const block = JSON.parse((await answered(network, '/wallet/getblockbynum', { num: base })).text);
    const questions: readonly (readonly [string, object])[] = [
      ['getblockbynum', { num: 0 }],
      ...[1, 3, base - 1, base].flatMap((num) => [
        ['getblockbynum', { num }] as const,
        ['gettransactioninfobyblocknum', { num }] as const,
        ['gettransactioncountbyblocknum', { num }] as const,
        ['getblock', { id_or_num: String(num), detail: true }] as const,
      ]),
      ['getblockbyid', { value: block.blockID }],
      ['getblock', { id_or_num: block.blockID }],
      ['getblockbylimitnext', { startNum: base - 30, endNum: base + 1 }],
      ...[call, transfer, last].flatMap((value) => [
        ['gettransactionbyid', { value }] as const,
        ['gettransactioninfobyid', { value }] as const,
      ]),
    ];
    for (const [method, body] of questions) {
      const [here, there] = [
        await answered(fork, `/wallet/${method}`, body),
        await answered(network, `/wallet/${method}`, body),
      ];
      expect(here.text, `${method} ${JSON.stringify(body)}`).toBe(there.text);
      expect([here.mark, there.mark], method).toEqual([`blocks to ${base}`, null]);
    }
    const solid = { value: transfer };
    expect((await answered(fork, '/walletsolidity/gettransactioninfobyid', solid)).text).toContain(transfer);
  });

  it('to JSON-RPC, byte for byte', async () => {
    const [call, transfer] = txids;
    const hex = `0x${base.toString(16)}`;
    for (const [method, ...params] of [
      ['eth_getBlockByNumber', '0x3', true],
      ['eth_getBlockByNumber', hex, false],
      ['eth_getBlockTransactionCountByNumber', hex],
      ['eth_getTransactionByHash', `0x${call}`],
      ['eth_getTransactionReceipt', `0x${call}`],
      ['eth_getTransactionByHash', `0x${transfer}`],
      ['eth_getTransactionByBlockNumberAndIndex', hex, '0x0'],
    ] as const) {
      const [here, there] = [await rpc(fork, method, ...params), await rpc(network, method, ...params)];
      expect(here.text, method).toBe(there.text);
      expect(here.mark, method).toBe(`blocks to ${base}`);
    }
    const provider = new JsonRpcProvider(fork.eth.url, undefined, { staticNetwork: true });
    expect((await provider.getTransactionReceipt(`0x${call}`))?.logs.length).toBe(1);
    expect((await provider.getBlock(base - 3))?.number).toBe(base - 3);
    provider.destroy();
  });

  it('nothing that its own chain answers, and nothing that the network did after', async () => {
    const later = txids[3]!;
    expect((await answered(fork, '/wallet/gettransactionbyid', { value: later })).text).toBe('{}\n');
    expect((await answered(fork, '/wallet/gettransactioninfobyid', { value: later })).text).toBe('{}\n');
    const own = await answered(fork, '/wallet/getblockbynum', { num: base + 1 });
    expect(own.mark).toBe(null);
    expect(JSON.parse(own.text).block_header.raw_data.parentHash).toBe(
      JSON.parse((await answered(network, '/wallet/getblockbynum', { num: base })).text).blockID,
    );
    const both = JSON.parse(
      (await answered(fork, '/wallet/getblockbylimitnext', { startNum: base - 1, endNum: base + 2 })).text,
    );
    expect(
      both.block.map((one: { block_header: { raw_data: { number: number } } }) => one.block_header.raw_data.number),
    ).toEqual([base - 1, base, base + 1]);
  });

  it('each once: what is known is not asked for again', async () => {
    const ask = () => answered(fork, '/wallet/getblockbylimitnext', { startNum: base - 100, endNum: base });
    await ask();
    const { length } = proxy.seen;
    await ask();
    const [, holder] = fork.accounts;
    const tronWeb = new TronWeb({ fullHost: fork.http.url, privateKey: holder!.privateKey });
    const { txid } = await tronWeb.trx.sendTransaction(fork.accounts[2]!.address, 5);
    await tronWeb.trx.getTransactionInfo(txid!);
    expect(proxy.seen.slice(length).filter(({ path }) => /block|transactioninfo/.test(path))).toEqual([]);
    await answered(fork, '/wallet/gettransactioninfobyid', { value: '7'.repeat(64) });
    await answered(fork, '/wallet/gettransactioninfobyid', { value: '7'.repeat(64) });
    expect(proxy.seen.slice(length).filter(({ path }) => path.endsWith('gettransactioninfobyid')).length).toBe(1);
  });

  it('not what a transaction of the network cost, which was not executed here', async () => {
    await expect(fork.explain(txids[0]!)).rejects.toThrow(`is of the network, in its block`);
    await expect(fork.explain(txids[3]!)).rejects.toThrow('there is no transaction');
  });

  it('and says in words what the network does not answer', async () => {
    proxy.fault = () => ({ status: 401, text: 'no key' });
    const { text } = await answered(fork, '/wallet/getblockbynum', { num: 2 });
    expect(text).toMatch(/could not read block 2 from .*401/);
    proxy.fault = () => 'pass';
    expect((await answered(fork, '/wallet/getblockbynum', { num: 2 })).text).toContain('"number":2');
  });
});
