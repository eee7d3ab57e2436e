/** A report of the node: the same parts as its HTML page (`prose/report.ts`). */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Json } from '../../primitives/amount-json.js';
import type { Figure, Plot, Section, Tone } from '../../prose/report.js';
import type { ReportAnswer } from '../chain/scenarios.js';
import { formatSpan } from './amounts.js';
import { Chart } from './chart.js';
import { FlameChart } from './flame-chart.js';
import { Empty, Fact, Facts } from './panel.js';
import { Tabs } from './tabs.js';
import { Trx, Units } from './values.js';

export type ReportSection = Json<Section>;
export type ReportCell = ReportSection['rows'][number][number];
type Kind = ReportSection['columns'][number]['kind'] | 'time';

/** What a manager reads: about, answer, figures, findings, assumptions. */
export function ReportSummary({ report }: { readonly report: ReportAnswer }) {
  const { about, answer, figures, findings, assumptions } = report;
  return (
    <div class="report">
      {about !== undefined && <p class="muted">{about}</p>}
      <p class="report-answer">{answer}</p>
      <dl class="figures">
        {figures.map((figure: Json<Figure>) => (
          <div key={figure.name}>
            <dt>{figure.name}</dt>
            <dd>
              <CellValue value={figure.value} kind={figure.kind} isWhole />
            </dd>
          </div>
        ))}
      </dl>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
      )}
      {assumptions.length > 0 && (
        <details open>
          <summary>Assumptions</summary>
          <Facts>
            {assumptions.map(({ name, value }) => (
              <Fact name={name} key={name + value}>
                {value}
              </Fact>
            ))}
          </Facts>
        </details>
      )}
      {report.end.map((line) => (
        <p class="muted hash" key={line}>
          {line}
        </p>
      ))}
    </div>
  );
}

export function ReportPlots({ plots }: { readonly plots: readonly Json<Plot>[] }) {
  if (plots.length === 0) return <Empty>Nothing was paid and nothing was used.</Empty>;
  return (
    <div class="plots">
      {plots.map((plot) => (
        <ReportPlot plot={plot} key={plot.title} />
      ))}
    </div>
  );
}

/** Custom properties of the style sheet. */
const COLORS: Readonly<Partial<Record<Tone, string>>> = { factor: 'muted' };
const LEGEND_PX = 32;
const AXIS_NAMES_PX = 22;

function ReportPlot({ plot }: { readonly plot: Json<Plot> }) {
  const { title, heightPx, tones, legend, hasAxisNames, option } = plot;
  const hasLegend = legend.length > 0;
  const topPx = 8 + (hasLegend ? LEGEND_PX : 0) + (hasAxisNames === true ? AXIS_NAMES_PX : 0);
  const options = useMemo(
    () => ({
      ...option,
      legend: { show: hasLegend, type: 'scroll', top: 0, left: 0 },
      grid: { left: 8, right: 24, top: topPx, bottom: 8, containLabel: true },
    }),
    [plot],
  );
  const colors = useMemo(() => tones.map((tone) => COLORS[tone] ?? tone), [plot]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <Chart label={title} options={options} heightPx={heightPx + topPx} colors={colors} />
    </figure>
  );
}

/** On a phone, each row is a list of its columns' names and values. */
export function ReportTable({ section: { title, columns, rows } }: { readonly section: ReportSection }) {
  const className = (kind: Kind | undefined) => (kind === 'text' ? '' : 'right');
  return (
    <table class="report-table">
      <caption>{title}</caption>
      <thead>
        <tr>
          {columns.map(({ name, kind }) => (
            <th scope="col" class={className(kind)} key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MAX_ROWS).map((row, at) => (
          <tr key={at}>
            {columns.map(({ name, kind }, place) => (
              <td class={className(kind)} data-name={name} key={name}>
                <CellValue value={row[place]} kind={kind} />
              </td>
            ))}
          </tr>
        ))}
        {rows.length > MAX_ROWS && (
          <tr>
            <td colSpan={columns.length}>{rows.length - MAX_ROWS} more rows: sunup run FILE --csv</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

const MAX_ROWS = 300;

/** @param isWhole shows zeros, which tables leave out */
export function CellValue({
  value,
  kind,
  isWhole,
}: {
  readonly value: ReportCell;
  readonly kind: Kind;
  readonly isWhole?: boolean;
}) {
  if (value === undefined || value === null) return null;
  if (kind === 'text') return <>{value}</>;
  if (kind === 'percent') return <span class="number">{value} %</span>;
  if (kind === 'time') return <span class="number">{formatSpan(Number(value))}</span>;
  if (isWhole !== true && Number(value) === 0) return null;
  return kind === 'coin' || kind === 'average' ? <Trx sun={value} /> : <Units amount={value} />;
}

const TABS = ['Plots', 'Tables', 'Energy by call'] as const;

/** @param other names and content of further tabs */
export function ReportDetails({
  report,
  tab,
  setTab,
  other,
}: {
  readonly report: ReportAnswer;
  readonly tab: string;
  readonly setTab: (tab: string) => void;
  readonly other: Readonly<Record<string, () => ComponentChildren>>;
}) {
  const names = [...TABS, ...Object.keys(other)];
  const current = names.includes(tab) ? tab : TABS[0];
  return (
    <Tabs names={names} current={current} choose={setTab}>
      {current === 'Plots' && <ReportPlots plots={report.plots} />}
      {current === 'Tables' && report.sections.map((section) => <ReportTable section={section} key={section.title} />)}
      {current === 'Energy by call' &&
        (report.calls === undefined ? (
          <Empty>This report has no calls of contracts.</Empty>
        ) : (
          <>
            <p class="muted">
              The width of a frame is its Energy: of a step, of its methods, and of the penalty. Click a frame to
              enlarge it.
            </p>
            <FlameChart root={report.calls} />
          </>
        ))}
      {other[current]?.()}
    </Tabs>
  );
}
