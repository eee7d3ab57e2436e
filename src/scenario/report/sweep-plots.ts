/** Plots of a sweep: its cost along one variation, with one line for each combination of the others. */

import { formatTrx } from '../../prose/amounts.js';
import type { Plot, Tone } from '../../prose/report.js';
import type { Sweep, VariantOutcome } from '../what-if/outcome.js';
import type { GivenValue } from '../what-if/variations.js';

/** More lines than this are unreadable. */
const MAX_LINES = 12;

const TONES: readonly Tone[] = ['bandwidth', 'energy', 'free', 'origin', 'staked', 'burned', 'penalty', 'factor'];

/** TRX, and Energy with its penalty. */
export function sweepPlots(sweep: Sweep): readonly Plot[] {
  const trx = plot(sweep, 'Fees, TRX', ({ feeSun }) => Number(feeSun) / 1e6, sweep.outcomes[0]);
  const hasPenalty = sweep.outcomes.some(({ energyPenalty }) => energyPenalty !== 0n);
  const energy = hasPenalty ? plot(sweep, 'Energy', (outcome) => Number(outcome.energy), undefined) : undefined;
  return [trx, energy].filter((one) => one !== undefined);
}

/** A number, if the value is one; amounts have a unit behind the number. */
function numberOf(value: GivenValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const digits = typeof value === 'string' ? /^(-?[\d_.]+)(?: (?:TRX|sun))?$/i.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits.replaceAll('_', ''));
}

function plot(
  { variations, outcomes }: Sweep,
  what: string,
  of: (outcome: VariantOutcome) => number,
  first: VariantOutcome | undefined,
): Plot | undefined {
  const isNumeric = variations.map(({ values }) => values.every((value) => numberOf(value) !== undefined));
  const along = variations.reduce(
    (best, { values }, at) => {
      const weight = values.length + (isNumeric[at] ? 0.5 : 0);
      return weight > best.weight ? { at, weight } : best;
    },
    { at: -1, weight: 0 },
  ).at;
  const variation = variations[along];
  if (variation === undefined) return undefined;
  const lines = new Map<string, VariantOutcome[]>();
  for (const outcome of outcomes) {
    if (outcome.index === 0) continue;
    const name = variations.flatMap(({ name: own }, at) => (at === along ? [] : [`${own} ${outcome.values[at]}`]));
    const key = name.join(', ') || 'cost';
    const line = lines.get(key) ?? [];
    if (line.length === 0) lines.set(key, line);
    line.push(outcome);
  }
  const numeric = isNumeric[along] === true;
  const shown = [...lines].slice(0, MAX_LINES);
  const more = lines.size - shown.length;
  return {
    title: `${what} along ${variation.name}${more > 0 ? ` (${MAX_LINES} of ${lines.size} lines)` : ''}`,
    heightPx: 300,
    tones: shown.map((_, at) => TONES[at % TONES.length] as Tone),
    legend: lines.size > 1 ? shown.map(([name]) => name) : [],
    option: {
      xAxis: numeric
        ? { type: 'value', scale: true }
        : { type: 'category', data: variation.values.map((value) => String(value)) },
      yAxis: { type: 'value', scale: true },
      series: shown.map(([name, row], at) => ({
        name,
        type: 'line',
        symbolSize: 7,
        data: row
          .map((outcome) => {
            const value = outcome.values[along];
            return numeric ? [numberOf(value), of(outcome)] : [String(value), of(outcome)];
          })
          .sort(([a], [b]) => (numeric ? Number(a) - Number(b) : 0)),
        ...(at === 0 &&
          first?.index === 0 && {
            markLine: {
              symbol: 'none',
              lineStyle: { type: 'dashed', color: '#888' },
              label: { formatter: `unchanged file: ${formatTrx(first.feeSun)}`, position: 'insideEndTop' },
              data: [{ yAxis: of(first) }],
            },
          }),
      })),
    },
  };
}
