/** `sunup costs`, against a devnet as the network: what the command prints. How it reads is in `test/wire/network-costs.test.ts`. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runCostsCommand } from '../../src/cli/costs-command.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { said } from '../unit/cli/said.js';

const FEE_LIMIT = 1_000_000_000;
const DAYS = 4;

interface CostsJson {
  readonly sentences: readonly string[];
  readonly accounts: readonly { readonly account: string; readonly transactions: number; readonly feeSun: number }[];
  readonly totals: {
    readonly transactions: number;
    readonly failed: number;
    readonly feeSun: number;
    readonly energySun: number;
    readonly stakedEnergy: number;
    readonly withoutReceipt: number;
    readonly deployersEnergy: number;
    readonly energy: number;
    readonly methods: readonly {
      readonly type: string;
      readonly method?: string;
      readonly transactions: number;
      readonly energy: number;
    }[];
    readonly days: readonly { readonly day: string; readonly transactions: number }[];
    readonly sources: readonly { readonly reason: string; readonly source: string; readonly sun: number }[];
  };
  readonly asDeployer?: {
    readonly energy: number;
    readonly methods: readonly { readonly method?: string; readonly contractName?: string }[];
  };
  readonly findings: {
    readonly factors: { readonly cap: number; readonly addedAtCap: number };
    readonly stakes: readonly {
      readonly resource: string;
      readonly freeDays: number;
      readonly days: number;
      readonly capacity: number;
      readonly savedSun: number;
      readonly addedStakeSun: number;
      readonly yieldSun?: number;
    }[];
  };
}

let devnet: Devnet;
let payer: Devnet['accounts'][0];
/** Of the payer's transactions. */
let paidSun = 0;
let sent = 0;

const costs = async (...words: readonly string[]) => {
  const { code, out, err } = await said((say) => runCostsCommand(['costs', ...words], say));
  return { code, out, err };
};
const costsOf = async (...words: readonly string[]): Promise<CostsJson> => {
  const { code, out, err } = await costs(...words, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
};

/** Some days of traffic: more calls each day. */
async function sendDays(chain: Devnet, stakeSun = 0): Promise<readonly string[]> {
  const [owner, receiver] = chain.accounts as [Devnet['accounts'][0], Devnet['accounts'][0]];
  const tronWeb = new TronWeb({ fullHost: chain.http.url, privateKey: owner.privateKey });
  const usdt = chain.predeployed[0]!;
  const txids: string[] = [];
  const send = async (transaction: unknown) => {
    const { result, txid, code } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction as never));
    if (result !== true) throw new Error(String(code));
    await chain.mine();
    txids.push(txid);
  };
  const transfer = async (amount: number) => {
    const parameters = [
      { type: 'address', value: receiver.address },
      { type: 'uint256', value: amount },
    ];
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      usdt.address,
      'transfer(address,uint256)',
      { feeLimit: FEE_LIMIT },
      parameters,
      owner.address,
    );
    await send(transaction);
  };
  if (stakeSun > 0) await send(await tronWeb.transactionBuilder.freezeBalanceV2(stakeSun, 'ENERGY', owner.address));
  for (let day = 0; day < DAYS; day++) {
    for (let at = 0; at <= day; at++) await transfer(1);
    await send(await tronWeb.transactionBuilder.sendTrx(chain.accounts[2]!.address, 1, owner.address));
    await chain.mine({ advanceMs: 86_400_000 });
  }
  await transfer(Number.MAX_SAFE_INTEGER);
  await chain.setChainParameters({ getEnergyFee: 420 });
  await transfer(1);
  await chain.mine(150);
  return txids;
}

beforeAll(async () => {
  devnet = await createDevnet({ predeploy: ['usdt'] });
  [payer] = devnet.accounts as [Devnet['accounts'][0]];
  const txids = await sendDays(devnet);
  sent = txids.length;
  for (const txid of txids) paidSun += Number((await devnet.explain(txid)).feeSun);
}, 120_000);

afterAll(() => devnet.close());

test('sums: sources, methods, days, failures', async () => {
  const { totals, findings, sentences } = await costsOf(
    payer.address,
    '--fork',
    devnet.http.url,
    '--since',
    '30d',
    '--yield',
    '4%',
  );
  expect(totals).toMatchObject({ transactions: sent, feeSun: paidSun, failed: 1, withoutReceipt: 0 });
  expect(totals.methods[0]).toMatchObject({ method: 'transfer(address,uint256)', transactions: sent - DAYS });
  expect(totals.days.reduce((sum, { transactions }) => sum + transactions, 0)).toBe(sent);
  expect(totals.sources.reduce((sum, { sun }) => sum + sun, 0)).toBe(paidSun);
  expect(totals.sources.map(({ source }) => source)).not.toContain('unexplained');
  const stakes = findings.stakes.filter(({ resource }) => resource === 'energy');
  expect(stakes.at(-1)).toMatchObject({ freeDays: stakes[0]!.days, savedSun: expect.any(Number) });
  expect(stakes.at(-1)!.capacity).toBeGreaterThan(stakes[0]!.capacity);
  expect(stakes.at(-1)!.yieldSun).toBeGreaterThan(0);
  expect(sentences.join('\n')).toMatch(/Failed transactions: 1 of \d+ cost [\d.]+ TRX/);
});

