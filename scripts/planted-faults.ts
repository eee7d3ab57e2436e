/**
 * Plants faults into a copy of the sources, one after the other, and runs the simulator until it finds each:
 * `npx tsx scripts/planted-faults.ts [NAME…]`. The faults are patches in `test/simulation/planted/`. Ends with 1 if one
 * was not found.
 */

import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { PLANTED, plantedCopy } from '../test/simulation/planted/planted-copy.js';
import { bundleSimulator } from '../test/simulation/simulator/run/bundle.js';
import { STEPS_OF_A_WORLD } from '../test/simulation/simulator/run/result.js';
import { simulate } from '../test/simulation/simulator/run/simulate.js';

const MOST_WORLDS = 100;

let missed = 0;
for (const name of PLANTED.filter((one) => process.argv.length <= 2 || process.argv.slice(2).includes(one))) {
  const copy = plantedCopy(name);
  try {
    const sinceMs = Date.now();
    const bundle = await bundleSimulator(copy);
    const result = await simulate(bundle, {
      plan: { seed: 1, steps: MOST_WORLDS * STEPS_OF_A_WORLD },
      commit: name,
      workers: availableParallelism(),
      shrinks: false,
    });
    rmSync(bundle);
    const seconds = ((Date.now() - sinceMs) / 1_000).toFixed(0);
    const [failure] = result.failures;
    if (failure === undefined) missed++;
    const found = failure && `seed ${failure.seed}, step ${failure.step} (${failure.action}), ${failure.invariant}`;
    console.log(`${name}: ${found ?? `not found in ${MOST_WORLDS} worlds`}, ${seconds} s`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
process.exitCode = missed === 0 ? 0 : 1;
