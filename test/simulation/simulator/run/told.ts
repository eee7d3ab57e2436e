/** What anybody was told of the chain: blocks that must be there, with these ids. */

export class Told {
  readonly #ids = new Map<number, string>();
  /** With the height of their block or a later one. */
  readonly #transactions = new Map<string, number>();
  /** Those that a block did not take, as was said. */
  readonly #dropped = new Set<string>();
  #height = 0;
  #undecidedAbove: number | undefined;

  /** @returns the id that was told before, if it is another one */
  block(number: number, id: string): string | undefined {
    const before = this.#ids.get(number);
    this.#ids.set(number, id);
    return before === id ? undefined : before;
  }

  /** Ids of blocks are in many answers; their first eight bytes are the number. */
  hear(answer: string): void {
    for (const [, id] of answer.matchAll(/"(?:blockID|id)": ?"([0-9a-f]{64})"/g))
      this.#ids.set(Number.parseInt((id as string).slice(0, 16), 16), id as string);
  }

  /** A transaction that is said to be in a block: the node makes one for each. */
  transaction(txId: string, height: number): void {
    if (!this.#dropped.delete(txId)) this.#transactions.set(txId, height);
  }

  /** Its block is not above this one, as somebody has learned later. */
  notAbove(txId: string, height: number): void {
    const at = this.#transactions.get(txId);
    if (at !== undefined && at > height) this.#transactions.set(txId, height);
  }

  /** The chain was said to have this height. */
  height(height: number): void {
    this.#height = Math.max(this.#height, height);
  }

  /** The chain is not lower. */
  get leastHeight(): number {
    return this.#height;
  }

  /** A transaction is said to be in no block. */
  dropped(txId: string): void {
    this.#dropped.add(txId);
  }

  wasDropped(txId: string): boolean {
    return this.#dropped.has(txId);
  }

  transactions(): readonly string[] {
    return [...this.#transactions.keys()];
  }

  /** Somebody has asked for a chain without the blocks above `height`: from now on they may be gone. */
  forgetAbove(height: number): void {
    for (const number of this.#ids.keys()) if (number > height) this.#ids.delete(number);
    for (const [txId, at] of this.#transactions) if (at > height) this.#transactions.delete(txId);
    this.#height = Math.min(this.#height, height);
  }

  /**
   * The disk has refused a chain without the blocks above `height`, but may have written it. Until it accepts again, the
   * next process may find it.
   */
  undecidedAbove(height: number): void {
    this.#undecidedAbove = Math.min(height, this.#undecidedAbove ?? height);
  }

  /** The disk accepts again: what it had refused is taken back there, too. */
  decided(): void {
    this.#undecidedAbove = undefined;
  }

  /** Another process has begun. */
  startedAgain(): void {
    if (this.#undecidedAbove !== undefined) this.forgetAbove(this.#undecidedAbove);
    this.decided();
  }

  copy(): Told {
    const copy = new Told();
    for (const [number, id] of this.#ids) copy.#ids.set(number, id);
    for (const [txId, at] of this.#transactions) copy.#transactions.set(txId, at);
    copy.#undecidedAbove = this.#undecidedAbove;
    copy.#height = this.#height;
    return copy;
  }

  blocks(): readonly (readonly [number, string])[] {
    return [...this.#ids];
  }
}