test('the stake of the last finding pays for all Energy of the same traffic', async () => {
  const { findings } = await costsOf(payer.address, '--fork', devnet.http.url, '--since', '30d');
  const enough = findings.stakes.filter(({ resource }) => resource === 'energy').at(-1);
  await using staked = await createDevnet({ predeploy: ['usdt'] });
  await sendDays(staked, enough!.addedStakeSun);
  const { totals } = await costsOf(staked.accounts[0]!.address, '--fork', staked.http.url, '--since', '30d');
  expect(totals.energySun).toBe(0);
  expect(totals.stakedEnergy).toBeGreaterThan(0);
});

test('the terminal, CSV and HTML have the same sum', async () => {
  const words = [payer.address, '--fork', devnet.http.url, '--since', '30d'];
  const trx = `${Math.floor(paidSun / 1e6)}`;
  const table = await costs(...words);
  expect(table).toMatchObject({ code: 0, err: '' });
  expect(table.out).toContain(`paid ${trx}.`);
  expect(table.out).toContain('transfer(address,uint256)');
  const csv = await costs(...words, '--csv');
  expect(csv.out).toContain('By hour');
  const html = await costs(...words, '--html');
  expect(html.out).toContain('<svg role="img" aria-label="TRX by day (UTC)"');
  expect(html.out).toContain('<svg role="img" aria-label="Energy by hour (UTC)');
});

test('several accounts, from arguments and a file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-accounts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'wallets.txt');
  const [, second] = devnet.accounts as [Devnet['accounts'][0], Devnet['accounts'][0]];
  writeFileSync(file, `# hot wallets\n${payer.address}\n\n${second.addressHex} # unused\n`);
  const words = ['--accounts', file, '--fork', devnet.http.url, '--since', '30d'];
  const { totals, accounts } = await costsOf(payer.address, ...words);
  expect(accounts).toEqual([
    { account: payer.address, transactions: sent, feeSun: paidSun },
    { account: second.address, transactions: 0, feeSun: 0 },
  ]);
  expect(totals.feeSun).toBe(paidSun);
});

test('what an account paid as a deployer, on request, and nothing twice', async () => {
  await using chain = await createDevnet({ balance: 100_000 });
  const [deployer, caller] = chain.accounts as [Devnet['accounts'][0], Devnet['accounts'][0]];
  const terms = { args: [10n ** 12n, 'Dollar', 'USD', 6], userFeePercent: 40, originEnergyLimit: 10_000 };
  const dollar = await chain.deploy('fixtures/contracts/Dollar.json', terms);
  await chain.setStake(deployer.address, { energy: 50_000_000_000n });
  await dollar.write.transfer!([caller.address, 1_000n]);
  let energy = 0;
  for (const amount of [1n, 2n, 3n]) {
    const { txid } = await dollar.write.transfer!([chain.accounts[2]!.address, amount], { from: caller });
    energy += Number((await chain.explain(txid)).energy!.origin!.paid);
  }
  await chain.mine(150);
  const network = ['--fork', chain.http.url, '--since', '30d'];
  const plain = await costs(deployer.address, ...network);
  expect(plain.out).toContain('Not read: Energy of the account for calls of contracts');
  const read = await costsOf(deployer.address, ...network, '--deployer');
  expect(read.asDeployer).toMatchObject({ contracts: 1, calls: 4, paidCalls: 3, energy, energyOfListedCallers: 0 });
  expect(read.asDeployer?.methods).toMatchObject([{ method: 'transfer(address,uint256)', contractName: 'Dollar' }]);
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-calls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const both = [deployer.address, caller.address, ...network, '--contract', dollar.address, '--fork-cache', folder];
  for (let times = 0; times < 2; times++) {
    const { asDeployer, totals } = await costsOf(...both);
    expect(asDeployer).toMatchObject({ energy, energyOfListedCallers: energy });
    expect(totals.deployersEnergy).toBe(energy);
  }
  // The deployment has no energy factor; at the cap of 3.4, the call has.
  const { findings, totals } = read;
  const deployment = totals.methods.find(({ type }) => type === 'CreateSmartContract')!;
  expect(findings.factors.addedAtCap).toBe(Math.floor((totals.energy - deployment.energy) * findings.factors.cap));
  const table = await costs(...both);
  expect(table.out).toContain('As deployer: calls of own contracts');
  const others = await costs(caller.address, ...network, '--contract', dollar.address);
  expect(others).toMatchObject({ code: 1, err: expect.stringContaining(`its deployer ${deployer.address}`) });
  const limited = await costs(caller.address, '--fork', chain.http.url, '--limit', '5', '--deployer');
  expect(limited).toMatchObject({ code: 2, err: expect.stringContaining('--limit cannot be combined') });
});

test.each([
  [['costs', 'T123', '--fork', 'http://127.0.0.1:1'], 'T123 is not an address'],
  [['costs', '--fork', 'http://127.0.0.1:1'], 'an address is missing'],
  [['costs', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'], '--fork is missing'],
  [['costs', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '--fork', 'http://x', '--since', '7'], '--since is "7"'],
  [['costs', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '--fork', 'http://x', '--from', 'monday'], '--from is'],
  [['costs', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '--fork', 'http://x', '--limit', '0'], '--limit is 0'],
  [['costs', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '--fork', 'http://x', '--yield', 'much'], '--yield is much'],
  [['costs', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '--fork', 'http://x', '--json', '--html'], 'cannot be combined'],
])('%s', async (words, problem) => {
  const { code, err } = await said((say) => runCostsCommand(words, say));
  expect(code).toBe(2);
  expect(err).toContain(problem);
});
