/** The simulator's real mode with fixed seeds, as `npm run simulate -- --real` runs it: no invariant is broken. */

import { expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import { bundleSimulator } from './simulator/run/bundle.js';
import { simulate } from './simulator/run/simulate.js';

/** Seeds whose first steps have many kinds of faults: one chain by request, one by the clock. */
const SEEDS = [1393, 1469];
const STEPS = 24;

it.runIf(process.platform === 'linux')('real nodes break no invariant', async () => {
  const [file, command] = await Promise.all([bundleSimulator('.', 'real'), buildIfStale()]);
  const runs = SEEDS.map(async (seed) => {
    const lines: string[] = [];
    const options = { seed, steps: STEPS, minutes: undefined, workers: 1, only: undefined, shrinks: false, command };
    const code = await simulate(file, { ...options, say: (line) => lines.push(line) });
    return { code, text: lines.join('\n') };
  });
  for (const { code, text } of await Promise.all(runs)) expect(code, text).toBe(0);
});
