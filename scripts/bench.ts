/**
 * Runs the benches of test/bench, each in a process of its own, and prints their figures as a table. Nothing is
 * asserted: a figure says something only beside its reference, which was measured in the same run on the same machine.
 *
 * The benches are bundled first, as the command is: what is measured is the code that is published, and not what a
 * loader for TypeScript makes of it.
 *
 *     npm run bench [-- NAMES...] [--json]
 */

import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import type { Aim, Bench, Figure } from '../test/bench/bench.js';
import { buildIfStale } from './build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = path.join(ROOT, 'test/bench');
/** Beneath node_modules, so that the bundles find the packages that they leave outside. */
const BUNDLES = path.join(ROOT, `node_modules/.cache/sunup-bench.${process.pid}`);

const NAMES = [
  'cold-start',
  'transfers-applied',
  'transfers-over-http',
  'transfers-over-grpc',
  'queries',
  'many-accounts',
  'past-views',
  'state-history',
  'empty-time',
  'snapshots',
  'test-cycle',
  'test-suites',
  'system-mix',
  'tvm-transfers',
  'programs',
  'precompiles',
  'observers',
  'token-transfers',
  'contract-calls',
  'scenarios',
  'worst-programs',
  'bodies',
  'message-codecs',
  'history',
  'history-pages',
] as const;
/** Those that take minutes to hours, and run only by their name. */
const LONG_NAMES = ['ten-million'] as const;
const ALL_NAMES: readonly string[] = [...NAMES, ...LONG_NAMES];

interface Measured extends Figure {
  readonly bench: string;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
const unknown = positionals.filter((name) => !ALL_NAMES.includes(name));
if (flags.help || unknown.length > 0) {
  await help(unknown);
} else {
  await run(positionals.length > 0 ? positionals : NAMES);
}

async function help(wrong: readonly string[]): Promise<void> {
  for (const name of wrong) console.error(`there is no bench ${name}\n`);
  const print = wrong.length > 0 ? console.error : console.log;
  print('usage: npm run bench [-- NAMES...] [--json]\n\n  --json  one JSON object a line instead of the table\n');
  for (const name of ALL_NAMES) {
    const { bench } = (await import(`../test/bench/${name}.ts`)) as { readonly bench: Bench };
    print(`  ${name.padEnd(21)}${bench.about}`);
  }
  process.exitCode = wrong.length > 0 ? 2 : 0;
}

async function run(names: readonly string[]): Promise<void> {
  const command = await buildIfStale();
  try {
    await bundle(names);
    const machine = machineInWords();
    if (flags.json) console.log(JSON.stringify(machine));
    const measured: Measured[] = [];
    for (const name of names) {
      for await (const figure of figuresOf(name, command)) {
        measured.push(figure);
        if (flags.json) console.log(JSON.stringify(figure));
      }
    }
    if (!flags.json) console.log(`${Object.values(machine).join(', ')}\n\n${table(measured)}`);
  } finally {
    rmSync(BUNDLES, { recursive: true, force: true });
  }
}

async function bundle(names: readonly string[]): Promise<void> {
  const sources = [
    ...names,
    'bench-process',
    'load-process',
    'transfer-blocks',
    'long-chain-signer',
    'plain-server',
    'grpc-load',
  ];
  await build({
    absWorkingDir: ROOT,
    entryPoints: {
      ...Object.fromEntries(sources.map((name) => [name, path.join(SOURCES, `${name}.ts`)])),
      'signer-thread': 'src/signers/thread.ts',
      'table-thread': 'src/devnet/database/table-thread.ts',
    },
    outdir: BUNDLES,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    logLevel: 'warning',
  });
}

/** Runs one bench. One that fails is reported, and the others still run. */
async function* figuresOf(name: string, command: string): AsyncIterable<Measured> {
  const child = fork(path.join(BUNDLES, 'bench-process.js'), [name], {
    cwd: ROOT,
    env: { ...process.env, SUNUP_COMMAND: command },
    execArgv: [],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const arrived: Measured[] = [];
  let wake = () => {};
  let ended = false;
  child.on('message', (message: { readonly progress?: string; readonly figure?: Figure }) => {
    if (message.progress !== undefined) console.error(`${name}: ${message.progress}`);
    if (message.figure !== undefined) arrived.push({ bench: name, ...message.figure });
    wake();
  });
  child.on('exit', (code) => {
    if (code !== 0) {
      console.error(`${name}: failed`);
      process.exitCode = 1;
    }
    ended = true;
    wake();
  });
  while (!ended || arrived.length > 0) {
    const figure = arrived.shift();
    if (figure !== undefined) yield figure;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

function machineInWords(): Record<'cpu' | 'memory' | 'node' | 'platform' | 'date', string> {
  const processors = cpus();
  return {
    cpu: `${processors.length} × ${processors[0]?.model.trim()}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: `Node ${process.versions.node}`,
    platform: `${process.platform}-${process.arch}`,
    date: new Date().toISOString().slice(0, 16),
  };
}

function ratioOf({ value, reference }: Figure): number | undefined {
  return reference && value / reference.value;
}

function aimInWords(aim: Aim | undefined, figure: Figure): string {
  if (aim === undefined) return '';
  const actual = aim.of === 'ratio' ? (ratioOf(figure) ?? Number.NaN) : figure.value;
  const suffix = aim.of === 'ratio' ? '×' : ` ${figure.unit}`;
  const [sign, wanted, met] =
    'atMost' in aim ? ['≤', aim.atMost, actual <= aim.atMost] : ['≥', aim.atLeast, actual >= aim.atLeast];
  return `${sign} ${number(wanted)}${suffix}${met ? '' : '  (missed)'}`;
}

function number(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

function table(figures: readonly Measured[]): string {
  const rows = figures.map((figure) => [
    `${figure.bench}: ${figure.name}`,
    `${number(figure.value)} ${figure.unit}`,
    figure.reference === undefined ? '' : `${number(figure.reference.value)} ${figure.unit}  ${figure.reference.name}`,
    figure.reference === undefined ? '' : `${number(ratioOf(figure) as number)}×`,
    aimInWords(figure.aim, figure),
  ]);
  const lines = [['figure', 'value', 'reference', 'ratio', 'aim'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
