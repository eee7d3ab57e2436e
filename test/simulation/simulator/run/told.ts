/** What anybody was told of the chain: blocks that must be there, with these ids. */

export class Told {
  readonly #ids = new Map<number, string>();

  /** @returns the id that was told before, if it is another one */
  block(number: number, id: string): string | undefined {
    const before = this.#ids.get(number);
    this.#ids.set(number, id);
    return before === id ? undefined : before;
  }

  /** Somebody has asked for a chain without the blocks above `height`: from now on they may be gone. */
  forgetAbove(height: number): void {
    for (const number of this.#ids.keys()) if (number > height) this.#ids.delete(number);
  }

  get head(): number {
    let head = 0;
    for (const number of this.#ids.keys()) if (number > head) head = number;
    return head;
  }

  blocks(): readonly (readonly [number, string])[] {
    return [...this.#ids];
  }
}
