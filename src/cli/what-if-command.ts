/**
 * `sunup run FILE --what-if …`: a scenario with other parameters, stakes and factors; `sunup merge`: joins the parts of
 * a sweep.
 */

import path from 'node:path';
import { Command } from 'commander';
import type { NetworkOptions } from '../options/network-options.js';
import { readTextUpTo } from '../platform/bounded-text.js';
import { writeJson } from '../primitives/amount-json.js';
import { readDocument } from '../scenario/format/document.js';
import { withFork } from '../scenario/format/fork-fields.js';
import type { Scenario } from '../scenario/format/scenario.js';
import { htmlReport } from '../scenario/report/html.js';
import { sweepCsv, sweepMarkdown, sweepReport, sweepSvg, sweepTable } from '../scenario/report/sweep.js';
import { withFindings } from '../scenario/what-if/findings.js';
import { mergeSweeps, readSweep } from '../scenario/what-if/merge.js';
import type { Sweep } from '../scenario/what-if/outcome.js';
import { fileDigest } from '../scenario/what-if/run-variant.js';
import { sweepOf } from '../scenario/what-if/sweep-input.js';
import { inShard, readShard, readVariation, VariationError, variantsOf } from '../scenario/what-if/variations.js';
import { forkInstead, networkOf } from '../scenario-files/open-network.js';
import { artifactsFrom } from '../scenario-files/read-files.js';
import { SIGNALS } from './interruptible.js';
import type { progressBar } from './progress-bar.js';
import { runArguments } from './run-arguments.js';
import { runSweep } from './sweep-threads.js';
import type { Terminal } from './terminal.js';

export interface WhatIfOptions extends NetworkOptions {
  readonly whatIf: readonly string[];
  readonly shard?: string;
  readonly threads?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly markdown?: boolean;
  readonly html?: boolean;
  readonly svg?: boolean;
}

/** @param text the content of the file @returns the exit code @throws VariationError, ScenarioError */
export async function runWhatIf(
  file: string,
  text: string,
  options: WhatIfOptions,
  terminal: Terminal,
  bar: ReturnType<typeof progressBar>,
): Promise<number> {
  const document = readDocument(text, file);
  const fork = forkInstead(document, options);
  const { scenario, variations } = sweepOf(withFork(document, fork), options.whatIf.map(readVariation));
  const folder = path.dirname(file);
  const artifacts = await artifactsFrom(folder, scenario);
  const all = variantsOf(variations);
  const shard = options.shard === undefined ? undefined : readShard(options.shard);
  const stop = new AbortController();
  let isReading = true;
  const onSignal = () => {
    // A second signal ends the process at once; so does the first one before the first setting has started.
    if (stop.signal.aborted || isReading) process.exit(130);
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const network = await networkOf(scenario, folder, options, bar.network);
  isReading = false;
  try {
    const outcomes = await runSweep(
      { file, text, variations, artifacts, fork },
      shard === undefined ? all : inShard(all, shard),
      {
        threads: threadsOf(options.threads),
        signal: stop.signal,
        progress: (done, total) => bar.show(path.basename(file), done, total),
        network,
      },
    );
    bar.clear();
    const sweep: Sweep = {
      whatIf: 2,
      file,
      ...(scenario.about !== undefined && { about: scenario.about }),
      fileDigest: fileDigest(text),
      variations,
      variants: all.length,
      ...(shard !== undefined && { shard }),
      ...(stop.signal.aborted && { stopped: true }),
      outcomes,
    };
    terminal.out(await sweepText(sweep, options, scenario));
    return stop.signal.aborted ? 130 : 0;
  } finally {
    await network?.close();
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

function threadsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 256)
    throw new VariationError(`--threads: ${text} is not a number from 1 to 256`);
  return count;
}

async function sweepText(
  sweep: Sweep,
  { json, csv, markdown, html, svg }: Partial<WhatIfOptions>,
  scenario?: Scenario,
): Promise<string> {
  if (json) return `${writeJson(withFindings(sweep))}\n`;
  if (csv) return sweepCsv(sweep);
  if (markdown) return sweepMarkdown(sweep);
  if (html) return htmlReport([sweepReport(sweep, scenario)]);
  return svg ? sweepSvg(sweep) : `${sweepTable(sweep)}\n`;
}

const MERGE_HELP = `
Example: three machines share a sweep
  sunup run day.scenario.yaml --what-if getEnergyFee=50..500/46 --shard 1/3 --json > 1.json
  sunup merge 1.json 2.json 3.json --html > sweep.html
`;

/** @returns the exit code */
export async function runMergeCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('sunup')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  program
    .command('merge <part...>')
    .description('join the parts of a sweep, written by sunup run --what-if … --shard I/N --json')
    .option('--json', 'the joined sweep as JSON')
    .option('--csv', 'CSV with a row per setting, amounts in sun')
    .option('--markdown', 'Markdown, for a pull request')
    .option('--html', 'one HTML page with plots')
    .option('--svg', 'only the plot')
    .addHelpText('after', MERGE_HELP)
    .action(async (names: readonly string[], options: Partial<WhatIfOptions>) => {
      const parts = names.map((name) => ({ name, sweep: readSweep(partText(name), name) }));
      terminal.out(await sweepText(mergeSweeps(parts), options));
    });
  return runArguments(program, words, (error) => {
    if (!(error instanceof VariationError)) return undefined;
    terminal.err(`${error.message}\n`);
    return 2;
  });
}

/** The limit for the JSON of one part: an outcome for each of many thousand settings. */
const MAX_PART_BYTES = 256 * 1024 * 1024;

function partText(name: string): string {
  try {
    return readTextUpTo(name, MAX_PART_BYTES);
  } catch (error) {
    throw new VariationError(`${name} cannot be read: ${(error as Error).message}`);
  }
}
