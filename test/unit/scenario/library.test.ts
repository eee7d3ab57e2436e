import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Result, runScenario, ScenarioError, VariationError, whatIf } from '../../../src/run-scenario.js';

/** `sunup/scenario`, as tests and programs use it. */

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-scenario-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FIXTURE = 'fixtures/scenarios/08-bandwidth-burst.scenario.yaml';

const SHOP = {
  network: { parameters: { ENERGY_FEE: 100 } },
  accounts: {
    issuer: '1 TRX',
    shop: { balance: '1_000 TRX', tokens: { dollar: 1_000_000n } },
    old: { balance: '1 TRX', tokens: { dollar: 1 } },
  },
  contracts: { dollar: { fixture: 'Dollar', deployer: 'issuer', args: ['1000000000000', 'Dollar', 'USD', 6] } },
  steps: [
    {
      label: 'pays',
      call: { from: 'shop', contract: 'dollar', method: 'transfer', args: ['old', 5] },
      expect: { energy: 14_007, fee: '1 TRX' },
    },
  ],
};

describe('runScenario', () => {
  it('comes to the digest of a file that is committed', async () => {
    const digests = JSON.parse(readFileSync('fixtures/scenarios/digests.json', 'utf8'));
    const run = await runScenario(FIXTURE);
    expect(JSON.stringify(digests)).toContain(run.digest);
    expect(run.differences).toEqual([]);
    expect(run.transactions.length).toBe(run.totals.transactions);
  });

  it('runs an object, and says what does not hold', async () => {
    const run = await runScenario(SHOP);
    expect(run.totals).toMatchObject({ transactions: 1, failed: 0, feeSun: 1_400_700n });
    expect(run.transactions[0]).toMatchObject({ from: 'shop', outcome: 'SUCCESS', energy: { used: 14_007n } });
    expect(run.differences).toEqual([
      'scenario: steps[0] (pays), result 0: fee\n  expected 1 TRX (1,000,000 sun)\n  got      1.4007 TRX (1,400,700 sun)',
    ]);
  });

  it('keeps nothing of what somebody is told', async () => {
    const told: Result[] = [];
    const run = await runScenario(SHOP, { onResult: (result) => told.push(result) });
    expect([told.length, run.results.length]).toEqual([1, 0]);
  });

  it('compares with the snapshot beside a file, and writes it', async () => {
    const file = path.join(folder, 'shop.scenario.json');
    const write = (amount: number) =>
      writeFileSync(file, JSON.stringify({ accounts: { a: '10 TRX', b: '1 TRX' }, steps: stepsOf(amount) }));
    const stepsOf = (times: number) => [
      { repeat: { times, steps: [{ transfer: { from: 'a', to: 'b', amount: 1 } }] } },
    ];
    write(2);
    expect((await runScenario(file, { update: true })).differences).toEqual([]);
    expect((await runScenario(file)).differences).toEqual([]);
    write(3);
    const [first] = (await runScenario(file)).differences;
    expect(first).toContain('shop.scenario.snap.yaml: totals\n  expected transactions 2, ');
  });

  it('says where something is wrong, in a file by its line and in an object by its path', async () => {
    const wrong = { ...SHOP, steps: [{ transfer: { from: 'shop', to: 'odl', amount: 1 } }] };
    await expect(runScenario(wrong)).rejects.toThrow(
      new ScenarioError([
        { file: 'steps[0].transfer.to', line: 0, column: 0, message: 'no account is called odl; did you mean old?' },
      ]),
    );
    await expect(runScenario(path.join(folder, 'none.yaml'))).rejects.toThrow('none.yaml:1:1: cannot be read: ENOENT');
    await expect(runScenario(SHOP, { update: true })).rejects.toThrow('update goes with a file');
  });
});

describe('whatIf', () => {
  it('runs each combination, and finds the cheapest', async () => {
    const run = await whatIf(SHOP, { getEnergyFee: [100, 210n], 'accounts.shop.stake.energy': [0, '10_000 TRX'] });
    expect(run.outcomes.map(({ feeSun }) => feeSun)).toEqual([1_400_700n, 1_400_700n, 0n, 2_941_470n, 0n]);
    expect(run.cheapest?.values).toEqual([100, '10_000 TRX']);
    expect(run.stakeSteps).toHaveLength(2);
  });

  it('refuses what is not in the scenario', async () => {
    await expect(whatIf(SHOP, { 'accounts.shpo.balance': [1] })).rejects.toThrow(VariationError);
    await expect(whatIf(SHOP, { getEnergyFee: [] })).rejects.toThrow('getEnergyFee: expected at least one value');
  });
});
