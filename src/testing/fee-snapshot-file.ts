/**
 * The file with the costs of transactions in tests, one sorted line each, for reviews: test/token.test.ts > the token
 * > is sent: energy 14,650, penalty 0, bandwidth 345, burned 1.465 TRX Test files run in parallel processes: a writer
 * reads the file again under a lock, changes its own lines, and replaces the file.
 */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { withLock } from '../platform/shared-file.js';
import { formatTrx, formatUnits } from '../prose/amounts.js';

/** The cost of one transaction. */
export interface FeeLine {
  /** All Energy used, whoever paid, penalty included. */
  readonly energy: bigint;
  readonly penalty: bigint;
  /** Bytes, whoever paid. */
  readonly bandwidth: bigint;
  /** TRX that the sender paid for any reason, in sun. */
  readonly burnedSun: bigint;
  /** `SUCCESS`, `REVERT`, … */
  readonly result: string;
}

/** `all`: changed lines are replaced. `new`: only missing lines are added. `none`: nothing is written. */
export type SnapshotMode = 'all' | 'new' | 'none';

type FeeLines = ReadonlyMap<string, FeeLine>;

const HEAD =
  '# Costs of transactions in tests. Written by Sunup (toMatchFeeSnapshot); to update, see docs/how-to/fee-snapshots.md.';
const LINE =
  /^(?<name>.+): energy (?<energy>[\d,]+), penalty (?<penalty>[\d,]+), bandwidth (?<bandwidth>[\d,]+), burned (?<trx>[\d,]+)(?:\.(?<fraction>\d{1,6}))? TRX(?:, (?<result>\w+))?$/;

/** A name in the form of a line. */
export function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim();
}

export function lineText({ energy, penalty, bandwidth, burnedSun, result }: FeeLine): string {
  const amounts = `energy ${formatUnits(energy)}, penalty ${formatUnits(penalty)}, bandwidth ${formatUnits(bandwidth)}`;
  return `${amounts}, burned ${formatTrx(burnedSun)}${result === 'SUCCESS' ? '' : `, ${result}`}`;
}

/** @throws Error with the invalid line */
function read(text: string, file: string): Map<string, FeeLine> {
  const lines = new Map<string, FeeLine>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const { name, energy, penalty, bandwidth, trx, fraction = '', result = 'SUCCESS' } = LINE.exec(line)?.groups ?? {};
    if (name === undefined) throw new Error(`${file}:${index + 1} is not a line of a fee snapshot: ${line}`);
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

/** Content of the file; empty if it does not exist. */
export function readFeeLines(file: string): FeeLines {
  try {
    return read(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}

/** Changes lines of the file's present content, safe against other processes. */
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
