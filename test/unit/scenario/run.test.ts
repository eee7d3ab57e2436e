import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../src/scenario/reader/read-scenario.js';
import { htmlReport } from '../../../src/scenario/report/html.js';
import { runReport } from '../../../src/scenario/report/run-report.js';
import { tableReport } from '../../../src/scenario/report/table.js';
import { Failures } from '../../../src/scenario/results/failures.js';
import type { TransactionResult } from '../../../src/scenario/results/result.js';
import { artifactsOf } from '../../../src/scenario/run/artifact-files.js';
import { runToEnd } from '../../../src/scenario-files/run-to-end.js';
import { runText } from './run-file.js';

const SHOP = `
network: { preset: mainnet@2025-09, stake: mainnet@2025-12, start: 2026-01-01T00:00:00Z }
accounts:
  issuer: 1 TRX
  hot: { balance: 1_000 TRX, tokens: { dollar: 1_000_000_000 } }
  old: { balance: 1 TRX, tokens: { dollar: 1 } }
  staked: { balance: 10 TRX, stake: { energy: 100_000 TRX, bandwidth: 10_000 TRX }, tokens: { dollar: 5 } }
  fresh:
contracts:
  dollar: { fixture: Dollar, deployer: issuer, args: [1_000_000_000_000, Dollar, USD, 6] }
`;

it('tells what each transaction cost, who paid, and from what', async () => {
  const { transactions, totals } = await runText(`${SHOP}
steps:
  - label: activates
    transfer: { from: hot, to: fresh, amount: 1 TRX }
  - call: { from: hot, contract: dollar, method: transfer, args: [old, 5_000_000] }
  - call: { from: hot, contract: dollar, method: transfer, args: [fresh, 5_000_000] }
  - call: { from: staked, contract: dollar, method: transfer, args: [old, 1] }
  - transfer: { from: fresh, to: old, amount: 100 TRX }
`);
  const [activates, toOld, toNew, ofStake, refused] = transactions;
  expect(activates).toMatchObject({
    label: 'activates',
    step: 'steps[0]',
    type: 'TransferContract',
    from: 'hot',
    to: 'fresh',
    outcome: 'SUCCESS',
    feeSun: 1_100_000n,
    paid: [
      { payer: 'hot', resource: 'bandwidth', reason: 'account-creation-bandwidth', source: 'burned', sun: 100_000n },
      { payer: 'hot', resource: 'fee', reason: 'account-activation', source: 'burned', sun: 1_000_000n },
    ],
  });
  expect(toOld).toMatchObject({
    method: 'transfer(address,uint256)',
    to: 'dollar',
    energy: { used: 14_007n, penalty: 0n, factor: 0 },
    bandwidth: 346n,
    feeSun: 1_400_700n,
    paid: [
      { payer: 'hot', resource: 'bandwidth', source: 'free', units: 346n, sun: 0n },
      { payer: 'hot', resource: 'energy', source: 'burned', units: 14_007n, sun: 1_400_700n },
    ],
  });
  expect(toNew).toMatchObject({ energy: { used: 29_007n }, feeSun: 2_900_700n + 346_000n });
  expect(ofStake).toMatchObject({ energy: { used: 29_007n - 15_000n }, feeSun: 0n });
  expect(ofStake?.paid.map(({ source }) => source)).toEqual(['staked', 'staked']);
  expect(refused).toMatchObject({
    outcome: 'REFUSED',
    refusal: { code: 'CONTRACT_VALIDATE_ERROR', message: expect.stringContaining('balance is not sufficient') },
    paid: [],
  });
  expect(refused).not.toHaveProperty('block');
  expect(totals).toMatchObject({
    transactions: 5,
    refused: 1,
    failed: 0,
    feeSun: 1_100_000n + 1_400_700n + 3_246_700n,
  });
  expect(totals.payers.map(({ payer }) => payer)).toEqual(['hot', 'staked']);
});

it('begins at its start, with nobody having paid anything', async () => {
  const { results } = await runText(`${SHOP}
steps:
  - transfer: { from: issuer, to: old, amount: 400_000 sun }
  - advance: 6h
`);
  const [transfer, advance] = results;
  // The maintenance at the start is followed by two slots without a block.
  expect(transfer).toMatchObject({ timestampMs: Date.parse('2026-01-01T00:00:09Z'), bandwidth: 267n, feeSun: 0n });
  expect(advance).toMatchObject({
    kind: 'time',
    timestampMs: Date.parse('2026-01-01T06:00:09Z'),
    epochs: 1,
    blocks: 2,
  });
});

