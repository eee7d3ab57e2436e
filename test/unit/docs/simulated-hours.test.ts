/** The log of simulated hours adds runs up, once each, and its page is what the log says. */

import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, readLog, simulatedHoursPage, withRun } from '../../../scripts/simulated-hours.js';
import type { RunResult } from '../../simulation/simulator/run/result.js';

const root = new URL('../../../', import.meta.url);

it('docs/decisions/simulated-hours.md is what the log says (npx tsx scripts/simulated-hours.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(simulatedHoursPage(readLog()));
});

it('the tests of mended failures are there', () => {
  for (const { mended } of readLog().flatMap(({ failures }) => failures)) {
    if (mended === undefined) continue;
    const test = new URL(mended.file, root);
    expect(existsSync(test), mended.file).toBe(true);
    expect(readFileSync(test, 'utf8')).toContain(mended.test);
  }
});

it('runs add up, each once', () => {
  const run = (seed: number, failures: RunResult['failures'] = []): RunResult => ({
    ...{
      simulation: 1,
      commit: 'this',
      plan: { seed, minutes: 30 },
      worlds: [{ seed, digest: `of ${seed}` }],
      failures,
    },
    began: `2026-01-0${seed}T00:00:00.000Z`,
    totals: {
      ...{ steps: { mine: 3, ask: 10 }, faults: { 'the power fails': 2 }, requests: 20, refusals: 1, blocks: 7 },
      ...{ chainMs: 36_000_000, simulatedMs: 3_600_000, machineMs: 1_800_000, processorMs: 3_600_000 },
    },
  });
  const found = { seed: 1, step: 3, action: 'mine', invariant: 'coin is conserved', what: '1 | 2\n    at here' };
  const log = [run(2), run(1, [found]), run(2)].reduce(withRun, []);
  expect(log.map(({ firstSeed }) => firstSeed)).toEqual([1, 2]);
  const page = simulatedHoursPage(log);
  expect(page).toContain('| real time of machines | 1 h |');
  expect(page).toContain('| time of their processors in worlds | 2 h |');
  expect(page).toContain('| simulated time of chains | 20 h |');
  expect(page).toContain('| the power fails | 4 |');
  expect(page).toContain('| 1 | 3 (mine) | `this` | coin is conserved | 1 \\| 2 | open |');
  expect(page).not.toContain('at here');
});
