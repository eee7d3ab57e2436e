/**
 * `npm run simulate`: whole nodes on simulated machines, by seeds; with `--real`, the command on this one. Bundles the
 * simulator, so that a module that loads on first use loads nothing from the disk, and runs its worlds in worker
 * processes.
 *
 * A run is a row of worlds, with the seeds SEED, SEED + 1, … A world does not know of the others: any number of workers,
 * and of machines (`--shard I/N --json FILE`, then `--merge FILE…`), gives the same digest.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readShard, VariationError } from '../src/scenario/what-if/variations.js';
import { bundleSimulator } from '../test/simulation/simulator/run/bundle.js';
import { mergeResults, ResultError, readResult } from '../test/simulation/simulator/run/merge.js';
import { DIGEST, reportLines } from '../test/simulation/simulator/run/report.js';
import type { RunResult } from '../test/simulation/simulator/run/result.js';
import { simulate } from '../test/simulation/simulator/run/simulate.js';
import { buildIfStale } from './build.mjs';
import { sourceCommit } from './source-commit.js';

const USAGE = `usage: npm run simulate -- [options]

Runs whole nodes with users and faults, world by world, until a failure or the end.

  --seed N         the seed of the first world; the next ones have N + 1, ... (1)
  --steps S        steps of all worlds together (2000)
  --minutes M      instead of steps: how long to begin new worlds
  --workers K      processes; the digest does not depend on them (1)
  --real           the command in processes, on sockets and a real disk; its worlds are not the same to the byte
  --only A,B,...   these steps of the first world only, as a failure prints them
  --shrink         look for a shorter history of a failure; with --real, in a bounded number of repeats
  --json FILE      write the result, for --merge and scripts/simulated-hours.ts
  --shard I/N      the I-th of N parts of the run, for as many machines
  --merge FILE...  join the results of all parts
  --source DIR     the sources of another tree

A failure prints the command that repeats it. docs/decisions/2026-11-27-simulator.md says what is modelled.
`;

const ARGUMENTS = {
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '2000' },
    minutes: { type: 'string' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    shard: { type: 'string' },
    json: { type: 'string' },
    merge: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    source: { type: 'string', default: '.' },
  },
} as const;

const { values, positionals } = readArguments();

/** How often a run of hours writes what it has. */
const WRITE_EVERY_MS = 60_000;

try {
  if (values.help) console.log(USAGE);
  else process.exitCode = values.merge ? merge() : await run();
} catch (error) {
  if (!(error instanceof ResultError) && !(error instanceof VariationError)) throw error;
  console.error(`simulate: ${error.message}`);
  process.exitCode = 2;
}

function readArguments() {
  try {
    return parseArgs(ARGUMENTS);
  } catch (error) {
    console.error(`simulate: ${(error as Error).message}\n(--help lists the options)`);
    process.exit(2);
  }
}

async function run(): Promise<number> {
  const [unknown] = positionals;
  if (unknown !== undefined) throw new ResultError(`${unknown} is no option; results are given with --merge`);
  const { minutes, only, shard, json } = values;
  const seed = whole('seed', 0);
  const length = minutes === undefined ? { steps: whole('steps', 1) } : { minutes: Number(minutes) };
  let writtenMs = Date.now();
  // Processes of the command have their sources inside; those that act on them are ours.
  const bundle = values.real ? await bundleSimulator('.', 'real') : await bundleSimulator(values.source);
  const nodes = values.real ? ({ nodes: 'real' } as const) : {};
  const result = await simulate(bundle, {
    plan: { seed, ...(only === undefined ? length : { only: only.split(',').map(Number) }), ...nodes },
    command: values.real ? await command() : undefined,
    shard: shard === undefined ? undefined : readShard(shard),
    commit: sourceCommit(),
    workers: whole('workers', 1),
    shrinks: values.shrink,
    onRepeat: (line) => console.error(`shrink: ${line}`),
    onWorld: (sofar) => {
      if (json === undefined || Date.now() - writtenMs < WRITE_EVERY_MS) return;
      write(json, sofar());
      writtenMs = Date.now();
    },
  });
  rmSync(bundle);
  if (json !== undefined) write(json, result);
  for (const line of reportLines(result)) console.log(line);
  return result.failures.length === 0 ? 0 : 1;
}

/** Another folder of sources has its command built already. */
async function command(): Promise<string> {
  return values.source === '.' ? await buildIfStale() : path.resolve(values.source, 'dist/sunup.cjs');
}

function merge(): number {
  const { result, missing } = mergeResults(
    positionals.map((name) => ({ name, result: readResult(readFileSync(name, 'utf8'), name) })),
  );
  if (values.json !== undefined && missing.length === 0) write(values.json, result);
  const lines = reportLines(result);
  // Without all parts there is no digest of the whole.
  for (const line of lines) if (missing.length === 0 || !line.startsWith(DIGEST)) console.log(line);
  for (const line of missing) console.error(`simulate: ${line}`);
  if (result.failures.length > 0) return 1;
  return missing.length === 0 ? 0 : 2;
}

/** Whole or not at all: a file that is there is a result. */
function write(file: string, result: RunResult): void {
  // Two pods may write it, each with the same process id.
  const fresh = `${file}.${randomUUID()}`;
  writeFileSync(fresh, `${JSON.stringify(result)}\n`);
  renameSync(fresh, file);
}

function whole(name: 'seed' | 'steps' | 'workers', least: number): number {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < least)
    throw new ResultError(`--${name} must be a whole number, got ${values[name]}`);
  return number;
}
