/**
 * Cost over time: equal time spans with the sums of fees and Energy. Their number is bounded: as a run gets longer,
 * two spans are merged into one, so a year takes no more memory than a day.
 */

import type { Result } from '../results/result.js';

const MOST_SPANS = 240;
const FIRST_SPAN_MS = 3_000;

export interface Span {
  /** Start of the span, milliseconds since 1970. */
  readonly fromMs: number;
  readonly bandwidthSun: number;
  readonly energySun: number;
  readonly feeSun: number;
  readonly energy: number;
  readonly penalty: number;
  /** The highest energy factor of a called contract, in 1/10,000. */
  readonly factor: number;
}

interface Sums {
  bandwidthSun: number;
  energySun: number;
  feeSun: number;
  energy: number;
  penalty: number;
  factor: number;
}

const nothing = (): Sums => ({ bandwidthSun: 0, energySun: 0, feeSun: 0, energy: 0, penalty: 0, factor: 0 });

export class Timeline {
  #spanMs = FIRST_SPAN_MS;
  #startMs: number | undefined;
  #spans: Sums[] = [];

  add(result: Result): void {
    if (!('timestampMs' in result)) return;
    this.#startMs ??= result.timestampMs;
    const span = this.#spanAt(result.timestampMs);
    if (result.kind !== 'transaction') return;
    for (const { resource, sun } of result.paid) {
      if (resource === 'bandwidth') span.bandwidthSun += Number(sun);
      else if (resource === 'energy') span.energySun += Number(sun);
      else span.feeSun += Number(sun);
    }
    const { used = 0, penalty = 0, factor = 0 } = result.energy ?? {};
    span.energy += Number(used);
    span.penalty += Number(penalty);
    span.factor = Math.max(span.factor, factor);
  }

  #spanAt(timestampMs: number): Sums {
    const passed = Math.max(0, timestampMs - (this.#startMs as number));
    while (Math.floor(passed / this.#spanMs) >= MOST_SPANS) this.#halve();
    const at = Math.floor(passed / this.#spanMs);
    while (this.#spans.length <= at) this.#spans.push(nothing());
    return this.#spans[at] as Sums;
  }

  #halve(): void {
    this.#spanMs *= 2;
    const halved: Sums[] = [];
    for (let at = 0; at < this.#spans.length; at += 2) {
      const first = this.#spans[at] as Sums;
      const second = this.#spans[at + 1] ?? nothing();
      halved.push({
        bandwidthSun: first.bandwidthSun + second.bandwidthSun,
        energySun: first.energySun + second.energySun,
        feeSun: first.feeSun + second.feeSun,
        energy: first.energy + second.energy,
        penalty: first.penalty + second.penalty,
        factor: Math.max(first.factor, second.factor),
      });
    }
    this.#spans = halved;
  }

  get(): readonly Span[] {
    return this.#spans.map((sums, at) => ({ fromMs: (this.#startMs ?? 0) + at * this.#spanMs, ...sums }));
  }
}
