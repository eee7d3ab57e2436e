/**
 * `npm run simulate`: whole nodes on simulated machines, by seeds. Bundles the simulator, so that a module that loads on
 * first use loads nothing from the disk, and runs its worlds in worker processes.
 *
 * A run is a row of worlds, with the seeds SEED, SEED + 1, … A world does not know of the others: any number of workers
 * gives the same digest.
 */

import { parseArgs } from 'node:util';
import { bundleSimulator } from '../test/simulation/simulator/run/bundle.js';
import { simulate } from '../test/simulation/simulator/run/simulate.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '2000' },
    minutes: { type: 'string' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string' },
    shrink: { type: 'boolean', default: false },
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

const file = await bundleSimulator(values.source);
process.exitCode = await simulate(file, {
  seed: whole('seed'),
  steps: whole('steps'),
  minutes: values.minutes === undefined ? undefined : Number(values.minutes),
  workers: whole('workers'),
  only: values.only?.split(',').map(Number),
  shrinks: values.shrink,
  say: (line) => console.log(line),
});
