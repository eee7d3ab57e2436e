/**
 * The chain as a listener knows it by what it was told: heads of blocks, and logs on top of one another. Interfaces
 * differ in what they tell of blocks that are gone: some name them, some only tell others with the same numbers.
 */

export class FollowedHeads {
  readonly #ids = new Map<number, string>();
  #head: number;
  /** The listener knows blocks above it. */
  #from: number;

  constructor(head: number) {
    this.#head = head;
    this.#from = head;
  }

  copy(): FollowedHeads {
    const copy = new FollowedHeads(this.#head);
    copy.#from = this.#from;
    for (const [number, id] of this.#ids) copy.#ids.set(number, id);
    return copy;
  }

  get head(): number {
    return this.#head;
  }

  /** Blocks above it the listener has to know, as far as it knows itself. */
  get from(): number {
    return this.#from;
  }

  /**
   * Another block, or one in the place of blocks that are gone. @param blocks empty ones told as one, with this as the
   * last @returns what is wrong with it
   */
  add(number: number, id: string, { parentId, blocks = 1 }: { parentId?: string; blocks?: number } = {}) {
    const before = number - blocks;
    if (before > this.#head) return `block ${number} is told after block ${this.#head}`;
    const parent = this.#ids.get(number - 1);
    if (blocks === 1 && parentId !== undefined && parent !== undefined && parent !== parentId)
      return `block ${number} does not follow ${parent}`;
    this.cut(before);
    this.#head = number;
    this.#ids.set(number, id);
    return undefined;
  }

  /** As it was told; undefined: it was not, or is gone. */
  idOf(number: number): string | undefined {
    return this.#ids.get(number);
  }

  /** Those that it was told above this one, and that are not gone. */
  newsAbove(height: number): (readonly [number, string])[] {
    return [...this.#ids].filter(([number]) => number > height);
  }

  /** Blocks up to `height` are there, and are not told. */
  skip(height: number): void {
    this.#head = height;
  }

  /** Blocks above `height` are gone. */
  cut(height: number): void {
    for (const number of this.#ids.keys()) if (number > height) this.#ids.delete(number);
    this.#head = Math.min(this.#head, height);
    this.#from = Math.min(this.#from, height);
  }

  /** @param idAt of the chain; undefined: no such block @returns the first difference */
  difference(head: number, idAt: (number: number) => string | undefined): string | undefined {
    if (this.#head < head) return `block ${this.#head} was told last, the head is ${head}`;
    for (const [number, id] of this.#ids)
      if (number <= head && idAt(number) !== id)
        return `${id} was told as block ${number}, the chain has ${idAt(number)}`;
    return undefined;
  }
}

export interface ToldLog {
  readonly block: number;
  /** All of it, as text: equal for the same log at the same place. */
  readonly text: string;
}

export class FollowedLogs {
  #logs: ToldLog[] = [];

  copy(): FollowedLogs {
    const copy = new FollowedLogs();
    copy.#logs = [...this.#logs];
    return copy;
  }

  add(log: ToldLog): string | undefined {
    const last = this.#logs.at(-1);
    if (last !== undefined && last.block > log.block)
      return `a log of block ${log.block} is told after one of block ${last.block}`;
    this.#logs.push(log);
    return undefined;
  }

  /** @param newestFirst within a block, too */
  remove(log: ToldLog, newestFirst: boolean): string | undefined {
    const top = this.#logs.at(-1);
    // Of a block from before the listener's beginning.
    if (top === undefined) return undefined;
    if (top.block < log.block) return `a log of block ${log.block} is taken back, and none was told above ${top.block}`;
    const at = newestFirst ? this.#logs.length - 1 : this.#logs.findIndex(({ block }) => block === top.block);
    const expected = this.#logs[at];
    if (expected?.text !== log.text) return `a log is taken back, ${log.text}; the one to go is ${expected?.text}`;
    this.#logs.splice(at, 1);
    return undefined;
  }

  /** @param logs of the chain above `from` */
  difference(from: number, logs: readonly ToldLog[]): string | undefined {
    const told = this.#logs.filter(({ block }) => block > from);
    const at = Array.from({ length: Math.max(told.length, logs.length) }, (_, i) => i).find(
      (i) => told[i]?.text !== logs[i]?.text,
    );
    return at === undefined ? undefined : `log ${at} was told as ${told[at]?.text}, the chain has ${logs[at]?.text}`;
  }
}
