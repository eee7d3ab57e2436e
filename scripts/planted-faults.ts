/**
 * Plants faults into a copy of the sources, one after the other, and runs the simulator until it finds each:
 * `npx tsx scripts/planted-faults.ts [NAME…]`. The faults are patches in `test/simulation/planted/`; one that begins with
 * `mode: real` is looked for with real nodes. Ends with 1 if one was not found.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSimulator } from '../test/simulation/simulator/run/bundle.js';
import { STEPS_OF_A_WORLD, simulate } from '../test/simulation/simulator/run/simulate.js';

/** Builds the command of a copy. @returns its file */
function commandOf(copy: string): string {
  const script = "import('./scripts/build.mjs').then(({ build }) => build({ declarations: false }))";
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the command cannot be built: ${stderr}`);
  return path.join(copy, 'dist/sunup.cjs');
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, 'test/simulation/planted');
const MOST_WORLDS = 100;

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.patch'))
  .map((file) => file.slice(0, -'.patch'.length))
  .filter((name) => process.argv.length <= 2 || process.argv.slice(2).includes(name));

let missed = 0;
for (const name of names) {
  const copy = mkdtempSync(path.join(tmpdir(), 'sunup-planted-'));
  try {
    for (const part of ['src', 'scripts', 'test/simulation', 'package.json', 'package-lock.json'])
      cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
    for (const part of ['fixtures', 'node_modules']) symlinkSync(path.join(root, part), path.join(copy, part));
    const { status, stderr } = spawnSync('git', ['apply', path.join(folder, `${name}.patch`)], {
      cwd: copy,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${name}.patch does not apply: ${stderr}`);
    const lines: string[] = [];
    const sinceMs = Date.now();
    const isReal = readFileSync(path.join(folder, `${name}.patch`), 'utf8').startsWith('mode: real\n');
    const file = isReal ? await bundleSimulator('.', 'real') : await bundleSimulator(copy);
    const code = await simulate(file, {
      seed: 1,
      steps: MOST_WORLDS * STEPS_OF_A_WORLD,
      minutes: undefined,
      workers: availableParallelism(),
      only: undefined,
      shrinks: false,
      command: isReal ? commandOf(copy) : undefined,
      say: (line) => lines.push(line),
    });
    const seconds = ((Date.now() - sinceMs) / 1_000).toFixed(0);
    const of = (start: string) => lines.find((line) => line.startsWith(start)) ?? '';
    if (code === 0) missed++;
    const found = `${of('seed ')}, ${of('failed: ').slice('failed: '.length)}`;
    console.log(`${name}: ${code === 0 ? `not found in ${MOST_WORLDS} worlds` : found}, ${seconds} s`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
process.exitCode = missed === 0 ? 0 : 1;
