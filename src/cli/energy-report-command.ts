/** `sunup energy-report FOLDER`: the Energy of contracts in a test run by method, for any test runner. */

import { Command } from 'commander';
import { type EnergyReportOptions, writeEnergyReport } from '../testing/energy/files.js';
import { runArguments } from './run-arguments.js';
import type { Terminal } from './terminal.js';

/** @returns the exit code */
export async function runEnergyReportCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const command = new Command('sunup energy-report')
    .argument('<folder>', 'the folder that SUNUP_ENERGY_REPORT named while the tests ran')
    .description('show the Energy of contract methods in a test run, and the changes since the last run')
    .option('--json <file>', 'file of the report; its previous content is the last run (default: energy-report.json)')
    .option('--markdown <file>', 'also write it as Markdown, for a comment on a pull request')
    .option('--against <file>', 'compare with this report instead of the last one')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .action((folder: string, options: EnergyReportOptions) => {
      const text = writeEnergyReport(folder, options);
      terminal.out(
        text ??
          `${folder} has no record of a contract call. Set SUNUP_ENERGY_REPORT=${folder} when you run the tests\n`,
      );
    });
  return runArguments(command, words.slice(1), ({ message }) => {
    terminal.err(`error: ${message}\n`);
    return 1;
  });
}
