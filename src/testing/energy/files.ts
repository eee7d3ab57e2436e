/** Makes an Energy report from the records of a test run, compares it with the last one, and stores it. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type EnergyReport, energyReport } from '../../explanation/summary/energy-by-method.js';
import { type Json, writeJson } from '../../primitives/amount-json.js';
import { readRecords } from './records.js';
import { markdownTable, textTable } from './tables.js';

export interface EnergyReportOptions {
  /** File of the report as JSON; the file's previous content is the last report. Default `energy-report.json`. */
  readonly json?: string | undefined;
  /** File of the report as Markdown, for a comment on a pull request. Default: none. */
  readonly markdown?: string | undefined;
  /** The report to compare with, for example that of the target branch. Default: the last one. */
  readonly against?: string | undefined;
}

/**
 * Writes the files.
 *
 * @param folder with the records of the run's processes
 * @param root for relative paths
 * @returns the table as text; undefined if no contract ran, then nothing is written
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
  write(path.resolve(root, json), `${writeJson(report, 2)}\n`);
  if (markdown !== undefined) write(path.resolve(root, markdown), markdownTable(report, last));
  return textTable(report, last);
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @throws Error if the file is no report, or a required file is missing */
function readReport(file: string, hasToBe: boolean): EnergyReport | undefined {
  if (!existsSync(file) && !hasToBe) return undefined;
  const report = JSON.parse(readFileSync(file, 'utf8')) as Json<EnergyReport> | null;
  if (!Array.isArray(report?.rows)) throw new Error(`${file} is not an Energy report of Sunup`);
  const { rows, energy, penalty, burnedSun, transactions } = report;
  return {
    ...{ transactions, energy: BigInt(energy), penalty: BigInt(penalty), burnedSun: BigInt(burnedSun) },
    rows: rows.map(({ min, average, max, averageBurnedSun, ...row }) => ({
      ...row,
      ...{ min: BigInt(min), average: BigInt(average), max: BigInt(max), averageBurnedSun: BigInt(averageBurnedSun) },
    })),
  };
}
