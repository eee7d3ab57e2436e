/**
 * What a sweep says about decisions, worked out by hand. With the totals of the main network (180,000,000,000 Energy a day
 * for 19,125,511,029 TRX; 43,200,000,000 bytes for 26,677,115,436 TRX) a TRX gives 9.4115 Energy or 1.6193 bytes a day. A
 * transfer of dollars takes 14,007 Energy at 100 sun, 1.4007 TRX, and 346 bytes.
 */

import { describe, expect, it } from 'vitest';
import { whatIf } from '../../../src/run-scenario.js';
import { htmlReport } from '../../../src/scenario/report/html.js';
import { sweepCsv, sweepMarkdown, sweepReport, sweepTable } from '../../../src/scenario/report/sweep.js';
import { findingLines } from '../../../src/scenario/what-if/findings.js';

const BASE = {
  network: { preset: 'mainnet@2025-09', stake: 'mainnet@2025-12' },
  accounts: {
    issuer: '1 TRX',
    holder: { balance: '1 TRX', tokens: { dollar: 1 } },
    shop: { balance: '1_000 TRX', tokens: { dollar: 1_000_000 } },
    newcomer: null,
  },
  contracts: { dollar: { fixture: 'Dollar', deployer: 'issuer', args: [10 ** 12, 'Dollar', 'USD', 6] } },
};
const PAYMENT = { call: { from: 'shop', contract: 'dollar', method: 'transfer', args: ['holder', 1] } };
const ACTIVATION = { transfer: { from: 'shop', to: 'newcomer', amount: '1 TRX' } };

/**
 * To the end of the day after so many steps that send, each of which takes a slot of 3 s. A day ends with an epoch, after
 * which two slots have no block.
 */
const restOfDay = (sent: number) => ({ advance: `${86_400 - (sent + 2) * 3}s` });

/** On the first day an activation (1.1 TRX), on each day a payment. */
function days(count: number) {
  const others = { repeat: { times: count - 1, steps: [PAYMENT, restOfDay(1)] } };
  return { ...BASE, steps: [ACTIVATION, PAYMENT, restOfDay(2), others] };
}

const STAKES = { 'accounts.shop.stake.energy': [0, '1_000 TRX', '1_489 TRX', '2_000 TRX'] };

describe('the warmup and the days after it', () => {
  it('tells what comes once from what comes each day, however long the scenario is', async () => {
    const [three, seven] = [await whatIf(days(3), STAKES), await whatIf(days(7), STAKES)];
    for (const { asItIs } of [three, seven])
      expect(asItIs).toMatchObject({
        warmupMs: 2 * 86_400_000,
        warmupSun: 1_100_000n + 2n * 1_400_700n,
        daySun: 1_400_700n,
        onceSun: 1_100_000n,
        costs: [
          { type: 'TransferContract', reason: 'account-activation', onceSun: 1_000_000n, daySun: 0n },
          { type: 'TransferContract', reason: 'account-creation-bandwidth', onceSun: 100_000n, daySun: 0n },
          { type: 'TriggerSmartContract', reason: 'energy', onceSun: 0n, daySun: 1_400_700n },
        ],
      });
    // 1,000 TRX give 9,411 Energy: 0.9411 TRX a day are 343.5015 TRX a year. 489 TRX more give the other 4,596.
    expect(three.stakeSteps).toMatchObject([
      { to: '1_000 TRX', yearlySun: 343_501_500n, yearlyPercent: 34.35 },
      { to: '1_489 TRX', yearlySun: 167_754_000n, yearlyPercent: 34.31 },
      { to: '2_000 TRX', yearlySun: 0n, yearlyPercent: 0, worthBelowPercent: null },
    ]);
    const yearly = ({ stakeSteps }: typeof three) => stakeSteps.map(({ yearlyPercent }) => yearlyPercent);
    expect(yearly(seven)).toEqual(yearly(three));
    expect(findingLines(three)).toContain(
      'days and years are measured over the 24 hours after the warmup of 2 days: a day costs 1.4007 TRX in the unchanged file; the warmup costs 1.1 TRX more than an equal time after it: the one-off costs',
    );
  });

  it('uses the warmup of the file, and separates no one-off costs in less than two days', async () => {
    const { asItIs } = await whatIf({ ...days(3), warmup: '24h' }, STAKES);
    expect(asItIs).toMatchObject({
      warmupMs: 86_400_000,
      warmupSun: 1_100_000n + 1_400_700n,
      onceSun: 1_100_000n,
    });
    expect((await whatIf(days(2), STAKES)).asItIs).toMatchObject({ warmupMs: 86_400_000, onceSun: 1_100_000n });
    const none = await whatIf({ ...days(3), warmup: '0s' }, STAKES);
    expect(none.asItIs).toMatchObject({
      warmupMs: 0,
      warmupSun: 0n,
      onceSun: 0n,
      daySun: BigInt(Math.round((1_100_000 + 3 * 1_400_700) / 3)),
    });
    const short = await whatIf(days(1), STAKES);
    expect(short.asItIs).toMatchObject({ warmupMs: 0, daySun: 2_500_700n });
    expect(findingLines(short).join()).toContain('run the scenario for three days or more, or set warmup');
    await expect(whatIf({ ...days(1), warmup: '24h' }, STAKES)).rejects.toThrow(
      /warmup is 24 h, but the scenario takes only 24 h/,
    );
    await expect(whatIf({ ...days(1), warmup: 'soon' }, STAKES)).rejects.toThrow(/warmup: expected a duration/);
  });
});

