/** Two runs side by side, with the difference of each number. */

import { Empty } from '../../parts/panel.js';
import { CellValue } from '../../parts/report.js';
import { type ComparedNumber, comparedReports } from './differences.js';
import type { Run } from './runs.js';

interface CompareProps {
  readonly runs: readonly Run[];
  /** Numbers of the runs. */
  readonly first: number | undefined;
  readonly second: number | undefined;
  readonly choose: (place: 'first' | 'second', id: number) => void;
}

export function Compare({ runs, first, second, choose }: CompareProps) {
  const one = runs.find(({ id }) => id === first) ?? runs.at(-2);
  const other = runs.find(({ id }) => id === second) ?? runs.at(-1);
  if (one === undefined || other === undefined)
    return <Empty>Run the scenario again with other values, then compare the two runs here.</Empty>;
  return (
    <>
      <div class="compared">
        <RunField name="First run" runs={runs} chosen={one.id} choose={(id) => choose('first', id)} />
        <RunField name="Second run" runs={runs} chosen={other.id} choose={(id) => choose('second', id)} />
      </div>
      {comparedReports(one.report, other.report).map(({ title, numbers }) => (
        <table class="report-table" key={title}>
          <caption>{title === 'As a whole' ? title : `${title}: what differs`}</caption>
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col" class="right">
                run {one.id}
              </th>
              <th scope="col" class="right">
                run {other.id}
              </th>
              <th scope="col" class="right">
                difference
              </th>
            </tr>
          </thead>
          <tbody>
            {numbers.map((number) => (
              <tr key={number.name}>
                <td data-name="what">{number.name}</td>
                <td class="right" data-name={`run ${one.id}`}>
                  <CellValue value={number.first} kind={number.kind} isWhole />
                </td>
                <td class="right" data-name={`run ${other.id}`}>
                  <CellValue value={number.second} kind={number.kind} isWhole />
                </td>
                <td class="right" data-name="difference">
                  <Difference number={number} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </>
  );
}

function Difference({ number: { first, second, kind } }: { readonly number: ComparedNumber }) {
  if (kind === 'time' || kind === 'percent') {
    const more = Number(second ?? 0) - Number(first ?? 0);
    return more === 0 ? <span class="muted">same</span> : <CellValue value={more} kind={kind} />;
  }
  const more = BigInt(second ?? 0) - BigInt(first ?? 0);
  if (more === 0n) return <span class="muted">same</span>;
  const percent = Number(first ?? 0) === 0 ? undefined : Math.round((Number(more) / Number(first)) * 1000) / 10;
  // Only of a cost, more is worse.
  const isCost = kind === 'coin' || kind === 'average';
  const sign = more > 0n ? '+' : '−';
  return (
    <span class={!isCost ? '' : more > 0n ? 'bad' : 'good'}>
      {sign}
      <CellValue value={String(more > 0n ? more : -more)} kind={kind} />
      {percent !== undefined && (
        <span class="muted">
          {' '}
          ({sign}
          {Math.abs(percent)} %)
        </span>
      )}
    </span>
  );
}

function RunField({
  name,
  runs,
  chosen,
  choose,
}: {
  readonly name: string;
  readonly runs: readonly Run[];
  readonly chosen: number;
  readonly choose: (id: number) => void;
}) {
  return (
    <label class="field">
      {name}
      <select value={chosen} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
        {runs.map(({ id, label }) => (
          <option value={id} key={id}>
            {id}: {label}
          </option>
        ))}
      </select>
    </label>
  );
}
