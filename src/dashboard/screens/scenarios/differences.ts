/** Two reports side by side: their figures, and the numbers of their tables that differ. */

import type { ReportAnswer } from '../../chain/scenarios.js';
import type { ReportCell, ReportSection } from '../../parts/report.js';

export interface ComparedNumber {
  /** `payment in dollars: fee` */
  readonly name: string;
  readonly kind: ReportSection['columns'][number]['kind'] | 'time';
  readonly first: ReportCell;
  readonly second: ReportCell;
}

export interface Compared {
  readonly title: string;
  readonly numbers: readonly ComparedNumber[];
}

export function comparedReports(first: ReportAnswer, second: ReportAnswer): readonly Compared[] {
  const figures = first.figures.flatMap(({ name, kind, value }) => {
    const other = second.figures.find((figure) => figure.name === name);
    return other === undefined ? [] : [{ name, kind, first: value, second: other.value }];
  });
  const titles = [...new Set([...first.sections, ...second.sections].map(({ title }) => title))];
  return [
    { title: 'As a whole', numbers: figures },
    ...titles.map((title) => ({ title, numbers: differencesIn(title, first, second) })),
  ].filter(({ numbers }) => numbers.length > 0);
}

/** A column is known by its name, because each report leaves out columns of zeros. */
function differencesIn(title: string, first: ReportAnswer, second: ReportAnswer): readonly ComparedNumber[] {
  const [one, other] = [first, second].map((report) => numbersIn(report.sections.find((one) => one.title === title)));
  if (one === undefined || other === undefined) return [];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => {
    const [a, b] = [one.get(name), other.get(name)];
    const kind = (a ?? b)?.kind;
    if (kind === undefined || String(a?.value ?? 0) === String(b?.value ?? 0)) return [];
    return [{ name, kind, first: a?.value ?? 0, second: b?.value ?? 0 }];
  });
}

interface Numbered {
  readonly kind: ReportSection['columns'][number]['kind'];
  readonly value: ReportCell;
}

/** Numbers by the texts of their row and the name of their column. */
function numbersIn(section: ReportSection | undefined): ReadonlyMap<string, Numbered> {
  const numbers = new Map<string, Numbered>();
  if (section === undefined) return numbers;
  const { columns, rows } = section;
  for (const row of rows) {
    const texts = columns.flatMap(({ kind }, at) => (kind === 'text' && row[at] !== undefined ? [row[at]] : []));
    for (const [at, { name, kind }] of columns.entries())
      if (kind !== 'text') numbers.set(`${texts.join(', ')}: ${name}`, { kind, value: row[at] });
  }
  return numbers;
}
