/**
 * Changes one line of the sources, and runs the simulator on the copy; then the next. Whoever improves the simulator
 * reads what survives: `npx tsx scripts/mutants.ts --in src/state,src/node --count 40`.
 */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { type Mutant, mutantsOf } from '../test/simulation/planted/mutants.js';
import { compileAssembly, sourceCopy } from '../test/simulation/planted/planted-copy.js';
import { bundleSimulator } from '../test/simulation/simulator/run/bundle.js';
import { type RunResult, stepsOfAWorld } from '../test/simulation/simulator/run/result.js';
import { simulate } from '../test/simulation/simulator/run/simulate.js';

interface Flags {
  readonly in: string;
  readonly count: string;
  readonly seed: string;
  readonly worlds: string;
  readonly workers: string;
}

const flags = new Command('mutants')
  .requiredOption('--in <paths>', 'folders or files of the sources, separated by commas')
  .option('--count <n>', 'how many changes', '20')
  .option('--seed <n>', 'which changes', '1')
  .option('--worlds <n>', 'after so many worlds without a failure a change has survived', '8')
  .option('--workers <n>', 'processes', '1')
  .parse()
  .opts<Flags>();

async function failureWith({ file, line, after }: Mutant): Promise<RunResult['failures'][number] | undefined> {
  const copy = sourceCopy();
  try {
    const mutated = path.join(copy, file);
    const lines = readFileSync(mutated, 'utf8').split('\n');
    lines[line - 1] = after;
    writeFileSync(mutated, lines.join('\n'));
    compileAssembly(copy, file);
    const bundle = await bundleSimulator(copy);
    const plan = { seed: 1, steps: Number(flags.worlds) * stepsOfAWorld({}) };
    const options = { plan, commit: 'mutant', workers: Number(flags.workers), shrinks: false };
    const result = await simulate(bundle, options).finally(() => rmSync(bundle));
    return result.failures[0];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

for (const mutant of mutantsOf('.', flags.in.split(','), Number(flags.seed), Number(flags.count))) {
  const place = `${mutant.file}:${mutant.line} ${mutant.change}`;
  try {
    const failure = await failureWith(mutant);
    if (failure !== undefined)
      console.log(`found     ${place}: seed ${failure.seed}, step ${failure.step}, ${failure.invariant}`);
    else console.log(`survived  ${place}\n        - ${mutant.before.trim()}\n        + ${mutant.after.trim()}`);
  } catch (error) {
    // Not every change of a line is a program.
    console.log(`no code   ${place}: ${(error as Error).message.split('\n')[0]}`);
  }
}
