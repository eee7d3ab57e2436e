/**
 * The log of simulated hours: adds results of the simulator to `docs/decisions/simulated-hours.json`, and writes the page
 * beside it.
 *
 *     npm run simulate -- --seed 1000 --minutes 60 --workers 2 --json run.json
 *     npx tsx scripts/simulated-hours.ts run.json     adds the run; one that is there already is not added again
 *     npx tsx scripts/simulated-hours.ts              writes the page
 *     npx tsx scripts/simulated-hours.ts --print      prints the page
 *
 * A mended failure gets `mended` by hand: the file of its test, and the name of the test.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { ResultError, readResult } from '../test/simulation/simulator/run/merge.js';
import { countOf, digestOf, FAILURE, type RunResult, sum, TOTALS } from '../test/simulation/simulator/run/result.js';
import { table } from './log-tables.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/decisions/simulated-hours.md', import.meta.url);
const logFile = new URL('../docs/decisions/simulated-hours.json', import.meta.url);

const ENTRY = v.strictObject({
  commit: v.string(),
  began: v.string(),
  firstSeed: v.number(),
  worlds: v.number(),
  digest: v.string(),
  totals: TOTALS,
  failures: v.array(
    v.strictObject({
      ...FAILURE.entries,
      mended: v.optional(v.strictObject({ file: v.string(), test: v.string() })),
    }),
  ),
});

type Entry = v.InferOutput<typeof ENTRY>;

export function readLog(): readonly Entry[] {
  return v.parse(v.strictObject({ runs: v.array(ENTRY) }), JSON.parse(readFileSync(logFile, 'utf8'))).runs;
}

/** By date. A run with the same worlds at the same commit adds nothing. */
export function withRun(log: readonly Entry[], result: RunResult): readonly Entry[] {
  const { commit, began, worlds, totals } = result;
  const digest = digestOf(result);
  if (worlds.length === 0 || log.some((one) => one.commit === commit && one.digest === digest)) return log;
  // Of the sentence and the stack, the sentence: stacks have paths of the machine.
  const failures = result.failures.map((one) => ({ ...one, what: one.what.split('\n', 1)[0] ?? '' }));
  const entry = { commit, began, firstSeed: worlds[0]?.seed ?? 0, worlds: worlds.length, digest, totals, failures };
  return [...log, entry].sort((a, b) => (a.began < b.began ? -1 : 1));
}

export function simulatedHoursPage(log: readonly Entry[]): string {
  const all = sum(log.map(({ totals }) => totals));
  const failures = log.flatMap((run) => run.failures.map((failure) => ({ ...failure, commit: run.commit })));
  const worlds = log.reduce((total, run) => total + run.worlds, 0);
  return `# Simulated hours

The log of longer runs of [the simulator](2026-11-27-simulator.md): whole nodes with users and faults, by seeds. Each run names its commit, so its worlds can be run again: \`npm run simulate -- --seed N\` at that commit. Two or three runs beside one another, on a machine of two processors, count each in the time of machines; the time of processors is what their worlds used.

${table(
  ['Sum of all runs', ''],
  [
    ['real time of machines', hours(all.machineMs)],
    ['time of their processors in worlds', hours(all.processorMs)],
    ['simulated time of chains', hours(all.chainMs)],
    ['simulated time of machines', hours(all.simulatedMs)],
    ['worlds', units(worlds)],
    ['steps of users and faults', units(countOf(all.steps))],
    ['requests', units(all.requests)],
    ['of these refused', units(all.refusals)],
    ['blocks announced', units(all.blocks)],
    ['faults', units(countOf(all.faults))],
    ['failures found', units(failures.length)],
  ],
)}

## Runs

${table(
  ['Began', 'Commit', 'First seed', 'Worlds', 'Machine', 'Processor', 'Chains', 'Steps', 'Failures', 'Digest'],
  log.map(({ began, commit, firstSeed, worlds: count, totals, failures: found, digest }) => [
    `${began.slice(0, 16)}Z`,
    `\`${commit}\``,
    String(firstSeed),
    units(count),
    hours(totals.machineMs),
    hours(totals.processorMs),
    hours(totals.chainMs),
    units(countOf(totals.steps)),
    String(found.length),
    `\`${digest.slice(0, 12)}\``,
  ]),
)}

## Faults by kind

${table(['Fault', 'Times'], byCount(all.faults))}

## Steps by kind

${table(['Step', 'Times'], byCount(all.steps))}

## Failures

${
  failures.length === 0
    ? 'None so far.'
    : table(
        ['Seed', 'Step', 'Commit', 'Invariant', 'Seen', 'Test'],
        failures.map(({ seed, step, action, commit, invariant, what, mended }) => [
          String(seed),
          `${step} (${action})`,
          `\`${commit}\``,
          invariant,
          cell(what),
          mended === undefined ? 'open' : `\`${mended.file}\`: ${cell(mended.test)}`,
        ]),
      )
}
`;
}

function byCount(times: Readonly<Record<string, number>>): readonly (readonly string[])[] {
  const sorted = Object.entries(times).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.map(([name, count]) => [name, units(count)]);
}

/** Text of an error in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<');
}

function hours(ms: number): string {
  return `${(ms / 3_600_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} h`;
}

function units(count: number): string {
  return count.toLocaleString('en-US');
}

if (process.argv[1] === import.meta.filename) {
  const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  try {
    const results = names.map((name) => readResult(readFileSync(name, 'utf8'), name));
    const [changed] = results.filter(({ commit }) => /-dirty$|^unknown$/.test(commit));
    if (changed !== undefined)
      throw new ResultError(`a run of ${changed.commit} sources cannot be run again: run it at a commit`);
    const runs = results.reduce(withRun, readLog());
    if (results.length > 0) writeFileSync(logFile, `${JSON.stringify({ runs }, undefined, 2)}\n`);
  } catch (error) {
    if (!(error instanceof ResultError)) throw error;
    console.error(`simulated-hours: ${error.message}`);
    process.exit(2);
  }
}
await makeFile(import.meta.filename, { file, text: () => simulatedHoursPage(readLog()) });
