/** Steps that say what they were on the live network: the run says what differs, and nothing fails. */

import { expect, test } from 'vitest';
import { runScenario } from '../../../src/run-scenario.js';
import { runSections } from '../../../src/scenario/report/sections.js';

const CHAIN = {
  network: { parameters: { ENERGY_FEE: 100 } },
  accounts: {
    issuer: '1 TRX',
    shop: { balance: '1_000 TRX', tokens: { dollar: 1_000_000n } },
    old: { balance: '1 TRX', tokens: { dollar: 1 } },
  },
  contracts: { dollar: { fixture: 'Dollar', deployer: 'issuer', args: ['1000000000000', 'Dollar', 'USD', 6] } },
};
const pays = (was: object | undefined) => ({
  call: { from: 'shop', contract: 'dollar', method: 'transfer', args: ['old', 5], ...(was && { was }) },
});

test('counts what is the same, and names the largest differences', async () => {
  const { totals, differences, transactions } = await runScenario({
    ...CHAIN,
    steps: [
      pays({ result: 'SUCCESS', energy: 14_007, fee: '1.4007 TRX' }),
      pays({ result: 'SUCCESS', energy: 29_007, fee: '2.9007 TRX' }),
      pays({ result: 'REVERT', energy: 14_007 }),
      pays({ result: 'SUCCESS', energy: 14_007, fee: '2 TRX' }),
      pays(undefined),
    ],
  });
  expect(differences).toEqual([]);
  expect(transactions[0]?.was).toEqual({ result: 'SUCCESS', energy: 14_007n, feeSun: 1_400_700n });
  expect(totals.history).toMatchObject({
    transactions: 4,
    same: 1,
    otherResult: 1,
    differing: 1,
    otherFee: 1,
    energyWas: 71_028n,
    energy: 56_028n,
    largest: [
      { step: 'steps[1]', energyWas: 29_007n, energy: 14_007n },
      { resultWas: 'REVERT', result: 'SUCCESS' },
    ],
  });
  const [first] = runSections(totals);
  expect(first?.title).toBe('Compared with what really happened');
});

test('a run without such steps has no such section', async () => {
  const { totals } = await runScenario({ ...CHAIN, steps: [pays(undefined)] });
  expect(totals.history).toBeUndefined();
  expect(runSections(totals).map(({ title }) => title)).not.toContain('Compared with what really happened');
});
