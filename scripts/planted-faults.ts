/**
 * Plants faults into a copy of the sources, one after the other, and runs the simulator until it finds each:
 * `npx tsx scripts/planted-faults.ts [--seed N] [--worlds N] [--workers N] [--shrink] [--log] [NAME…]`. The faults are
 * patches in `test/simulation/planted/`; one that begins with `mode: real` is looked for with real nodes. With `--log`,
 * what comes of each is added to the log (`planted-log.ts`). Ends with 1 if one was not found.
 */

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isReal, PLANTED, plantedCopy } from '../test/simulation/planted/planted-copy.js';
import { bundleSimulator } from '../test/simulation/simulator/run/bundle.js';
import { reportLines } from '../test/simulation/simulator/run/report.js';
import { type RunResult, stepsOfAWorld } from '../test/simulation/simulator/run/result.js';
import { simulate } from '../test/simulation/simulator/run/simulate.js';
import { addToLog, type Search } from './planted-log.js';
import { sourceCommit } from './source-commit.js';

type Failure = RunResult['failures'][number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '100' },
    workers: { type: 'string', default: String(availableParallelism()) },
    shrink: { type: 'boolean', default: false },
    log: { type: 'boolean', default: false },
  },
});
const [seed, mostWorlds] = [Number(values.seed), Number(values.worlds)];

/** Builds the command of a copy. @returns its file */
function commandOf(copy: string): string {
  const script = "import('./scripts/build.mjs').then(({ build }) => build({ declarations: false }))";
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the command cannot be built: ${stderr}`);
  return path.join(copy, 'dist/sunup.cjs');
}

function foundBy({ seed: of, step, action, invariant }: Failure): Search['found'] {
  return { seed: of, step, action, invariant };
}

let missed = 0;
for (const name of PLANTED.filter((one) => positionals.length === 0 || positionals.includes(one))) {
  const copy = plantedCopy(name);
  try {
    const sinceMs = Date.now();
    const real = isReal(name);
    const bundle = real ? await bundleSimulator('.', 'real') : await bundleSimulator(copy);
    const nodes = real ? ({ nodes: 'real' } as const) : {};
    const result = await simulate(bundle, {
      plan: { seed, steps: mostWorlds * stepsOfAWorld(nodes), ...nodes },
      command: real ? commandOf(copy) : undefined,
      commit: name,
      workers: Number(values.workers),
      shrinks: values.shrink,
    });
    rmSync(bundle);
    const seconds = ((Date.now() - sinceMs) / 1_000).toFixed(0);
    const [failure] = result.failures;
    if (failure === undefined) missed++;
    if (values.log)
      addToLog({
        ...{ name, commit: sourceCommit(), firstSeed: seed, processorMs: Math.round(result.totals.processorMs) },
        worlds: failure === undefined ? mostWorlds : failure.seed - seed + 1,
        ...(failure !== undefined && { found: foundBy(failure) }),
      });
    const found =
      failure &&
      `seed ${failure.seed}, step ${failure.step} (${failure.action}), ${failure.invariant}: ${failure.what.split('\n')[0]}`;
    console.log(`${name}: ${found ?? `not found in ${mostWorlds} worlds`}, ${seconds} s`);
    if (values.shrink) for (const line of reportLines(result)) console.log(`  ${line}`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
process.exitCode = missed === 0 ? 0 : 1;
