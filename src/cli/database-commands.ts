/** `sunup check` and `sunup upgrade`: work on the database of a chain that is not running. */

import { Command } from 'commander';
import { checkDirectory } from '../devnet/database/check-database.js';
import { upgradeDirectory } from '../devnet/database/upgrade-database.js';
import { nodeSettings } from '../devnet/running/open-node.js';
import type { CheckReport } from '../node/steps/check.js';
import { OptionError } from '../options/option-error.js';
import { settingsForCommand } from '../options/settings.js';
import { interruptible } from './interruptible.js';
import { progressBar } from './progress-bar.js';
import { runArguments } from './run-arguments.js';
import type { Terminal } from './terminal.js';

/** @returns the exit code: 1 if the database is damaged, or cannot be upgraded */
export async function runDatabaseCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = new Command('sunup')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const bar = progressBar(terminal);
  /** Reports the state of the database before a signal ends the command. */
  const beforeStop = (stopped: string) => () => {
    bar.clear();
    terminal.err(stopped);
  };
  program
    .command('check <dir>')
    .description('read everything in a --db directory and report damage')
    .option('--replay', 'also apply every block again and compare the state')
    .option('--json', 'the report as JSON')
    .action(async (directory: string, { replay = false, json = false }: { replay?: boolean; json?: boolean }) => {
      const report = await interruptible(beforeStop('stopped before the end; nothing was changed\n'), () =>
        checkDirectory(directory, { replay, progress: bar.show }),
      );
      bar.clear();
      terminal.out(json ? `${JSON.stringify({ ...report, whole: report.findingCount === 0 })}\n` : reportText(report));
      exitCode = report.findingCount === 0 ? 0 : 1;
    });
  program
    .command('upgrade <dir>')
    .description('convert a --db directory of an older Sunup to the current format; the old directory is kept')
    .option('--vm-limit <ms>', 'the --vm-limit of the chain, if it was not the default')
    .option('--json', 'print the answer as JSON')
    .action(async (directory: string, { vmLimit, json = false }: { vmLimit?: string; json?: boolean }) => {
      const settings = settingsForCommand(vmLimit === undefined ? {} : { vmLimitMs: Number(vmLimit) });
      const stopped = `stopped; the database is unchanged. The next sunup upgrade ${directory} starts again from the first block\n`;
      const upgrade = await interruptible(beforeStop(stopped), () =>
        upgradeDirectory(directory, nodeSettings(settings), (done, total) =>
          bar.show('blocks applied again', done, total),
        ),
      );
      bar.clear();
      if (json) terminal.out(`${JSON.stringify(upgrade ?? {})}\n`);
      else if (upgrade === undefined) terminal.out('The database already has the current format.\n');
      else {
        terminal.out(
          `Converted from format ${upgrade.from} to ${upgrade.to}. The head is block ${upgrade.headNumber}, ${upgrade.headId}.\n`,
        );
        terminal.out(`The old database is in ${upgrade.kept}. Delete it when you no longer need it.\n`);
      }
    });
  const failed = await runArguments(program, words, (error) => {
    bar.clear();
    if (!(error instanceof OptionError)) return undefined;
    terminal.err(`error: the directory ${error.problem}\n${error.hint === undefined ? '' : `(${error.hint})\n`}`);
    return 1;
  });
  return failed === 0 ? exitCode : failed;
}

function reportText({ rows, blocks, transactions, headId, replayed, findings, findingCount }: CheckReport): string {
  if (findingCount === 0) {
    const again = replayed ? ' Applying every block again gives the same state.' : '';
    return `OK: ${rows} rows, ${blocks} blocks, ${transactions} transactions; the head is ${headId}.${again}\n`;
  }
  const lines = findings.map(({ table, key, what }) => `  ${table}${key === '' ? '' : ` ${key}`}: ${what}\n`);
  const more = findingCount > findings.length ? `  and ${findingCount - findings.length} more\n` : '';
  return `Damaged, ${findingCount} finding${findingCount === 1 ? '' : 's'}:\n${lines.join('')}${more}`;
}
