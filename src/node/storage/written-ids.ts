/**
 * The transaction ids that a store may hold, for a store that was empty when it was opened. Every new transaction is
 * looked up to detect duplicates, and lookups of absent ids in LevelDB took 15 % of the time of a block.
 *
 * Bloom filters with four bits per id; ids are hashes already. A filter is for half a million ids, and the next begins
 * when it is full: of absent ids, 0.2 % are false positives with one filter and 4 % with twenty, for ten million ids.
 */

const BITS = 2 ** 23;
const IDS_PER_FILTER = 500_000;
/** Positions in an id of the eight digits for each bit. */
const PARTS = [0, 8, 16, 24] as const;

export class WrittenIds {
  /** The newest is the last. */
  readonly #filters: Uint32Array[] = [];
  #inNewest = IDS_PER_FILTER;

  /** @param id hex, at least 32 digits, uniformly distributed */
  add(id: string): void {
    if (this.#inNewest === IDS_PER_FILTER) {
      this.#filters.push(new Uint32Array(BITS / 32));
      this.#inNewest = 0;
    }
    this.#inNewest++;
    const words = this.#filters.at(-1) as Uint32Array;
    for (const from of PARTS) {
      const bit = bitOf(id, from);
      words[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  /** False only for an id that was never added. */
  mayHave(id: string): boolean {
    const [first, ...others] = PARTS;
    const bit = bitOf(id, first);
    // Of an absent id, the first bit is set in one filter of five.
    for (const words of this.#filters)
      if (isSet(words, bit) && others.every((from) => isSet(words, bitOf(id, from)))) return true;
    return false;
  }
}

function isSet(words: Uint32Array, bit: number): boolean {
  return ((words[bit >>> 5]! >>> (bit & 31)) & 1) === 1;
}

function bitOf(id: string, from: number): number {
  return Number.parseInt(id.slice(from, from + 8), 16) % BITS;
}
