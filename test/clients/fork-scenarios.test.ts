/** Fee scenarios above the head of a network, which is another Sunup, with requests over its interfaces only. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runRunCommand } from '../../src/cli/run-command.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { runScenario, whatIf } from '../../src/run-scenario.js';
import { said } from '../unit/cli/said.js';
import { FaultyProxy } from '../wire/fork-proxy.js';

const TRX = 1_000_000;
let network: Devnet;
let token: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sunup-fork-scenarios-'));
  network = await createDevnet({ networkStake: 'mainnet', balance: 20_000 });
  const [deployer, holder] = network.accounts;
  const terms = { args: [10n ** 15n, 'Dollar', 'USD', 6], userFeePercent: 60, originEnergyLimit: 7_000 };
  const dollar = await network.deploy('fixtures/contracts/Dollar.json', terms);
  token = dollar.address;
  await dollar.write.transfer!([holder!.address, 1_000_000n]);
  await network.setStake(deployer!.address, { energy: 50_000 * TRX });
  await network.mine({ advanceMs: 7 * 3_600_000 });
  await network.setContractEnergy(token, { energyFactor: 2_000 });
});
afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Pays with a token of the network, from an account of the network. */
const scenario = (fork: unknown = network.http.url) => ({
  fork,
  accounts: { holder: { address: network.accounts[1]!.address }, fresh: '5 TRX' },
  contracts: { dollar: { address: token } },
  steps: [
    { call: { from: 'holder', contract: 'dollar', method: 'transfer', args: ['fresh', 5] } },
    {
      call: { from: 'holder', contract: 'dollar', method: 'transfer', args: ['fresh', 7] },
      expect: { balanceChanges: { fresh: { dollar: 7 } } },
    },
    { advance: '1 epoch' },
    { call: { from: 'holder', contract: 'dollar', method: 'transfer', args: ['fresh', 7] } },
    { transfer: { from: 'fresh', to: network.accounts[4]!.address, amount: '1 TRX' } },
  ],
});

const STRANGER = { from: 'fresh', to: `41${'9'.repeat(40)}`, amount: 1 };

async function height(): Promise<number> {
  const { block_header } = JSON.parse(await (await network.fetch('/wallet/getnowblock')).text());
  return block_header.raw_data.number;
}

