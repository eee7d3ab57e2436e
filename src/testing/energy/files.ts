/** An Energy report made of what a run has written down, compared with the last one, and kept for the next. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readRecords } from './records.js';
import { type EnergyReport, energyReport } from './report.js';
import { markdownTable, textTable } from './tables.js';

export interface EnergyReportOptions {
  /** Where the report is kept as JSON; what is there already is the last one. Default `energy-report.json`. */
  readonly json?: string | undefined;
  /** Where it is written as Markdown, for a comment on a pull request. Default: nowhere. */
  readonly markdown?: string | undefined;
  /** The report to compare with: that of the branch to be merged into, for example. Default: the last one. */
  readonly against?: string | undefined;
}

/**
 * Writes the files.
 *
 * @param folder with what the processes of the run have written down
 * @param root what paths start from
 * @returns the table as text; undefined where no contract ran, and nothing is written
 */
export function writeEnergyReport(
  folder: string,
  { json = 'energy-report.json', markdown, against = json }: EnergyReportOptions = {},
  root = process.cwd(),
): string | undefined {
  const records = existsSync(folder) ? readRecords(folder) : [];
  if (records.length === 0) return undefined;
  const report = energyReport(records);
  const last = readReport(path.resolve(root, against), against !== json);
  write(path.resolve(root, json), `${JSON.stringify(report, null, 2)}\n`);
  if (markdown !== undefined) write(path.resolve(root, markdown), markdownTable(report, last));
  return textTable(report, last);
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @throws Error for a file that is no report, and for none where there has to be one */
function readReport(file: string, hasToBe: boolean): EnergyReport | undefined {
  if (!existsSync(file) && !hasToBe) return undefined;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Partial<EnergyReport> | null;
  if (!Array.isArray(report?.rows)) throw new Error(`${file} is no Energy report of Sunup`);
  return report as EnergyReport;
}
