/** `/metrics` as Prometheus reads it, compared with the receipts of a small chain. */

// @ts-expect-error: the package has no types
import parse from 'parse-prometheus-text-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevnet } from '../../src/index.js';
import { ServiceClient } from '../wire/grpc-client.js';
import { compile, TRX, TronWebDevnet } from './tronweb-devnet.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counter {
  uint256 public total;
  function add(uint256 amount) external { require(amount > 0, "nothing"); total += amount; }
}`;
const CALL = { feeLimit: 100 * TRX };

interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly metrics: readonly { readonly value: string; readonly labels?: Readonly<Record<string, string>> }[];
}

async function scrape(url: string): Promise<readonly Family[]> {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  // The parser merges all series of a histogram, whatever their labels: it gets the lines separately.
  return parse((await answer.text()).replaceAll(/^(# TYPE \w+ )histogram$/gm, '$1untyped')) as readonly Family[];
}

const seriesOf = (all: readonly Family[], wanted: string) =>
  all.filter(({ name }) => name === wanted).flatMap(({ metrics }) => metrics);

/** The sum of all series of a name with these labels. */
function total(all: readonly Family[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  return seriesOf(all, name)
    .filter((series) => Object.entries(labels).every(([key, value]) => series.labels?.[key] === value))
    .reduce((sum, { value }) => sum + Number(value), 0);
}

const labelsOf = (all: readonly Family[], name: string, label: string) => [
  ...new Set(seriesOf(all, name).map(({ labels }) => labels?.[label])),
];

let chain: TronWebDevnet;
let url: string;
beforeAll(async () => {
  chain = await TronWebDevnet.start({ metrics: true, grpcPort: 0 });
  ({ url } = chain.devnet.http!);
});
afterAll(() => chain.devnet.close());

const post = (path: string, body: string) => fetch(`${url}${path}`, { method: 'POST', body });

interface Receipt {
  readonly fee?: number;
  readonly receipt: Readonly<Partial<Record<string, number>>>;
}

/** The receipts of all blocks. */
async function receipts(): Promise<readonly Receipt[]> {
  const head = total(await scrape(url), 'sunup_head_block_number');
  const all: Receipt[] = [];
  for (let num = 1; num <= head; num++) {
    const answer = await post('/wallet/gettransactioninfobyblocknum', JSON.stringify({ num }));
    all.push(...((await answer.json()) as Receipt[]));
  }
  return all;
}

describe('applied transactions', () => {
  test('agree with the receipts of the chain', async () => {
    const { transactionBuilder, trx } = chain.client(0);
    const built = transactionBuilder.createSmartContract(
      { ...compile(SOURCE, 'Counter'), feeLimit: 1_000 * TRX, name: 'Counter', userFeePercentage: 60 } as never,
      chain.address(0),
    );
    const { contract_address: address } = await chain.send(0, built);
    const add = async (i: number, amount: number) => {
      const parameters = [{ type: 'uint256', value: amount }];
      const { transaction } = await chain
        .client(i)
        .transactionBuilder.triggerSmartContract(address!, 'add(uint256)', CALL, parameters, chain.address(i));
      return chain.send(i, transaction);
    };
    await chain.send(0, transactionBuilder.freezeBalanceV2(1_000 * TRX, 'ENERGY', chain.address(0)));
    await chain.send(0, transactionBuilder.freezeBalanceV2(10 * TRX, 'BANDWIDTH', chain.address(0)));
    await add(0, 3);
    await add(1, 4);
    await add(1, 0);
    await trx.sendTransaction(chain.address(1), 5);
    // More than the daily free bandwidth.
    for (let sent = 0; sent < 3; sent++) await add(1, 1);

    const all = await receipts();
    const sum = (field: string) => all.reduce((before, { receipt }) => before + (receipt[field] ?? 0), 0);
    const now = await scrape(url);
    expect(total(now, 'sunup_transactions_total')).toBe(all.length);
    expect(total(now, 'sunup_transactions_total', { type: 'TriggerSmartContract', result: 'REVERT' })).toBe(1);
    expect(total(now, 'sunup_transactions_total', { type: 'TransferContract', result: 'SUCCESS' })).toBe(1);
    const used = {
      energy: total(now, 'sunup_energy_used_total'),
      ownEnergy: total(now, 'sunup_energy_used_total', { source: 'staked' }),
      deployersEnergy: total(now, 'sunup_energy_used_total', { source: 'origin' }),
      bandwidth:
        total(now, 'sunup_bandwidth_used_bytes_total', { source: 'free' }) +
        total(now, 'sunup_bandwidth_used_bytes_total', { source: 'staked' }),
      energyFees: total(now, 'sunup_fees_sun_total', { reason: 'energy', source: 'burned' }),
      bandwidthFees: total(now, 'sunup_fees_sun_total', { reason: 'bandwidth', source: 'burned' }),
      fees: total(now, 'sunup_fees_sun_total'),
      penalty: total(now, 'sunup_energy_penalty_total'),
    };
    expect(used).toEqual({
      energy: sum('energy_usage_total'),
      ownEnergy: sum('energy_usage'),
      deployersEnergy: sum('origin_energy_usage'),
      bandwidth: sum('net_usage'),
      energyFees: sum('energy_fee'),
      bandwidthFees: sum('net_fee'),
      fees: all.reduce((before, { fee = 0 }) => before + fee, 0),
      penalty: sum('energy_penalty_total'),
    });
    const { penalty: _, ...positive } = used;
    for (const value of Object.values(positive)) expect(value).toBeGreaterThan(0);
    // A byte costs 1,000 sun.
    expect(total(now, 'sunup_bandwidth_used_bytes_total', { source: 'burned' }) * 1_000).toBe(used.bandwidthFees);
  });

  test('stay counted after a rollback, and gauges show the present chain', async () => {
    const before = await scrape(url);
    const snapshot = chain.devnet.snapshot();
    await chain.devnet.mine(4);
    await chain.client(0).trx.sendTransaction(chain.address(1), 5);
    const between = await scrape(url);
    expect(total(between, 'sunup_snapshots')).toBe(total(before, 'sunup_snapshots') + 1);
    await chain.devnet.revert(snapshot);
    const after = await scrape(url);
    for (const [name, grown] of [
      ['sunup_blocks_total', 5],
      ['sunup_transactions_total', 1],
      ['sunup_transactions_accepted_total', 1],
      ['sunup_reverts_total', 1],
    ] as const)
      expect([name, total(after, name) - total(before, name)]).toEqual([name, grown]);
    for (const name of ['sunup_head_block_number', 'sunup_head_block_timestamp_seconds', 'sunup_snapshots'])
      expect([name, total(after, name)]).toEqual([name, total(before, name)]);
    expect(total(between, 'sunup_head_block_number')).toBe(total(before, 'sunup_head_block_number') + 5);
  });

  test('count a long revert once', async () => {
    const before = await scrape(url);
    const snapshot = chain.devnet.snapshot();
    // One by one: together they would be one run of empty blocks.
    for (let i = 0; i < 40; i++) await chain.devnet.mine(1);
    await chain.devnet.revert(snapshot);
    expect(total(await scrape(url), 'sunup_reverts_total')).toBe(total(before, 'sunup_reverts_total') + 1);
  });

  test('after a reorganisation and a reset are counted again if they were applied again', async () => {
    const own = await TronWebDevnet.start({ metrics: true });
    try {
      const { url: of } = own.devnet.http!;
      const names = ['blocks', 'transactions', 'transactions_accepted', 'transactions_dropped', 'reverts'];
      const start = await scrape(of);
      const grown = async () => {
        const now = await scrape(of);
        return names.map((name) => total(now, `sunup_${name}_total`) - total(start, `sunup_${name}_total`));
      };
      for (const amount of [1, 2, 3]) await own.client(0).trx.sendTransaction(own.address(1), amount);
      expect(await grown()).toEqual([3, 3, 3, 0, 0]);
      // The last one refers to a removed block.
      await own.devnet.reorg(2);
      const [blocks, applied, accepted, dropped, reverts] = await grown();
      expect([blocks, accepted, reverts]).toEqual([5, 3, 1]);
      expect(applied! - 3 + dropped!).toBe(2);
      await own.devnet.reset();
      const after = await scrape(of);
      expect(await grown()).toEqual([expect.any(Number), applied, 3, dropped, 2]);
      const head = total(start, 'sunup_head_block_number');
      expect(total(after, 'sunup_head_block_number')).toBe(head);
      expect(total(after, 'sunup_pending_transactions')).toBe(0);
    } finally {
      await own.devnet.close();
    }
  });

  test('can be pending, dropped, or refused', async () => {
    await chain.devnet.setMining('manual');
    const { txid } = (await chain.client(0).trx.sendTransaction(chain.address(1), 6)) as { txid: string };
    expect(total(await scrape(url), 'sunup_pending_transactions')).toBe(1);
    await chain.devnet.dropTransaction(txid);
    await chain.devnet.setMining('instant');
    const signed = await chain
      .client(0)
      .trx.sign(await chain.client(0).transactionBuilder.sendTrx(chain.address(1), 7, chain.address(0)));
    const first = await post('/wallet/broadcasttransaction', JSON.stringify(signed));
    const second = await post('/wallet/broadcasttransaction', JSON.stringify(signed));
    expect([await first.json(), await second.json()]).toMatchObject([
      { result: true },
      { code: 'DUP_TRANSACTION_ERROR' },
    ]);
    const now = await scrape(url);
    expect(total(now, 'sunup_pending_transactions')).toBe(0);
    expect(total(now, 'sunup_transactions_dropped_total', { code: 'REMOVED' })).toBe(1);
    expect(total(now, 'sunup_transactions_refused_total', { code: 'DUP_TRANSACTION_ERROR' })).toBe(1);
  });

  test('epochs are counted', async () => {
    const before = total(await scrape(url), 'sunup_epochs_total');
    await chain.devnet.increaseTime(7 * 3_600);
    await chain.devnet.mine();
    expect(total(await scrape(url), 'sunup_epochs_total')).toBeGreaterThan(before);
  });
});

describe('requests', () => {
  test('are counted by endpoint, and unknown paths get no label', async () => {
    const before = await scrape(url);
    await post('/wallet/getnowblock', '');
    await post('/wallet/getNowBlockOfMine', '');
    await fetch(`${url}/wallet/getnowblock/"}evil{`);
    await fetch(`${url}/wallet/getnowblock`, { method: 'HEAD' });
    await fetch(`${url}/wallet/getnowblock`, { method: 'DELETE' });
    await fetch(`${url}/v1/accounts/${chain.address(0)}`);
    const batch = ['eth_chainId', 'net_version', 'eth_nothing"} 1\n', 'evm_mine', 'eth_getBlockByNumber'];
    await post('/jsonrpc', JSON.stringify(batch.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }))));
    const after = await scrape(url);
    const grown = (name: string, labels: Readonly<Record<string, string>>) =>
      total(after, name, labels) - total(before, name, labels);
    const http = 'sunup_http_request_duration_seconds_count';
    expect(grown(http, { route: '/wallet/getnowblock', status: '200' })).toBe(2);
    expect(grown(http, { route: '/jsonrpc', status: '200' })).toBe(1);
    expect(grown(http, { route: '/v1/accounts/:address', status: '200' })).toBe(1);
    expect(grown(http, { route: '/wallet/getnowblock', status: '405' })).toBe(1);
    expect(grown(http, { route: 'unknown', status: '405' })).toBe(1);
    expect(grown(http, { route: 'unknown', status: '404' })).toBe(1);
    // Including the previous request for metrics, which was answered before it was counted.
    expect(grown(http, {})).toBe(8);
    const rpc = 'sunup_jsonrpc_request_duration_seconds_count';
    expect(grown(rpc, { method: 'eth_chainId', result: 'ok' })).toBe(1);
    expect(grown(rpc, { method: 'evm_mine', result: 'ok' })).toBe(1);
    expect(grown(rpc, { method: 'eth_getBlockByNumber', result: 'error' })).toBe(1);
    expect(grown(rpc, { method: 'unknown', result: 'error' })).toBe(1);
    expect(grown(rpc, {})).toBe(5);
    expect(labelsOf(after, http, 'route').filter((route) => /evil|OfMine/.test(route ?? ''))).toEqual([]);
    expect(labelsOf(after, rpc, 'method').filter((method) => method?.includes('nothing'))).toEqual([]);
  });

  test('over gRPC are counted by method and status', async () => {
    const client = new ServiceClient('Wallet', chain.devnet.grpc!.url);
    await client.call('GetNowBlock');
    client.client.close();
    const now = await scrape(url);
    expect(
      total(now, 'sunup_grpc_request_duration_seconds_count', { method: '/protocol.Wallet/GetNowBlock', status: 'OK' }),
    ).toBe(1);
  });
});

