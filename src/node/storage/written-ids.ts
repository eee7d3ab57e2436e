/**
 * The transaction ids that a store may hold, for a store that was empty when it was opened. Every new transaction is
 * looked up to detect duplicates, and lookups of absent ids in LevelDB took 15 % of the time of a block.
 *
 * A Bloom filter with two bits per id; ids are hashes already. With a million transactions, one lookup in twenty is a
 * false positive.
 */

const BITS = 2 ** 23;

export class WrittenIds {
  #words: Uint32Array | undefined;

  /** @param id hex, at least 16 digits, uniformly distributed */
  add(id: string): void {
    this.#words ??= new Uint32Array(BITS / 32);
    for (const bit of [bitOf(id, 0), bitOf(id, 8)]) this.#words[bit >>> 5]! |= 1 << (bit & 31);
  }

  /** False only for an id that was never added. */
  mayHave(id: string): boolean {
    const words = this.#words;
    return words !== undefined && isSet(words, bitOf(id, 0)) && isSet(words, bitOf(id, 8));
  }
}

function isSet(words: Uint32Array, bit: number): boolean {
  return ((words[bit >>> 5]! >>> (bit & 31)) & 1) === 1;
}

function bitOf(id: string, from: number): number {
  return Number.parseInt(id.slice(from, from + 8), 16) % BITS;
}
