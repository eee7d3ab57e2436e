/**
 * `npm run simulate`: whole nodes on simulated machines, by seeds; with `--real`, the command on this one. Bundles the
 * simulator, so that a module that loads on first use loads nothing from the disk, and runs its worlds in worker processes.
 *
 * A run is a row of worlds, with the seeds SEED, SEED + 1, … A world does not know of the others: any number of workers
 * gives the same digest.
 */

import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleSimulator } from '../test/simulation/simulator/run/bundle.js';
import { simulate } from '../test/simulation/simulator/run/simulate.js';
import { buildIfStale } from './build.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '2000' },
    minutes: { type: 'string' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    source: { type: 'string', default: '.' },
  },
});

const whole = (name: 'seed' | 'steps' | 'workers') => {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < (name === 'seed' ? 0 : 1)) {
    console.error(`simulate: --${name} must be a whole number, got ${values[name]}`);
    process.exit(2);
  }
  return number;
};

/** Another folder of sources has its command built already. */
const command = async () =>
  values.source === '.' ? await buildIfStale() : path.resolve(values.source, 'dist/sunup.cjs');
// Nodes of the command have their sources inside; those that act on them are ours.
const file = values.real ? await bundleSimulator('.', 'real') : await bundleSimulator(values.source);
process.exitCode = await simulate(file, {
  seed: whole('seed'),
  steps: whole('steps'),
  minutes: values.minutes === undefined ? undefined : Number(values.minutes),
  workers: whole('workers'),
  only: values.only?.split(',').map(Number),
  shrinks: values.shrink,
  command: values.real ? await command() : undefined,
  say: (line) => console.log(line),
});
