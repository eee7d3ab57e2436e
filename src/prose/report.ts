/**
 * A report without its form: what people read first, then plots, tables and the Energy of calls. Plain data, so that the
 * HTML page and the dashboard show the same.
 */

export interface Report {
  /** Name of the file. */
  readonly title: string;
  /** What the scenario is about, in its own words. */
  readonly about?: string;
  /** In one sentence. */
  readonly answer: string;
  /** Further sentences. */
  readonly findings: readonly string[];
  readonly figures: readonly Figure[];
  readonly assumptions: readonly Assumption[];
  readonly plots: readonly Plot[];
  readonly sections: readonly Section[];
  /** Of runs with calls. */
  readonly calls?: CallEnergy;
  /** Totals, head and digest in words. */
  readonly end: readonly string[];
}

/** One number of the whole. */
export interface Figure {
  readonly name: string;
  readonly kind: ColumnKind | 'time';
  /** Of `time`: milliseconds. */
  readonly value: NonNullable<Cell>;
}

/** Something that is given, and not computed. */
export interface Assumption {
  readonly name: string;
  readonly value: string;
}

/** Energy of calls, with that of the calls below. */
export interface CallEnergy {
  readonly name: string;
  readonly value: number;
  readonly children: readonly CallEnergy[];
}

/** What a colour stands for; the forms of a report have their own colours. */
export type Tone = 'bandwidth' | 'energy' | 'burned' | 'staked' | 'free' | 'origin' | 'penalty' | 'factor';

/** Options of ECharts without title, colours and distances, which belong to the form. Plain data: no functions. */
export interface Plot {
  readonly title: string;
  readonly heightPx: number;
  /** Of the series, in their order. */
  readonly tones: readonly Tone[];
  /** Names in the legend; empty: no legend. */
  readonly legend: readonly string[];
  /** Whether axes have names above them. */
  readonly hasAxisNames?: boolean;
  readonly option: Readonly<Record<string, unknown>>;
}

/** Types of columns: text, numbers, sun, averages in sun, percent. */
export type ColumnKind = 'text' | 'number' | 'coin' | 'average' | 'percent';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Text, numbers or sun; undefined: an empty cell. */
export type Cell = string | number | bigint | undefined;

export interface Section {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}
