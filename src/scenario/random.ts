/**
 * Random values of a scenario. Each step has its own sequence, derived from the scenario's seed and the step's path,
 * so a step that is added elsewhere does not change the values here.
 */

import seedrandom from 'seedrandom';

export class Random {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = seedrandom(seed);
  }

  /** In [0, 1). */
  fraction(): number {
    return this.#next();
  }

  /** A whole number in [0, size). */
  below(size: number): number {
    return Math.floor(this.#next() * size);
  }

  /** The same for any size. */
  belowBig(size: bigint): bigint {
    if (size <= 2n ** 32n) return BigInt(this.below(Number(size)));
    // 32 extra bits make the bias of the remainder negligible.
    let drawn = 0n;
    for (let bits = 0n; bits < BigInt(size.toString(2).length) + 32n; bits += 32n)
      drawn = (drawn << 32n) | BigInt(this.below(2 ** 32));
    return drawn % size;
  }

  /**
   * The time between two arrivals of a Poisson process, in units of the mean. Von Neumann's method (1951) needs only
   * comparisons; the last bit of a logarithm may differ between machines.
   */
  exponential(): number {
    for (let whole = 0; ; whole++) {
      const first = this.#next();
      let last = first;
      let falling = 1;
      for (let next = this.#next(); next < last; next = this.#next()) {
        last = next;
        falling++;
      }
      if (falling % 2 === 1) return whole + first;
    }
  }
}