function write(name: string, content: object): string {
  const file = path.join(folder, `${name}.scenario.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const ran = (...words: readonly string[]) => said((say) => runRunCommand(['run', ...words], say));

describe('a scenario on a fork', () => {
  it('has the costs of the network', async () => {
    const run = await runScenario(scenario());
    expect(run.differences).toEqual([]);
    expect(run.fork).toMatchObject({ url: network.http.url, blockNumber: await height() });
    const id = await network.snapshot();
    const [, holder] = network.accounts;
    const dollar = await network.contractAt('fixtures/contracts/Dollar.json', token);
    const there = [];
    for (const amount of [5n, 7n]) {
      const { txid } = await dollar.write.transfer!([`0x${'7'.repeat(40)}`, amount], { from: holder! });
      const { energy, bandwidth, feeSun } = await network.explain(txid);
      there.push({ energy: energy?.total, penalty: energy?.penalty, bandwidth: bandwidth?.bytes, feeSun });
    }
    await network.revert(id);
    const here = run.transactions.slice(0, 2).map(({ energy, bandwidth, feeSun }) => ({
      energy: energy?.used,
      penalty: energy?.penalty,
      bandwidth,
      feeSun,
    }));
    expect(here).toEqual(there);
    expect(here[0]?.penalty).toBeGreaterThan(0);
  });

  it('names the assumptions on which it rests', async () => {
    const { totals, transactions } = await runScenario(scenario());
    const names = transactions.map(({ assumptions = [] }) => assumptions.map(({ name, of }) => `${name} of ${of}`));
    expect(names).toEqual([
      ['publicBandwidth of PUBLIC_NET_USAGE'],
      [],
      ['energyStateCycle of dollar'],
      ['publicBandwidth of PUBLIC_NET_USAGE'],
    ]);
    expect(totals.assumptions.map(({ name, transactions: times }) => [name, times])).toEqual([
      ['publicBandwidth', 2],
      ['energyStateCycle', 1],
    ]);
    const file = write('tell', scenario());
    expect((await ran(file)).out).toContain('energyStateCycle │ dollar');
    // In memory, rows that no step can request are not kept; on disk, all are.
    const inMemory = await ran(file, '--json', '--results');
    const onDisk = await ran(file, '--json', '--results', '--db', path.join(folder, 'kept'));
    expect(onDisk.out).toBe(inMemory.out);
    expect(inMemory.out).toContain('energyStateCycle');
  });

  it('gives the same digest without the network', async () => {
    const file = write('pay', scenario({ url: network.http.url, cache: 'rows' }));
    const first = await runScenario(file);
    expect(readdirSync(path.join(folder, 'rows'))).toContain('start.json');
    const id = await network.snapshot();
    await network.mine(5);
    await network.setContractEnergy(token, { energyFactor: 9_000 });
    await network.setBalance(network.accounts[1]!.address, 1);
    expect((await runScenario(file)).digest).toBe(first.digest);
    expect((await runScenario(file, { forkCache: path.join(folder, 'others') })).digest).not.toBe(first.digest);
    await network.revert(id);
    const offline = await runScenario(file, { fork: 'http://127.0.0.1:9', forkOffline: true });
    expect([offline.digest, offline.totals]).toEqual([first.digest, first.totals]);
    const { code, out } = await ran(file, '--fork-offline', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ digest: first.digest, fork: { url: network.http.url } });
    const more = { ...scenario({ url: network.http.url, cache: 'rows' }), steps: [{ transfer: STRANGER }] };
    const missing = await ran(write('more', more), '--fork-offline');
    expect([missing.code, missing.err]).toEqual([2, expect.stringMatching(/could not read .* the fork is offline/)]);
  });

  it('keeps the order of a block while rows are missing', async () => {
    const [lender, , , , , , borrower] = network.accounts;
    const loan = { from: 'lender', to: borrower!.address, amount: '10 TRX', for: 'energy' };
    const { transactions } = await runScenario({
      fork: network.http.url,
      accounts: { lender: { address: lender!.address } },
      steps: [{ block: [{ delegate: loan }, { undelegate: loan }] }],
    });
    expect(transactions.map(({ outcome }) => outcome)).toEqual(['SUCCESS', 'SUCCESS']);
    expect(transactions[1]?.block).toBe(transactions[0]?.block);
  });

  it('can be swept over changed values, and requests each row once', async () => {
    const proxy = await FaultyProxy.open(network.http.url);
    const values = { getEnergyFee: [100, 210], 'contracts.dollar.energyFactor': [0, 2_000, 34_000] };
    const one = await whatIf(scenario(proxy.url), { getEnergyFee: [100] });
    const asked = proxy.seen.length;
    const all = await whatIf(scenario(proxy.url), values);
    expect(proxy.seen.length - asked).toBe(asked);
    expect(all.outcomes.length).toBe(7);
    expect(all.outcomes[0]).toMatchObject({ feeSun: one.outcomes[0]!.feeSun, digest: one.outcomes[0]!.digest });
    const fees = all.outcomes.slice(1).map(({ feeSun }) => Number(feeSun));
    expect(fees[3]! - fees[0]!).toBeGreaterThan(0);
    expect(fees[2]!).toBeGreaterThan(fees[1]!);
    await proxy.close();
  });

  it("reports the number of the network's answers for a progress display", async () => {
    const { isTTY } = process.stderr;
    const file = write('seen', scenario());
    try {
      process.stderr.isTTY = true;
      for (const options of [[], ['--what-if', 'getEnergyFee=100']]) {
        const { err } = await ran(file, ...options);
        const counted = [...err.matchAll(/\ranswers from the network: (\d+)/g)].map(([, count]) => Number(count));
        expect(counted.length).toBeGreaterThan(15);
        expect(counted).toEqual(counted.map((_, index) => index + 1));
        expect(err).toMatch(/\r *\r$/);
      }
    } finally {
      process.stderr.isTTY = isTTY;
    }
    expect((await ran(file)).err).toBe('');
  });

  it('can be made from a file without `fork` by an option', async () => {
    const file = path.join(folder, 'own.scenario.yaml');
    writeFileSync(
      file,
      'accounts: { alice: 10 TRX }\nsteps:\n  - transfer: { from: alice, to: alice2, amount: 1 TRX }\n'.replace(
        'alice2',
        network.accounts[2]!.address,
      ),
    );
    const { code, out, err } = await ran(file, '--fork', network.http.url);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`fork of ${network.http.url} after block ${await height()}`);
    // Options without effect are refused, except for offline mode, which is true of any file.
    const alone = await ran(file, '--fork-cache', path.join(folder, 'alone'), '--fork-offline');
    expect([alone.code, alone.err]).toEqual([
      2,
      expect.stringMatching(/^option forkCache is for a scenario on a fork/),
    ]);
    expect(await ran(file, '--fork-offline', '--fork-api-key', 'k')).toMatchObject({ code: 0, err: '' });
  });

  it('takes the key and headers from the environment, including commas, but not the network', async () => {
    const proxy = await FaultyProxy.open(network.http.url);
    const file = path.join(folder, 'nobody.scenario.yaml');
    writeFileSync(file, 'steps: []\n');
    vi.stubEnv('SUNUP_FORK', 'http://127.0.0.1:1');
    vi.stubEnv('SUNUP_FORK_API_KEY', 'a-key');
    vi.stubEnv('SUNUP_FORK_HEADER', 'x-of: a, b\nx-team: fees');
    try {
      expect(await ran(file)).toMatchObject({ code: 0, err: '' });
      expect(await ran(file, '--fork', proxy.url)).toMatchObject({ code: 0, err: '' });
      expect(proxy.seen.length).toBeGreaterThan(10);
      for (const { headers } of proxy.seen)
        expect(headers).toMatchObject({ 'tron-pro-api-key': 'a-key', 'x-of': 'a, b', 'x-team': 'fees' });
    } finally {
      vi.unstubAllEnvs();
      await proxy.close();
    }
  });

  it.each([
    ['network: { preset: mainnet }\nfork: URL\nsteps: []', '1:12: preset: a fork takes this from its network'],
    ['fork: { cache: x }\nsteps: []', '1:7: url is missing'],
    ['fork: http://127.0.0.1:9\nsteps: []', /does not give its head: .* \(http:\/\/127.0.0.1:9\/.*\)/],
    ['fork: localhost:9090\nsteps: []', 'is not an HTTP URL: localhost:9090'],
    ['fork: 127.0.0.1:9090\nsteps: []', 'is not an HTTP URL: 127.0.0.1:9090'],
    [
      'contracts: { usdt: { address: "0x0707070707070707070707070707070707070707" } }\nfork: URL\nsteps: []',
      'no contract at',
    ],
    ['contracts: { usdt: {} }\nsteps: []', '1:20: deployer is missing: name an account, or give the address'],
    [
      'accounts: { a: { address: TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC, count: 3 } }\nsteps: []',
      'count and address exclude each other',
    ],
  ])('says what is wrong with %j', async (text, words) => {
    const file = path.join(folder, 'wrong.scenario.yaml');
    writeFileSync(file, text.replace('URL', network.http.url));
    const { code, err } = await ran(file);
    expect([code, err]).toEqual([2, expect.stringMatching(words)]);
  });
});
