import { expect, it } from 'vitest';
import { Random } from '../../../src/scenario/random.js';
import { runText } from './run-file.js';

const CUSTOMERS = `
network: { preset: mainnet@2025-09, start: 2026-01-01T00:00:00Z }
accounts:
  shop: 1 TRX
  customers: { count: 3, balance: 100 TRX }
`;

const trafficOf = (terms: string) =>
  runText(`${CUSTOMERS}
steps:
  - traffic:
      for: 2h
      ${terms}
      steps:
        - transfer: { from: '\${sender}', to: shop, amount: '\${i + 1} sun' }
`);

it('puts an arrival into the first slot at or after its moment, those of one moment by sender', async () => {
  const { transactions } = await trafficOf('rate: 1/h\n      arrivals: constant\n      senders: customers');
  const start = Date.parse('2026-01-01T00:00:00Z');
  // The second arrivals are at the end, which is no longer in the span.
  expect(transactions.map(({ from, timestampMs }) => [from, (timestampMs - start) / 1_000])).toEqual([
    ['customers.0', 3_600],
    ['customers.1', 3_600],
    ['customers.2', 3_600],
  ]);
  expect(transactions.every(({ outcome }) => outcome === 'SUCCESS')).toBe(true);
});

it('draws moments by the seed, each sender its own, in their order', async () => {
  const poisson = await trafficOf('rate: 30 per hour\n      senders: customers');
  const again = await trafficOf('rate: 30 per hour\n      senders: customers');
  expect(again).toEqual(poisson);
  const { transactions } = poisson;
  // Three senders, 60 each on average: within five standard deviations.
  expect(transactions.length).toBeGreaterThan(180 - 67);
  expect(transactions.length).toBeLessThan(180 + 67);
  const times = transactions.map(({ timestampMs }) => timestampMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.every((time) => time % 3_000 === 0)).toBe(true);
  expect(new Set(times).size).toBeLessThan(times.length);
});

it('is one arrival in each stretch of time where it is uniform', async () => {
  const { transactions } = await trafficOf('rate: 6 per hour\n      arrivals: uniform\n      senders: [customers.1]');
  const start = Date.parse('2026-01-01T00:00:00Z');
  const stretches = transactions.map(({ timestampMs }) => Math.floor((timestampMs - start - 3_000) / 600_000));
  expect(stretches).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

it('finds the resources that have come back by the slot before an arrival', async () => {
  const { transactions } = await runText(`${CUSTOMERS}
steps:
  - repeat: { times: 3, steps: [{ transfer: { from: 'customers.0', to: shop, amount: 1 } }] }
  - traffic:
      for: 3d
      rate: 1 per day
      arrivals: constant
      senders: [customers.0]
      steps: [{ transfer: { from: '\${sender}', to: shop, amount: 2 } }]
`);
  // 600 bytes a day are free: two transfers, then none, and all of it again a day later.
  expect(transactions.map(({ paid }) => paid[0]?.source)).toEqual(['free', 'free', 'burned', 'free', 'free']);
});

it('draws exponential distances by comparisons only', () => {
  const random = new Random('exponential');
  const drawn = Array.from({ length: 100_000 }, () => random.exponential());
  const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  const beyond = (least: number) => drawn.filter((value) => value > least).length / drawn.length;
  expect(mean).toBeCloseTo(1, 1);
  expect(beyond(1)).toBeCloseTo(Math.exp(-1), 2);
  expect(beyond(3)).toBeCloseTo(Math.exp(-3), 2);
});

it('is refused within a block', async () => {
  await expect(
    runText(`${CUSTOMERS}
steps:
  - block:
      - advance: 1h
`),
  ).rejects.toThrow('test.scenario.yaml:9:18: time cannot pass within a block');
});
