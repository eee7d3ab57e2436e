/** `sunup run FILE…`: fee scenarios, run on a chain of their own. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { holdsChain, openDirectory } from '../devnet/chain-database.js';
import { OptionError } from '../options/option-error.js';
import { artifactsOf } from '../scenario/artifact-files.js';
import { ScenarioError } from '../scenario/format/problems.js';
import { readScenario } from '../scenario/format/read-scenario.js';
import { tableReport } from '../scenario/report/table.js';
import type { GroupResult, RunEnd, TransactionResult } from '../scenario/result.js';
import { runScenario } from '../scenario/run.js';
import { snapshotDifferences, snapshotName, snapshotText } from '../scenario/snapshot.js';
import { type RunTotals, Totals } from '../scenario/totals.js';
import { progressBar } from './progress-bar.js';
import type { Speaker } from './speaker.js';

interface Options {
  readonly json: boolean;
  readonly results: boolean;
  readonly update: boolean;
  readonly db?: string;
}

type Checked = TransactionResult | GroupResult;

interface Ran {
  readonly totals: RunTotals;
  readonly end: RunEnd;
}

const HELP = `
Examples:
  sunup run day.scenario.yaml             what a day of your traffic costs, and who pays
  sunup run *.scenario.yaml --json        one JSON object a file: digest, totals by step, payer and source
  sunup run day.scenario.yaml --json --results | jq
                                          each transaction too, a line for each, as it happens

docs/scenarios.md says how a scenario is written.
`;

/** @returns the exit code: 1 where an expectation does not hold, 2 for what is no scenario */
export async function runRunCommand(words: readonly string[], say: Speaker): Promise<number> {
  let exitCode = 0;
  const bar = progressBar(say);
  const program = new Command('sunup').exitOverride().configureOutput({ writeOut: say.out, writeErr: say.err });
  program
    .command('run <file...>')
    .description('run fee scenarios: the same file comes to the same receipts and costs on every machine')
    .option('--json', 'one JSON object a line instead of tables, for programs', false)
    .option('--results', 'with --json: a line for each transaction, operation and passage of time before it', false)
    .option('--update', 'write what it costs beside the file (X.snap.yaml), which later runs are compared with', false)
    .option('--db <dir>', 'keep the chain in this directory (LevelDB); without it, in memory')
    .addHelpText('after', HELP)
    .action(async (files: readonly string[], options: Options) => {
      for (const file of files) {
        try {
          const { totals, end } = await run(file, options, say, bar);
          bar.clear();
          say.out(
            options.json ? `${JSON.stringify({ file, ...end, totals })}\n` : `${tableReport(file, totals, end)}\n`,
          );
          const isAsStored = compareSnapshot(file, totals, options.update, say);
          if (end.failedExpectations > 0 || !isAsStored) exitCode = Math.max(exitCode, 1);
        } catch (error) {
          bar.clear();
          if (!(error instanceof ScenarioError || error instanceof OptionError)) throw error;
          say.err(`${error.message}\n`);
          exitCode = 2;
        }
      }
    });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    bar.clear();
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

async function run(file: string, options: Options, say: Speaker, bar: ReturnType<typeof progressBar>): Promise<Ran> {
  const scenario = readScenario(textOf(file), file);
  const artifacts = await artifactsOf(scenario, (name) => readFileSync(path.resolve(path.dirname(file), name), 'utf8'));
  const kept = options.db === undefined ? undefined : openDirectory(options.db);
  try {
    if (kept !== undefined && holdsChain(kept.path))
      throw new OptionError('db', `${kept.path} holds a chain already`, 'A scenario begins one: name an empty folder');
    const totals = new Totals();
    const running = runScenario(scenario, {
      artifacts,
      directory: kept?.path,
      progress: (done, total) => bar.show(path.basename(file), done, total),
    });
    for (;;) {
      const { done, value } = await running.next();
      if (done) return { totals: totals.get(), end: value };
      totals.add(value);
      if ('differences' in value) say.err(differenceText(file, value));
      if (options.json && options.results) say.out(`${JSON.stringify({ file, result: value })}\n`);
    }
  } finally {
    await kept?.release();
  }
}

function differenceText(file: string, { step, label, n, differences = [] }: Checked): string {
  const which = label === undefined ? step : `${step} (${label})`;
  return differences
    .map(
      ({ what, expected, actual, line, column }) =>
        `${file}:${line}:${column}: ${which}, result ${n}: ${what}\n  expected ${expected}\n  got      ${actual}\n`,
    )
    .join('');
}

/** @returns whether it costs what it cost when the snapshot was written, where there is one */
function compareSnapshot(file: string, totals: RunTotals, update: boolean, say: Speaker): boolean {
  const name = snapshotName(file);
  if (update) {
    writeFileSync(name, snapshotText(totals));
    return true;
  }
  if (!existsSync(name)) return true;
  const differences = snapshotDifferences(readFileSync(name, 'utf8'), totals);
  for (const { what, expected, actual } of differences)
    say.err(`${name}: ${what}\n  expected ${expected}\n  got      ${actual}\n`);
  if (differences.length > 0) say.err('(sunup run --update writes what it costs now)\n');
  return differences.length === 0;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ScenarioError([{ file, line: 1, column: 1, message: `cannot be read: ${(error as Error).message}` }]);
  }
}
