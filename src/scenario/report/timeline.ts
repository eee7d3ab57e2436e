/**
 * Cost over time: equal time spans with the sums of fees and Energy. Their number is bounded: as a run gets longer,
 * two spans are merged into one, so a year takes no more memory than a day.
 */

import type { Sun } from '../../primitives/ids.js';
import type { Result } from '../results/result.js';

const MAX_SPANS = 240;
const FIRST_SPAN_MS = 3_000;

export interface Span {
  /** Start of the span, milliseconds since 1970. */
  readonly fromMs: number;
  readonly bandwidthSun: Sun;
  readonly energySun: Sun;
  readonly feeSun: Sun;
  readonly energy: bigint;
  readonly penalty: bigint;
  /** The highest energy factor of a called contract, in 1/10,000. */
  readonly factor: number;
}

interface Sums {
  bandwidthSun: Sun;
  energySun: Sun;
  feeSun: Sun;
  energy: bigint;
  penalty: bigint;
  factor: number;
}

const nothing = (): Sums => ({
  bandwidthSun: 0n,
  energySun: 0n,
  feeSun: 0n,
  energy: 0n,
  penalty: 0n,
  factor: 0,
});

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
      if (resource === 'bandwidth') span.bandwidthSun += sun;
      else if (resource === 'energy') span.energySun += sun;
      else span.feeSun += sun;
    }
    const { used = 0n, penalty = 0n, factor = 0 } = result.energy ?? {};
    span.energy += used;
    span.penalty += penalty;
    span.factor = Math.max(span.factor, factor);
  }

  #spanAt(timestampMs: number): Sums {
    const passed = Math.max(0, timestampMs - (this.#startMs as number));
    while (Math.floor(passed / this.#spanMs) >= MAX_SPANS) this.#halve();
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
