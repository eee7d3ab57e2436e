/**
 * Plants faults into a copy of the sources, one after the other, and runs the simulator until it finds each:
 * `npx tsx scripts/planted-faults.ts [NAME…]`. The faults are patches in `test/simulation/planted/`; one that begins
 * with `mode: real` is looked for with real nodes. Ends with 1 if one was not found.
 */

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { isReal, PLANTED, plantedCopy } from '../test/simulation/planted/planted-copy.js';
import { bundleSimulator } from '../test/simulation/simulator/run/bundle.js';
import { stepsOfAWorld } from '../test/simulation/simulator/run/result.js';
import { simulate } from '../test/simulation/simulator/run/simulate.js';

const MOST_WORLDS = 100;

/** Builds the command of a copy. @returns its file */
function commandOf(copy: string): string {
  const script = "import('./scripts/build.mjs').then(({ build }) => build({ declarations: false }))";
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the command cannot be built: ${stderr}`);
  return path.join(copy, 'dist/sunup.cjs');
}

let missed = 0;
for (const name of PLANTED.filter((one) => process.argv.length <= 2 || process.argv.slice(2).includes(one))) {
  const copy = plantedCopy(name);
  try {
    const sinceMs = Date.now();
    const real = isReal(name);
    const bundle = real ? await bundleSimulator('.', 'real') : await bundleSimulator(copy);
    const nodes = real ? ({ nodes: 'real' } as const) : {};
    const result = await simulate(bundle, {
      plan: { seed: 1, steps: MOST_WORLDS * stepsOfAWorld(nodes), ...nodes },
      command: real ? commandOf(copy) : undefined,
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
