/**
 * Runs the pages for other languages and large tools: installs each tool from its registry into a folder that is kept,
 * runs the page's commands against a devnet, writes the output into the page, and examples/results.json with what was
 * run.
 *
 *     npm run tools              all of them
 *     npm run tools -- python    some
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runPage, withFiles } from './doc-pages.js';
import { TOOLS } from './tools/declarations.js';
import { installed } from './tools/installations.js';

const root = path.resolve(import.meta.dirname, '..');
const resultsFile = path.join(root, 'examples/results.json');
const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
const wanted = process.argv.slice(2);
for (const name of wanted)
  if (!(name in TOOLS)) throw new Error(`${name}: not one of ${Object.keys(TOOLS).join(', ')}`);

for (const [name, tool] of Object.entries(TOOLS)) {
  const { page, example, version, installation, isHome = false, template, env, devnet, needs } = tool;
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  execFileSync('which', [needs], { stdio: 'ignore' });
  const programs = installation === undefined ? undefined : installed(installation);
  const file = path.join(root, page);
  const started = Date.now();
  const { page: fresh, outputs } = await runPage(withFiles(readFileSync(file, 'utf8')), {
    example,
    tool: name,
    ...(template !== undefined && { template }),
    // Clients compare the time of the chain with their own.
    devnet: { clock: 'wall', grpcPort: 0, grpcSolidityPort: 0, ...devnet },
    env: {
      ...env,
      ...(programs !== undefined && { PATH: programs, ...(isHome && { HOME: path.resolve(programs, '../..') }) }),
    },
    ...(programs !== undefined && isHome && { modules: path.dirname(programs) }),
  });
  writeFileSync(file, fresh);
  const same = outputs.length > 0 && outputs.every(({ expected, actual }) => expected === actual);
  const tests = outputs.reduce((sum, { actual }) => sum + passedTests(actual), 0);
  const seconds = Math.round((Date.now() - started) / 1_000);
  console.log(`${name}: ${version}: ${same ? 'prints what the page shows' : 'prints something else: see the page'}`);
  results[name] = {
    ...{ version, page, run: new Date().toISOString().slice(0, 10), seconds, commands: outputs.length },
    ...(tests > 0 && { passedTests: tests }),
    sameAsPage: same,
  };
}
writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);

/** The tests that a runner printed as passed. A run with one that failed ends with an error. */
function passedTests(output: string): number {
  return output.match(/^ *(?:✔|\[PASS\]|✓) /gm)?.length ?? 0;
}
