/** What a bench is: a question, and the figures that answer it, each beside a reference of the same run. */

export type Unit = '/s' | 's' | 'ms' | 'µs' | 'MB';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** Something that everybody knows or can run, measured in the same run and in the same unit. */
  readonly reference?: { readonly name: string; readonly value: number } | undefined;
  /** What we want of the value, or of its ratio to the reference. Shown, never asserted. */
  readonly aim?: Aim | undefined;
}

export type Aim = { readonly of: 'value' | 'ratio' } & ({ readonly atMost: number } | { readonly atLeast: number });

export interface Bench {
  /** One line for `--help`. */
  readonly about: string;
  /** `progress` is told what is being done. A figure that cannot be had here (no such peer) is not yielded. */
  measure(progress: (text: string) => void): AsyncIterable<Figure>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds that `work` takes. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The median of several runs, in milliseconds, after one that does not count. */
export async function medianMilliseconds(runs: number, work: () => unknown): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await milliseconds(work));
  return median(times);
}
