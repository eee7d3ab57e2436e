/** `sunup run FILE…`: runs fee scenarios on chains of their own. */

import path from 'node:path';
import { Command } from 'commander';
import { RemoteError } from '../fork/network/remote-error.js';
import type { NetworkOptions } from '../options/network-options.js';
import { OptionError } from '../options/option-error.js';
import { writeJson } from '../primitives/amount-json.js';
import { readDocument } from '../scenario/format/document.js';
import { withFork } from '../scenario/format/fork-fields.js';
import { ScenarioError } from '../scenario/format/problems.js';
import type { Scenario } from '../scenario/format/scenario.js';
import { checkScenario } from '../scenario/reader/read-scenario.js';
import { csvReport } from '../scenario/report/csv.js';
import { htmlReport } from '../scenario/report/html.js';
import { markdownReport } from '../scenario/report/markdown.js';
import { runReport } from '../scenario/report/run-report.js';
import { tableReport } from '../scenario/report/table.js';
import type { RunTotals } from '../scenario/results/totals.js';
import { VariationError } from '../scenario/what-if/variations.js';
import { differencesFromSnapshot, differencesIn } from '../scenario-files/differences.js';
import { forkInstead, networkOf } from '../scenario-files/open-network.js';
import { artifactsFrom, STDIN, textOf } from '../scenario-files/read-files.js';
import { type Ended, runToEnd } from '../scenario-files/run-to-end.js';
import { withForkOptions } from './fork-options.js';
import { interruptible } from './interruptible.js';
import { progressBar } from './progress-bar.js';
import { runArguments } from './run-arguments.js';
import type { Terminal } from './terminal.js';
import { runWhatIf, type WhatIfOptions } from './what-if-command.js';

interface Options extends WhatIfOptions, NetworkOptions {
  readonly json: boolean;
  readonly results: boolean;
  readonly update: boolean;
  readonly db?: string;
}

interface RunResult extends Ended {
  readonly file: string;
  readonly scenario: Scenario;
}

const HELP = `
Examples:
  sunup run day.scenario.yaml             the cost of a day of your traffic, and who pays it
  sunup run *.scenario.yaml --json        one JSON object per file: digest, totals by step, payer and source
  sunup run day.scenario.yaml --json --results | jq
                                          also a line per transaction, as it happens
  make-scenario | sunup run -             read YAML or JSON from a program

  sunup run *.scenario.yaml --html > costs.html
                                          one page with plots
  sunup run day.scenario.yaml --what-if getEnergyFee=100,210,420 --what-if 'accounts.shop.stake.energy=0..50_000 TRX/6'
                                          the cost with each of these settings, on all processors

  sunup run pay.scenario.yaml --fork https://api.trongrid.io --fork-cache ./fork
                                          on a fork of a live network, with its state and prices

The format is described in docs/reference/scenarios.md.
`;

/** @returns the exit code: 1 if an expectation fails, 2 for an invalid scenario */
export async function runRunCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const bar = progressBar(terminal);
  const program = new Command('sunup')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const command = program
    .command('run <file...>')
    .description('run fee scenarios: a file gives the same receipts and costs on every machine')
    .option('--json', 'JSON instead of tables, one object per line', false)
    .option('--results', 'with --json: first a line for each transaction, operation and advance of time', false)
    .option('--update', 'write the costs to X.snap.yaml beside the file; later runs are compared with it', false)
    .option('--db <dir>', 'keep the chain in this directory (LevelDB); without it, in memory')
    .option('--csv', 'CSV for spreadsheets, amounts in sun', false)
    .option('--markdown', 'Markdown, for pull requests', false)
    .option('--html', 'one HTML page with tables and plots for all files', false)
    .option(
      '--what-if <name=values>',
      'run it once for each of these values: a parameter (getEnergyFee=100,210), a value of the file (accounts.shop.stake.energy=0,1_000 TRX), a range (contracts.usdt.energyFactor=0..34000/5); several options give all combinations',
      (given: string, all: readonly string[]) => [...all, given],
      [],
    )
    .option(
      '--shard <i/n>',
      'with --what-if and --json: only part i of n of the settings; join the parts with sunup merge',
    )
    .option('--threads <count>', 'with --what-if: number of threads (default: one per processor)')
    .option('--svg', 'with --what-if: only the plot', false)
    .addHelpText('after', HELP);
  withForkOptions(command).action(async (files: readonly string[], options: Options) => {
    const clash = clashOf(options);
    if (clash !== undefined) {
      terminal.err(`${clash}\n`);
      exitCode = 2;
      return;
    }
    const runs: RunResult[] = [];
    for (const file of files) {
      try {
        if (options.whatIf.length > 0) {
          if (files.length > 1) throw new VariationError('--what-if needs exactly one file');
          exitCode = await runWhatIf(file, textOf(file), options, terminal, bar);
          return;
        }
        const ran = await run(file, options, terminal, bar);
        const { totals, end } = ran;
        bar.clear();
        runs.push(ran);
        if (options.json) terminal.out(`${writeJson({ file, ...end, totals })}\n`);
        else if (!isOfAllFiles(options)) terminal.out(`${tableReport(file, totals, end)}\n`);
        const isAsStored = compareSnapshot(file, totals, options.update, terminal);
        if (end.failedExpectations > 0 || !isAsStored) exitCode = Math.max(exitCode, 1);
      } catch (error) {
        bar.clear();
        if (!isOfTheUser(error)) throw error;
        terminal.err(`${error.message}\n`);
        exitCode = 2;
      }
    }
    if (isOfAllFiles(options) && runs.length > 0) terminal.out(await reportOf(runs, options));
  });
  const failed = await runArguments(program, words, () => {
    bar.clear();
    return undefined;
  });
  return failed === 0 ? exitCode : failed;
}

