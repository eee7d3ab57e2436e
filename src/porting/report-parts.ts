/** Common parts of all forms of a port report: cost tables, and findings in sentences. */

import type { Weight } from '../explanation/porting/differences.js';
import type { Finding, FindingSite, PortReport, PortRow } from '../explanation/porting/port-report.js';
import { formatTrx, formatUnits } from '../prose/amounts.js';
import type { Cell, Column, Section } from '../prose/report.js';

export const TITLE = 'Port report';

export const HEADINGS: Readonly<Record<Weight, string>> = {
  breaks: 'Breaks on TRON',
  check: 'To be checked',
  note: 'Good to know',
};

export const NO_FINDINGS = 'This run met nothing that behaves otherwise on TRON.';

/** Notes after the cost tables. */
export const NOTES: readonly string[] = [
  'TRX: Energy and bytes bought at the prices of the run; stake and free bandwidth make both cheaper.',
  'At the cap: the factor of every contract is the largest one, as for the most popular contracts of a network.',
  'TRON has no limit on the size of code (24,576 bytes on Ethereum). A transaction has at most 512,000 bytes.',
];

const ALL_SEEN = 'Calls and estimates without a transaction are part of this report.';
const NOT_SEEN =
  'A recording has no calls and estimates: what only these met is missing here. Start the node with --port-report FILE to include them.';

export function summary({ transactions, calls, energy, findings, prices }: PortReport): string {
  const count = (weight: Weight) => findings.filter((finding) => finding.weight === weight).length;
  const seen = calls === undefined ? '' : `, ${formatUnits(calls)} calls`;
  return [
    `${formatUnits(transactions)} transactions${seen}: ${formatUnits(energy.transactions)} ran contracts with ${formatUnits(energy.energy)} Energy.`,
    `Differences: ${count('breaks')} break, ${count('check')} to be checked, ${count('note')} good to know.`,
    `Prices: ${formatUnits(prices.energySun)} sun for one Energy, ${formatUnits(prices.byteSun)} sun for one byte, largest factor ${factorText(prices.maxFactor)}.`,
  ].join(' ');
}

/** @example factorText(34_000) // '4.4' */
function factorText(maxFactor: number): string {
  return String(1 + maxFactor / 10_000);
}

export function scope({ calls }: PortReport): string {
  return calls === undefined ? NOT_SEEN : ALL_SEEN;
}

export function costSections({ energy: { rows } }: PortReport): readonly Section[] {
  const deployments = rows.filter(({ method }) => method === undefined);
  const methods = rows.filter(({ method }) => method !== undefined);
  return [
    ...(deployments.length === 0 ? [] : [deploymentSection(deployments)]),
    ...(methods.length === 0 ? [] : [methodSection(methods)]),
  ];
}

interface PortColumn extends Column {
  readonly of: (row: PortRow) => Cell;
}

const text = (name: string, of: PortColumn['of']): PortColumn => ({ name, kind: 'text', of });
const number = (name: string, of: PortColumn['of']): PortColumn => ({ name, kind: 'number', of });
const coin = (name: string, of: PortColumn['of']): PortColumn => ({ name, kind: 'average', of });

/** Without the penalty columns if no penalty was paid. */
function prices(rows: readonly PortRow[]): readonly PortColumn[] {
  const hasPenalty = rows.some(({ energySun }) => energySun.asRun !== energySun.withoutFactor);
  return [
    coin('Energy in TRX', ({ energySun }) => energySun.asRun),
    ...(hasPenalty ? [coin('without factor', ({ energySun }) => energySun.withoutFactor)] : []),
    coin('at the cap', ({ energySun }) => energySun.atCap),
    number('bytes', ({ bytes }) => bytes),
    coin('bytes in TRX', ({ bytesSun }) => bytesSun),
  ];
}

function deploymentSection(rows: readonly PortRow[]): Section {
  return section('Deployments', rows, [
    text('contract', ({ contract }) => contract),
    number('times', ({ calls }) => calls),
    number('failed', ({ failed }) => failed),
    number('bytes of code', ({ codeBytes }) => codeBytes),
    number('Energy', ({ average }) => average),
    ...prices(rows),
  ]);
}

function methodSection(rows: readonly PortRow[]): Section {
  const hasPenalty = rows.some(({ penaltyShare }) => penaltyShare > 0);
  return section('Energy by method', rows, [
    text('contract', ({ contract }) => contract),
    text('method', ({ method }) => method),
    number('times', ({ calls }) => calls),
    number('failed', ({ failed }) => failed),
    number('min', ({ min }) => min),
    number('average', ({ average }) => average),
    number('max', ({ max }) => max),
    ...(hasPenalty
      ? [{ name: 'penalty', kind: 'percent', of: ({ penaltyShare }) => (penaltyShare * 100).toFixed(1) } as PortColumn]
      : []),
    ...prices(rows),
  ]);
}

function section(title: string, rows: readonly PortRow[], columns: readonly PortColumn[]): Section {
  return { title, columns, rows: rows.map((row) => columns.map(({ of }) => of(row))) };
}

/** `contracts/Shop.sol:12`, or the offset in the code. */
export function whereText({ file, line, pc, what }: FindingSite): string {
  if (what !== undefined) return what;
  return file === undefined ? `code offset ${pc}` : `${file}:${line}`;
}

/** `Shop.buy` */
export function whoText({ contract, method }: FindingSite): string {
  return method === undefined ? contract : `${contract}.${method}`;
}

export function oftenText({ executed, times, transactions, calls }: FindingSite): string {
  if (!executed) return 'not executed in this run';
  const runs = [
    ...(transactions > 0
      ? [`${formatUnits(transactions)} ${transactions === 1 ? 'transaction' : 'transactions'}`]
      : []),
    ...(calls > 0 ? [`${formatUnits(calls)} ${calls === 1 ? 'call' : 'calls'}`] : []),
  ].join(', ');
  return times > transactions + calls ? `${formatUnits(times)} times in ${runs}` : runs;
}

/** Sentences about a finding, each with its leading word. */
export function explanations({ onEthereum, onTron, whatToDo }: Finding): readonly (readonly [string, string])[] {
  return [
    ['Ethereum', onEthereum],
    ['TRON', onTron],
    ['To do', whatToDo],
  ];
}

export function ruleText({ rule }: Finding): string {
  return `docs/${rule}`;
}

/** Meaning of a part of a fee limit, for the last line. */
export function feeLimitText({ prices: { maxFeeLimitSun } }: PortReport): string {
  return `A transaction has a fee limit of at most ${formatTrx(maxFeeLimitSun)}.`;
}
