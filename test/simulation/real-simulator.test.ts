/** The simulator's real mode with fixed seeds, as `npm run simulate -- --real` runs it: no invariant is broken. */

import { expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { bundleSimulator } from './simulator/run/bundle.js';
import { reportLines } from './simulator/run/report.js';
import { simulate } from './simulator/run/simulate.js';

/** Seeds whose first steps have many kinds of faults: one chain by request, one by the clock. */
const SEEDS = [1393, 1469];
const STEPS = 24;

it.runIf(process.platform === 'linux')('real nodes break no invariant', async () => {
  const [file, command] = await Promise.all([bundleSimulator('.', 'real'), buildIfStale()]);
  const runs = SEEDS.map((seed) => {
    const plan = { seed, steps: STEPS, nodes: 'real' } as const;
    return simulate(file, { plan, commit: 'unknown', workers: 1, shrinks: false, command });
  });
  for (const result of await Promise.all(runs)) expect(result.failures, reportLines(result).join('\n')).toEqual([]);
});
