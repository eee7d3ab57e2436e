/** Requests that a fork passes on to its network: older blocks and transactions, on every interface. */

import { status } from '@grpc/grpc-js';
import { JsonRpcProvider } from 'ethers';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { FaultyProxy } from '../wire/fork-proxy.js';
import { ServiceClient } from '../wire/grpc-client.js';

let network: Devnet;
let proxy: FaultyProxy;
let fork: Devnet;
/** The forked block, and transactions below it. */
let base: number;
const txids: string[] = [];
let token: string;
beforeAll(async () => {
  network = await createDevnet();
  const [from, to] = network.accounts;
  const tronWeb = new TronWeb({ fullHost: network.http.url, privateKey: from!.privateKey });
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  token = dollar.address;
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
  it("requests for blocks and transactions below its first one, with the network's answers", async () => {
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

  it('JSON-RPC requests, byte for byte', async () => {
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

  it('log queries that begin below its first block, joined with its own logs', async () => {
    const address = `0x${String(TronWeb.address.toHex(token)).slice(2)}`;
    const span = { address, fromBlock: '0x1', toBlock: `0x${base.toString(16)}` };
    const [here, there] = [await rpc(fork, 'eth_getLogs', span), await rpc(network, 'eth_getLogs', span)];
    expect(JSON.parse(there.text).result.length).toBe(1);
    expect([here.text, here.mark]).toEqual([there.text, `blocks to ${base}`]);
    const [, holder] = network.accounts;
    const dollar = await fork.contractAt('fixtures/contracts/Dollar.json', token);
    const { txid } = await dollar.write.transfer!([network.accounts[5]!.address, 5n], { from: holder! });
    const all = { address, fromBlock: '0x0', toBlock: 'latest', topics: [JSON.parse(there.text).result[0].topics[0]] };
    const logs = JSON.parse((await rpc(fork, 'eth_getLogs', all)).text).result;
    expect(logs.map((log: { transactionHash: string }) => log.transactionHash)).toEqual([`0x${txids[0]}`, `0x${txid}`]);
    const own = { address, fromBlock: `0x${(base + 1).toString(16)}`, toBlock: 'latest' };
    expect((await rpc(fork, 'eth_getLogs', own)).mark).toBe(null);
  });

  it('nothing that its own chain answers, and nothing later of the network', async () => {
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

  it('each request once: answers are cached', async () => {
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

  it('nothing after its network was reset', async () => {
    const other = await createDevnet({ genesisTime: 1_700_000_000_000 });
    await other.mine(base + 10);
    proxy.target = other.http.url;
    const question = { startNum: 12, endNum: 14 };
    for (const [path, body] of [
      ['/wallet/getblockbylimitnext', question],
      ['/wallet/gettransactioninfobyid', { value: '8'.repeat(64) }],
    ] as const)
      expect((await answered(fork, path, body)).text).toContain('it is on another chain than the one that was forked');
    proxy.target = network.http.url;
    expect((await answered(fork, '/wallet/getblockbylimitnext', question)).text).toBe(
      (await answered(network, '/wallet/getblockbylimitnext', question)).text,
    );
    await other.close();
  });

  it('no cost of a transaction of the network, which was not executed here', async () => {
    await expect(fork.explain(txids[0]!)).rejects.toThrow(`of the forked network`);
    await expect(fork.explain(txids[3]!)).rejects.toThrow('is not on this chain');
  });

  it('and reports what the network does not answer', async () => {
    proxy.fault = () => ({ status: 401, text: 'no key' });
    const { text } = await answered(fork, '/wallet/getblockbynum', { num: 2 });
    expect(text).toMatch(/could not read block 2 from .*401/);
    proxy.fault = () => 'pass';
    expect((await answered(fork, '/wallet/getblockbynum', { num: 2 })).text).toContain('"number":2');
  });

  it('also for /v1, JSON-RPC and gRPC, without log lines', async () => {
    const failures: unknown[] = [];
    const log = { warn: () => {}, error: (...failure: unknown[]) => failures.push(failure) };
    await using asking = await createDevnet({ fork: proxy.url, grpcPort: 0, log });
    const client = new ServiceClient('Wallet', asking.grpc!.url);
    proxy.fault = () => ({ status: 401, text: 'no key' });
    const says = expect.stringMatching(/^The fork could not read .* from .*401.*--fork-api-key/);
    const history = await asking.fetch(`/v1/accounts/41${'77'.repeat(20)}/transactions`);
    expect([history.status, await history.json()]).toEqual([502, { success: false, error: says, statusCode: 502 }]);
    expect(JSON.parse((await rpc(asking, 'eth_getBalance', `0x${'77'.repeat(20)}`, 'latest')).text)).toMatchObject({
      error: { message: says },
    });
    const call = client.call('GetAccount', { address: Buffer.from(`41${'78'.repeat(20)}`, 'hex') });
    await expect(call).rejects.toMatchObject({ code: status.UNAVAILABLE, details: says });
    await answered(asking, '/wallet/getaccount', { address: `41${'79'.repeat(20)}` });
    proxy.fault = () => 'pass';
    client.close();
    expect(failures).toEqual([]);
  });

  it('no invalid transaction id', async () => {
    const { length } = proxy.seen;
    for (const value of ['ab', 'ab'.repeat(100_000), 'x'.repeat(64)])
      await answered(fork, '/wallet/gettransactioninfobyid', { value });
    expect(proxy.seen).toHaveLength(length);
  });

  it("no state of the network's blocks, which is not available", async () => {
    const { text } = await rpc(fork, 'eth_getBlockByNumber', '0x2', false);
    expect(text).toContain('"number":"0x2"');
    const traced = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'debug_traceBlockByNumber', params: ['0x2'] });
    const answer = await fork.fetch('/eth', { method: 'POST', body: traced });
    expect(await answer.text()).toContain('block 1 is a block of the forked network');
  });
});

interface Answer {
  readonly data: readonly Record<string, unknown>[];
  readonly meta: { readonly links?: { readonly next: string } };
}

describe('the history of a fork', () => {
  const all = async (devnet: Devnet, path: string) => {
    const pages: string[][] = [];
    let next: string | undefined = `${devnet.http.url}${path}`;
    let marks = 0;
    while (next !== undefined) {
      const answer: Response = await fetch(next);
      const { data, meta } = JSON.parse(await answer.text());
      if (answer.headers.get('sunup-of-network') !== null) marks++;
      pages.push(data.map((one: Record<string, unknown>) => one.txID ?? one.transaction_id ?? one.transaction));
      next = meta.links?.next;
    }
    return { pages, ids: pages.flat(), marks };
  };

  it("consists of its own and of its network's, in pages of any size and both orders", async () => {
    const [from, to] = network.accounts;
    const tronWeb = new TronWeb({ fullHost: fork.http.url, privateKey: from!.privateKey });
    const own: string[] = [];
    for (const amount of [1, 2, 3]) own.push((await tronWeb.trx.sendTransaction(to!.address, amount)).txid!);
    const path = `/v1/accounts/${from!.address}/transactions`;
    const before = (await all(network, `${path}?limit=200`)).ids.filter((id) => id !== txids[3]);
    const newestFirst = [...own].reverse().concat(before);
    for (const limit of [1, 2, 3, 4, 5, 200]) {
      const descending = await all(fork, `${path}?limit=${limit}`);
      expect(descending.ids, `limit ${limit}`).toEqual(newestFirst);
      expect(descending.pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(descending.pages.at(-1)!.length).toBeGreaterThan(0);
      const ascending = await all(fork, `${path}?limit=${limit}&order_by=block_timestamp,asc`);
      expect(ascending.ids, `ascending, limit ${limit}`).toEqual([...newestFirst].reverse());
      expect(ascending.pages.at(-1)!.length).toBeGreaterThan(0);
    }
    expect((await all(fork, `${path}?limit=3`)).marks).toBeGreaterThan(0);
    expect((await all(network, `${path}?limit=3`)).marks).toBe(0);
    expect((await all(fork, `${path}?only_confirmed=true`)).ids).toEqual(expect.arrayContaining(before));
    expect((await all(fork, `${path}?only_unconfirmed=true`)).ids.filter((id) => before.includes(id))).toEqual([]);
  });

  it('has events and token transfers of both', async () => {
    const [, holder] = network.accounts;
    const dollar = await fork.contractAt('fixtures/contracts/Dollar.json', token);
    const { txid } = await dollar.write.transfer!([network.accounts[3]!.address, 5n], { from: holder! });
    const events = await all(fork, `/v1/contracts/${token}/events?event_name=Transfer&limit=1`);
    expect([events.ids[0], events.ids.at(-1)]).toEqual([txid, txids[0]]);
    const transfers = await all(fork, `/v1/accounts/${holder!.address}/transactions/trc20`);
    expect([transfers.ids[0], transfers.ids.at(-1)]).toEqual([txid, txids[0]]);
    for (const path of [`/v1/transactions/${txids[0]}/events`, `/v1/blocks/${base - 122}/events`]) {
      const [here, there] = [await all(fork, path), await all(network, path)];
      expect(here.ids, path).toEqual(there.ids);
    }
  });

  it('has the tokens of accounts, from the fork or from the network', async () => {
    const [deployer, , , , holder] = network.accounts;
    const terms = { args: [10n ** 15n, 'Other', 'OTH', 6] };
    const [used, unused] = [
      await network.deploy('fixtures/contracts/Dollar.json', terms),
      await network.deploy('fixtures/contracts/Dollar.json', terms),
    ];
    for (const one of [used, unused]) await one.write.transfer!([holder!.address, 1_000n]);
    await using fresh = await createDevnet({ fork: proxy.url });
    const dollar = await fresh.contractAt('fixtures/contracts/Dollar.json', used.address);
    await dollar.write.transfer!([holder!.address, 23n], { from: deployer! });
    // A later transaction of the network is not included.
    await used.write.transfer!([holder!.address, 500n]);

    const tokens = [{ [used.address]: '1023' }, { [unused.address]: '1000' }];
    const ask = async (path: string) => {
      const answer = await fresh.fetch(path);
      return { mark: answer.headers.get('sunup-of-network'), ...(JSON.parse(await answer.text()) as Answer) };
    };
    const { length } = proxy.seen;
    const account = await ask(`/v1/accounts/${holder!.address}`);
    expect(account.data[0]!.trc20).toHaveLength(2);
    expect(account.data[0]!.trc20).toEqual(expect.arrayContaining(tokens));
    expect(account.mark).toMatch(/^blocks to \d+$/);
    // A token that the fork has not used is not fetched.
    expect(proxy.seen.length - length).toBeLessThan(6);
    const path = `/v1/accounts/${holder!.address}/trc20/balance`;
    const pages = [await ask(`${path}?limit=1`)];
    while (pages.at(-1)!.meta.links !== undefined) pages.push(await ask(pages.at(-1)!.meta.links!.next));
    expect(pages.flatMap(({ data }) => data)).toEqual(account.data[0]!.trc20);
    // The fork's own state has one of the tokens.
    expect((await ask(`${path}?contract_address=${unused.address}`)).data).toEqual([{ [unused.address]: '1000' }]);

    // An account that is not activated, with tokens from another one.
    const nobody = TronWeb.address.fromHex(`41${'6e'.repeat(20)}`);
    await unused.write.transfer!([nobody, 7n]);
    expect((await ask(`/v1/accounts/${nobody}/trc20/balance`)).data).toEqual([{ [unused.address]: '7' }]);
    const odd = '{"data":[{"trc20":[{"x":"1"},7,{"TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS":"-1"}]}]}';
    proxy.fault = ({ path: one }) => (one.startsWith('/v1') ? { status: 200, text: odd } : 'pass');
    expect((await ask(`/v1/accounts/${nobody}/trc20/balance`)).data).toEqual([]);
    proxy.fault = () => 'pass';
  });

  it('lists the holders of a token by their balances on the fork', async () => {
    const [deployer, first, second, third] = network.accounts;
    const terms = { args: [10n ** 12n, 'Held', 'HLD', 6] };
    const held = await network.deploy('fixtures/contracts/Dollar.json', terms);
    const stranger = (i: number) => String(TronWeb.address.fromHex(`41${String(i).padStart(40, '3')}`));
    const holders = [first!.address, second!.address, third!.address, ...[1, 2, 3, 4, 5, 6].map(stranger)];
    for (const [i, holder] of holders.entries()) await held.write.transfer!([holder, BigInt(1_000 * (i + 1))]);
    await using fresh = await createDevnet({ fork: proxy.url });
    const path = `/v1/contracts/${held.address}/tokens`;
    const listed = async (query: string) => {
      const found: [string, string][] = [];
      let next: string | undefined = `${fresh.http.url}${path}?${query}`;
      while (next !== undefined) {
        const { data, meta } = JSON.parse(await (await fetch(next)).text()) as Answer;
        found.push(...data.flatMap((one) => Object.entries(one) as [string, string][]));
        next = meta.links?.next;
      }
      return found;
    };
    const expected = new Map(holders.map((holder, i) => [holder, BigInt(1_000 * (i + 1))]));
    expected.set(deployer!.address, 10n ** 12n - 45_000n);
    const inOrder = () =>
      [...expected]
        .filter(([, balance]) => balance > 0n)
        .sort(([, a], [, b]) => Number(b - a))
        .map(([holder, balance]) => [holder, String(balance)]);
    expect(await listed('limit=4')).toEqual(inOrder());

    // One has nothing left, one is first among the small ones, one is new.
    const dollar = await fresh.contractAt('fixtures/contracts/Dollar.json', held.address);
    const move = async (from: (typeof network.accounts)[number], to: string, amount: bigint) => {
      await dollar.write.transfer!([to, amount], { from });
      expected.set(from.address, expected.get(from.address)! - amount);
      expected.set(to, (expected.get(to) ?? 0n) + amount);
    };
    await move(first!, stranger(70), 1_000n);
    await move(second!, stranger(71), 300n);
    await move(deployer!, third!.address, 500_000n);
    await held.write.transfer!([stranger(6), 1n]);
    expected.set(stranger(6), expected.get(stranger(6))! + 1n);
    for (const limit of [1, 2, 3, 7, 200]) {
      expect(await listed(`limit=${limit}`), `limit ${limit}`).toEqual(inOrder());
      expect(await listed(`limit=${limit}&order_by=balance,asc`), `asc, limit ${limit}`).toEqual(inOrder().reverse());
    }
  });

  it("has used resources and costs of the network's blocks", async () => {
    for (const number of [base, base - 1, 3]) {
      for (const detail of ['', '?get_tx_detail=true']) {
        const [here, there] = await Promise.all(
          [fork, network].map(async (devnet) => devnet.fetch(`/v1/blocks/${number}/stats${detail}`)),
        );
        expect(here!.headers.get('sunup-of-network')).toBe(`blocks to ${base}`);
        const [answer, known] = [JSON.parse(await here!.text()), JSON.parse(await there!.text())];
        expect(answer.data).toEqual(known.data);
        expect(answer.data).toHaveLength(1);
      }
    }
  });

  it("shows the network's newest block as confirmed, with any lag", async () => {
    await using lagging = await createDevnet({ fork: proxy.url, solidified: 'network' });
    await lagging.setSolidityLag(1_000);
    const [transaction] = JSON.parse(await (await lagging.fetch(`/v1/transactions/${txids[0]}/events`)).text()).data;
    expect(transaction).toBeDefined();
    expect(transaction).not.toHaveProperty('_unconfirmed');
  });

  it.each([
    { status: 404, text: 'Not Found' },
    { status: 503, text: '{"success":false,"error":"This node keeps no history: it was started with --no-history"}' },
  ])('is its own where the network has no such interface: $status', async (absent) => {
    proxy.fault = ({ path }) => (path.startsWith('/v1') ? absent : 'pass');
    const alone = await createDevnet({ fork: proxy.url });
    const path = `/v1/accounts/${network.accounts[0]!.address}/transactions`;
    const { length } = proxy.seen;
    expect((await all(alone, path)).ids).toEqual([]);
    expect((await all(alone, path)).ids).toEqual([]);
    expect(proxy.seen.slice(length).filter((seen) => seen.path.startsWith('/v1')).length).toBe(1);
    proxy.fault = () => 'pass';
    await alone.close();
  });
});