describe('the text', () => {
  test('describes each metric, and includes the process', async () => {
    const now = await scrape(url);
    const own = now.filter(({ name }) => /^sunup_/.test(name) && !/_(bucket|sum|count)$/.test(name));
    expect(own.length).toBeGreaterThan(15);
    for (const { name, help, type } of own) {
      expect([name, help.length > 10]).toEqual([name, true]);
      if (!name.endsWith('_duration_seconds')) expect(type).toBe(name.endsWith('_total') ? 'COUNTER' : 'GAUGE');
    }
    expect(total(now, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(total(now, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    expect(total(now, 'sunup_pool_limit_transactions')).toBeGreaterThan(1);
    expect(total(now, 'sunup_info', { node_version: '4.8.0' })).toBe(1);
    const head = total(now, 'sunup_head_block_number');
    expect(total(now, 'sunup_solidified_block_number')).toBeLessThanOrEqual(head);
  });

  test('is separate for each hosted chain', async () => {
    const { path } = (await (await post('/sunup/chains', '{}')).json()) as { path: string };
    const own = await scrape(url);
    const further = await scrape(`${url}${path.slice(0, -1)}`);
    expect(total(own, 'sunup_transactions_total')).toBeGreaterThan(5);
    expect(total(further, 'sunup_transactions_total')).toBe(0);
    expect(total(further, 'sunup_blocks_total')).toBe(total(further, 'sunup_head_block_number'));
  });

  test('is served under any host name, not only to this machine', async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { origin: 'https://example.org' } });
    expect(answer.status).toBe(200);
    await answer.text();
  });

  test('without the option names the option', async () => {
    const other = await createDevnet();
    try {
      const answer = await fetch(`${other.http!.url}/metrics`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('--metrics');
    } finally {
      await other.close();
    }
  });
});
