/** Compares a transaction's cost with its line in the file (`fee-snapshot-file.ts`). */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Receipt } from '../contracts/deployed-contract.js';
import { formatTrx, formatUnits } from '../prose/amounts.js';
import {
  changeFeeLines,
  type FeeLine,
  lineText,
  oneLine,
  readFeeLines,
  type SnapshotMode,
} from './fee-snapshot-file.js';
import { noteUsed } from './obsolete-fee-lines.js';
import { receiptOf, type Subject } from './subject.js';
import { type Verdict, verdict } from './verdicts.js';

export interface FeeSnapshotOptions {
  /** Name of the line, appended to that of the test if the runner provides it. */
  readonly name?: string;
  /** Allowed difference of each amount, in percent of the line. Default 0. */
  readonly tolerancePercent?: number;
}

/** What the runner provides about the test. */
export interface CurrentTest {
  /** Absolute; undefined: not provided. */
  readonly file: string | undefined;
  readonly name: string | undefined;
  /** Number of unnamed lines of the test before this one. */
  readonly place: number;
  readonly mode: SnapshotMode;
}

const FILE = '.fee-snapshot';

/** @throws TypeError if neither runner nor options give a name; as `receiptOf` */
export async function matchesFeeSnapshot(
  subject: Subject,
  { name, tolerancePercent = 0 }: FeeSnapshotOptions,
  test: CurrentTest,
): Promise<Verdict> {
  const file = path.join(packageOf(test.file), FILE);
  const key = keyOf(path.dirname(file), name, test);
  noteUsed(file, key);
  const receipt = await receiptOf(subject);
  const is = await lineOf(receipt);
  const was = readFeeLines(file).get(key);
  if (was !== undefined) {
    const differences = differencesOf(was, is, tolerancePercent);
    if (differences.length === 0) return verdict(true, `expected ${key} not to cost ${lineText(was)}`, receipt);
    if (test.mode !== 'all') {
      const message = `expected ${key} to cost what ${FILE} says:\n${differences.join('\n')}\n(to accept the new cost: ${HOW})`;
      return verdict(false, message, receipt);
    }
  } else if (test.mode === 'none') {
    const message = `${key} is not in ${FILE}, and this run does not write it: it costs ${lineText(is)}\n(Run the test outside of CI, or with ${HOW}, and commit the file)`;
    return verdict(false, message, receipt);
  }
  changeFeeLines(file, (lines) => lines.set(key, is));
  return verdict(true, `expected ${key} not to cost ${lineText(is)}`, receipt);
}

/** How to update lines. */
const HOW = '-u of vitest and jest, or SUNUP_FEE_SNAPSHOT=all';

/** The variable overrides the runner's mode; CI writes only if the variable says so. */
export function snapshotMode(
  ofRunner: SnapshotMode | undefined,
  { SUNUP_FEE_SNAPSHOT: wanted, CI }: Readonly<Record<string, string | undefined>>,
): SnapshotMode {
  if (wanted === 'all' || wanted === 'new' || wanted === 'none') return wanted;
  if (wanted !== undefined && wanted !== '')
    throw new TypeError(`SUNUP_FEE_SNAPSHOT is ${wanted}; expected all, new or none`);
  return ofRunner ?? (CI === undefined || CI === '' || CI === 'false' || CI === '0' ? 'new' : 'none');
}

/** Snapshot file of a test file, and the prefix of its lines. */
export function linesOf(testFile: string): { readonly file: string; readonly prefix: string } {
  const folder = packageOf(testFile);
  return { file: path.join(folder, FILE), prefix: `${relative(folder, testFile)} > ` };
}

/** The nearest folder with a package.json, from the test file upwards: the same wherever tests are started. */
function packageOf(file: string | undefined): string {
  const start = file === undefined ? process.cwd() : path.dirname(file);
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder;
    if (path.dirname(folder) === folder) return process.cwd();
  }
}

function keyOf(folder: string, name: string | undefined, { file, name: test, place }: CurrentTest): string {
  const parts = [
    ...(file === undefined ? [] : [relative(folder, file)]),
    ...(test === undefined || test === '' ? [] : [test]),
    ...(name === undefined ? [] : [name]),
  ];
  if (name === undefined && (test === undefined || test === ''))
    throw new TypeError(
      "this runner does not provide the name of the test: pass a name for the line, { name: 'a transfer' }",
    );
  return oneLine(parts.join(' > ')) + (name === undefined && place > 0 ? ` (${place + 1})` : '');
}

/** With forward slashes, so that lines are the same on every system. */
function relative(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll('\\', '/');
}

async function lineOf(receipt: Receipt): Promise<FeeLine> {
  const { energy, bandwidth, feeSun, outcome } = await receipt.explain();
  return {
    energy: energy?.total ?? 0n,
    penalty: energy?.penalty ?? 0n,
    bandwidth: bandwidth?.bytes ?? 0n,
    burnedSun: feeSun,
    result: outcome.result,
  };
}

function differencesOf(was: FeeLine, is: FeeLine, tolerancePercent: number): readonly string[] {
  const amounts = [
    ['energy', was.energy, is.energy, formatUnits],
    ['penalty', was.penalty, is.penalty, formatUnits],
    ['bandwidth', was.bandwidth, is.bandwidth, formatUnits],
    ['burned', was.burnedSun, is.burnedSun, formatTrx],
  ] as const;
  const lines = amounts.flatMap(([name, before, now, shown]) => {
    if (isNear(before, now, tolerancePercent)) return [];
    const change = before === 0n ? '' : ` (${percentText((Number(now - before) / Number(before)) * 100)})`;
    return [`  ${name.padEnd(9)} ${shown(before)} → ${shown(now)}${change}`];
  });
  if (was.result !== is.result) lines.unshift(`  result    ${was.result} → ${is.result}`);
  return lines;
}

function isNear(before: bigint, now: bigint, tolerancePercent: number): boolean {
  const difference = Number(now > before ? now - before : before - now);
  return difference <= (Number(before) * tolerancePercent) / 100;
}

/** @example percentText(-3.14159) // '-3.1 %' */
function percentText(percent: number): string {
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
}
