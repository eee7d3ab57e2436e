/** `sunup port-report FILE`: what a recorded run of an Ethereum project's tests costs on TRON, and what differs there. */

import path from 'node:path';
import { Command } from 'commander';
import { portReportOf } from '../porting/of-recording.js';
import { reportIn } from '../porting/report-forms.js';
import { ScenarioError } from '../scenario/format/problems.js';
import { progressBar } from './progress-bar.js';
import { runArguments } from './run-arguments.js';
import type { Terminal } from './terminal.js';

interface Options {
  readonly artifacts: readonly string[];
  readonly json: boolean;
  readonly markdown: boolean;
  readonly html: boolean;
}

const FORMS = ['json', 'markdown', 'html'] as const;

const HELP = `
Record a run of your own tests, then read the report:
  sunup --instant --record run.chain      start a node that records; stop it with Ctrl-C after the tests
  npx hardhat test --network sunup        run the tests against http://127.0.0.1:9090/eth
  sunup port-report run.chain --artifacts artifacts --html > port.html

The report has:
  - Energy and TRX of each method and deployment, also with the largest energy factor
  - what the contracts used that behaves otherwise on TRON: where, how often, and what to do

A recording has no calls and estimates. To include them, let the node write the report when it stops:
  sunup --instant --artifacts artifacts --port-report port.html

The guide is docs/how-to/port-from-ethereum.md.
`;

/** @returns the exit code: 2 for a file that is no recording */
export async function runPortReportCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const bar = progressBar(terminal);
  const command = new Command('sunup port-report')
    .argument('<file>', 'a recording (sunup --record FILE) or a dump')
    .description('report what a run of Ethereum tests costs on TRON, and what behaves otherwise there')
    .option(
      '--artifacts <dir>',
      'artifacts of solc, Hardhat, Foundry or TronBox, for contract names and source lines (repeatable)',
      (folder: string, all: readonly string[]) => [...all, folder],
      [],
    )
    .option('--json', 'JSON instead of text', false)
    .option('--markdown', 'Markdown, for pull requests', false)
    .option('--html', 'one HTML page', false)
    .addHelpText('after', HELP)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .action(async (file: string, { artifacts, ...forms }: Options) => {
      const [form = 'text', other] = FORMS.filter((one) => forms[one]);
      if (other !== undefined) {
        terminal.err(`--${form} and --${other} cannot be combined\n`);
        exitCode = 2;
        return;
      }
      const warn = (sentence: string) => terminal.err(`${sentence}\n`);
      const report = await portReportOf(file, {
        artifacts,
        log: { warn, error: (sentence, cause) => warn(`${sentence}: ${String(cause)}`) },
        progress: (done, total) => bar.show(path.basename(file), done, total),
      });
      bar.clear();
      terminal.out(reportIn(form, report, file));
    });
  const failed = await runArguments(command, words.slice(1), (error) => {
    bar.clear();
    if (!(error instanceof ScenarioError)) return undefined;
    terminal.err(`${error.message}\n`);
    return 2;
  });
  return failed === 0 ? exitCode : failed;
}
