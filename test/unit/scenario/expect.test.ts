import { expect, it } from 'vitest';
import { snapshotDifferences, snapshotText } from '../../../src/scenario/results/snapshot.js';
import { problemsOf, runText } from './run-file.js';

const SHOP = `
network: { preset: mainnet@2025-09, start: 2026-01-01T00:00:00Z }
accounts:
  issuer: 1 TRX
  hot: { balance: 1_000 TRX, tokens: { dollar: 1_000_000_000, coupon: 50 } }
  old: { balance: 1 TRX, tokens: { dollar: 1 } }
  customers: { count: 3, balance: 10 TRX }
  fresh:
tokens:
  coupon: { issuer: old, supply: 100 }
contracts:
  dollar: { fixture: Dollar, deployer: issuer, args: [1_000_000_000_000, Dollar, USD, 6] }
  meter: { fixture: Meter, deployer: issuer }
`;

/** `what: expected | got` of every result, with the line. */
const differencesOf = (ran: Awaited<ReturnType<typeof runText>>) =>
  ran.results.flatMap((result) =>
    ('differences' in result ? (result.differences ?? []) : []).map(
      ({ what, expected, actual, line }) => `${line} ${what}: ${expected} | ${actual}`,
    ),
  );

it('holds of what is so', async () => {
  const ran = await runText(`${SHOP}
steps:
  - transfer: { from: hot, to: fresh, amount: 1 TRX }
    expect:
      result: SUCCESS
      fee: 1.1 TRX
      paid:
        - { payer: hot, reason: account-activation, source: burned, sun: 1 TRX }
        - { payer: hot, reason: account-creation-bandwidth, sun: 0.1 TRX }
      balanceChanges: { hot: -2.1 TRX, fresh: 1 TRX, old: 0 }
  - call: { from: hot, contract: dollar, method: transfer, args: [fresh, 5_000_000] }
    expect:
      energy: 29_007
      energyPenalty: 0
      energyFactor: 0
      bandwidth: 346
      balanceChanges: { hot: { TRX: -2.9007 TRX, dollar: -5_000_000 }, fresh: { dollar: 5_000_000 } }
  - trc10: { from: hot, to: old, token: coupon, amount: 3 }
    expect: { balanceChanges: { old: { coupon: 3 } } }
  - repeat:
      times: 2
      steps:
        - transfer: { from: 'customers.0', to: old, amount: '\${i + 1} sun' }
          expect: { balanceChanges: { old: '\${i + 1} sun' } }
    expect: { transactions: 2, fee: 0, bandwidth: 530 }
expect: { transactions: 5, failed: 0, payers: { hot: 4.2797 TRX, customers: 0 } }
`);
  expect(differencesOf(ran)).toEqual([]);
  expect(ran.end.failedExpectations).toBe(0);
});

it('says what was expected and what there is, at its line', async () => {
  const ran = await runText(`${SHOP}
steps:
  - transfer: { from: hot, to: old, amount: 1 TRX }
    expect:
      result: REVERT
      fee: 1 TRX
      bandwidth: 1_000
      paid: [{ payer: hot, resource: bandwidth, source: burned, units: 267 }]
      balanceChanges: { old: { TRX: 2 TRX, coupon: 5 } }
  - transfer: { from: fresh, to: old, amount: 1 TRX }
    expect: { result: SUCCESS, code: SIGERROR, reason: not enough }
  - block:
      - transfer: { from: hot, to: old, amount: 2 TRX }
        expect: { fee: 5 }
    expect: { transactions: 2, payers: { hot: 1 TRX } }
expect: { fee: 1 TRX }
`);
  expect(differencesOf(ran)).toEqual(
    [
      '18 result: REVERT | SUCCESS',
      '19 fee: 1 TRX (1,000,000 sun) | 0 TRX (0 sun)',
      '20 bandwidth: 1,000 | 267',
      '21 paid: hot, bandwidth, burned, 267 units | hot, bandwidth, free, 267 units',
      '22 balanceChanges.old: 2 TRX (2,000,000 sun) | 1 TRX (1,000,000 sun)',
      '22 balanceChanges.old.coupon: 5 | 0',
      '24 result: SUCCESS | REFUSED: Contract validate error : account [TXXX] does not exist',
      '24 code: SIGERROR | CONTRACT_VALIDATE_ERROR',
      '24 reason: not enough | Contract validate error : account [TXXX] does not exist',
      '27 fee: 0.000005 TRX (5 sun) | 0 TRX (0 sun)',
      '28 transactions: 2 | 1',
      '28 payers.hot: 1 TRX (1,000,000 sun) | 0 TRX (0 sun)',
      '29 fee: 1 TRX (1,000,000 sun) | 0 TRX (0 sun)',
    ].map((line) => line.replaceAll('TXXX', 'TGidmFG7WsgPH44wxHRWBncem4rPkwRwKw')),
  );
  expect(ran.end.failedExpectations).toBe(5);
});

it('is for transactions, and for steps that hold some', () => {
  expect(
    problemsOf(`${SHOP}
steps:
  - advance: 1h
    expect: { fee: 1 }
  - transfer: { from: hot, to: old, amount: 1 TRX }
    expect: { fees: 1, balanceChanges: { nobody: 1 } }
`).split('\n'),
  ).toEqual([
    'a.yaml:17:5: expect: only for transactions and for steps with inner steps, not for advance',
    'a.yaml:19:15: fees is unknown; did you mean fee? (known: result, fee, bandwidth, energy, energyPenalty, energyFactor, paid, code, reason, balanceChanges)',
  ]);
});

it('stores the costs of a scenario, and reports which costs change', async () => {
  const text = (amount: string) => `${SHOP}
steps:
  - label: pays
    call: { from: hot, contract: dollar, method: transfer, args: [${amount}] }
  - advance: 6h
`;
  const [old, fresh] = [await runText(text('old, 5')), await runText(text('fresh, 5'))];
  const stored = snapshotText(old.totals);
  expect(stored).toContain('steps[0] pays:');
  expect(snapshotDifferences(stored, (await runText(text('old, 6'))).totals)).toEqual([]);
  expect(snapshotDifferences(stored, fresh.totals)).toContainEqual({
    what: 'steps / steps[0] pays',
    expected: expect.stringMatching(/, energy 14,007$/),
    actual: expect.stringMatching(/, energy 29,007$/),
  });
  expect(snapshotDifferences('steps: [', old.totals)).toEqual([
    expect.objectContaining({ what: 'the file', expected: 'what sunup run --update writes' }),
  ]);
  const [gone] = snapshotDifferences('steps: {}', old.totals).filter(({ what }) => what === 'steps / steps[0] pays');
  expect(gone).toMatchObject({ expected: 'nothing', actual: expect.stringContaining('outcomes SUCCESS 1, feeSun') });
});
