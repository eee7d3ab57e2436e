import { expect, it } from 'vitest';
import { problemsOf, runText } from './run-file.js';

it('reports every problem of a file with its position and what was expected', () => {
  const text = `network: { preset: mainnet, strat: 2026-01-01T00:00:00Z }
accounts:
  alice: { balance: ten TRX }
  bob: 5 TRX
steps:
  - transfer: { from: alice, to: bop, amount: 1 TRX }
  - transfre: { from: alice, to: bob, amount: 1 TRX }
  - transfer: { from: bob, to: alice }
  - advance: tomorrow
  - repeat:
      times: 2
      steps:
        - transfer: { from: { oneOf: [bob, carol] }, to: alice, amount: '\${j} sun' }
`;
  expect(problemsOf(text).split('\n')).toEqual([
    expect.stringMatching(/^a\.yaml:1:29: strat is unknown; did you mean start\? \(known: preset, .*start, .*\)$/),
    'a.yaml:3:21: balance: expected an amount of TRX: 10 TRX, 1_000 sun, or a whole number of sun, got "ten TRX"',
    'a.yaml:6:34: no account is called bop; did you mean bob?',
    'a.yaml:7:5: transfre is unknown; did you mean transfer?',
    'a.yaml:8:15: amount is missing: an amount of TRX: 10 TRX, 1_000 sun, or a whole number of sun',
    'a.yaml:9:14: by: expected a duration (90s, 6h, 14d), or epochs: 1 epoch, 30 epochs, got "tomorrow"',
    `a.yaml:13:21: \${j}: expected a counter of an enclosing loop (\${i}), with + - * % and a number if needed`,
  ]);
});

it('suggests the nearest name within a field, and explains an invalid address', () => {
  const text = `network: { stake: { totalEnergyWeigth: 5 }, witnesses: [{ name: w1, votez: 100 }] }
accounts:
  alice: { balance: 5 TRX, stake: { enegry: 1 TRX } }
  bob: { address: TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HD }
steps:
  - transfer: { from: alice, to: TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC0, amount: 1 TRX }
  - transfer: { from: alice, to: TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2H, amount: 1 TRX }
`;
  const problems = problemsOf(text);
  expect(problems).not.toMatch(/Invalid|Expected|never/);
  expect(problems).toContain('enegry is unknown; did you mean energy? (known: ');
  expect(problems).toContain('votez is unknown; did you mean votes? (known: ');
  expect(problems).toContain(
    'expected an address (T…, 41… or 0x…), got "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HD": its checksum is wrong',
  );
  expect(problems).toContain(
    'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2H is not a valid address: its length is wrong: 33 characters, expected 34',
  );
});

it('reports the position of a YAML error', () => {
  expect(problemsOf('steps:\n  - transfer: { from: a\n')).toMatch(/^a\.yaml:\d+:\d+: /);
  expect(problemsOf('{"steps": [')).toMatch(/^a\.yaml:1:\d+: /);
});

it('reports positions in JSON too', () => {
  expect(problemsOf('{"steps": [\n  {"mine": 0}]}')).toBe(
    'a.yaml:2:12: blocks: expected a whole number from 1 to 10000000, got 0',
  );
});

it('says in words where a list or an object is expected', () => {
  const text = `network: { witnesses: { w1: 100 } }
accounts: { a: 1 TRX, w1: 1 TRX }
steps:
  - updatePermissions: { from: a, owner: { threshold: 1, keys: [a] }, actives: 3 }
`;
  expect(problemsOf(text).split('\n')).toEqual([
    'a.yaml:1:23: witnesses: expected a list, got {"w1":100}',
    'a.yaml:4:64: keys: expected an object with names, got ["a"]',
    'a.yaml:4:80: actives: expected a list, got 3',
  ]);
});

it('does not print a binary file', () => {
  const bytes = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode((at * 7919) % 256)).join('');
  const said = problemsOf(bytes);
  expect(said.split('\n').length).toBeLessThanOrEqual(5);
  expect(said.length).toBeLessThan(1_500);
  expect(said.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

it('refuses nested loops that would run for days', () => {
  const nested = (times: string, step: string) =>
    `steps:\n  - repeat: { times: ${times}, steps: [repeat: { times: ${times}, steps: [repeat: { times: ${times}, steps: [${step}] }] }] }\n`;
  expect(problemsOf(nested('1_000_000', 'mine: 1'))).toBe(
    'a.yaml:2:22: the loops run 1,000,000,000,000,000,000 rounds, the maximum is 100,000,000: repeat less, or split the file',
  );
  expect(problemsOf(nested('464', 'mine: 1'))).toBe('');
});

it('counts computed rounds at run time, and skips loops without steps', async () => {
  await runText('steps: [repeat: { times: 10_000, steps: [repeat: { times: 10_000, steps: [] }] }]');
  const growing = `steps: [repeat: { times: 3, steps: [repeat: { times: '\${i * 100000000}', steps: [mine: 1] }] }]`;
  const crowded = 'steps: [traffic: { for: 10h, rate: 100000/s, senders: [witness], steps: [] }]';
  await expect(runText(crowded)).rejects.toThrow(/3,600,000,000 rounds, the maximum is 100,000,000/);
  await expect(runText(growing)).rejects.toThrow(/100,000,003 rounds, the maximum is 100,000,000/);
});
