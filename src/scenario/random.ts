/**
 * Chance in a scenario: each step that asks for it has a sequence of its own, made of the scenario's seed and the step's
 * place, so that a step that is added elsewhere changes nothing here.
 */

import seedrandom from 'seedrandom';

export class Random {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = seedrandom(seed);
  }

  /** From 0, below 1. */
  fraction(): number {
    return this.#next();
  }

  /** A whole number from 0, below `size`. */
  below(size: number): number {
    return Math.floor(this.#next() * size);
  }

  /** The same for any size. */
  belowBig(size: bigint): bigint {
    if (size <= 2n ** 32n) return BigInt(this.below(Number(size)));
    // 32 bits more than it takes, so that no remainder is preferred noticeably.
    let drawn = 0n;
    for (let bits = 0n; bits < BigInt(size.toString(2).length) + 32n; bits += 32n)
      drawn = (drawn << 32n) | BigInt(this.below(2 ** 32));
    return drawn % size;
  }

  /**
   * A time between two arrivals of a Poisson process, in units of the mean. Von Neumann's method (1951), which needs
   * comparisons only: a logarithm may differ in its last bit from one machine to the next.
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