describe('a decision', () => {
  it('has one finding over all settings of the other variations: the stake up to which each step pays', async () => {
    const run = await whatIf(days(3), { ...STAKES, getEnergyFee: [100, 210, 420] });
    expect(run.decisions).toHaveLength(2);
    const [stake, price] = run.decisions;
    expect(stake).toMatchObject({
      kind: 'stake',
      knees: [{ value: '1_489 TRX', settings: 3 }],
      steps: [
        { to: '1_000 TRX', yearlyPercent: { least: 34.35, most: 144.27 }, givesADay: { most: 9_411n } },
        { to: '1_489 TRX', yearlyPercent: { least: 34.31, most: 144.08 }, carriesADay: { most: 14_007n } },
        { to: '2_000 TRX', yearlyPercent: { least: 0, most: 0 }, worthBelowPercent: { least: null, most: null } },
      ],
    });
    expect(price).toMatchObject({
      kind: 'choice',
      least: { value: 100, daySun: { least: 0n, most: 1_400_700n } },
      most: { value: 420, daySun: { least: 0n, most: 4n * 1_400_700n + 280_140n } },
    });
    const lines = findingLines(run);
    expect(lines.filter((line) => line.startsWith('accounts.shop.stake.energy: '))).toEqual([
      'accounts.shop.stake.energy: stake 1_489 TRX: larger stakes return less than a tenth of the best step; the steps up to it return 34.31 to 144.27 % a year; the next step, 511 TRX, returns 0 %',
    ]);
    expect(lines.filter((line) => line.startsWith('getEnergyFee: '))).toEqual([
      'getEnergyFee: a day costs 0 to 1.4007 TRX at 100 (cheapest) and 0 to 5.8829 TRX at 420 (most expensive); ranges are over the other settings',
    ]);
  });

  it('reports the return of the last part of the cheapest stake', async () => {
    // A second payment on each tenth day needs twice the stake, and uses it on one day of ten.
    const rare = {
      repeat: {
        times: 2,
        steps: [{ repeat: { times: 9, steps: [PAYMENT, restOfDay(1)] } }, PAYMENT, PAYMENT, restOfDay(2)],
      },
    };
    const run = await whatIf(
      { ...BASE, steps: [PAYMENT, restOfDay(1), PAYMENT, restOfDay(1), rare] },
      { 'accounts.shop.stake.energy': [0, '1_489 TRX', '2_978 TRX'] },
    );
    // 36.5 times a year 13,999 Energy at 100 sun, for 1,489 TRX more: 8 are left of the smaller stake.
    expect(run.stakeSteps[1]).toMatchObject({ yearlySun: BigInt(36.5 * 1_399_900), yearlyPercent: 3.43 });
    expect(findingLines(run).find((line) => line.startsWith('lowest fee'))).toMatch(
      /2_978 TRX: 0.692 TRX, .*; the last 1,489 TRX of its stake \(accounts\.shop\.stake\.energy\) return at most 3\.43 % a year$/,
    );
  });

  it('merges a step that saves nothing with the next one', async () => {
    const steps = [{ repeat: { times: 3, steps: [PAYMENT, restOfDay(1)] } }];
    const network = { ...BASE.network, parameters: { getFreeNetLimit: 0 } };
    const run = await whatIf(
      { ...BASE, network, steps },
      { 'accounts.shop.stake.bandwidth': [0, '100 TRX', '214 TRX'] },
    );
    // A stake pays for all 346 bytes or for none: 0.346 TRX a day are 126.29 TRX a year, for 114 TRX or for all 214.
    expect(run.stakeSteps).toMatchObject([
      { yearlyPercent: 0, worthBelowPercent: null },
      { yearlySun: 126_290_000n, yearlyPercent: 110.78, worthBelowPercent: 59.01 },
    ]);
    expect(run.decisions[0]).toMatchObject({ knees: [{ value: '214 TRX' }] });
  });

  it('explains why a stake pays for more use than its daily capacity', async () => {
    // A payment each hour: after it 14,007 × (24 + 23 + … + 1) / 24 = 175,087.5 Energy are in use, of 336,168 a day.
    const hours = { repeat: { times: 24 * 4 - 1, steps: [PAYMENT, { advance: '3597s' }] } };
    const steps = [{ advance: '30m' }, hours, PAYMENT, { advance: '1797s' }];
    const run = await whatIf({ ...BASE, steps }, { 'accounts.shop.stake.energy': [0, '20_000 TRX'] });
    // It runs out until usage has settled, on the second day for the last time.
    expect(Number(run.outcomes[2]!.costs[0]!.onceSun)).toBeGreaterThan(0);
    expect(run.outcomes[2]!.costs[0]).toMatchObject({ reason: 'energy', daySun: 0n });
    expect(run.outcomes[2]!.stakeUses).toEqual([
      { account: 'shop', resource: 'energy', givesADay: 188_230n, carriesADay: 336_168n },
    ]);
    expect(findingLines(run).find((line) => line.includes('capacity'))).toMatch(
      /^accounts\.shop\.stake\.energy=20_000 TRX has a capacity of 188,230 Energy per day and pays for 336,168 per day here, 1\.79 times as much\. Usage recovers linearly over 24 hours/,
    );
  });
});

describe('all forms of a report', () => {
  it('have the same numbers for steps, days and one-off costs', async () => {
    const run = await whatIf(days(3), STAKES);
    const { decisions: _, ...sweep } = run;
    const forms = [sweepTable(sweep), sweepMarkdown(sweep), await htmlReport([sweepReport(sweep)])];
    for (const text of forms)
      for (const said of [
        '34.35 %',
        '34.31 %',
        '1.1 TRX',
        '1.4007 TRX',
        '0.4596 TRX',
        'less than a tenth of the best step',
      ])
        expect(text).toContain(said);
    const [head = '', ...rows] = sweepCsv(sweep).trimEnd().split('\r\n');
    const column = (name: string) => rows.map((row) => row.split(',')[head.split(',').indexOf(name)]);
    expect(column('once (sun)')).toEqual(run.outcomes.map(({ onceSun }) => String(onceSun)));
    expect(column('per day (sun)')).toEqual(['1400700', '1400700', '459600', '0', '0']);
    expect(column('marginal return per year (%)')).toEqual(['', '', '34.35', '34.31', '0']);
  });
});