it('comes to the same digest in memory and on LevelDB, and to another where anything differs', async () => {
  const text = `${SHOP}
steps:
  - repeat:
      times: 20
      steps:
        - block:
            - transfer: { from: hot, to: old, amount: '\${i + 1} sun' }
            - transfer: { from: hot, to: { oneOf: [old, issuer] }, amount: { random: [1, 1_000] } }
        - call: { from: hot, contract: dollar, method: transfer, args: [{ inTurn: [old, issuer] }, { random: [1, 9] }] }
  - advance: 2 epochs
  - snapshot: before
  - transfer: { from: hot, to: old, amount: 7 TRX }
  - setBalance: [old, 3 TRX]
  - mine: 3
  - revert: before
  - transfer: { from: hot, to: old, amount: 8 TRX }
`;
  const directory = await mkdtemp(path.join(tmpdir(), 'sunup-scenario-'));
  try {
    const [memory, disk, again] = [await runText(text), await runText(text, directory), await runText(text)];
    expect(memory.end.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(disk).toEqual(memory);
    expect(again).toEqual(memory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  const { end } = await runText(text.replace('i + 1', 'i + 2'));
  expect(end.digest).not.toBe((await runText(text)).end.digest);
});

it('goes back to a snapshot with everything, and keeps the names of what was there', async () => {
  const { transactions, results } = await runText(`${SHOP}
steps:
  - snapshot: before
  - transfer: { from: hot, to: fresh, amount: 1 TRX }
    expect: { fee: 1.1 TRX }
  - revert: before
  - transfer: { from: hot, to: fresh, amount: 1 TRX }
    expect: { fee: 1.1 TRX, balanceChanges: { fresh: 1 TRX } }
`);
  expect(results.filter((result) => 'differences' in result)).toEqual([]);
  expect(transactions.map(({ block }) => block)).toEqual([5, 5]);
  await expect(runText(`${SHOP}\nsteps: [{ snapshot: a }, { revert: a }, { revert: a }]\n`)).rejects.toThrow(
    'no snapshot',
  );
});

it('is refused where a block could never hold all of it', async () => {
  const text = `${SHOP}
steps:
  - block:
      - repeat: { times: 100_000_000, steps: [{ transfer: { from: hot, to: old, amount: 1 } }] }
`;
  await expect(runText(text)).rejects.toThrow(
    /test\.scenario\.yaml:14:\d+: a block has room for at most 20000 transactions/,
  );
});

it('calls steps without a label by that of the step that holds them', async () => {
  const { totals } = await runText(`accounts: { alice: 100 TRX, bob: 100 TRX }
steps:
  - label: there and back
    repeat:
      times: 2
      steps:
        - transfer: { from: alice, to: bob, amount: 1 TRX }
        - block:
            - transfer: { from: bob, to: alice, amount: 1 TRX }
        - label: a third
          transfer: { from: bob, to: alice, amount: 2 TRX }
`);
  expect(totals.steps.map(({ label }) => label)).toEqual(['there and back[0]', 'there and back[1]', 'a third']);
});

it('says why transactions failed or were refused, with counts, and how many were taken back', async () => {
  const { totals, end } = await runText(`${SHOP}
steps:
  - label: a day
    repeat:
      times: 12
      steps:
        - transfer: { from: old, to: hot, amount: 240_000 sun }
  - call: { from: staked, contract: dollar, method: transfer, args: [old, 9] }
  - call: { from: hot, contract: dollar, method: transfer, args: [old, 1], feeLimit: 1 }
  - snapshot: before
  - repeat: { times: 3, steps: [{ transfer: { from: hot, to: staked, amount: 1 TRX } }] }
  - transfer: { from: fresh, to: hot, amount: 1 TRX }
  - revert: before
`);
  expect(totals.failures).toEqual([
    {
      step: 'steps[0].repeat.steps[0]',
      label: 'a day',
      type: 'TransferContract',
      outcome: 'REFUSED',
      code: 'BANDWITH_ERROR',
      reason:
        'Account resource insufficient error. account […] has insufficient bandwidth[…] and balance[…] to create new account',
      count: 9,
    },
    {
      step: 'steps[1]',
      type: 'TriggerSmartContract',
      outcome: 'ILLEGAL_OPERATION',
      reason: 'Invalid operation code: opCode[fe];',
      count: 1,
    },
    {
      step: 'steps[2]',
      type: 'TriggerSmartContract',
      outcome: 'OUT_OF_ENERGY',
      reason:
        "Not enough energy for 'PUSH1' operation executing: curInvokeEnergyLimit[…], curOpEnergy[…], usedEnergy[…]",
      count: 1,
    },
    expect.objectContaining({ step: 'steps[5]', outcome: 'REFUSED', count: 1 }),
  ]);
  expect(end.rolledBack).toBe(3);
  expect(totals.transactions).toBe(12 + 2 + 3 + 1);
  const table = tableReport('day.scenario.yaml', totals, end);
  expect(table).toContain('18 transactions (3 of them rolled back later; totals include them), ');
  expect(table).toMatch(/a day +│ TransferContract +│ REFUSED BANDWITH_ERROR +│ Account resource insufficient error/);
});

it('tells so many reasons of a step apart, and no more', () => {
  const failures = new Failures();
  const step = { step: 'steps[0]', type: 'TriggerSmartContract' };
  for (let i = 0; i < 30; i++) {
    const failure = { error: 'Error', arguments: [{ name: '', type: 'string', value: `number ${i % 15}` }] };
    failures.add(step, { block: 1, outcome: 'REVERT', failure } as unknown as TransactionResult);
  }
  const told = failures.get();
  expect(told.map(({ reason, count }) => [reason, count])).toEqual([
    ['other reasons', 14],
    ...Array.from({ length: 8 }, (_, i) => [`Error("number ${i}")`, 2]),
  ]);
});

describe('the page of a run', () => {
  const file = '<b>.scenario.yaml';
  const steps = (between: string) =>
    `about: What <b> pays.\n${SHOP}\nsteps:\n  - repeat: { times: 3, steps: [call: { from: hot, contract: dollar, method: transfer, args: [old, 1] }, advance: ${between}] }\n  - transfer: { from: old, to: fresh, amount: 100 TRX }\n`;
  const reportOf = async (text: string) => {
    const scenario = readScenario(text, file);
    const ended = await runToEnd(scenario, { artifacts: await artifactsOf(scenario, () => ''), db: undefined });
    return runReport({ file, scenario, ...ended });
  };
  const page = async (text: string) => htmlReport([await reportOf(text)]);

  it('has plots that say when, and names that are no markup', async () => {
    const [short, long] = [await page(steps('1m')), await page(steps('1d'))];
    expect(short).toMatch(/>00:0[1-4]:\d\d<\/text>/);
    expect(long).toMatch(/>01-0[1-4] \d\d:\d\d<\/text>/);
    expect(short).toContain('<h1>&lt;b&gt;.scenario.yaml</h1>');
    // For paper, and for phones.
    expect(short.match(/<svg role="img" aria-label="[^"<]+"/g)).toHaveLength(8);
    expect(short).toMatch(
      /<h2>Failed and refused transactions<\/h2>.*<td class="l" data-name="why">Contract validate/s,
    );
  });

  it('begins with what it is about, the answer and the assumptions', async () => {
    const html = await page(steps('1d'));
    const parts = ['What &lt;b&gt; pays.', 'class="answer"', '<h2>Assumptions</h2>', '<svg ', '<h2>By step</h2>'];
    const places = parts.map((part) => html.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(html).toContain('In 3 days, 4 transactions cost 4.2021 TRX, 100 % of it for Energy; hot pays 100 %.');
    expect(html).toContain('<li>No block contains 1 transaction: the network refuses them.</li>');
    expect(html).toContain('100 sun per Energy, 1,000 sun per byte');
    expect(html).toContain('staked 100,000 TRX for Energy; staked 10,000 TRX for bandwidth');
    expect(html).toContain('parameters of mainnet@2025-09, stakes of all others of mainnet@2025-12');
  });

  it('has sentences for a run that costs nothing, and for one without transactions', async () => {
    const free = await reportOf(
      'accounts: { a: 5 TRX, b: 1 TRX }\nsteps: [transfer: { from: a, to: b, amount: 1 TRX }]\n',
    );
    expect(free.answer).toBe(
      'In 9 seconds, 1 transaction costs nothing: stake, free Bandwidth and grants pay for everything.',
    );
    expect((await reportOf('steps: [advance: 1d]\n')).answer).toBe('The scenario sends no transactions.');
  });

  it('has the Energy of calls by step and method, and no columns of zeros', async () => {
    const { calls, sections } = await reportOf(steps('1d'));
    expect(calls).toEqual({
      name: 'all steps',
      value: 42_021,
      children: [
        {
          name: 'steps[0].repeat.steps[0]',
          value: 42_021,
          children: [{ name: 'dollar.transfer', value: 42_021, children: [] }],
        },
      ],
    });
    expect(sections[0]!.columns.map(({ name }) => name)).not.toContain('penalty');
    const table = sections.find(({ title }) => title === 'Energy by step and method');
    expect(table!.rows).toEqual([['steps[0].repeat.steps[0]', 'dollar.transfer', 42_021, 100]]);
  });
});
