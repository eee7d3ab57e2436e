/** Content of reports without their form: headings, columns and rows. Each form of a report renders them. */

import type { Cell, Column, ColumnKind, Section } from '../../prose/report.js';
import type { RunTotals } from '../results/totals.js';

/** Whether a cell is zero. */
export function isZero(cell: Cell): boolean {
  return cell === 0 || cell === 0n;
}

const text = (name: string): Column => ({ name, kind: 'text' });
const number = (name: string): Column => ({ name, kind: 'number' });
const coin = (name: string): Column => ({ name, kind: 'coin' });

/** Sections: by step, by payer, by resource and source, failures, and the assumptions of a fork. */
export function runSections({ steps, payers, sources, failures, assumptions, history }: RunTotals): readonly Section[] {
  return [
    ...(history === undefined ? [] : historySections(history)),
    {
      title: 'By step',
      columns: [
        text('step'),
        text('what'),
        number('times'),
        number('failed'),
        number('refused'),
        number('bytes'),
        number('Energy'),
        number('penalty'),
        coin('fee'),
      ],
      rows: steps.map((step) => [
        step.label ?? step.step,
        step.type,
        step.count,
        step.failed,
        step.refused,
        step.bandwidth,
        step.energy,
        step.energyPenalty,
        step.feeSun,
      ]),
    },
    {
      title: 'By payer',
      columns: [
        text('payer'),
        number('transactions'),
        number('bandwidth, free or staked'),
        number('Energy, staked'),
        coin('fees for bytes'),
        coin('fees for Energy'),
        coin('fixed fees'),
        coin('paid'),
      ],
      rows: payers.map((payer) => [
        payer.payer,
        payer.transactions,
        payer.bandwidthUnits,
        payer.energyUnits,
        payer.bandwidthSun,
        payer.energySun,
        payer.feeSun,
        payer.sun,
      ]),
    },
    {
      title: 'By resource and source',
      columns: [text('for'), text('from'), number('times'), number('units'), coin('paid')],
      rows: sources.map(({ reason, source, count, units, sun }) => [reason, source, count, units, sun]),
    },
    ...(failures.length === 0 ? [] : [failuresSection(failures)]),
    ...(assumptions.length === 0 ? [] : [assumptionsSection(assumptions)]),
  ];
}

/** First in a report: whether the run is like what happened decides what it says about other values. */
function historySections({
  transactions,
  same,
  otherResult,
  differing,
  otherFee,
  largest,
  ...sums
}: NonNullable<RunTotals['history']>): readonly Section[] {
  return [
    {
      title: 'Compared with what really happened',
      columns: [
        text(''),
        number('transactions'),
        number('the same'),
        number('other result'),
        number('other Energy'),
        number('only another fee'),
        number('Energy'),
        coin('fee'),
      ],
      rows: [
        ['then', transactions, undefined, undefined, undefined, undefined, sums.energyWas, sums.feeWasSun],
        ['in this run', transactions, same, otherResult, differing, otherFee, sums.energy, sums.feeSun],
      ],
    },
    ...(largest.length === 0
      ? []
      : [
          {
            title: 'Largest differences to what really happened',
            columns: [text('step'), text('result then'), text('result'), number('Energy then'), number('Energy')],
            rows: largest.map(({ step, result, resultWas = '', energyWas, energy }) => [
              step,
              resultWas,
              result,
              energyWas,
              energy,
            ]),
          },
        ]),
  ];
}

function failuresSection(failures: RunTotals['failures']): Section {
  return {
    title: 'Failed and refused transactions',
    columns: [text('step'), text('what'), text('how'), text('why'), number('times')],
    rows: failures.map(({ step, label, type, outcome, code, reason, count }) => [
      label ?? step,
      type,
      code === undefined ? outcome : `${outcome} ${code}`,
      reason,
      count,
    ]),
  };
}

function assumptionsSection(assumptions: RunTotals['assumptions']): Section {
  return {
    title: 'Assumptions of the fork (docs/background/fork-assumptions.md)',
    columns: [text('assumed'), text('of'), number('times'), text('possible difference to the network')],
    rows: assumptions.map(({ name, effect, of, transactions }) => [name, of.join(', '), transactions, effect]),
  };
}

/** For people: without columns of numbers that are all zero. */
export function withoutEmptyColumns({ title, columns, rows }: Section): Section {
  const isShown = columns.map(({ kind }, at) => !MAY_BE_LEFT_OUT.has(kind) || rows.some((row) => !isZero(row[at])));
  return {
    title,
    columns: columns.filter((_, at) => isShown[at]),
    rows: rows.map((row) => row.filter((_, at) => isShown[at])),
  };
}

/** A fee of zero is a result. */
const MAY_BE_LEFT_OUT: ReadonlySet<ColumnKind> = new Set(['number']);