/** The first option that would have no effect. */
function clashOf({ whatIf, json, results, csv, markdown, html, svg, shard, threads, update, db }: Options) {
  const forms = Object.entries({ json, csv, markdown, html, svg }).filter(([, value]) => value === true);
  if (forms.length > 1) return `${forms.map(([name]) => `--${name}`).join(' and ')} cannot be combined`;
  if (results && !json) return '--results needs --json';
  const isSweep = whatIf.length > 0;
  const others = Object.entries(isSweep ? { update, db, results } : { shard, threads, svg });
  const [other] = others.find(([, value]) => value !== undefined && value !== false) ?? [];
  return other === undefined ? undefined : `--${other} cannot be used ${isSweep ? 'with' : 'without'} --what-if`;
}

function isOfTheUser(error: unknown): error is Error {
  return [ScenarioError, OptionError, VariationError, RemoteError].some((kind) => error instanceof kind);
}

/** Formats that combine all files in one report. */
function isOfAllFiles({ json, csv, markdown, html }: Options): boolean {
  return !json && (csv === true || markdown === true || html === true);
}

async function reportOf(runs: readonly RunResult[], { csv, markdown }: Options): Promise<string> {
  if (csv) return csvReport(runs);
  if (markdown) return runs.map(({ file, totals, end }) => markdownReport(file, totals, end)).join('\n');
  return htmlReport(runs.map(runReport));
}

async function run(
  file: string,
  options: Options,
  terminal: Terminal,
  bar: ReturnType<typeof progressBar>,
): Promise<RunResult> {
  const document = readDocument(textOf(file), file);
  const scenario = checkScenario(withFork(document, forkInstead(document, options)));
  const folder = path.dirname(file);
  const network = await networkOf(scenario, folder, options, bar.network);
  const close = async () => {
    bar.clear();
    await network?.close();
  };
  try {
    const artifacts = await artifactsFrom(folder, scenario);
    const work = () =>
      runToEnd(scenario, {
        artifacts,
        network,
        db: options.db,
        progress: (done, total) => bar.show(path.basename(file), done, total),
        onResult: (result) => {
          for (const difference of differencesIn(file, result)) terminal.err(`${difference}\n`);
          if (options.json && options.results) terminal.out(`${writeJson({ file, result })}\n`);
        },
      });
    return { file, scenario, ...(await interruptible(close, work)) };
  } finally {
    await network?.close();
  }
}

/** @returns whether the costs equal those of the snapshot, if there is one */
function compareSnapshot(file: string, totals: RunTotals, update: boolean, terminal: Terminal): boolean {
  if (file === STDIN) return true;
  const differences = differencesFromSnapshot(file, totals, update);
  for (const difference of differences) terminal.err(`${difference}\n`);
  if (differences.length > 0) terminal.err('(sunup run --update accepts the new costs)\n');
  return differences.length === 0;
}
