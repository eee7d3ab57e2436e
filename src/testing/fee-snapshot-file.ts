/**
 * The file that keeps what transactions of tests cost, a line each, sorted, to be read in reviews:
 *
 *     test/token.test.ts > the token > is sent: energy 14,650, penalty 0, bandwidth 345, burned 1.465 TRX
 *
 * Test files run side by side in processes of their own: whoever changes the file reads it again under a lock, changes
 * its own lines, and puts the whole in the old one's place.
 */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { withLock } from '../platform/shared-file.js';
import { formatTrx, formatUnits } from '../prose/amounts.js';

/** What one transaction cost. */
export interface FeeLine {
  /** Energy that it took, whoever paid; what dynamic Energy added to it is in it. */
  readonly energy: bigint;
  readonly penalty: bigint;
  /** Bytes, whoever paid. */
  readonly bandwidth: bigint;
  /** What its sender paid in coin, for whatever reason, in sun. */
  readonly burnedSun: bigint;
  /** `SUCCESS`, `REVERT`, … */
  readonly result: string;
}

/** `all`: lines that differ are written anew. `new`: only those that are not there yet. `none`: nothing is written. */
export type SnapshotMode = 'all' | 'new' | 'none';

type FeeLines = ReadonlyMap<string, FeeLine>;

const HEAD =
  '# What transactions of tests cost. Written by Sunup (toMatchFeeSnapshot); docs/how-to/fee-snapshots.md says how to update it.';
const LINE =
  /^(?<name>.+): energy (?<energy>[\d,]+), penalty (?<penalty>[\d,]+), bandwidth (?<bandwidth>[\d,]+), burned (?<trx>[\d,]+)(?:\.(?<fraction>\d{1,6}))? TRX(?:, (?<result>\w+))?$/;

/** A name as a line has it. */
export function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim();
}

export function lineText({ energy, penalty, bandwidth, burnedSun, result }: FeeLine): string {
  const amounts = `energy ${formatUnits(energy)}, penalty ${formatUnits(penalty)}, bandwidth ${formatUnits(bandwidth)}`;
  return `${amounts}, burned ${formatTrx(burnedSun)}${result === 'SUCCESS' ? '' : `, ${result}`}`;
}

/** @throws Error that names the line that is none */
function read(text: string, file: string): Map<string, FeeLine> {
  const lines = new Map<string, FeeLine>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const { name, energy, penalty, bandwidth, trx, fraction = '', result = 'SUCCESS' } = LINE.exec(line)?.groups ?? {};
    if (name === undefined) throw new Error(`${file}:${index + 1} is no line of a fee snapshot: ${line}`);
    const burnedSun = number(trx) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
    lines.set(name, {
      energy: number(energy),
      penalty: number(penalty),
      bandwidth: number(bandwidth),
      burnedSun,
      result,
    });
  }
  return lines;
}

function number(digits = ''): bigint {
  return BigInt(digits.replaceAll(',', ''));
}

/** What the file has; nothing where there is none. */
export function readFeeLines(file: string): FeeLines {
  try {
    return read(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}

/** Changes lines of the file as it is now, whoever else changes it at the same time. */
export function changeFeeLines(file: string, change: (lines: Map<string, FeeLine>) => void): void {
  withLock(file, () => {
    const lines = new Map(readFeeLines(file));
    change(lines);
    const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, line]) => `${name}: ${lineText(line)}`);
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, `${[HEAD, ...sorted].join('\n')}\n`);
    renameSync(fresh, file);
  });
}
